extension Schema {
    /// Changes of mailboxes, which have no journaled rows: what changes with them are folders.
    static let mailboxChanges = """
        CREATE TABLE mailbox_change (
            change_set INTEGER PRIMARY KEY REFERENCES change_set(n),
            account TEXT NOT NULL,
            -- The name before; NULL if the mailbox was created.
            former TEXT,
            -- The name after; NULL if it was deleted.
            name TEXT
        );
        """
}
