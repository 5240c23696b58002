import HelixModel
import HelixSQLite

/// A change of a mailbox in the history: created, renamed or deleted.
public struct MailboxChange: Hashable, Sendable {
    /// The account.
    public var account: EntityID
    /// The name before; nil if the mailbox was created.
    public var former: String?
    /// The name after; nil if it was deleted.
    public var name: String?
    /// The command, as in the history.
    var command: String
    /// The change set that it undoes.
    var reverses: Int64?
    /// The change set that is in effect again, if it undoes an undo.
    var restores: Int64?

    /// Creates the change that a command makes.
    public init(_ account: Account, from former: String?, to name: String?, command: String) {
        self.init(account.id, from: former, to: name, command: command)
    }

    fileprivate init(_ account: EntityID, from former: String?, to name: String?, command: String) {
        (self.account, self.former, self.name, self.command) = (account, former, name, command)
    }

    /// The text of the history.
    var summary: String {
        switch (former, name) {
        case (let former?, let name?): "rename mailbox '\(former)' to '\(name)'"
        case (nil, let name?): "create mailbox '\(name)'"
        case (let former?, nil): "delete mailbox '\(former)'"
        case (nil, nil): ""
        }
    }

    /// Writes the change to the history.
    /// - Throws: ``DatabaseError``.
    func record(_ store: Store, _ db: Database) throws {
        var text = summary
        if let reverses {
            let former = try String.fetchOne(
                db, sql: "SELECT summary FROM change_set WHERE n = ?", arguments: [reverses])
            text = "\(command): \(former ?? summary)"
        }
        let change = Change(store: store, db: db, command: command, summary: text, reverses: reverses)
        let number = try change.changeSet()
        try db.execute(
            sql: "INSERT INTO mailbox_change (change_set, account, former, name) VALUES (?, ?, ?, ?)",
            arguments: [number, account.text, former, name])
        if let restores {
            try db.execute(sql: "UPDATE change_set SET reversed_by = NULL WHERE n = ?", arguments: [restores])
        }
    }
}

extension Store {
    /// The change of a mailbox that a change set made; nil for all others.
    /// - Throws: ``HelixError``.
    public func mailboxChange(_ changeSet: EntityID) throws -> MailboxChange? {
        try read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT m.account, m.former, m.name, s.command FROM mailbox_change m
                    JOIN change_set s ON s.n = m.change_set WHERE s.id = ?
                    """, arguments: [changeSet.text])
            return try row.map { row in
                try MailboxChange(
                    EntityID(stored: row["account"]), from: row["former"], to: row["name"], command: row["command"])
            }
        }
    }

    /// Undoes or redoes a change of a mailbox.
    ///
    /// - Parameters:
    ///   - target: the change set that is reversed: of the change itself, or of its undo.
    ///   - original: the change set of the change itself.
    /// - Throws: ``HelixError`` of code `conflict` if the mailbox is no longer as that change left it.
    func reverse(_ done: MailboxChange, _ verb: String, target: Int64, original: Int64) throws {
        let account = try mailAccounts().first { $0.id == done.account }
        guard let account else {
            throw HelixError(
                .conflict, "cannot \(verb): the account of the mailbox was removed since",
                hint: "Undo that first: 'helix history' lists it.")
        }
        let isRedo = verb == "redo"
        var change = done
        (change.former, change.name) = isRedo ? (done.former, done.name) : (done.name, done.former)
        (change.command, change.reverses, change.restores) = (verb, target, isRedo ? original : nil)
        func box(_ name: String) throws -> Mailbox {
            do { return try mailbox(named: name, of: account.name).mailbox } catch {
                throw HelixError(
                    .conflict, "cannot \(verb): the mailbox '\(name)' was renamed or deleted since",
                    hint: "'helix history' lists the later changes: \(verb) them first.")
            }
        }
        switch (change.former, change.name) {
        case (nil, let name?): try addMailbox(name, in: account, as: change)
        case (let former?, nil): try deleteMailbox(try box(former), of: account, as: change)
        case (let former?, let name?): try renameMailbox(try box(former), of: account, to: name, as: change)
        case (nil, nil): break
        }
    }
}
