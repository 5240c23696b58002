import HelixModel
import HelixSQLite

/// One change set in the making: what a command changes, all or nothing.
public final class Change {
    let store: Store
    let db: Database
    private let command: String
    private let reverses: Int64?
    /// Whether what is changed stands in the history; false for what helix makes for itself.
    private let isJournaled: Bool
    private var number: Int64?
    private var ordinal = 0
    /// The identity of the change set; it is written only if anything changes.
    public let id = EntityID()
    /// What `helix history` says of it. May be set until the end.
    public var summary: String
    /// What had to give way when the clock was stopped.
    public internal(set) var stopAdjustment = TimeAdjustment()

    /// The files of messages that get other names.
    let messageFiles: MessageFiles
    /// The folders of mailboxes that were asked for.
    var mailboxFolders: [Int64: String] = [:]
    /// Rights that servers deny in the mailboxes that were looked at.
    var restrictions: [Int64: Restriction?] = [:]

    init(
        store: Store, db: Database, command: String, summary: String, reverses: Int64? = nil,
        messageFiles: MessageFiles = MessageFiles(), isJournaled: Bool = true
    ) {
        self.isJournaled = isJournaled
        self.messageFiles = messageFiles
        self.store = store
        self.db = db
        self.command = command
        self.summary = summary
        self.reverses = reverses
    }

    /// Whether anything was changed.
    public var isEmpty: Bool { number == nil }
    /// How many entities were changed.
    public var count: Int { ordinal }

    /// The rows whose words change, and the words that the full-text index has of them; nil for none.
    private var texts: [TextRow: [DatabaseValue]?] = [:]

    /// A row of a table that has a full-text index.
    private struct TextRow: Hashable, Comparable {
        let kind: EntityKind
        let number: Int64

        static func < (a: TextRow, b: TextRow) -> Bool { (a.kind.rawValue, a.number) < (b.kind.rawValue, b.number) }
    }

    /// The hashes of files that were attached or taken away.
    private(set) var fileHashes: Set<String> = []

    func create(_ kind: EntityKind, _ id: EntityID, _ fields: JournalFields) throws {
        try noteFile(kind, fields, isCreated: true)
        let table = JournaledTable.table(kind)
        try table.insert(db, id, fields, now: store.now)
        // A row deleted before may have had the same number: then its words are still to be taken out.
        let row = TextRow(kind: kind, number: db.lastInsertedRowID)
        if !table.textColumns.isEmpty, texts[row] == nil { texts[row] = .some(nil) }
        try table.didWrite(store, db, id)
        try record(kind, id, "create")
    }

    /// Notes a row that was already inserted with all that is derived from it.
    func didCreate(_ kind: EntityKind, _ id: EntityID) throws { try record(kind, id, "create") }

    /// Writes those of `fields` that differ from what the row holds.
    ///
    /// - Parameter former: what the row holds, if that was just read.
    func update(
        _ kind: EntityKind, _ id: EntityID, _ fields: JournalFields, former: JournalFields? = nil
    ) throws {
        if kind == .message { return try updateMessage(id, fields) }
        let table = JournaledTable.table(kind)
        guard let old = try former ?? table.row(db, id) else {
            throw HelixError(.notFound, "there is no \(kind.rawValue) \(id.text) any more")
        }
        let changed = fields.values.filter { old.values[$0.key] != $0.value }
        if changed.isEmpty { return }
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
    }

    func delete(_ kind: EntityKind, _ id: EntityID) throws {
        let table = JournaledTable.table(kind)
        guard let old = try table.row(db, id) else { return }
        // A link leads from something to something.
        if kind != .link { for link in try Store.links(db, of: id) { try delete(.link, link.id) } }
        try noteFile(kind, old, isCreated: false)
        try table.willDelete(store, db, id)
        if !table.textColumns.isEmpty { try keepText(of: id, in: table) }
        try table.delete(db, id)
        try record(kind, id, "delete", before: old)
    }

    /// Keeps the words of a row as the full-text index has them, before they change for the first time.
    private func keepText(of id: EntityID, in table: JournaledTable) throws {
        guard let (number, words) = try table.words(db, id) else { return }
        let row = TextRow(kind: table.kind, number: number)
        if texts[row] == nil { texts[row] = words }
    }

    /// Keeps in mind that bytes of the folder of files get or lose a row that refers to them.
    private func noteFile(_ kind: EntityKind, _ fields: JournalFields, isCreated: Bool) throws {
        guard kind == .file || kind == .outgoing || kind == .chatAttachment,
            case .string(let hash)? = fields.values["sha256"]
        else { return }
        var name = ""
        if case .string(let text)? = fields.values["name"] ?? fields.values["subject"] { name = text }
        if isCreated, store.files.path(hash) == nil {
            throw HelixError(
                .conflict, "the bytes of '\(name)' are gone, so it cannot come back",
                hint: "What is removed is kept for 30 days. A backup may have it: helix restore FILE.")
        }
        fileHashes.insert(hash)
    }

