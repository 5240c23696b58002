import TestSupport
import Testing

/// The tasks of a project on an axis of days. It is Wednesday, 18 November 2026.
@Suite struct GanttTests {
    private func bar(_ home: HelixHome, _ title: String) throws -> [String: Any] {
        try #require(
            try home.perform("projects", "gantt", "House", "--all", "--json").items().first {
                $0["title"] as? String == title
            })
    }

    @Test func aBarIsWhereTheDatesOfItsTaskAre() throws {
        let home = try HelixHome()
        func add(_ title: String, _ options: String...) throws {
            #expect(try home.perform(["tasks", "add", "--project", "House"] + options + ["--", title]).status == 0)
        }
        try add("Planned", "--scheduled", "2026-11-20", "--due", "2026-11-24")
        try add("Estimated", "--due", "2026-11-24", "--estimate", "20h")
        try add("Days", "--due", "2026-11-24", "--estimate", "2d")
        try add("Late", "--scheduled", "2026-11-10", "--due", "2026-11-12")
        try add("Loose")
        try add("Finished", "--scheduled", "2026-11-17")
        try home.perform("tasks", "done", "text:Finished")
        let expected: [(String, String?, String?, String, String)] = [
            ("Planned", "2026-11-20", "2026-11-24", "scheduled", "due"),
            ("Estimated", "2026-11-22", "2026-11-24", "estimate", "due"),
            ("Days", "2026-11-23", "2026-11-24", "estimate", "due"),
            ("Late", "2026-11-10", "2026-11-18", "scheduled", "due"),
            ("Loose", nil, nil, "created", "open"),
            ("Finished", "2026-11-17", "2026-11-18", "scheduled", "done"),
        ]
        for (title, start, end, from, to) in expected {
            let bar = try bar(home, title)
            #expect(bar["start"] as? String == start, "\(title)")
            #expect(bar["end"] as? String == end, "\(title)")
            #expect(bar["start_source"] as? String == from, "\(title)")
            #expect(bar["end_source"] as? String == to, "\(title)")
            #expect(bar["late"] as? Bool == (title == "Late"))
        }
        let drawn = try home.perform("projects", "gantt", "House").output
        #expect(drawn.contains("18 Nov") && drawn.contains("Without dates") && drawn.contains("▓"))
        #expect(!drawn.contains("Finished"))
        for width in ["40", "80", "120", "200"] {
            home.environment["COLUMNS"] = width
            let lines = try home.perform("projects", "gantt", "House", "--all").output.split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= Int(width)! })
        }
    }
}
