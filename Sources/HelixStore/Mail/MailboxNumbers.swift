import HelixModel
import HelixSQLite

/// Numbers of mailboxes. The journal refers to them, so a number belongs to one mailbox for ever: one that comes back
/// gets the number it had, and nothing else gets it.
enum MailboxNumbers {
    /// Adds a mailbox to an account, unless there is one at that path.
    /// - Returns: its number.
    /// - Throws: ``HelixError`` of code `notFound`: the account is gone.
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
                .notFound, "the account is gone: it was removed, or its addition undone, a moment ago",
                hint: "'helix account list' shows the accounts.")
        }
        try db.execute(
            sql: "INSERT OR IGNORE INTO mailbox_number (account, path) VALUES (?, ?)", arguments: [owner, path])
        let number = try Int64.fetchOne(
            db, sql: "SELECT n FROM mailbox_number WHERE account = ? AND path = ?", arguments: [owner, path])
        try db.execute(
            sql: "INSERT INTO mailbox (n, account, path, name, role) VALUES (?, ?, ?, ?, ?)",
            arguments: [number, account, path, name, role])
        return number ?? db.lastInsertedRowID
    }

    /// Makes sure that a mailbox which the journal names is there, so that a message can go back into it.
    /// - Throws: ``HelixError`` of code `conflict`: it is gone, and its name or its account with it.
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
        guard let path: String = former?["path"] else {
            throw HelixError(
                .conflict, "the mailbox that the message was in is gone, and another one has its name",
                hint: "'helix mail move' puts the message where it should be.")
        }
        let isDeleted = path.hasPrefix("/")
        let name = isDeleted ? "" : MaildirFolder.name(of: path)
        try add(
            db, account: account, path: path, name: name,
            role: isDeleted ? Mailbox.deletedRole : Mailbox.Role(name: name)?.rawValue)
    }
}
