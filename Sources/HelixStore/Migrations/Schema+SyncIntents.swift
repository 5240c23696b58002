extension Schema {
    static let syncIntents = """
        -- What was given to the other side, which has not said yet that it has it. If the line breaks just then, nobody
        -- knows whether it does; the next sync looks.
        CREATE TABLE remote_sending (
            calendar INTEGER NOT NULL REFERENCES remote_calendar(n) ON DELETE CASCADE,
            href TEXT NOT NULL,
            event TEXT,
            task TEXT,
            text TEXT NOT NULL,
            PRIMARY KEY (calendar, href)
        ) WITHOUT ROWID;

        -- What somebody here wants to become of a mailbox on the server: 'rename' or 'delete'.
        ALTER TABLE remote_mailbox ADD COLUMN wish TEXT;
        """
}
