import HelixModel
import HelixSQLite

/// A change set under construction: all changes of a command, in one transaction.
public final class Change {
    let store: Store
    let db: Database
    private let command: String
    let origin: ChangeOrigin
    private let reverses: Int64?
    /// Whether changes are written to the journal; false for data that helix derives itself.
    private let isJournaled: Bool
    private var number: Int64?
    private var ordinal = 0
    /// The ID of the change set, which is written only if anything changes.
    public let id: EntityID
    /// The description in `helix history`. It can be set until the end.
    public var summary: String
    /// The reason for which it cannot be undone; nil if it can.
    public var final: FinalChange?

    /// The state of the domains that it changes.
    private let states: ChangeStates

    init(
        store: Store, db: Database, id: EntityID = EntityID(), command: String, origin: ChangeOrigin = .command,
        summary: String, reverses: Int64? = nil, states: ChangeStates = ChangeStates(), isJournaled: Bool = true
    ) {
        (self.id, self.isJournaled) = (id, isJournaled)
        self.states = states
        self.store = store
        self.db = db
        self.command = command
        self.origin = origin
        self.summary = summary
        self.reverses = reverses
    }

    /// Whether anything was changed.
    public var isEmpty: Bool { number == nil }
    /// The number of changes.
    public var count: Int { ordinal }

    /// The rows whose texts change, and their texts in the full-text index; nil for none.
    private var texts: [TextRow: [DatabaseValue]?] = [:]

    /// A row of a table that has a full-text index.
    private struct TextRow: Hashable, Comparable {
        let kind: EntityKind
        let number: Int64

        static func < (a: TextRow, b: TextRow) -> Bool { (a.kind.rawValue, a.number) < (b.kind.rawValue, b.number) }
    }

    /// The hashes of attached and removed files.
    private(set) var fileHashes: Set<String> = []
    /// Whether an entity of another store is being written: the bytes of its files are transferred later.
    var isReplicating = false

    func create(_ kind: EntityKind, _ id: EntityID, _ fields: JournalFields) throws {
        try requireSending(kind, id, old: nil, new: fields)
        try noteFile(kind, fields, isCreated: true)
        let table = JournaledTable.table(kind)
        try table.insert(db, id, fields, now: store.now)
        // A row deleted before may have had the same number: then its texts are still to be removed.
        let row = TextRow(kind: kind, number: db.lastInsertedRowID)
        if !table.textColumns.isEmpty, texts[row] == nil { texts[row] = .some(nil) }
        try table.didWrite(store, db, id)
        try record(kind, id, "create")
        try requireVisible(kind, id)
    }

    /// Records the creation of a row that was already inserted with its derived data.
    func didCreate(_ kind: EntityKind, _ id: EntityID) throws {
        if store.profile != nil, let row = try JournaledTable.table(kind).row(db, id) {
            try requireSending(kind, id, old: nil, new: row)
        }
        try record(kind, id, "create")
        try requireVisible(kind, id)
    }

    /// Writes those of `fields` that differ from the row.
    ///
    /// - Parameter former: the fields of the row, if they were just read.
    func update(
        _ kind: EntityKind, _ id: EntityID, _ fields: JournalFields, former: JournalFields? = nil
    ) throws {
        if let update = EntityDescriptor.of(kind).rules.update {
            try update(self, id, fields)
            return try requireVisible(kind, id)
        }
        let table = JournaledTable.table(kind)
        guard let old = try former ?? table.row(db, id) else {
            throw HelixError(.notFound, "the \(kind.rawValue) \(id.text) no longer exists")
        }
        let changed = fields.values.filter { old.values[$0.key] != $0.value }
        if changed.isEmpty { return }
        try requireSending(kind, id, old: old, new: JournalFields(changed))
        if changed["sha256"] != nil {
            try noteFile(kind, JournalFields(old.values.merging(changed) { $1 }), isCreated: true)
            try noteFile(kind, old, isCreated: false)
        }
        let changesText = table.textColumns.contains { changed[$0] != nil }
        if changesText { try keepText(of: id, in: table) }
        try table.update(db, id, JournalFields(changed), now: store.now)
        try table.didWrite(store, db, id)
        let before = JournalFields(old.values.filter { changed[$0.key] != nil })
        try record(kind, id, "update", before: before, after: JournalFields(changed))
        try requireVisible(kind, id)
    }

