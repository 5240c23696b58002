import FoundationEssentials
import Glibc
import HelixModel
import HelixSQLite

/// A change of messages.
public struct MessageEdit: Hashable, Sendable {
    /// The flags to set.
    public var set: MessageFlags = []
    /// The flags to clear.
    public var clear: MessageFlags = []
    /// The labels to add.
    public var addedLabels: [String] = []
    /// The labels to remove.
    public var removedLabels: [String] = []
    /// The target mailbox; nil to leave messages in place.
    public var target: Target?
    /// Whether messages whose server rejects the change are skipped: for flags set along with another action.
    public var isOptional = false

    /// A mailbox of the message's own account.
    public enum Target: Hashable, Sendable {
        /// The existing mailbox with a name.
        case named(String)
        /// The mailbox with a name, created if it does not exist.
        case made(String)
        /// The mailbox with a role, created if it does not exist.
        case role(Mailbox.Role)
        /// The hidden mailbox of deleted messages.
        case deleted
    }

    /// Creates an empty change.
    public init() {}

    /// Whether it changes nothing.
    public var isEmpty: Bool { self == MessageEdit() }
}

/// The editable columns of a message's row.
struct MessageState: Equatable {
    var n: Int64
    var id: EntityID
    var account: Int64
    var mailbox: Int64
    var file: String
    var isNew: Bool
    var letters: String
    var flags: MessageFlags
    var labels: [String]

    static let columns = "n, id, account, mailbox, file, is_new, letters, flags, labels"

    init(_ row: Statement) {
        n = row.integer(0)
        id = row.id(1) ?? EntityID(stored: "")
        account = row.integer(2)
        mailbox = row.integer(3)
        file = row.text(4) ?? ""
        isNew = row.integer(5) != 0
        letters = row.text(6) ?? ""
        flags = MessageFlags(rawValue: Int(row.integer(7)))
        labels = (row.text(8) ?? "").split(separator: " ").map(String.init)
    }

    static func labelText(_ labels: [String]) -> String? {
        labels.isEmpty ? nil : " " + labels.joined(separator: " ") + " "
    }

    /// The journaled fields.
    var fields: [String: DatabaseValue] {
        [
            "flags": .int64(Int64(flags.rawValue)), "mailbox": .int64(mailbox),
            "labels": MessageState.labelText(labels).databaseValue,
        ]
    }

    /// Applies journaled fields.
    mutating func apply(_ fields: JournalFields) {
        if case .int64(let value)? = fields.values["flags"] { flags = MessageFlags(rawValue: Int(value)) }
        if case .int64(let value)? = fields.values["mailbox"] { mailbox = value }
        switch fields.values["labels"] {
        case .string(let text)?: labels = text.split(separator: " ").map(String.init)
        case .null?: labels = []
        default: break
        }
    }
}

extension Change {
    /// Changes messages: rows, journal, and the names of their files.
    /// - Returns: the IDs of the changed messages.
    /// - Throws: ``HelixError`` for an unknown mailbox, an invalid label, or a file that cannot be renamed.
    @discardableResult
    public func editMessages(_ ids: [EntityID], _ edit: MessageEdit) throws -> [EntityID] {
        for label in edit.addedLabels + edit.removedLabels { try Self.check(label: label) }
        var changed: [EntityID] = []
        var targets: [Int64: Int64] = [:]
        for id in ids {
            guard let old = try messageState(id) else { continue }
            var new = old
            new.flags.formUnion(edit.set)
            new.flags.subtract(edit.clear)
            let removed = Set(edit.removedLabels.map { $0.lowercased() })
            new.labels.removeAll { removed.contains($0.lowercased()) }
            for label in edit.addedLabels where !new.labels.contains(where: { $0.lowercased() == label.lowercased() }) {
                new.labels.append(label)
            }
            if let target = edit.target {
                let mailbox = try targets[old.account] ?? mailbox(target, of: old.account)
                targets[old.account] = mailbox
                new.mailbox = mailbox
            }
            if new == old { continue }
            do { try requireRights(old, new) } catch  where edit.isOptional { continue }
            try write(old, new)
            changed.append(id)
        }
        return changed
    }

    static func check(label: String) throws {
        guard !label.isEmpty, label.count <= 100, !label.contains(where: { $0.isWhitespace || "\"():@".contains($0) })
        else {
            throw HelixError(.usage, "invalid label '\(label)'", hint: "Use one word of at most 100 characters.")
        }
    }

