extension Schema {
    /// The state of messages as a gateway last reported it to the devices of their user.
    static let servedMail = """
        CREATE TABLE served_message (
            id TEXT NOT NULL,
            -- The row of the message: a replaced draft keeps its id and gets another row.
            n INTEGER NOT NULL,
            account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE,
            mailbox INTEGER NOT NULL,
            flags INTEGER NOT NULL,
            labels TEXT,
            -- The numbers of the states that first had it, and that last changed it.
            created INTEGER NOT NULL,
            changed INTEGER NOT NULL,
            is_gone INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (id, n)
        ) WITHOUT ROWID;
        CREATE INDEX served_message_changed ON served_message(account, changed);
        -- Rounds that found changes. A state is valid if its round is here: a restored backup has other rounds from then on.
        CREATE TABLE served_round (
            account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE,
            last INTEGER NOT NULL,
            tag TEXT NOT NULL,
            PRIMARY KEY (account, last)
        ) WITHOUT ROWID;
        """
}
