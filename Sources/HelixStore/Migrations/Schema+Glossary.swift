extension Schema {
    /// Columns get the names that the glossary of docs/architecture.md gives their notions.
    static let glossaryNames = """
        ALTER TABLE conversation RENAME COLUMN agreed TO synced;
        ALTER TABLE chat_message RENAME COLUMN agreed TO synced;
        ALTER TABLE chat_member RENAME COLUMN wish TO pending;
        ALTER TABLE chat_member RENAME COLUMN wished_after TO pending_after;
        ALTER TABLE remote_mailbox RENAME COLUMN wish TO pending;
        ALTER TABLE remote_calendar RENAME COLUMN look TO appearance;
        -- The files of projects whose bytes a gateway has.
        CREATE TABLE replica_file (
            account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE,
            sha256 TEXT NOT NULL,
            PRIMARY KEY (account, sha256)
        ) WITHOUT ROWID;
        -- Files were not replicated before: everything is compared once more.
        UPDATE replica_cursor SET ours = NULL;
        """
}