    /// The number of the last row of a kind; 0 if there is none.
    func lastRow(of kind: EntityKind) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT MAX(n) FROM \(JournaledTable.table(kind).name)") ?? 0
    }

    /// Notes all of a kind whose rows were inserted after another one, in their order: one statement for all.
    func didCreate(_ kind: EntityKind, after row: Int64) throws {
        let last = try lastRow(of: kind)
        if last <= row { return }
        // Rows that come one after another have numbers that do: those say the order.
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

    /// Writes the change set, whether anything changes or not.
    func begin() throws { _ = try changeSet() }

    /// The number of the change set, which is written with the first change.
    func changeSet() throws -> Int64 {
        if let number { return number }
        try db.execute(
            sql: """
                INSERT INTO change_set (id, made_at, command, summary, device, reverses)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [id.text, store.now.seconds, command, summary, store.device(db), reverses])
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
        defer { mailboxFolders = [:] }
        // In the order of rows: to go back in it makes FTS5 write what it holds each time.
        for (row, words) in texts.sorted(by: { $0.key < $1.key }) {
            try JournaledTable.table(row.kind).reindex(db, row.number, words)
        }
        try db.execute(sql: "UPDATE change_set SET summary = ? WHERE n = ?", arguments: [summary, number])
        // Last of all: what could fail has been done.
        if store.isRehearsal { return messageFiles.forget() }
        try messageFiles.perform { moves in
            try MoveIntent(moves, proof: .changeSet(self.id), store: self.store.path) {
                _ = try self.store.settleMovesInTransaction()
            }
        }
    }
}

extension Store {
    /// Makes a change: all that `body` does, in one transaction and one change set that `helix undo` takes back.
    ///
    /// ```swift
    /// try store.change("delete 'Lunch'", command: "cal delete") { change in try change.deleteEvent(id) }
    /// ```
    /// - Throws: what `body` throws, after taking everything back; ``HelixError`` for what the store says.
    public func change<Value>(
        _ summary: String, command: String, _ body: (Change) throws -> Value
    ) throws -> Value {
        try change(summary, command: command, reverses: nil, body)
    }

    func change<Value>(
        _ summary: String, command: String, reverses: Int64?, _ body: (Change) throws -> Value
    ) throws -> Value {
        if isReadOnly {
            throw HelixError(
                .io, "the store at \(path) is read-only; nothing was changed",
                hint: "Give yourself the right to write it, or name another place with HELIX_HOME.")
        }
        let messageFiles = MessageFiles()
        var made: EntityID?
        var outcome: Value?
        var files: Set<String> = []
        var isEmpty = true
        do {
            let value = try writing {
                let change = Change(
                    store: self, db: database, command: command, summary: summary, reverses: reverses,
                    messageFiles: messageFiles)
                let value = try body(change)
                try change.finish()
                files = change.fileHashes
                // The commit comes now.
                (made, outcome) = (change.id, value)
                isEmpty = change.isEmpty
                return value
            }
            if isRehearsal { return value }
            if !isEmpty { hasChanged = true }
            messageFiles.commit()
            settleFiles(files)
            foldLog()
            return value
        } catch {
            guard error is DatabaseError, let made, let outcome else {
                throw messageFiles.revert(because: readable(error))
            }
            switch isCommitted(.changeSet(made)) {
            case true?:
                messageFiles.commit()
                settleFiles(files)
                warnings.append(Store.unsafeChange)
                return outcome
            case false?:
                throw messageFiles.revert(because: readable(error))
            case nil:
                messageFiles.leave()
                throw HelixError(
                    .io, "the disk failed while the change was saved, and cannot be asked whether it was",
                    hint: "Look at the disk. 'helix history' shows whether the change is there.")
            }
        }
    }

    static let unsafeChange =
        "The disk reported an error while the change was saved. It is there, but may not survive a power cut."

    /// Whether a change is there although its commit failed: what was written into the log before the disk reported an error
    /// counts for the next process that opens the store, so this one opens it again and looks.
    /// - Returns: nil if that cannot be found out.
    func isCommitted(_ proof: MoveIntent.Proof) -> Bool? {
        database.close()
        guard let again = try? Database(path: path) else { return nil }
        database = again
        return try? proof.isCommitted(again)
    }

    /// The name under which this machine's changes are told from others'.
    func device(_ db: Database) throws -> String {
        if let known = try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = 'device'") { return known }
        let made = EntityID().text
        try db.execute(sql: "INSERT INTO setting (name, value) VALUES ('device', ?)", arguments: [made])
        return made
    }
}
