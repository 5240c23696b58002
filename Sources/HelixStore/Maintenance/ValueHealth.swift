import HelixModel
import HelixSQLite

/// Invalid values that no command writes: times out of range, unknown states.
extension Store {
    /// The columns of any table that hold times.
    private static let timeColumns: Set<String> = [
        "due", "scheduled", "hidden_until", "start", "end", "date", "last_date", "sent", "until",
    ]
    private static let earliest = CivilDateTime(CivilDate(year: -1, month: 1, day: 1)).seconds
    private static let latest = CivilDateTime(CivilDate(year: 10_001, month: 1, day: 1)).seconds

    /// Descriptions of invalid values; empty if there are none.
    func valueProblems(_ db: Database) throws -> [String] {
        var problems: [String] = []
        let tables = try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
                    AND name NOT LIKE '%\\_text\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%' ORDER BY name
                """)
        for table in tables {
            let columns = try String.fetchAll(
                db,
                sql: "SELECT name FROM pragma_table_info(?) WHERE type = 'INTEGER'", arguments: [table]
            ).filter {
                Store.timeColumns.contains($0)
                    || $0.hasSuffix("_at") && !["cur_at", "new_at", "changed_at"].contains($0)
            }
            guard !columns.isEmpty else { continue }
            let wrong = columns.map {
                "(\"\($0)\" IS NOT NULL AND (typeof(\"\($0)\") <> 'integer' OR \"\($0)\" NOT BETWEEN \(Store.earliest) AND \(Store.latest)))"
            }
            let count =
                try Int.fetchOne(
                    db, sql: "SELECT COUNT(*) FROM \"\(table)\" WHERE \(wrong.joined(separator: " OR "))") ?? 0
            if count > 0 {
                problems.append(
                    "\(count == 1 ? "a row" : "\(count) rows") of '\(table)' with an invalid time")
            }
        }
        for (sql, one, many) in [
            (
                "SELECT COUNT(*) FROM task WHERE state NOT IN ('open', 'done', 'dropped')",
                "a task with an unknown state",
                "tasks with unknown states"
            ),
            (
                "SELECT COUNT(*) FROM task WHERE parent = id", "a task that is its own parent",
                "tasks that are their own parents"
            ),
            (
                "SELECT COUNT(*) FROM calendar WHERE trim(name) = ''", "a calendar without a name",
                "calendars without names"
            ),
        ] {
            let count = try Int.fetchOne(db, sql: sql) ?? 0
            if count > 0 { problems.append(count == 1 ? one : "\(count) \(many)") }
        }
        return problems
    }

    /// Repairs invalid values where possible: an unknown state becomes open, and a task is detached from itself.
    func repairValues(_ db: Database) throws {
        try db.execute(sql: "UPDATE task SET state = 'open' WHERE state NOT IN ('open', 'done', 'dropped')")
        try db.execute(sql: "UPDATE task SET parent = NULL WHERE parent = id")
        try db.execute(sql: "UPDATE calendar SET name = 'calendar ' || n WHERE trim(name) = ''")
        for column in ["due", "scheduled", "hidden_until", "started_at", "completed_at"] {
            try db.execute(
                sql: """
                    UPDATE task SET \(column) = NULL WHERE \(column) IS NOT NULL AND (typeof(\(column)) <> 'integer'
                        OR \(column) NOT BETWEEN \(Store.earliest) AND \(Store.latest))
                    """)
        }
        for (table, column) in [("task", "created_at"), ("task", "modified_at"), ("change_set", "made_at")] {
            try db.execute(
                sql: """
                    UPDATE \(table) SET \(column) = 0 WHERE typeof(\(column)) <> 'integer'
                        OR \(column) NOT BETWEEN \(Store.earliest) AND \(Store.latest)
                    """)
        }
    }
}
