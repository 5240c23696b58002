extension Schema {
    /// The failed attempts to sync each account since the last successful one.
    static let syncFailures = """
        CREATE TABLE sync_failure (
            n INTEGER PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE,
            at INTEGER NOT NULL
        );
        CREATE INDEX sync_failure_account ON sync_failure(account, at);
        """

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

        -- The calendars of servers and folders, and the one here that each is.
        CREATE TABLE remote_calendar (
            n INTEGER PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE,
            href TEXT NOT NULL,
            calendar TEXT NOT NULL,
            -- What the other side said of its state: the same words mean that nothing changed.
            marker TEXT,
            token TEXT,
            is_read_only INTEGER NOT NULL DEFAULT 0,
            UNIQUE (account, href)
        );
        -- The events that are on both sides, as they were when those last agreed. Those without an event here are of
        -- kinds that helix does not keep.
        CREATE TABLE remote_event (
            calendar INTEGER NOT NULL REFERENCES remote_calendar(n) ON DELETE CASCADE,
            href TEXT NOT NULL,
            etag TEXT NOT NULL,
            event TEXT,
            text TEXT,
            PRIMARY KEY (calendar, href)
        ) WITHOUT ROWID;
        CREATE INDEX remote_event_event ON remote_event(event) WHERE event IS NOT NULL;

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
