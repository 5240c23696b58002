import Foundation
import HelixModel
import HelixSQLite
import TestSupport
import Testing

@testable import HelixStore

/// A new store has the schema that all migrations lead to.
///
/// `HELIX_WRITE_SCHEMA=1 swift test --filter PresentSchemaTests` writes the schema anew after a migration was added.
@Suite struct PresentSchemaTests {
    /// A schema object and its definition, without comments and line ends.
    private struct Object: Hashable {
        let name: String
        let definition: String
    }

    private func migrated() throws -> Database {
        let db = try Database(path: ":memory:")
        for sql in Schema.migrations { try db.execute(sql: sql) }
        return db
    }

    /// All objects but those that SQLite makes by itself, in order of creation.
    private func objects(_ db: Database) throws -> [Object] {
        let all = try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
            .map { try Object(name: $0["name"], definition: plain($0["sql"])) }
        let indexes = all.filter { $0.definition.hasPrefix("CREATE VIRTUAL") }.map { $0.name + "_" }
        return all.filter { object in
            !object.name.hasPrefix("sqlite_") && !indexes.contains { object.name.hasPrefix($0) }
        }
    }

    private func plain(_ sql: String) -> String {
        sql.split(separator: "\n")
            .map { $0.components(separatedBy: "--")[0] }
            .joined(separator: " ").split(separator: " ").joined(separator: " ")
            .replacing("( ", with: "(").replacing(" )", with: ")").replacing(" ,", with: ",")
    }

    /// The rows that migrations put into an empty store.
    private func rows(_ db: Database) throws -> [String] {
        let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            .filter { !$0.contains("_text_") && !$0.hasSuffix("_text") }
        return try tables.flatMap { table in
            let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('\(table)') ORDER BY cid")
            let values = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ', ' || ")
            return try String.fetchAll(db, sql: "SELECT \(values) FROM \(table)")
                .map { "INSERT INTO \(table) VALUES (\($0))" }
        }
    }

    @Test func aNewStoreIsWhatMigrationsLeadTo() throws {
        let old = try migrated()
        if ProcessInfo.processInfo.environment["HELIX_WRITE_SCHEMA"] != nil { return try write(old) }
        let new = try Database(path: ":memory:")
        try new.execute(sql: Schema.present)
        #expect(try Set(objects(old)) == Set(objects(new)))
        #expect(try rows(old) == rows(new))
    }

    /// A column that is missing is named.
    @Test func missingColumnsAreReported() throws {
        let home = try HelixHome()
        _ = try Store(path: home.store, now: Instant(1_795_000_000))
        let db = try Database(path: home.store)
        try db.execute(sql: "ALTER TABLE board DROP COLUMN is_default; ALTER TABLE task DROP COLUMN estimate")
        db.close()
        let store = try Store(path: home.store, now: Instant(1_795_000_000))
        #expect(
            try store.health().problems == [
                "the column 'is_default' of the table 'board' is missing",
                "the column 'estimate' of the table 'task' is missing",
            ])
        let error = #expect(throws: HelixError.self) {
            try store.read { try Int.fetchOne($0, sql: "SELECT estimate FROM task") }
        }
        #expect(error?.code == .io)
    }

    /// A file that lost its contents is not taken for a first start in silence.
    @Test func anEmptiedFileIsReported() throws {
        let home = try HelixHome()
        #expect(try Store(path: home.store, now: Instant(1_795_000_000)).warnings.isEmpty)
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: home.store + end) }
        try Data().write(to: URL(fileURLWithPath: home.store))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -90)], ofItemAtPath: home.store)
        let store = try Store(path: home.store, now: Instant(1_795_000_000))
        #expect(store.warnings.count == 1 && store.warnings[0].contains("was an empty file"))
        #expect(try Store(path: home.store, now: Instant(1_795_000_000)).warnings.isEmpty)
    }

    private func write(_ db: Database) throws {
        let statements = try objects(db).map(\.definition) + rows(db)
        let lines = statements.flatMap { wrapped($0 + ";") }
        let text = """
            extension Schema {
                /// The schema of a new store, generated from the migrations by PresentSchemaTests.
                static let present = #\"""
            \(lines.map { "        " + $0 }.joined(separator: "\n"))
                    \"""#
            }

            """
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/HelixStore/Migrations/Schema+Present.swift").standardized
        try Data(text.utf8).write(to: file)
    }

    /// The lines of a statement, of at most 118 characters with their indentation. Options of a full-text index are not broken.
    private func wrapped(_ statement: String) -> [String] {
        var lines: [String] = []
        let words =
            statement.hasPrefix("CREATE VIRTUAL")
            ? statement.replacing(", ", with: ",\n").components(separatedBy: "\n")
            : statement.components(separatedBy: " ")
        for word in words {
            if let last = lines.last, last.count + word.count < 108 {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append((lines.isEmpty ? "" : "    ") + word)
            }
        }
        return lines
    }
}
