import HelixModel
import HelixSQLite

/// A page of the changes that another store has not received yet.
public struct ReplicaPage: Sendable {
    /// The entities in their current state.
    public var records: [ReplicaRecord]
    /// The cursor for the next request.
    public var cursor: String
    /// True if there are more pages.
    public var hasMore: Bool
    /// True if it is part of a full list: entities missing from the whole list are deleted.
    public var isSnapshot: Bool
    /// True if the full list is sent because this store does not know the requested cursor: this store may then have lost data,
    /// and entities missing from the list may still exist.
    public var isReset = false
    /// The number of entities in the full list, if known.
    public var total: Int?

    /// Creates a page.
    public init(
        records: [ReplicaRecord], cursor: String, hasMore: Bool, isSnapshot: Bool, isReset: Bool = false,
        total: Int? = nil
    ) {
        (self.records, self.cursor, self.hasMore) = (records, cursor, hasMore)
        (self.isSnapshot, self.isReset, self.total) = (isSnapshot, isReset, total)
    }
}

extension Store {
    /// The maximum number of entities in a page, and its approximate size in bytes.
    private static let pageCount = 1000
    private static let pageBytes = 1 << 20

    /// The changes since a cursor, in journal order. Without a cursor, or with one that is unknown, the full list of entities.
    ///
    /// A cursor is a position in the journal, `n.ordinal.mark`, or in the full list, `s.head.kind.id` (`r.` if this store may
    /// have lost data).
    ///
    /// - Parameter seen: the newest journal position that the requester has seen.
    /// - Throws: ``HelixError`` of code `badInput` for an invalid cursor.
    public func replicaPage(since cursor: String?, seen: String?) throws -> ReplicaPage {
        try read { db in
            let head = try Int64.fetchOne(db, sql: "SELECT MAX(n) FROM change_set") ?? 0
            if let parts = cursor?.split(separator: ".", omittingEmptySubsequences: false).map(String.init),
                parts.count == 4, ["r", "s"].contains(parts[0]), let start = Int64(parts[1]),
                let kind = Int(parts[2]), ReplicaRecord.kinds.indices.contains(kind)
            {
                return try snapshot(db, head: start, kind: kind, after: parts[3], isReset: parts[0] == "r")
            }
            let place = try cursor.map(Store.journalPlace)
            // A cursor from another store, or from before a backup was restored, starts the full list again.
            let isKnown = try [place, seen.map(Store.journalPlace)].compactMap { $0 }.allSatisfy {
                try mark(db, $0.set) == $0.mark
            }
            guard isKnown, let place else {
                return try snapshot(db, head: head, kind: 0, after: "", isReset: !isKnown)
            }
            return try changes(db, place.set, place.ordinal, head)
        }
    }

    /// A cursor for the end of the journal.
    /// - Throws: ``HelixError``.
    public func replicaHead() throws -> String {
        try read { db in
            let head = try Int64.fetchOne(db, sql: "SELECT MAX(n) FROM change_set") ?? 0
            return "\(head).-1.\(try mark(db, head))"
        }
    }

    private static func journalPlace(_ cursor: String) throws -> (set: Int64, ordinal: Int64, mark: String) {
        let parts = cursor.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let set = Int64(parts[0]), let ordinal = Int64(parts[1]),
            (0...Int64.max / 2).contains(set)
        else { throw HelixError(.badInput, "invalid cursor '\(cursor)'") }
        return (set, ordinal, parts[2])
    }

    /// - Parameter isReset: True if the receiver's last cursor is unknown here: this store has lost data.
    private func snapshot(
        _ db: Database, head: Int64, kind: Int, after: String, isReset: Bool
    ) throws -> ReplicaPage {
        var records: [ReplicaRecord] = []
        var (place, last, bytes) = (kind, after, 0)
        while place < ReplicaRecord.kinds.count {
            let table = JournaledTable.table(ReplicaRecord.kinds[place])
            let list = table.columns.map { "\"\($0)\"" }.joined(separator: ", ")
            // A parent task comes before its subtasks.
            let isTree = table.kind == .task
            let row = try Statement(
                db,
                isTree
                    ? """
                    SELECT printf('%03d', depth) || id, id, \(list) FROM (
                        WITH RECURSIVE tree(i, depth) AS (
                            SELECT id, 0 FROM task WHERE parent IS NULL
                            UNION ALL SELECT t.id, depth + 1 FROM task t JOIN tree ON t.parent = i WHERE depth < 900)
                        SELECT depth, task.* FROM tree JOIN task ON task.id = i)
                    WHERE printf('%03d', depth) || id > ?1 ORDER BY 1 LIMIT ?2
                    """
                    : "SELECT id, id, \(list) FROM \(table.name) WHERE id > ?1 ORDER BY id LIMIT ?2")
            row.bind(1, last)
            row.bind(2, Int64(Store.pageCount - records.count))
            var count = 0
            while try row.step() {
                var values: [String: DatabaseValue] = [:]
                for (index, column) in table.columns.enumerated() { values[column] = row.value(Int32(index + 2)) }
                let fields = JournalFields(values).replica
                let id = row.id(1) ?? EntityID(stored: "")
                records.append(
                    ReplicaRecord(
                        kind: table.kind, id: id, fields: fields,
                        changedAt: try Store.changedAt(db, id)))
                last = row.text(0) ?? ""
                count += 1
                bytes += Store.size(fields)
                if bytes >= Store.pageBytes {
                    row.reset()
                    break
                }
            }
            if records.count >= Store.pageCount || bytes >= Store.pageBytes { break }
            place += 1
            last = ""
        }
        let isDone = place >= ReplicaRecord.kinds.count
        let total = kind == 0 && after.isEmpty ? try replicaCount(db) : nil
        return ReplicaPage(
            records: records,
            cursor: isDone
                ? "\(head).-1.\(try mark(db, head))" : "\(isReset ? "r" : "s").\(head).\(place).\(last)",
            hasMore: !isDone, isSnapshot: true, isReset: isReset, total: total)
    }

