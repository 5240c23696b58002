extension Schema {
    /// The path that a mailbox number had before another mailbox was renamed to it. If that one is renamed again, and a mailbox is
    /// created there again, as by redo, it gets this number, to which the journal refers.
    static let lostMailboxPaths = """
        ALTER TABLE mailbox_number ADD COLUMN lost_path TEXT;
        DROP TRIGGER mailbox_renamed;
        CREATE TRIGGER mailbox_renamed AFTER UPDATE OF path ON mailbox WHEN old.path <> new.path BEGIN
            UPDATE mailbox_number SET lost_path = path, path = NULL
                WHERE account = (SELECT id FROM account WHERE n = new.account) AND path = new.path AND n <> new.n;
            UPDATE mailbox_number SET path = new.path, lost_path = NULL WHERE n = new.n;
        END;
        """
}