    /// The subject of a message in quotes, for the history.
    /// - Throws: ``HelixError``.
    public func subject(of id: EntityID) throws -> String { "'\(try Store.title(db, .message, id))'" }

    func messageState(_ id: EntityID) throws -> MessageState? {
        let row = try Statement(db, "SELECT \(MessageState.columns) FROM message WHERE id = ?1")
        row.bind(1, id.text)
        var state: MessageState?
        while try row.step() { state = MessageState(row) }
        return state
    }

    /// The implementation of `Change.update` for messages.
    func updateMessage(_ id: EntityID, _ fields: JournalFields) throws {
        guard let old = try messageState(id) else {
            throw HelixError(
                .notFound, "the message \(id.text) no longer exists", hint: "Its file was deleted by another program.")
        }
        if case .string(let file)? = fields.values["file"] {
            return try exchange(old, with: try version(file, of: old))
        }
        var new = old
        new.apply(fields)
        if new.mailbox != old.mailbox { try MailboxNumbers.restore(db, new.mailbox, of: old.account) }
        if new != old { try write(old, new) }
    }

    func write(_ old: MessageState, _ given: MessageState) throws {
        var new = given
        // A message with flags was seen, and belongs in cur.
        if !new.flags.isEmpty { new.isNew = false }
        if new.mailbox != old.mailbox { new.file = try freeName(MaildirName.withoutUID(new.file), for: new) }
        let update = try Statement(
            db, "UPDATE message SET mailbox = ?2, file = ?3, is_new = ?4, flags = ?5, labels = ?6 WHERE n = ?1")
        update.bind(1, old.n)
        update.bind(2, new.mailbox)
        update.bind(3, new.file)
        update.bind(4, new.isNew ? 1 : 0 as Int64)
        update.bind(5, Int64(new.flags.rawValue))
        update.bind(6, MessageState.labelText(new.labels))
        try update.run()
        let (before, after) = (old.fields, new.fields)
        let names = before.keys.filter { before[$0] != after[$0] }
        try record(
            .message, old.id, "update", before: JournalFields(before.filter { names.contains($0.key) }),
            after: JournalFields(after.filter { names.contains($0.key) }))
        messageFiles.add(from: try place(of: old), to: try place(of: new))
    }

    /// A free name for a file in its new mailbox: its own name, or another one if that is taken.
    func freeName(_ base: String, for state: MessageState) throws -> String {
        let row = try Statement(db, "SELECT 1 FROM message WHERE mailbox = ?1 AND file = ?2 AND n <> ?3")
        row.bind(1, state.mailbox)
        row.bind(2, base)
        row.bind(3, state.n)
        var isTaken = false
        while try row.step() { isTaken = true }
        if !isTaken {
            var named = state
            named.file = base
            let place = try place(of: named)
            // Files that arrived since the last indexing have no rows yet.
            let cur = place.folder + "/cur/" + base
            let paths: [String] = [place.path, cur, cur + ":2,", place.folder + "/new/" + base]
            isTaken = paths.contains { access($0, F_OK) == 0 }
        }
        return isTaken ? MaildirName.another(for: base) : base
    }

    func place(of state: MessageState) throws -> MessageFiles.Place {
        var folder = messageFiles.folders[state.mailbox]
        if folder == nil {
            let row = try Statement(
                db, "SELECT a.path, b.path FROM mailbox b JOIN account a ON a.n = b.account WHERE b.n = ?1")
            row.bind(1, state.mailbox)
            while try row.step() {
                folder = Mailbox.folder(account: row.text(0) ?? "", path: row.text(1) ?? "")
            }
            messageFiles.folders[state.mailbox] = folder
        }
        guard let folder else {
            throw HelixError(.notFound, "the mailbox of a message no longer exists", hint: "Run 'helix mail index'.")
        }
        return MessageFiles.Place(
            folder: folder, base: state.file, isNew: state.isNew, letters: state.flags.maildir(with: state.letters))
    }

