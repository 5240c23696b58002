import HelixSQLite

/// Indexes and triggers that are taken away while many rows come into a table, and made again in the end: an index from
/// all rows at once, which sorts them, where each row by itself would look for its place in every index.
///
/// It happens inside the transaction of the import: a process that dies leaves the tables as they were.
struct BulkLoad {
    private var definitions: [String] = []

    /// Takes the indexes of those tables away that have fewer rows than are `expected` to come, and the triggers.
    ///
    /// - Parameter kept: indexes into which few of those rows go: to make them anew would read all of them.
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
        // Indexes that a constraint made have no definition, and stay.
        let found = try Row.fetchAll(
            db, sql: "SELECT name, sql FROM sqlite_master WHERE \(condition) AND sql IS NOT NULL", arguments: [name])
        for row in found where !kept.contains(row[0]) {
            definitions.append(row[1])
            try db.execute(sql: "DROP \(kind) \"\(row[0] as String)\"")
        }
    }

    /// Makes everything again.
    func finish(_ db: Database) throws { for definition in definitions { try db.execute(sql: definition) } }
}
