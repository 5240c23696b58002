import Foundation
import TestSupport
import Testing

/// Values that no calendar has: commands show or refuse them, doctor finds them.
@Suite struct ValueTests {
    @Test(arguments: [
        ("task", "due", "9223372036854775807"), ("task", "created_at", "-9223372036854775808"),
        ("task", "completed_at", "-9223372036854775808"), ("task", "scheduled", "-9223372036854775808"),
        ("task", "started_at", "9223372036854775807"), ("change_set", "made_at", "-9223372036854775808"),
        ("task", "state", "'weird'"), ("task", "due", "'abc'"), ("time_entry", "start", "-9223372036854775808"),
    ])
    func noValueEndsACommand(_ c: (table: String, column: String, value: String)) throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "One due:fri")
        try home.run("time", "add", "yesterday 9-10", "Work")
        try home.run("cal", "add", "Lunch tomorrow 12:30")
        let sql = "UPDATE \(c.table) SET \"\(c.column)\" = \(c.value)"
        let script = "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(sys.argv[2]); d.commit()"
        _ = try home.run(program: "/usr/bin/python3", ["-c", script, home.store, sql])
        for command in [
            ["tasks", "list", "status:all"], ["tasks", "list", "--json"], ["tasks", "board"], ["today"], ["history"],
            ["cal", "agenda"], ["time", "log", "2026"], ["time", "report", "2026"], ["tasks", "stats"],
            ["search", "One"],
        ] {
            let result = try home.run(command)
            #expect(result.status != 1 && result.status < 128, "\(command): \(result.status) \(result.errors)")
        }
        #expect(try home.run("doctor").status != 0)
        let repaired = try home.run("doctor", "--repair")
        #expect(repaired.status < 128 && repaired.status != 1)
    }

    @Test func aBackupIsNotWrittenOntoHelixsOwnFiles() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "One")
        for name in ["", "-journal", "-wal", ".moves", ".deliveries"] {
            #expect(try home.run("backup", home.store + name).status == 64)
        }
    }
}