    private func replicaCount(_ db: Database) throws -> Int {
        try ReplicaRecord.kinds.reduce(0) { sum, kind in
            sum + (try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \(JournaledTable.table(kind).name)") ?? 0)
        }
    }

    private func changes(_ db: Database, _ set: Int64, _ ordinal: Int64, _ head: Int64) throws -> ReplicaPage {
        // `n.-1` is followed by the changes after change set n; `n.5` by the rest of change set n.
        let row = try Statement(
            db,
            """
            SELECT c.change_set, c.ordinal, c.kind, c.entity, \(Store.momentSQL) FROM change c JOIN change_set s ON s.n = c.change_set
            WHERE (c.change_set > ?1 OR c.change_set = ?1 AND ?2 >= 0 AND c.ordinal > ?2)
            ORDER BY c.change_set, c.ordinal LIMIT \(Store.pageCount)
            """)
        row.bind(1, set)
        row.bind(2, ordinal)
        var found: [EntityID: (kind: EntityKind, at: Instant, place: (Int64, Int64))] = [:]
        var order: [EntityID] = []
        var (last, count) = ((set, ordinal), 0)
        while try row.step() {
            count += 1
            last = (row.integer(0), row.integer(1))
            guard let kind = EntityKind(rawValue: row.text(2) ?? ""), ReplicaRecord.rank[kind] != nil,
                let id = row.id(3)
            else { continue }
            if found[id] == nil { order.append(id) }
            found[id] = (kind, Instant(row.integer(4)), found[id]?.place ?? last)
        }
        var records: [ReplicaRecord] = []
        var bytes = 0
        for id in order {
            guard let (kind, at, place) = found[id] else { continue }
            let fields = try JournaledTable.table(kind).row(db, id)?.replica
            bytes += fields.map(Store.size) ?? 32
            records.append(ReplicaRecord(kind: kind, id: id, fields: fields, changedAt: at))
            // Entities after this one's first journal position come in the next page, which may repeat this one.
            if bytes >= Store.pageBytes, id != order.last {
                return ReplicaPage(
                    records: records, cursor: "\(place.0).\(place.1).\(try mark(db, place.0))", hasMore: true,
                    isSnapshot: false, total: nil)
            }
        }
        let hasMore = count == Store.pageCount
        return ReplicaPage(
            records: records,
            cursor: hasMore ? "\(last.0).\(last.1).\(try mark(db, last.0))" : "\(head).-1.\(try mark(db, head))",
            hasMore: hasMore,
            isSnapshot: false, total: nil)
    }

    /// The SQL for the time of a change `c` of the change set `s`.
    private static let momentSQL = """
        ifnull((SELECT t.at FROM replica_time t WHERE t.entity = c.entity AND t.change_set = c.change_set), s.made_at)
        """

    /// The time at which an entity was last changed; for a change from a device, the time on that device.
    static func changedAt(_ db: Database, _ id: EntityID) throws -> Instant? {
        let row = try Statement(
            db,
            """
            SELECT \(Store.momentSQL) FROM change c JOIN change_set s ON s.n = c.change_set WHERE c.entity = ?1 ORDER BY c.change_set DESC LIMIT 1
            """)
        row.bind(1, id.text)
        defer { row.reset() }
        return try row.step() ? Instant(row.integer(0)) : nil
    }

    /// A mark that distinguishes a change set from one with the same number in another store.
    private func mark(_ db: Database, _ set: Int64) throws -> String {
        String(
            (try String.fetchOne(db, sql: "SELECT id FROM change_set WHERE n = ?", arguments: [set]) ?? "0").prefix(6))
    }

    private static func size(_ fields: JSONText) -> Int {
        (fields.fields ?? []).reduce(32) { $0 + $1.name.utf8.count + ($1.value.text?.utf8.count ?? 8) }
    }
}
