import HelixModel
import Testing

@testable import HelixSQLite
@testable import HelixStore

/// A new table cannot be forgotten: either profiles see it through a view, or the list says why that is not needed.
@Suite struct ConfinedTableTests {
    @Test func everyTableHasAConditionOrAReason() throws {
        let test = try TestStore()
        let tables = Set(
            try test.store.read { db in
                try String.fetchAll(
                    db,
                    sql: "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")
            }.filter { name in
                !["_data", "_idx", "_content", "_docsize", "_config"].contains { name.hasSuffix("_text" + $0) }
            })
        let covered = ConfinedTables(AgentProfile("x")).conditions.map(\.table) + ConfinedTables.open.keys + ["entity"]
        #expect(tables.subtracting(covered) == [])
        #expect(Set(covered).subtracting(tables) == [])
        #expect(Set(covered).count == covered.count)
    }

    /// The second guard: a statement that names a table past its view is not compiled.
    @Test func tablesCannotBeReadPastTheirViews() throws {
        let test = try TestStore()
        var profile = AgentProfile("x")
        profile.read = [.calendar]
        try test.store.confine(to: profile, run: "r")
        let db = test.store.database
        #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM task") == 0)
        for sql in [
            "SELECT title FROM main.task", "SELECT t.id FROM main.task t", "DROP VIEW temp.task", "DROP VIEW task",
            "ATTACH ':memory:' AS other",
        ] {
            #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
        }
    }

    @Test func statementsThatWriteGoToTheTables() throws {
        let confinement = Confinement(tables: ["task", "change"], guardian: OpaquePointer(bitPattern: 1)!)
        for (sql, expected) in [
            ("INSERT INTO task (id) VALUES (1)", "INSERT INTO main.task (id) VALUES (1)"),
            (
                "INSERT OR IGNORE INTO task (id) SELECT id FROM task",
                "INSERT OR IGNORE INTO main.task (id) SELECT id FROM task"
            ),
            (
                "UPDATE task SET a = 1 WHERE id IN (SELECT id FROM task)",
                "UPDATE main.task SET a = 1 WHERE id IN (SELECT id FROM task)"
            ),
            ("UPDATE OR REPLACE task SET a = 1", "UPDATE OR REPLACE main.task SET a = 1"),
            ("DELETE FROM \"change\" WHERE 1", "DELETE FROM main.\"change\" WHERE 1"),
            (
                "SELECT 'INSERT INTO task' FROM task t INDEXED BY task_x WHERE 1",
                "SELECT 'INSERT INTO task' FROM task t  WHERE 1"
            ),
            ("SELECT it''s", "SELECT it''s"),
            (
                "INSERT INTO tasks VALUES (1) ON CONFLICT DO UPDATE SET a = 1",
                "INSERT INTO tasks VALUES (1) ON CONFLICT DO UPDATE SET a = 1"
            ),
        ] {
            let (text, writes) = confinement.rewritten(sql)
            #expect(text.split(separator: " ") == expected.split(separator: " "), "\(sql)")
            #expect(writes == expected.contains("main."))
        }
    }
}
