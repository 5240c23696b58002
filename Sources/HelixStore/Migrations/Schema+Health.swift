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
    private static func missing(_ db: Database) throws -> [Object] {
        let whole = try Database(path: ":memory:")
        try prepare(whole, path: ":memory:", isReadOnly: false)
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

    /// Descriptions of missing tables, indexes, triggers and views.
    static func problems(_ db: Database) throws -> [String] {
        try missing(db).map { "the \($0.kind) '\($0.name)' is missing" }
    }

    /// Recreates missing schema objects: indexes from their tables, tables empty.
    static func restore(_ db: Database) throws {
        let order = ["table", "index", "view", "trigger"]
        let objects = try missing(db)
        for kind in order { for object in objects where object.kind == kind { try db.execute(sql: object.sql) } }
    }
}
