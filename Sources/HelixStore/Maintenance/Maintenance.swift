import FoundationEssentials
import Glibc
import HelixModel
import HelixSQLite

/// The result of checking the store for `helix doctor`.
public struct StoreHealth: Sendable {
    /// The problems that were found; empty if there are none.
    public var problems: [String]
    /// Descriptions of attached files that are missing or changed.
    public var fileProblems: [String]
    /// The version of SQLite.
    public var sqliteVersion: String
    /// The version of the schema.
    public var schemaVersion: Int
    /// The size of the file in bytes.
    public var size: Int
    /// The number of entities by kind.
    public var counts: [String: Int]
    /// The starts of time entries that overlap an earlier one, as two devices may track them.
    public var overlaps: [Instant] = []
}

extension Store {
    /// Checks the whole store: pages, indexes, references, full text, and data derived from events.
    /// - Throws: ``HelixError`` if the store cannot be read at all.
    public func health() throws -> StoreHealth {
        // As in each command that shows mail: messages moved by other programs are not damage.
        var unseen: [String] = []
        do { unseen = try indexMail(waits: true).unreadable } catch let error as HelixError {
            // An account whose folder is away, such as on another disk, is no damage.
            if error.code != .notFound { unseen = [error.message] }
        }
        let missing = try read { try Schema.problems($0) }
        if !missing.isEmpty { return try brokenHealth(missing) }
        let text = try textProblems()
        return try read { db in
            var problems = text + unseen
            problems += try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
            let strays = Dictionary(grouping: try String.fetchAll(db, sql: "PRAGMA foreign_key_check")) { $0 }
            for (table, rows) in strays.sorted(by: { $0.key < $1.key }) {
                problems.append(
                    rows.count == 1
                        ? "a row of '\(table)' refers to a missing row"
                        : "\(rows.count) rows of '\(table)' refer to missing rows")
            }
            let orphans =
                try Int.fetchOne(
                    db, sql: "SELECT COUNT(*) FROM occurrence WHERE component NOT IN (SELECT n FROM component)") ?? 0
            if orphans > 0 { problems.append("\(orphans) occurrences belong to no event") }
            let bare =
                try Int.fetchOne(
                    db, sql: "SELECT COUNT(*) FROM event WHERE n NOT IN (SELECT event FROM component)") ?? 0
            if bare > 0 { problems.append("\(bare) events are not indexed") }
            let miscounted =
                try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM task t WHERE \(Store.miscounted)") ?? 0
            if miscounted > 0 { problems.append("\(miscounted) tasks have a wrong count of dependencies") }
            problems +=
                try valueProblems(db) + eventProblems(db) + contactProblems(db) + boardProblems(db) + mailProblems(db)
            var counts: [String: Int] = [:]
            for table in EntityDescriptor.all.filter(\.isCounted).map(\.table.name) + ["occurrence", "change_set"] {
                counts[table] = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \(table)") ?? 0
            }
            let size = fileSize
            return StoreHealth(
                problems: problems, fileProblems: try fileProblems(db) + outgoingProblems(db),
                sqliteVersion: try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? "?",
                schemaVersion: try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0, size: size, counts: counts,
                overlaps: try Store.overlaps(db))
        }
    }

    /// The starts of time entries that overlap an earlier one.
    private static func overlaps(_ db: Database) throws -> [Instant] {
        try Int64.fetchAll(
            db,
            sql: """
                SELECT start FROM (SELECT start, MAX(ifnull("end", start + 1))
                    OVER (ORDER BY start, n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS taken FROM time_entry)
                WHERE taken > start ORDER BY start
                """
        ).map { Instant($0) }
    }

    /// The size of the database's file in bytes.
    private var fileSize: Int {
        var info = stat()
        return stat(path, &info) == 0 ? Int(info.st_size) : 0
    }

    /// The health of a store that lacks essential schema objects.
    private func brokenHealth(_ problems: [String]) throws -> StoreHealth {
        try read { db in
            let size = fileSize
            return StoreHealth(
                problems: problems, fileProblems: [],
                sqliteVersion: try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? "?",
                schemaVersion: try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0, size: size, counts: [:])
        }
    }