    func delete(_ kind: EntityKind, _ id: EntityID) throws {
        let table = JournaledTable.table(kind)
        guard let old = try table.row(db, id) else { return }
        try requireSending(kind, id, old: old, new: nil)
        // A link does not outlive its entities.
        if kind != .link { for link in try Store.links(db, of: id) { try delete(.link, link.id) } }
        try noteFile(kind, old, isCreated: false)
        try table.willDelete(store, db, id)
        if !table.textColumns.isEmpty { try keepText(of: id, in: table) }
        try table.delete(db, id)
        try record(kind, id, "delete", before: old)
    }

    /// Keeps the texts of a row as in the full-text index, before their first change.
    private func keepText(of id: EntityID, in table: JournaledTable) throws {
        guard let (number, words) = try table.words(db, id) else { return }
        let row = TextRow(kind: table.kind, number: number)
        if texts[row] == nil { texts[row] = words }
    }

    /// Records that bytes in the files folder gain or lose a row that refers to them.
    private func noteFile(_ kind: EntityKind, _ fields: JournalFields, isCreated: Bool) throws {
        guard case .string(let hash)? = fields.values["sha256"], JournaledTable.table(kind).hasBytes else { return }
        var name = ""
        if case .string(let text)? = fields.values["name"] ?? fields.values["subject"] { name = text }
        if isCreated, !isReplicating, store.files.path(hash) == nil {
            throw HelixError(
                .conflict, "cannot restore '\(name)': its file is missing",
                hint: "Removed files are kept for 30 days. Try to restore a backup: helix restore FILE.")
        }
        fileHashes.insert(hash)
    }

