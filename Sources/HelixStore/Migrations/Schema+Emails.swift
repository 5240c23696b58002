extension Schema {
    static let mailboxIDs = """
        -- What the server calls a mailbox whatever its name is (RFC 8474 §4); null where it does not say.
        ALTER TABLE remote_mailbox ADD COLUMN object_id TEXT;
        """

    static let emails = """
        -- Messages of servers that name them by texts instead of numbers (JMAP), with a number of our own.
        CREATE TABLE remote_email (
            account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE,
            n INTEGER NOT NULL,
            id TEXT NOT NULL,
            PRIMARY KEY (account, n),
            UNIQUE (account, id)
        ) WITHOUT ROWID;
        -- How far both sides of such an account agree, in the server's words.
        CREATE TABLE remote_mail_state (
            account INTEGER PRIMARY KEY REFERENCES account(n) ON DELETE CASCADE,
            state TEXT NOT NULL,
            -- What the server said of itself; null as long as nobody knows, or if that is something else by now.
            session TEXT
        );
        """
}
