import HelixMail
import HelixModel
import HelixSQLite

/// Writes mail from a server and the state of the last sync. None of it is a change by the user, so it is not journaled.
public final class RemoteMailWriter {
    private let change: Change
    private let account: Account
    private var db: Database { change.db }

    fileprivate init(_ change: Change, _ account: Account) {
        self.change = change
        self.account = account
    }

    /// Adds a mailbox or updates its state.
    /// - Returns: the mailbox with its number.
    /// - Throws: ``HelixError``.
    @discardableResult
    public func save(_ mailbox: RemoteMailbox) throws -> RemoteMailbox {
        var mailbox = mailbox
        let values: StatementArguments = [
            mailbox.name, mailbox.path, Int64(mailbox.uidValidity), Int64(mailbox.uidNext), mailbox.count,
            mailbox.modSeq, mailbox.pending?.rawValue, MailboxRights.all.subtracting(mailbox.rights).rawValue,
            mailbox.delimiter, mailbox.objectID, mailbox.number == 0 ? account.number : mailbox.number,
        ]
        if mailbox.number == 0 {
            try db.execute(
                sql: """
                    INSERT INTO remote_mailbox (name, path, uid_validity, uid_next, count, mod_seq, pending, denied, delimiter,
                        object_id, account)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """, arguments: values)
            mailbox.number = db.lastInsertedRowID
        } else {
            try db.execute(
                sql: """
                    UPDATE remote_mailbox SET name = ?, path = ?, uid_validity = ?, uid_next = ?, count = ?, mod_seq = ?,
                        pending = ?, denied = ?, delimiter = ?, object_id = ? WHERE n = ?
                    """, arguments: values)
        }
        return mailbox
    }

    /// Adds a local mailbox before its first message arrives, with the role that the server gives it.
    /// - Throws: ``HelixError``.
    public func place(_ mailbox: RemoteMailbox, called name: String, role: Mailbox.Role?) throws {
        try MaildirFolder.make(Mailbox.folder(account: account.path, path: mailbox.path))
        try MailboxNumbers.add(
            db, account: account.number, path: mailbox.path, name: name,
            role: (role ?? Mailbox.Role(name: name))?.rawValue)
        if let role { try give(role, to: mailbox.path) }
    }

    /// Sets the role of a mailbox; each role belongs to one mailbox.
    private func give(_ role: Mailbox.Role, to path: String) throws {
        try db.execute(
            sql:
                "UPDATE mailbox SET role = CASE path WHEN ?2 THEN ?3 END WHERE account = ?1 AND (path = ?2 OR role = ?3)",
            arguments: [account.number, path, role.rawValue])
    }

    /// Renames the folder of a mailbox.
    ///
    /// - Parameter role: the server's role for it. If it is nil and the name implies none, the role is kept.
    /// - Throws: ``HelixError``.
    public func renamePath(from path: String, to new: String, called name: String, role: Mailbox.Role?) throws {
        try db.execute(
            sql: "UPDATE mailbox SET path = ?, name = ? WHERE account = ? AND path = ?",
            arguments: [new, name, account.number, path])
        if let role = role ?? Mailbox.Role(name: name) { try give(role, to: new) }
    }

    /// Removes the row of an empty mailbox.
    /// - Throws: ``HelixError``.
    public func removeMailbox(_ path: String) throws {
        try db.execute(
            sql: """
                DELETE FROM mailbox WHERE account = ?1 AND path = ?2
                    AND NOT EXISTS (SELECT 1 FROM message m WHERE m.mailbox = mailbox.n)
                """, arguments: [account.number, path])
    }

    /// Forgets a mailbox and the sync state of its messages.
    /// - Throws: ``HelixError``.
    public func forget(_ mailbox: RemoteMailbox) throws {
        try forgetMessages(of: mailbox)
        try db.execute(sql: "DELETE FROM remote_mailbox WHERE n = ?", arguments: [mailbox.number])
    }

    /// Forgets the sync state of the messages of a mailbox.
    /// - Throws: ``HelixError``.
    public func forgetMessages(of mailbox: RemoteMailbox) throws {
        try db.execute(sql: "DELETE FROM remote_message WHERE mailbox = ?", arguments: [mailbox.number])
    }

