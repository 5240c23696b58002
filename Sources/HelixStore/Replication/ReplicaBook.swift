import HelixModel
import HelixSQLite

/// The state of replication with a gateway: each entity as of the last sync, and how far each side has read the other's journal.
public struct ReplicaBook {
    let db: Database
    let account: Int64

    /// The fields of an entity as of the last sync; nil if the gateway never received it.
    /// - Throws: ``HelixError``.
    public func base(of id: EntityID) throws -> JSONText? {
        let row = try Statement(db, "SELECT base FROM replica WHERE account = ?1 AND entity = ?2")
        row.bind(1, account)
        row.bind(2, id.text)
        defer { row.reset() }
        guard try row.step(), let text = row.text(0) else { return nil }
        return try? JSONText(Array(text.utf8))
    }

    /// Records the fields of an entity as synced; nil if neither side has it.
    /// - Throws: ``HelixError``.
    public func markSynced(_ kind: EntityKind, _ id: EntityID, on fields: JSONText?) throws {
        guard let fields else {
            try db.execute(
                sql: "DELETE FROM replica WHERE account = ? AND entity = ?", arguments: [account, id.text])
            return
        }
        let row = try Statement(
            db, "INSERT OR REPLACE INTO replica (account, entity, kind, base) VALUES (?1, ?2, ?3, ?4)")
        row.bind(1, account)
        row.bind(2, id.text)
        row.bind(3, kind.rawValue)
        row.bind(4, fields.compact)
        try row.run()
    }

