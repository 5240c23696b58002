import HelixSQLite

/// Indexes and triggers that are taken away while many rows come into a table, and made again in the end: an index from
/// all rows at once, which sorts them, where each row by itself would look for its place in every index.
///
/// It happens inside the transaction of the import: a process that dies leaves the tables as they were.
struct BulkLoad {
    private var definitions: [String] = []

    /// Takes the indexes of those tables away that have fewer rows than are `expected` to come, and the triggers.
    init(_ db: Database, of tables: [String], triggers: [String], expected: Int) throws {
        for table in tables {
            let rows = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM (SELECT 1 FROM \(table) LIMIT \(expected + 1))")
            guard let rows, rows <= expected else { continue }
            try drop(db, "INDEX", where: "type = 'index' AND tbl_name = ?", table)
        }
        for trigger in triggers { try drop(db, "TRIGGER", where: "type = 'trigger' AND name = ?", trigger) }
    }

    private mutating func drop(_ db: Database, _ kind: String, where condition: String, _ name: String) throws {
        // Indexes that a constraint made have no definition, and stay.
        let found = try Row.fetchAll(
            db, sql: "SELECT name, sql FROM sqlite_master WHERE \(condition) AND sql IS NOT NULL", arguments: [name])
        for row in found {
            definitions.append(row[1])
            try db.execute(sql: "DROP \(kind) \"\(row[0] as String)\"")
        }
    }

    /// Makes everything again.
    func finish(_ db: Database) throws { for definition in definitions { try db.execute(sql: definition) } }
}
