import HelixModel
import HelixSQLite

/// Numbers of mailboxes. The journal refers to them, so a number belongs to one mailbox permanently: a restored mailbox
/// gets its former number, which is never reused.
enum MailboxNumbers {
    /// Adds a mailbox to an account, unless there is one at that path.
    /// - Returns: the number of the mailbox.
    /// - Throws: ``HelixError`` of code `notFound` if the account no longer exists.
    @discardableResult
    static func add(
        _ db: Database, account: Int64, path: String, name: String, role: String?
    ) throws -> Int64 {
        let known = try Int64.fetchOne(
            db, sql: "SELECT n FROM mailbox WHERE account = ? AND path = ?", arguments: [account, path])
        if let known { return known }
        guard let owner = try String.fetchOne(db, sql: "SELECT id FROM account WHERE n = ?", arguments: [account])
        else {
            throw HelixError(
                .notFound, "the account no longer exists: it was removed, or its addition undone, a moment ago",
                hint: "List accounts with 'helix account list'.")
        }
        // The first that was there before another mailbox took its name: redo creates them in the order of the journal.
        try db.execute(
            sql: """
                UPDATE OR IGNORE mailbox_number SET path = lost_path, lost_path = NULL WHERE n = (
                    SELECT MIN(n) FROM mailbox_number
                    WHERE account = ?1 AND path IS NULL AND lost_path = ?2 AND n NOT IN (SELECT n FROM mailbox))
                """, arguments: [owner, path])
        try db.execute(
            sql: "INSERT OR IGNORE INTO mailbox_number (account, path) VALUES (?, ?)", arguments: [owner, path])
        let number = try Int64.fetchOne(
            db, sql: "SELECT n FROM mailbox_number WHERE account = ? AND path = ?", arguments: [owner, path])
        try db.execute(
            sql: "INSERT INTO mailbox (n, account, path, name, role) VALUES (?, ?, ?, ?, ?)",
            arguments: [number, account, path, name, role])
        return number ?? db.lastInsertedRowID
    }

    /// Restores a mailbox named in the journal if it is missing, so that a message can be moved back.
    /// - Throws: ``HelixError`` of code `conflict` if its former path or its account is not known any more.
    static func restore(_ db: Database, _ number: Int64, of account: Int64) throws {
        let exists = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM mailbox WHERE n = ? AND account = ?)", arguments: [number, account])
        if exists == true { return }
        let former = try Row.fetchOne(
            db,
            sql: """
                SELECT f.path FROM mailbox_number f JOIN account a ON a.id = f.account
                WHERE f.n = ? AND a.n = ? AND f.path IS NOT NULL
                """, arguments: [number, account])
        guard let path: String = try former?["path"] else {
            throw HelixError(
                .conflict, "the former mailbox of the message no longer exists, and another one has its name",
                hint: "Move the message with 'helix mail move'.")
        }
        let isDeleted = path.hasPrefix("/")
        let name = isDeleted ? "" : MaildirFolder.name(of: path)
        try add(
            db, account: account, path: path, name: name,
            role: isDeleted ? Mailbox.deletedRole : Mailbox.Role(name: name)?.rawValue)
    }
}