    /// Records that the gateway no longer has an entity which exists here: it is sent again, whether the journal names it or
    /// not.
    /// - Throws: ``HelixError``.
    public func markUnsent(_ kind: EntityKind, _ id: EntityID) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO replica (account, entity, kind, base) VALUES (?, ?, ?, '')",
            arguments: [account, id.text, kind.rawValue])
    }

    /// The entities that both sides have.
    /// - Throws: ``HelixError``.
    public func synced() throws -> [EntityID: EntityKind] {
        var all: [EntityID: EntityKind] = [:]
        let row = try Statement(db, "SELECT entity, kind FROM replica WHERE account = ?1 AND base <> ''")
        row.bind(1, account)
        while try row.step() { if let id = row.id(0) { all[id] = EntityKind(rawValue: row.text(1) ?? "") } }
        return all
    }

    /// The entities of a kind that both sides had, with a given value in a column as of the last sync, and their fields then.
    /// - Throws: ``HelixError``.
    public func synced(
        _ kind: EntityKind, where column: String, is id: EntityID
    ) throws -> [(id: EntityID, fields: JSONText)] {
        var all: [(id: EntityID, fields: JSONText)] = []
        let row = try Statement(
            db,
            """
            SELECT entity, base FROM replica
            WHERE account = ?1 AND kind = ?2 AND base <> '' AND json_extract(base, ?3) = ?4 ORDER BY entity
            """)
        row.bind(1, account)
        row.bind(2, kind.rawValue)
        row.bind(3, "$.\(column)")
        row.bind(4, id.text)
        while try row.step() {
            guard let id = row.id(0), let text = row.text(1) else { continue }
            all.append((id, try JSONText(Array(text.utf8))))
        }
        return all
    }

    /// The replication cursors: the gateway's changes applied locally, the local journal sent to the gateway, and the newest
    /// entry of the gateway's journal seen so far.
    /// - Throws: ``HelixError``.
    public func cursors() throws -> (theirs: String?, ours: Int64?, seen: String?) {
        let row = try Row.fetchOne(
            db, sql: "SELECT theirs, ours, seen FROM replica_cursor WHERE account = ?", arguments: [account])
        return try (row?["theirs"], row?["ours"], row?["seen"])
    }

    /// Records the newest entry of the gateway's journal seen so far.
    /// - Throws: ``HelixError``.
    public func setSeen(_ place: String) throws {
        try db.execute(
            sql: """
                INSERT INTO replica_cursor (account, seen) VALUES (?1, ?2)
                ON CONFLICT (account) DO UPDATE SET seen = ?2
                """, arguments: [account, place])
    }

    /// Resets the entities that the gateway has lost, so that they are sent again.
    /// - Parameter seen: the entities that it has.
    /// - Throws: ``HelixError``.
    public func startOver(with seen: Set<EntityID>) throws {
        for (id, kind) in try synced() where !seen.contains(id) { try markSynced(kind, id, on: nil) }
        try db.execute(sql: "UPDATE replica_cursor SET ours = NULL WHERE account = ?", arguments: [account])
        try db.execute(sql: "DELETE FROM replica_file WHERE account = ?", arguments: [account])
    }

    /// The hashes of the files whose bytes the gateway has.
    /// - Throws: ``HelixError``.
    public func sentFiles() throws -> Set<String> {
        Set(
            try String.fetchAll(
                db, sql: "SELECT sha256 FROM replica_file WHERE account = ?", arguments: [account]))
    }

    /// Records that the gateway has the bytes of a file.
    /// - Throws: ``HelixError``.
    public func noteSent(_ hash: String) throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO replica_file (account, sha256) VALUES (?, ?)", arguments: [account, hash])
    }

    /// Records the replication cursors; nil keeps a cursor.
    /// - Throws: ``HelixError``.
    public func setCursors(theirs: String?, ours: Int64?) throws {
        try db.execute(
            sql: """
                INSERT INTO replica_cursor (account, theirs, ours) VALUES (?1, ?2, ?3)
                ON CONFLICT (account) DO UPDATE SET theirs = ifnull(?2, theirs), ours = ifnull(?3, ours)
                """, arguments: [account, theirs, ours])
    }

    /// The number of the last change set in the local journal.
    /// - Throws: ``HelixError``.
    public func head() throws -> Int64 { try Int64.fetchOne(db, sql: "SELECT MAX(n) FROM change_set") ?? 0 }

    /// The entities that may differ from the last sync: those that the journal names after `ours`, and those to be sent again; without `ours`, all local and
    /// all synced entities.
    /// - Throws: ``HelixError``.
    public func candidates(since ours: Int64?) throws -> [(kind: EntityKind, id: EntityID)] {
        var found: [EntityID: EntityKind] = [:]
        if let ours {
            let row = try Statement(db, "SELECT DISTINCT kind, entity FROM change WHERE change_set > ?1")
            row.bind(1, ours)
            while try row.step() {
                if let kind = EntityKind(rawValue: row.text(0) ?? ""), ReplicaRecord.rank[kind] != nil,
                    let id = row.id(1)
                {
                    found[id] = kind
                }
            }
            let unsent = try Statement(db, "SELECT entity, kind FROM replica WHERE account = ?1 AND base = ''")
            unsent.bind(1, account)
            while try unsent.step() {
                if let id = unsent.id(0) { found[id] = EntityKind(rawValue: unsent.text(1) ?? "") }
            }
            for (id, kind) in try resolved() { found[id] = kind }
        } else {
            found = try synced()
            for kind in ReplicaRecord.kinds {
                let row = try Statement(db, "SELECT id FROM \(JournaledTable.table(kind).name)")
                while try row.step() { if let id = row.id(0) { found[id] = kind } }
            }
        }
        // Entities of another account are synced by that account.
        let elsewhere = try owned()
        return found.filter { !elsewhere.contains($0.key) }.map { ($0.value, $0.key) }
            .sorted { (ReplicaRecord.rank[$0.kind] ?? 0, $0.id) < (ReplicaRecord.rank[$1.kind] ?? 0, $1.id) }
    }

    /// Entities that other accounts sync, and links to messages, which are not replicated.
    private func owned() throws -> Set<EntityID> {
        let carried = "SELECT calendar FROM remote_calendar WHERE calendar IS NOT NULL"
        let boards = "SELECT board FROM remote_calendar WHERE board IS NOT NULL"
        let books = "SELECT book FROM remote_calendar WHERE book IS NOT NULL"
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM remote_calendar)") == true else {
            return try ids("SELECT id FROM link WHERE a IN (SELECT id FROM message) OR b IN (SELECT id FROM message)")
        }
        return try ids(
            """
            SELECT calendar FROM remote_calendar WHERE calendar IS NOT NULL
            UNION ALL SELECT board FROM remote_calendar WHERE board IS NOT NULL
            UNION ALL SELECT book FROM remote_calendar WHERE book IS NOT NULL
            UNION ALL SELECT id FROM event WHERE calendar IN (\(carried))
            UNION ALL SELECT id FROM contact WHERE book IN (\(books))
            UNION ALL SELECT id FROM board_column WHERE board IN (\(boards))
            UNION ALL SELECT t.id FROM task t JOIN board_column c ON c.id = t.column_id WHERE c.board IN (\(boards))
            UNION ALL SELECT id FROM link WHERE a IN (SELECT id FROM message) OR b IN (SELECT id FROM message)
            """)
    }

    private func ids(_ sql: String) throws -> Set<EntityID> {
        var all: Set<EntityID> = []
        let row = try Statement(db, sql)
        while try row.step() { if let id = row.id(0) { all.insert(id) } }
        return all
    }

    /// The time of the last local change to an entity.
    /// - Parameter orCame: True to include changes that a sync received.
    /// - Throws: ``HelixError``.
    public func changedHere(_ id: EntityID, orCame: Bool = false) throws -> Instant? {
        try Int64.fetchOne(
            db,
            sql: """
                SELECT MAX(s.made_at) FROM change c JOIN change_set s ON s.n = c.change_set
                WHERE c.entity = ? \(orCame ? "" : "AND s.origin <> 'sync'")
                """, arguments: [id.text]
        ).map { Instant($0) }
    }

    /// The entity of a kind with a name; for a column, in the board `board`.
    /// - Throws: ``HelixError``.
    public func named(_ name: String, _ kind: EntityKind, board: String? = nil) throws -> EntityID? {
        let table = JournaledTable.table(kind).name
        let text =
            kind == .column
            ? try String.fetchOne(
                db, sql: "SELECT id FROM board_column WHERE name = ? AND board = ?", arguments: [name, board])
            : try String.fetchOne(
                db, sql: "SELECT id FROM \(table) WHERE name = ? COLLATE NOCASE", arguments: [name])
        return text.map { EntityID(stored: $0) }
    }

    /// The event or contact with the container and UID of a record's fields, or the link with its ends and kind.
    /// - Throws: ``HelixError``.
    public func same(as fields: JSONText, _ kind: EntityKind) throws -> EntityID? {
        let columns: [String] =
            switch kind {
            case .event: ["calendar", "uid"]
            case .contact: ["book", "uid"]
            case .link: ["a", "b", "kind"]
            default: []
            }
        let values = columns.compactMap { fields[$0]?.text }
        guard !columns.isEmpty, values.count == columns.count else { return nil }
        return try String.fetchOne(
            db,
            sql: """
                SELECT id FROM \(JournaledTable.table(kind).name)
                WHERE \(columns.map { "\"\($0)\" = ?" }.joined(separator: " AND "))
                """, arguments: StatementArguments(values)
        ).map { EntityID(stored: $0) }
    }

    /// The entities of a kind with a given value in a column.
    /// - Throws: ``HelixError``.
    public func ids(_ kind: EntityKind, where column: String, is id: EntityID) throws -> [EntityID] {
        try String.fetchAll(
            db, sql: "SELECT id FROM \(JournaledTable.table(kind).name) WHERE \"\(column)\" = ? ORDER BY id",
            arguments: [id.text]
        ).map { EntityID(stored: $0) }
    }
}

extension Change {
    /// The replication state of a gateway account.
    public func replicas(of account: Account) -> ReplicaBook { ReplicaBook(db: db, account: account.number) }
}

extension Store {
    /// Reads the replication state of a gateway account.
    /// - Throws: ``HelixError``.
    public func replicas<Value>(of account: Account, _ body: (ReplicaBook) throws -> Value) throws -> Value {
        try read { try body(ReplicaBook(db: $0, account: account.number)) }
    }

    /// Writes the replication state of a gateway account, outside the journal.
    /// - Throws: ``HelixError``.
    public func writeReplicas<Value>(of account: Account, _ body: (ReplicaBook) throws -> Value) throws -> Value {
        try writeDerived { try body(ReplicaBook(db: $0, account: account.number)) }
    }

    /// The current fields of an entity.
    /// - Throws: ``HelixError``.
    public func replica(_ kind: EntityKind, _ id: EntityID) throws -> JSONText? {
        try read { try JournaledTable.table(kind).row($0, id)?.replica }
    }
}
