import HelixSQLite

/// Indexes that are taken away while many rows come into a table, and made again from all of them at once: that sorts
/// them, where each row by itself would look for its place in every index.
///
/// It happens inside the transaction of the import: a process that dies leaves the table as it was.
struct DeferredIndexes {
    private let definitions: [String]

    /// Takes the indexes of those tables away that have fewer rows than are `expected` to come.
    init(_ db: Database, of tables: [String], expected: Int) throws {
        var definitions: [String] = []
        for table in tables {
            let rows = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM (SELECT 1 FROM \(table) LIMIT \(expected + 1))")
            guard let rows, rows <= expected else { continue }
            // Those that a constraint made have no definition, and stay.
            let found = try Row.fetchAll(
                db,
                sql: "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
                arguments: [table])
            for row in found {
                definitions.append(row[1])
                try db.execute(sql: "DROP INDEX \"\(row[0] as String)\"")
            }
        }
        self.definitions = definitions
    }

    /// Makes the indexes again.
    func restore(_ db: Database) throws { for definition in definitions { try db.execute(sql: definition) } }
}
