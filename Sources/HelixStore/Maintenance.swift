import Foundation
import HelixModel
import HelixSQLite

/// What `helix doctor` finds out about the store.
public struct StoreHealth: Sendable {
    /// What SQLite says is wrong; empty if nothing is.
    public var problems: [String]
    /// The attached files whose bytes are gone or changed, in words.
    public var fileProblems: [String]
    /// The version of SQLite.
    public var sqliteVersion: String
    /// The version of the tables.
    public var schemaVersion: Int
    /// Bytes of the file.
    public var size: Int
    /// How many entities of each kind there are.
    public var counts: [String: Int]
}

extension Store {
    /// Looks the whole store over: pages, indexes, references, full text, and what is derived from events.
    /// - Throws: ``HelixError`` if it cannot even be read.
    public func health() throws -> StoreHealth {
        // As each command does that shows mail: what other programs moved is no damage.
        _ = try? indexMail(waits: true)
        let missing = try read { try Schema.problems($0) }
        if !missing.isEmpty { return try brokenHealth(missing) }
        let text = try textProblems()
        return try read { db in
            var problems = text
            problems += try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
            let strays = Dictionary(grouping: try String.fetchAll(db, sql: "PRAGMA foreign_key_check")) { $0 }
            for (table, rows) in strays.sorted(by: { $0.key < $1.key }) {
                problems.append(
                    rows.count == 1
                        ? "a row of '\(table)' names one that is not there"
                        : "\(rows.count) rows of '\(table)' name others that are not there")
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
            if miscounted > 0 { problems.append("\(miscounted) tasks count wrongly what they wait for") }
            let overlaps =
                try Int.fetchOne(
                    db,
                    sql: """
                        SELECT COUNT(*) FROM (SELECT ifnull("end", start + 1) > LEAD(start) OVER (ORDER BY start) AS over
                            FROM time_entry) WHERE over
                        """) ?? 0
            if overlaps > 0 { problems.append("\(overlaps) time entries overlap the next") }
            problems += try valueProblems(db) + eventProblems(db) + boardProblems(db) + mailProblems(db)
            var counts: [String: Int] = [:]
            for table in [
                "calendar", "event", "occurrence", "task", "time_entry", "project", "attachment", "message",
                "conversation", "chat_message", "change_set",
            ] {
                counts[table] = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \(table)") ?? 0
            }
            let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
            return StoreHealth(
                problems: problems, fileProblems: try fileProblems(db) + outgoingProblems(db),
                sqliteVersion: try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? "?",
                schemaVersion: try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0, size: size, counts: counts)
        }
    }

    /// The health of a store in which something is not there that everything else is read by.
    private func brokenHealth(_ problems: [String]) throws -> StoreHealth {
        try read { db in
            let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
            return StoreHealth(
                problems: problems, fileProblems: [],
                sqliteVersion: try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? "?",
                schemaVersion: try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0, size: size, counts: [:])
        }
    }

    /// Full-text indexes that do not say what their tables say (https://www.sqlite.org/fts5.html, 6.8). SQLite takes the
    /// question for a write, so a store that cannot be written is not asked.
    private func textProblems() throws -> [String] {
        if isReadOnly { return [] }
        return try writeDerived { db in
            try Store.textTables.compactMap { table in
                do {
                    try db.execute(sql: "INSERT INTO \(table) (\(table), rank) VALUES ('integrity-check', 1)")
                    return nil
                } catch let error as DatabaseError where error.code == .corrupt {
                    return "the full-text index '\(table)' does not say what its table says"
                }
            }
        }
    }

    /// The full-text indexes.
    private static let textTables = ["event_text", "task_text", "message_text", "chat_message_text"]

    /// Makes a full-text index anew from its table; one that is damaged is made as if it had never been there.
    private func remakeText(_ db: Database, _ table: String) throws {
        let definition = try String.fetchOne(
            db, sql: "SELECT sql FROM sqlite_master WHERE name = ?", arguments: [table])
        guard let definition else { return }
        do {
            try db.execute(sql: "DROP TABLE \(table)")
        } catch let error as DatabaseError where error.code == .corrupt || error.code == .other {
            // FTS5 opens an index to remove it. One that cannot be opened is taken out of the schema, and its own tables,
            // which are plain ones then, one by one.
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
    /// Counts anew what the tasks that anything is said of wait for.
    static let recountBlockers = """
        UPDATE task AS t SET blockers = \(openBlockers), blocking = \(openBlocked)
        WHERE id IN (SELECT a FROM link WHERE kind = 'blocks' UNION SELECT b FROM link WHERE kind = 'blocks')
        """
    private static let miscounted = "t.blockers <> \(openBlockers) OR t.blocking <> \(openBlocked)"

    /// Makes everything that is derived from events and tasks anew. Nothing a person entered is touched.
    /// - Throws: ``HelixError``.
    public func reindex() throws {
        try writeDerived { db in
            // Rows that belong to nothing would become those of components that get their numbers.
            try db.execute(sql: "DELETE FROM occurrence; DELETE FROM component")
            // To take words out of an index that is damaged fails.
            for table in Store.textTables { try remakeText(db, table) }
            let index = EventIndex(store: self, db: db)
            for text in try String.fetchAll(db, sql: "SELECT id FROM event") {
                if let id = EntityID(text) { try index.rebuild(id) }
            }
            try db.execute(sql: "UPDATE task SET blockers = 0, blocking = 0 WHERE blockers <> 0 OR blocking <> 0")
            try db.execute(sql: Store.recountBlockers)
        }
    }
}