    /// Full-text indexes that differ from their tables (https://www.sqlite.org/fts5.html, 6.8). SQLite treats the check as a
    /// write, so read-only stores are skipped.
    private func textProblems() throws -> [String] {
        if isReadOnly { return [] }
        return try writeDerived { db in
            try Store.textTables.compactMap { table in
                do {
                    try db.execute(sql: "INSERT INTO \(table) (\(table), rank) VALUES ('integrity-check', 1)")
                    return nil
                } catch let error as DatabaseError where error.code == .corrupt {
                    return "the full-text index '\(table)' differs from its table"
                }
            }
        }
    }

    /// The full-text indexes.
    private static let textTables = EntityDescriptor.all.compactMap(\.table.textIndex)

    /// Rebuilds a full-text index from its table; a damaged one is recreated from scratch.
    private func remakeText(_ db: Database, _ table: String) throws {
        let definition = try String.fetchOne(
            db, sql: "SELECT sql FROM sqlite_master WHERE name = ?", arguments: [table])
        guard let definition else { return }
        do {
            try db.execute(sql: "DROP TABLE \(table)")
        } catch let error as DatabaseError where error.code == .corrupt || error.code == .other {
            // FTS5 opens an index to drop it. An index that cannot be opened is deleted from the schema, and its shadow
            // tables, plain tables from then on, are dropped one by one.
            try db.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    DELETE FROM sqlite_master WHERE type = 'table' AND name = '\(table)';
                    PRAGMA writable_schema = RESET;
                    """)
            for part in ["data", "idx", "content", "docsize", "config"] {
                try db.execute(sql: "DROP TABLE IF EXISTS \(table)_\(part)")
            }
        }
        try db.execute(sql: definition)
        try db.execute(sql: "INSERT INTO \(table) (\(table)) VALUES ('rebuild')")
    }

    private static let openBlockers = """
        (SELECT COUNT(*) FROM link l JOIN task o ON o.id = l.a
            WHERE l.b = t.id AND l.kind = 'blocks' AND o.state = 'open')
        """
    private static let openBlocked = """
        (SELECT COUNT(*) FROM link l JOIN task o ON o.id = l.b
            WHERE l.a = t.id AND l.kind = 'blocks' AND o.state = 'open')
        """
    /// The SQL that recounts the blockers of all tasks that have dependencies.
    static let recountBlockers = """
        UPDATE task AS t SET blockers = \(openBlockers), blocking = \(openBlocked)
        WHERE id IN (SELECT a FROM link WHERE kind = 'blocks' UNION SELECT b FROM link WHERE kind = 'blocks')
        """
    private static let miscounted = "t.blockers <> \(openBlockers) OR t.blocking <> \(openBlocked)"

    /// Rebuilds all data derived from events and tasks. User data is not changed.
    /// - Throws: ``HelixError``.
    public func reindex() throws {
        try writeDerived { db in
            // Orphaned rows would be attributed to new components with the same numbers.
            try db.execute(
                sql:
                    "DELETE FROM occurrence; DELETE FROM component; DELETE FROM contact_card; DELETE FROM contact_address"
            )
            // Deleting words from a damaged index fails.
            for table in Store.textTables { try remakeText(db, table) }
            let index = EventIndex(store: self, db: db)
            for text in try String.fetchAll(db, sql: "SELECT id FROM event") {
                if let id = EntityID(text) { try index.rebuild(id) }
            }
            let contacts = ContactIndex(db: db)
            for text in try String.fetchAll(db, sql: "SELECT id FROM contact") {
                if let id = EntityID(text) { try contacts.rebuild(id) }
            }
            try db.execute(sql: "UPDATE task SET blockers = 0, blocking = 0 WHERE blockers <> 0 OR blocking <> 0")
            try db.execute(sql: Store.recountBlockers)
        }
    }
}