    /// The number of the last row of a kind; 0 if there is none.
    func lastRow(of kind: EntityKind) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT MAX(n) FROM \(JournaledTable.table(kind).name)") ?? 0
    }

    /// Records the creation of all rows of a kind after a row number, in their order, with one statement.
    func didCreate(_ kind: EntityKind, after row: Int64) throws {
        let last = try lastRow(of: kind)
        if last <= row { return }
        try requirePermission(kind)
        if store.profile != nil { try requireSending(kind, after: row) }
        // Rows inserted one after another have consecutive numbers, which give the order.
        try db.execute(
            sql: """
                INSERT INTO change (change_set, ordinal, kind, entity, operation)
                SELECT ?1, ?2 + n - ?3 - 1, ?4, id, 'create' FROM \(JournaledTable.table(kind).name)
                WHERE n > ?3 ORDER BY n
                """, arguments: [changeSet(), ordinal, row, kind.rawValue])
        ordinal += Int(last - row)
    }

    func record(
        _ kind: EntityKind, _ id: EntityID, _ operation: String, before: JournalFields? = nil,
        after: JournalFields? = nil
    ) throws {
        guard isJournaled else { return }
        try requirePermission(kind)
        let row = try Statement(
            db,
            """
            INSERT INTO change (change_set, ordinal, kind, entity, operation, before, after)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """)
        row.bind(1, try changeSet())
        row.bind(2, Int64(ordinal))
        row.bind(3, kind.rawValue)
        row.bind(4, id.text)
        row.bind(5, operation)
        row.bind(6, before?.json)
        row.bind(7, after?.json)
        try row.run()
        ordinal += 1
    }

    /// Writes the change set even if nothing changes.
    func begin() throws { _ = try changeSet() }

    /// The author of the changes: those from a server were not made by whoever runs the sync.
    private var actor: ChangeActor { origin == .sync ? ChangeActor(.sync) : store.actor }

    /// The number of the change set, which is written with the first change.
    func changeSet() throws -> Int64 {
        if let number { return number }
        try db.execute(
            sql: """
                INSERT INTO change_set
                    (id, made_at, command, origin, summary, device, reverses, actor, actor_name, run)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id.text, store.now.seconds, command, origin.rawValue, summary, store.device(db), reverses,
                actor.kind.rawValue, actor.name, actor.run,
            ])
        let made = db.lastInsertedRowID
        if let reverses {
            try db.execute(
                sql: "UPDATE change_set SET reversed_by = ? WHERE n = ?", arguments: [made, reverses])
        }
        number = made
        return made
    }

    func finish() throws {
        guard let number else { return }
        // In row order: an earlier row makes FTS5 flush its pending data each time.
        for (row, words) in texts.sorted(by: { $0.key < $1.key }) {
            try JournaledTable.table(row.kind).reindex(db, row.number, words)
        }
        try db.execute(
            sql: "UPDATE change_set SET summary = ?, final = ? WHERE n = ?",
            arguments: [summary, final?.rawValue, number])
        // At the very end, when nothing else can fail.
        if store.isRehearsal { return states.forget() }
        try states.perform(for: self)
    }

    /// The state of a domain, created when it is first needed.
    func state<State: ChangeState>(_ type: State.Type) -> State { states.of(type) }
}

extension Store {
    /// Runs `body` in one transaction and one change set, which `helix undo` can undo.
    ///
    /// ```swift
    /// try store.change("delete 'Lunch'", command: "cal delete") { change in try change.deleteEvent(id) }
    /// ```
    /// - Throws: the error of `body`, after a rollback; ``HelixError`` for errors of the store.
    public func change<Value>(
        _ summary: String, command: String, origin: ChangeOrigin = .command, _ body: (Change) throws -> Value
    ) throws -> Value {
        try change(summary, command: command, origin: origin, reverses: nil, body)
    }

    /// Runs `body` in one change set that no command of the user makes.
    /// - Throws: as ``change(_:command:origin:_:)``.
    public func change<Value>(
        _ summary: String, from origin: ChangeOrigin, _ body: (Change) throws -> Value
    ) throws -> Value {
        try change(summary, command: origin.rawValue, origin: origin, reverses: nil, body)
    }

    func change<Value>(
        _ summary: String, command: String, origin: ChangeOrigin = .command, id: EntityID = EntityID(),
        reverses: Int64?, _ body: (Change) throws -> Value
    ) throws -> Value {
        if isReadOnly {
            throw HelixError(
                .io, "the store at \(path) is read-only; nothing was changed",
                hint: "Give yourself write permission, or set HELIX_HOME to another folder.")
        }
        // All changes of an agent under 'propose' are in its branch, except messages that a person releases.
        if proposes, !isRehearsal, origin != .sync, !isHolding { try openBranch() }
        let states = ChangeStates()
        var made: EntityID?
        var outcome: Value?
        var files: Set<String> = []
        var isEmpty = true
        do {
            let value = try writing {
                let change = Change(
                    store: self, db: database, id: id, command: command, origin: origin, summary: summary,
                    reverses: reverses, states: states)
                let value = try body(change)
                if let log { try change.append(to: log) }
                try change.finish()
                files = change.fileHashes
                // The commit comes now.
                (made, outcome) = (change.id, value)
                isEmpty = change.isEmpty
                return value
            }
            if isRehearsal { return value }
            if !isEmpty {
                hasChanged = true
                // A program that serves many requests makes change sets for years.
                savedChangeSets = savedChangeSets.suffix(99) + [id]
            }
            states.commit()
            settleFiles(files)
            foldLog()
            return value
        } catch {
            guard error is DatabaseError, let made, let outcome else {
                throw states.revert(because: readable(error))
            }
            switch isCommitted(.changeSet(made)) {
            case true?:
                states.commit()
                settleFiles(files)
                warnings.append(Store.unsafeChange)
                return outcome
            case false?:
                throw states.revert(because: readable(error))
            case nil:
                states.leave()
                throw HelixError(
                    .io, "the disk failed while the change was saved; cannot find out whether it was saved",
                    hint: "Check the disk. 'helix history' shows whether the change was saved.")
            }
        }
    }

    static let unsafeChange =
        "The disk reported an error while the change was saved. It is saved, but may not survive a power cut."

    /// Whether a change was committed although its commit failed: data written to the log before the disk reported an error
    /// is valid for the next process that opens the store, so this one reopens it and checks.
    /// - Returns: nil if the check fails.
    func isCommitted(_ proof: MoveIntent.Proof) -> Bool? {
        database.close()
        guard let again = try? Database(path: path) else { return nil }
        database = again
        return try? proof.isCommitted(again)
    }

    /// The name that distinguishes this machine's changes from those of others.
    func device(_ db: Database) throws -> String {
        if let known = try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = 'device'") { return known }
        let made = EntityID().text
        try db.execute(sql: "INSERT INTO setting (name, value) VALUES ('device', ?)", arguments: [made])
        return made
    }
}
