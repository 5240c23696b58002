extension Schema {
    /// Columns get the names that the glossary of docs/architecture.md gives their notions.
    static let glossaryNames = """
        ALTER TABLE conversation RENAME COLUMN agreed TO synced;
        ALTER TABLE chat_message RENAME COLUMN agreed TO synced;
        ALTER TABLE chat_member RENAME COLUMN wish TO pending;
        ALTER TABLE chat_member RENAME COLUMN wished_after TO pending_after;
        ALTER TABLE remote_mailbox RENAME COLUMN wish TO pending;
        ALTER TABLE remote_calendar RENAME COLUMN look TO appearance;
        """
}
