import HelixSQLite

/// Drops indexes and triggers while many rows are inserted into a table, and recreates them at the end: building an index from
/// all rows at once sorts them, whereas each single row would be looked up in every index.
///
/// This happens inside the transaction of the import: a process that dies leaves the tables unchanged.
struct BulkLoad {
    private var definitions: [String] = []

    /// Drops the triggers, and the indexes of those tables that have at most `expected` rows.
    ///
    /// - Parameter kept: indexes that few of the new rows enter: recreating them would read all rows.
    init(
        _ db: Database, of tables: [String], triggers: [String], keeping kept: Set<String> = [], expected: Int
    ) throws {
        for table in tables {
            let rows = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM (SELECT 1 FROM \(table) LIMIT \(expected + 1))")
            guard let rows, rows <= expected else { continue }
            try drop(db, "INDEX", where: "type = 'index' AND tbl_name = ?", table, keeping: kept)
        }
        for trigger in triggers { try drop(db, "TRIGGER", where: "type = 'trigger' AND name = ?", trigger) }
    }

    private mutating func drop(
        _ db: Database, _ kind: String, where condition: String, _ name: String, keeping kept: Set<String> = []
    ) throws {
        // Indexes created by constraints have no definition and are kept.
        let found = try Row.fetchAll(
            db, sql: "SELECT name, sql FROM sqlite_master WHERE \(condition) AND sql IS NOT NULL", arguments: [name])
        for row in found where !kept.contains(row[0]) {
            definitions.append(row[1])
            try db.execute(sql: "DROP \(kind) \"\(row[0] as String)\"")
        }
    }

    /// Recreates the indexes and triggers.
    func finish(_ db: Database) throws { for definition in definitions { try db.execute(sql: definition) } }
}
