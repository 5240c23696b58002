import TestSupport
import Testing

/// Differences in `history show` and `review show`, as people read them.
@Suite struct DifferenceTests {
    /// A change of a day names a day, though the change itself keeps only seconds; times are on the user's clock.
    @Test func daysAndTimesAreThoseOfTheUser() throws {
        let home = try HelixHome()
        home.environment["TZ"] = "America/New_York"
        home.environment["HELIX_NOW"] = "2026-11-18T12:00:00Z"
        func run(_ words: String...) throws -> String {
            let result = try home.perform(words)
            #expect(result.status == 0, "\(result.errors)")
            return result.output
        }
        _ = try run("tasks", "add", "Paint the wall", "due:2026-12-04")
        let id = String(try run("tasks", "list").prefix { $0 != " " })
        func shown() throws -> String {
            try run("history", "show", String(try run("history", "--limit", "1").prefix { $0 != " " }))
        }
        let created = try shown()
        #expect(
            created.contains("+ due: 2026-12-04\n") && !created.contains("created at") && !created.contains("state:"))
        #expect(!created.contains("position") && !created.contains("is done: no"))
        _ = try run("tasks", "edit", id, "due:2026-12-07")
        #expect(try shown().contains("- due: 2026-12-04\n    + due: 2026-12-07\n"))
        _ = try run("tasks", "edit", id, "due:2026-12-07 17:30")
        #expect(try shown().contains("- due: 2026-12-07\n    + due: Mon 7 Dec 2026 17:30\n"))
        _ = try run("time", "add", "yesterday 9:00-10:00", "Meeting")
        let time = try shown()
        #expect(time.contains("+ start: Tue 17 Nov 2026 09:00\n") && !time.contains("billable"), "\(time)")
    }
}
