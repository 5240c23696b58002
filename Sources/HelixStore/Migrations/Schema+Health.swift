import HelixModel
import HelixSQLite

extension Schema {
    /// A schema object.
    private struct Object: Hashable {
        let kind: String
        let name: String
        let sql: String
    }

    /// The schema objects that a database lacks, in order of creation. The shadow tables of full-text indexes are left to those
    /// indexes.
    private static func missing(_ db: Database, of whole: Database) throws -> [Object] {
        let query = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
        let there = Set(try Row.fetchAll(db, sql: query).map { try $0["name"] as String })
        let objects = try Row.fetchAll(whole, sql: query).map {
            try Object(kind: $0["type"], name: $0["name"], sql: $0["sql"])
        }
        let texts = objects.filter { $0.sql.hasPrefix("CREATE VIRTUAL") }.map { $0.name + "_" }
        return objects.filter { object in
            !there.contains(object.name) && !texts.contains { object.name.hasPrefix($0) }
        }
    }

    /// Descriptions of missing tables, indexes, triggers and views, and of missing columns of tables that are there.
    static func problems(_ db: Database) throws -> [String] {
        let whole = try model()
        return try missing(db, of: whole).map { "the \($0.kind) '\($0.name)' is missing" }
            + missingColumns(db, of: whole).map { "the column '\($0.name)' of the table '\($0.table)' is missing" }
    }

    /// The columns that a database lacks in tables that it has. Columns of full-text indexes are checked with their tables.
    private static func missingColumns(_ db: Database, of whole: Database) throws -> [(table: String, name: String)] {
        let query = """
            SELECT m.name || ' ' || c.name FROM sqlite_master m JOIN pragma_table_xinfo(m.name) c
            WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY m.name, c.cid
            """
        let there = try Set(String.fetchAll(db, sql: query))
        let tables = Set(there.compactMap { $0.split(separator: " ").first })
        return try String.fetchAll(whole, sql: query).compactMap { column in
            let parts = column.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, tables.contains(parts[0]), !there.contains(column) else { return nil }
            return (String(parts[0]), String(parts[1]))
        }
    }

    /// A new store in memory.
    private static func model() throws -> Database {
        let whole = try Database(path: ":memory:")
        try prepare(whole, path: ":memory:", isReadOnly: false)
        return whole
    }

    /// Recreates missing schema objects: indexes from their tables, tables empty.
    static func restore(_ db: Database) throws {
        let order = ["table", "index", "view", "trigger"]
        let objects = try missing(db, of: model())
        for kind in order { for object in objects where object.kind == kind { try db.execute(sql: object.sql) } }
    }
}
