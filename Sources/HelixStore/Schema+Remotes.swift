extension Schema {
    static let remotes = """
        -- How servers are reached, as JSON; nothing secret.
        ALTER TABLE account ADD COLUMN settings TEXT;

        -- The mailboxes of servers as they were when both sides last agreed.
        CREATE TABLE remote_mailbox (
            n INTEGER PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE,
            name TEXT NOT NULL,
            -- Below the account's folder.
            path TEXT NOT NULL,
            uid_validity INTEGER NOT NULL,
            -- The number that the next message would have had, how many there were, and the number of the last change if
            -- the server counts them.
            uid_next INTEGER NOT NULL DEFAULT 1,
            count INTEGER NOT NULL DEFAULT 0,
            mod_seq INTEGER,
            UNIQUE (account, name)
        );
        -- The messages that are on both sides, with the flags they had on both.
        CREATE TABLE remote_message (
            mailbox INTEGER NOT NULL REFERENCES remote_mailbox(n) ON DELETE CASCADE,
            uid INTEGER NOT NULL,
            -- The name of its file without flags.
            file TEXT NOT NULL,
            flags INTEGER NOT NULL,
            -- Between blanks: ' billing urgent '.
            labels TEXT,
            -- A hash of its Message-ID: by it a message is known that was moved.
            key INTEGER,
            PRIMARY KEY (mailbox, uid)
        ) WITHOUT ROWID;
        CREATE INDEX remote_message_file ON remote_message(mailbox, file, uid, flags, labels, key);

        CREATE TABLE sync_state (
            account INTEGER PRIMARY KEY REFERENCES account(n) ON DELETE CASCADE,
            -- When both sides last agreed, and when that was last tried.
            synced_at INTEGER,
            tried_at INTEGER NOT NULL,
            -- Why the last try failed.
            problem TEXT
        );

        -- What has left: it cannot be called back.
        CREATE TABLE departed (
            id TEXT PRIMARY KEY,
            message_id TEXT NOT NULL,
            left_at INTEGER NOT NULL,
            -- What the server said.
            answer TEXT NOT NULL
        ) WITHOUT ROWID;

        -- In order of time: what has attachments is found without looking at what has none.
        CREATE INDEX message_attachment ON message(n, flags) WHERE traits & 1 <> 0;
        """
}