    /// Records the state of a message as synced.
    /// - Throws: ``HelixError``.
    public func save(_ message: RemoteMessage, in mailbox: RemoteMailbox) throws {
        let row = try Statement(
            db,
            """
            INSERT OR REPLACE INTO remote_message (mailbox, uid, file, flags, labels, key)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """)
        row.bind(1, mailbox.number)
        row.bind(2, Int64(message.uid))
        row.bind(3, message.file)
        row.bind(4, Int64(message.flags.rawValue))
        row.bind(5, MessageState.labelText(message.labels))
        row.bind(6, message.key)
        try row.run()
    }

    /// Forgets the sync state of a message.
    /// - Throws: ``HelixError``.
    public func forget(_ uid: UInt32, in mailbox: RemoteMailbox) throws {
        let row = try Statement(db, "DELETE FROM remote_message WHERE mailbox = ?1 AND uid = ?2")
        row.bind(1, mailbox.number)
        row.bind(2, Int64(uid))
        try row.run()
    }

    /// Sets the flags and labels of a local message.
    /// - Throws: ``HelixError``.
    public func setFlags(_ flags: MessageFlags, _ labels: [String], of file: String, in mailbox: RemoteMailbox) throws {
        guard let old = try state(file, in: mailbox) else { return }
        var new = old
        (new.flags, new.labels) = (flags, labels)
        try write(old, new)
    }

    /// Moves a local message to another mailbox.
    /// - Returns: the new name of its file, changed if the name was in use; nil if the message does not exist.
    /// - Throws: ``HelixError``.
    public func move(_ file: String, from mailbox: RemoteMailbox, to target: RemoteMailbox) throws -> String? {
        guard let old = try state(file, in: mailbox) else { return nil }
        var new = old
        new.mailbox = try number(of: target)
        new.file = try change.freeName(new.file, for: new)
        try write(old, new)
        return new.file
    }

    /// Deletes a local message that was deleted on the server; like other deleted messages, it is kept for a while.
    /// - Throws: ``HelixError``.
    public func putAside(_ file: String, in mailbox: RemoteMailbox) throws {
        guard let old = try state(file, in: mailbox) else { return }
        var new = old
        new.mailbox = try change.mailbox(.deleted, of: account.number)
        new.file = try change.freeName(new.file, for: new)
        try write(old, new)
    }

    private func state(_ file: String, in mailbox: RemoteMailbox) throws -> MessageState? {
        let row = try Statement(
            db,
            """
            SELECT \(MessageState.columns) FROM message
            WHERE mailbox = (SELECT n FROM mailbox WHERE account = ?1 AND path = ?2) AND file = ?3
            """)
        row.bind(1, account.number)
        row.bind(2, mailbox.path)
        row.bind(3, file)
        var state: MessageState?
        while try row.step() { state = MessageState(row) }
        return state
    }

    /// The row of a local mailbox, created if it does not exist.
    private func number(of mailbox: RemoteMailbox) throws -> Int64 {
        let known = try Int64.fetchOne(
            db, sql: "SELECT n FROM mailbox WHERE account = ? AND path = ?", arguments: [account.number, mailbox.path])
        if let known { return known }
        let name = MaildirFolder.name(of: mailbox.path)
        return try change.addMailbox(
            account.number, path: mailbox.path, name: name, role: Mailbox.Role(name: name)?.rawValue)
    }

    private func write(_ old: MessageState, _ given: MessageState) throws {
        if old == given { return }
        var new = given
        if !new.flags.isEmpty { new.isNew = false }
        let update = try Statement(
            db, "UPDATE message SET mailbox = ?2, file = ?3, is_new = ?4, flags = ?5, labels = ?6 WHERE n = ?1")
        update.bind(1, old.n)
        update.bind(2, new.mailbox)
        update.bind(3, new.file)
        update.bind(4, new.isNew ? 1 : 0 as Int64)
        update.bind(5, Int64(new.flags.rawValue))
        update.bind(6, MessageState.labelText(new.labels))
        try update.run()
        change.messageFiles.add(from: try change.place(of: old), to: try change.place(of: new))
    }
}

extension Store {
    /// Writes mail from a server in one transaction; files are renamed last.
    /// - Throws: what `body` throws; ``HelixError``.
    public func writeRemoteMail<Value>(
        _ account: Account, _ body: (RemoteMailWriter) throws -> Value
    ) throws -> Value {
        let states = ChangeStates()
        let files = states.of(MessageFiles.self)
        do {
            return try writeDerived { db in
                let change = Change(store: self, db: db, command: "", summary: "", states: states)
                let value = try body(RemoteMailWriter(change, account))
                try files.perform()
                return value
            }
        } catch {
            throw files.revert(because: error)
        }
    }
}
