extension Schema {
    static let rights = """
        -- The rights that the server does not give in a mailbox, as bits of MailboxRights; none as long as nothing is known.
        ALTER TABLE remote_mailbox ADD COLUMN denied INTEGER NOT NULL DEFAULT 0;
        -- The sign between levels of names on the server; null as long as nothing is known.
        ALTER TABLE remote_mailbox ADD COLUMN delimiter TEXT;
        -- Whether the server of a calendar sends invitations and answers by itself (RFC 6638); null as long as nobody asked.
        ALTER TABLE remote_calendar ADD COLUMN schedules INTEGER;
        -- Name and colour on both sides when they last agreed, as JSON; null as long as nobody looked.
        ALTER TABLE remote_calendar ADD COLUMN look TEXT;
        """
}