    /// The number of the target mailbox in an account, which is created if necessary.
    func mailbox(_ target: MessageEdit.Target, of account: Int64) throws -> Int64 {
        let row = try Statement(db, "SELECT n, name, role, path FROM mailbox WHERE account = ?1 ORDER BY n")
        row.bind(1, account)
        var boxes: [(n: Int64, name: String, role: String?, path: String)] = []
        while try row.step() { boxes.append((row.integer(0), row.text(1) ?? "", row.text(2), row.text(3) ?? "")) }
        switch target {
        case .named(let name):
            let word = name.lowercased()
            let visible = boxes.filter { $0.role != Mailbox.deletedRole }
            if let found = visible.first(where: { $0.name.lowercased() == word })
                ?? visible.first(where: { $0.role == word })
            {
                return found.n
            }
            throw HelixError(
                .notFound, "unknown mailbox '\(name)'",
                hint: "Use one of: \(visible.map(\.name).sorted().joined(separator: ", ")), or add --create.")
        case .made(let name):
            if let found = try HelixError.ifFound({ try self.mailbox(.named(name), of: account) }) { return found }
            let parts = try Store.mailboxParts(name)
            try Mailbox.requireOneLevel(name, account: account, db)
            let hasDots = boxes.contains { $0.path.isEmpty || $0.path.hasPrefix(".") }
            let path = hasDots ? "." + parts.joined(separator: ".") : parts.joined(separator: "/")
            return try addMailbox(account, path: path, name: name, role: Mailbox.Role(name: name)?.rawValue)
        case .role(let role):
            if let found = boxes.first(where: { $0.role == role.rawValue }) { return found.n }
            let name = role.rawValue.prefix(1).uppercased() + role.rawValue.dropFirst()
            // Its number would be gone when the proposal is accepted.
            if let profile = store.profile, store.proposes, [.archive, .trash, .junk].contains(role) {
                throw profile.refusal(
                    "make the mailbox '\(name)', which cannot be proposed", rule: .changes,
                    hint: "Ask the person: helix mail mailboxes add \(name) --account "
                        + (try String.fetchOne(db, sql: "SELECT name FROM account WHERE n = ?", arguments: [account])
                            ?? "NAME"))
            }
            // Nested like the account's other mailboxes: with a dot before the name, or as a plain folder.
            let hasDots = boxes.contains { $0.path.isEmpty || $0.path.hasPrefix(".") }
            return try addMailbox(account, path: (hasDots ? "." : "") + name, name: name, role: role.rawValue)
        case .deleted:
            if let found = boxes.first(where: { $0.role == Mailbox.deletedRole }) { return found.n }
            let id = try String.fetchOne(db, sql: "SELECT id FROM account WHERE n = ?", arguments: [account]) ?? ""
            let path = store.deletedMail + "/" + id
            return try addMailbox(account, path: path, name: "", role: Mailbox.deletedRole)
        }
    }

    func addMailbox(_ account: Int64, path: String, name: String, role: String?) throws -> Int64 {
        try MailboxNumbers.add(db, account: account, path: path, name: name, role: role)
    }
}

extension Mailbox {
    /// The role of the hidden mailbox that keeps deleted messages until they expire.
    static let deletedRole = "deleted"

    /// The folder of a mailbox; the hidden mailbox is outside the account's folder.
    static func folder(account: String, path: String) -> String {
        path.isEmpty ? account : path.hasPrefix("/") ? path : account + "/" + path
    }

    /// The folder on disk.
    func folder(in account: Account) -> String { Mailbox.folder(account: account.path, path: path) }
}

extension Store {
    /// The folder of deleted messages.
    var deletedMail: String { path + ".deleted-mail" }

    /// Marks messages as seen when they are shown. This is not journaled, and cannot be undone.
    /// - Throws: ``HelixError``.
    public func markSeen(_ ids: [EntityID]) throws {
        if isReadOnly { return }
        try requireChange(.message)
        let states = ChangeStates()
        let files = states.of(MessageFiles.self)
        do {
            try writeDerived { db in
                let change = Change(store: self, db: db, command: "", summary: "", states: states)
                for id in ids {
                    guard let state = try change.messageState(id), !state.flags.contains(.seen) else { continue }
                    try change.noteSeen(state)
                }
                if isRehearsal { return files.forget() }
                try files.perform()
            }
        } catch {
            throw files.revert(because: error)
        }
    }
}

extension Change {
    fileprivate func noteSeen(_ old: MessageState) throws {
        var new = old
        new.flags.insert(.seen)
        new.isNew = false
        try db.execute(
            sql: "UPDATE message SET flags = ?, is_new = 0 WHERE n = ?", arguments: [new.flags.rawValue, old.n])
        messageFiles.add(from: try place(of: old), to: try place(of: new))
    }
}
