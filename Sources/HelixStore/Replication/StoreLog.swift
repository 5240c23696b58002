import HelixModel
import HelixSQLite

/// A log outside the store in which several copies of a store agree: every change set is appended to it before it is committed
/// here, if no other copy was first.
public protocol StoreLog: AnyObject {
    /// Appends the new states of entities.
    ///
    /// - Parameters:
    ///   - position: the position that this store has read up to; nil if it has read nothing.
    ///   - summary: the description of the change set.
    /// - Returns: the position behind them.
    /// - Throws: ``StoreIsBehind`` if the log has entries behind `position`; other errors if they cannot be appended, or if that
    ///   is not known: then the store is not changed, and reads them later if they were.
    func append(_ records: [ReplicaRecord], after position: String?, summary: String) throws -> String

    /// Appends the state of one entity if the log has the state that it follows, whatever else the log has by now.
    /// - Parameter base: the version that it follows; nil for a new entity.
    /// - Returns: whether it was appended.
    /// - Throws: errors if it could not be appended, or if that is not known.
    func replace(_ record: ReplicaRecord, base: String?) throws -> Bool

    /// Stores the bytes of an outgoing message.
    /// - Throws: ``HelixError``.
    func keep(_ bytes: [UInt8], sha256: String) throws

    /// The bytes of an outgoing message; nil if there are none.
    /// - Throws: ``HelixError``.
    func bytes(ofFile sha256: String) throws -> [UInt8]?

    /// Whether an entity was deleted: a store that was behind at that time has never had it.
    /// - Throws: ``HelixError``.
    func wasDeleted(_ id: EntityID) throws -> Bool
}

/// A change of a store that lacks entries of its log: it has changed nothing, and is made again when the store has read them.
public struct StoreIsBehind: Error {
    /// Creates the error.
    public init() {}
}

extension Change {
    /// The name of the setting with the position in the log, and of the one with the last change set that is in it.
    fileprivate static let (position, logged) = ("log-position", "log-change-set")

    /// Appends what was changed to the store's log.
    func append(to log: any StoreLog) throws {
        guard !isEmpty else { return }
        let set = try changeSet()
        // With what another program has changed without the log meanwhile.
        let records = try Store.records(db, changedSince: min(try Store.loggedSet(db), set - 1))
        guard !records.isEmpty else { return }
        try store.keepBytes(of: records, in: log)
        try setPosition(try log.append(records, after: try Store.logPosition(db), summary: summary))
        try setSetting(Change.logged, String(set))
    }

    /// Stores the position in the log, up to which the store has read.
    fileprivate func setPosition(_ position: String) throws { try setSetting(Change.position, position) }

    fileprivate func setSetting(_ name: String, _ value: String) throws {
        try db.execute(
            sql: "INSERT INTO setting (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2",
            arguments: [name, value])
    }
}

extension Store {
    /// The position in the log up to which this store has read; nil if it has read nothing.
    /// - Throws: ``HelixError``.
    public func logPosition() throws -> String? { try read { try Store.logPosition($0) } }

    fileprivate static func logPosition(_ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = ?", arguments: [Change.position])
    }

    /// The entities that another program changed in this file without the log: all of them, if it never had one.
    /// - Throws: ``HelixError``.
    public func unloggedRecords() throws -> [ReplicaRecord] {
        try read { db in
            try Store.records(db, changedSince: try Store.loggedSet(db))
        }
    }

    /// The last change set that is in the log; 0 if none is.
    fileprivate static func loggedSet(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db, sql: "SELECT CAST(value AS INTEGER) FROM setting WHERE name = ?", arguments: [Change.logged]) ?? 0
    }

    /// The present states of the entities that were changed after a change set, in the order of their first change.
    fileprivate static func records(_ db: Database, changedSince set: Int64) throws -> [ReplicaRecord] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT kind, entity, MIN(change_set * 1000000 + ordinal) AS place FROM change WHERE change_set > ?
                GROUP BY kind, entity ORDER BY place
                """, arguments: [set])
        var records: [ReplicaRecord] = []
        for row in rows {
            guard let kind = EntityKind(rawValue: row[0]), ReplicaRecord.isLogged(kind) else { continue }
            let id = EntityID(stored: row[1])
            let record = ReplicaRecord(
                kind: kind, id: id, fields: try JournaledTable.table(kind).row(db, id)?.replica,
                changedAt: try changedAt(db, id))
            if let logged = record.forLog { records.append(logged) }
        }
        return records
    }

    /// Takes over states from the log in one change set, and the position behind them, if it can take all.
    /// - Returns: the records that this store cannot take, with the reasons.
    /// - Throws: ``HelixError``.
    public func adopt(_ records: [ReplicaRecord], position: String) throws -> [(ReplicaRecord, reason: String)] {
        let former = log
        // Entries of the log are not appended to it again.
        log = nil
        defer { log = former }
        return try change("from another gateway", from: .sync) { change in
            let last = try Int64.fetchOne(change.db, sql: "SELECT MAX(n) FROM change_set") ?? 0
            let isAllLogged = try Store.loggedSet(change.db) == last
            let kept = records.filter { ReplicaRecord.keptKinds.contains($0.kind) }
            let refusedKept = try change.adopt(kept: kept, from: former)
            let shared = records.filter { !ReplicaRecord.keptKinds.contains($0.kind) }
            let changes = try shared.map { record in
                ReplicaChange(
                    record, base: try change.replica(record.kind, record.id).map { ReplicaRecord.version($0) })
            }
            let outcomes = try change.apply(changes)
            // Changes of another program are still to be appended.
            if !change.isEmpty, isAllLogged { try change.setSetting(Change.logged, String(try change.changeSet())) }
            let refused = refusedKept + Store.refused(shared, outcomes)
            if refused.isEmpty { try change.setPosition(position) }
            return refused
        }
    }

    private static func refused(
        _ records: [ReplicaRecord], _ outcomes: [ReplicaOutcome]
    ) -> [(ReplicaRecord, reason: String)] {
        zip(records, outcomes).compactMap { record, outcome in
            switch outcome {
            case .applied, .already: nil
            case .refused(let reason): (record, reason)
            case .conflict, .notEmpty: (record, "it differs from what is here")
            }
        }
    }

    /// Records that all change sets so far are in the log, up to a position.
    /// - Throws: ``HelixError``.
    public func noteLogged(position: String) throws {
        try setNote(Change.position, position)
        let last = try read { try Int64.fetchOne($0, sql: "SELECT MAX(n) FROM change_set") ?? 0 }
        try setNote(Change.logged, String(last))
    }
}
