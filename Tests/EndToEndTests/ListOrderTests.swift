import Foundation
import TestSupport
import Testing

/// Lists of tasks come in the order that is asked for, and show the columns that are asked for.
@Suite struct ListOrderTests {
    /// Tasks around the night in which the clocks are put back.
    private func home() throws -> HelixHome {
        let home = try HelixHome()
        home.environment["HELIX_NOW"] = "2026-10-24T12:00:00"
        home.environment["TZ"] = "Europe/Berlin"
        var random = SeededGenerator(seed: 21)
        var lines: [String] = []
        for number in 0..<150 {
            var line = Bool.random(using: &random) ? "(\(["A", "B", "C"].randomElement(using: &random) ?? "A")) " : ""
            line += "2026-0\(Int.random(in: 1...9, using: &random))-1\(Int.random(in: 0...9, using: &random)) "
            line += "Task \(number)"
            if Bool.random(using: &random) {
                line += " +\(["house", "garden", "Boat"].randomElement(using: &random) ?? "house")"
            }
            if Bool.random(using: &random) { line += " @red" }
            if Bool.random(using: &random) { line += " @blue" }
            let day = Int.random(in: 1...61, using: &random)
            let date = day <= 31 ? String(format: "2026-10-%02d", day) : String(format: "2026-11-%02d", day - 31)
            if Bool.random(using: &random) { line += " due:\(date)" }
            if Int.random(in: 0..<4, using: &random) == 0 { line += " t:\(date)" }
            lines.append(line)
        }
        try home.write(lines.joined(separator: "\n") + "\n", to: "todo.txt")
        #expect(try home.run("tasks", "import", home.folder.path + "/todo.txt", "--format", "todotxt").status == 0)
        return home
    }

    private func list(_ home: HelixHome, _ arguments: String...) throws -> [[String: Any]] {
        try home.run(["tasks", "list", "status:all", "--json"] + arguments).items()
    }

    private func titles(_ items: [[String: Any]]) -> [String] { items.compactMap { $0["title"] as? String } }

    @Test func aFilterByUrgencyMeansWhatListsShow() throws {
        let home = try home()
        let all = try list(home)
        #expect(all.count == 150)
        for limit in [-2.0, 0, 0.83, 2.5, 5, 9.75, 12, 30] {
            let greater = all.filter { ($0["urgency"] as? Double ?? 0) > limit }
            #expect(Set(titles(try list(home, "urgency>\(limit)"))) == Set(titles(greater)), "\(limit)")
        }
        let some = try #require(all.compactMap { $0["urgency"] as? Double }.first { $0 > 3 })
        let tenth = (some * 10).rounded() / 10
        let equal = all.filter { abs((($0["urgency"] as? Double ?? 0) * 10).rounded() / 10 - tenth) < 0.001 }
        #expect(titles(try list(home, "urgency:\(tenth)")).count == equal.count)
        #expect(try home.run("tasks", "list", "urgency>high").errors.contains("not a number"))
    }

    @Test func severalKeysDecideOneAfterTheOther() throws {
        let home = try home()
        let all = try list(home)
        let found = try list(home, "--sort", "project,-priority,title")
        let ranks = ["low": 1, "medium": 2, "high": 3, "critical": 4]
        func key(_ item: [String: Any]) -> (String, Int, String) {
            // What has no project comes last.
            let project = (item["project"] as? String)?.lowercased() ?? "~"
            return (
                project, ranks[item["priority"] as? String ?? ""] ?? 0, (item["title"] as? String ?? "").lowercased()
            )
        }
        #expect(titles(found) == titles(all.sorted { key($0) < key($1) }))
        let dues = try list(home, "--sort", "-due").map { $0["due"] as? String }
        let known = dues.compactMap { $0 }
        #expect(known == known.sorted(by: >) && dues.prefix(known.count).allSatisfy { $0 != nil })
        #expect(titles(try list(home, "--sort", "title", "--reverse")) == titles(try list(home, "--sort", "-title")))
        #expect(
            titles(try list(home, "--sort", "urgency", "--reverse")) == titles(try list(home, "--sort", "-urgency")))
        let urgencies = try list(home, "--sort", "-urgency").compactMap { $0["urgency"] as? Double }
        #expect(urgencies == urgencies.sorted())
    }

    @Test(arguments: ["urgent", "due,", "due,due", ""])
    func anOrderThatThereIsNotIsRefused(_ order: String) throws {
        #expect(try HelixHome().run("tasks", "list", "--sort", order).status == 64)
    }

    @Test func columnsAreATableWithAHeader() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "Paint due:2026-11-20 est:90m +red")
        try home.run("tasks", "add", "Sand")
        let run = try home.run("tasks", "list", "--columns", "title,due,estimate,tags,overdue")
        let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines == ["title due estimate tags overdue", "Paint 2026-11-20 1h 30m red", "Sand"])
        let ids = try home.run("tasks", "list", "--columns", "id").output.split(separator: "\n")
        #expect(ids[0] == "id" && ids.dropFirst().allSatisfy { $0.count == 4 })
        let wrong = try home.run("tasks", "list", "--columns", "titel")
        #expect(wrong.status == 64 && wrong.errors.contains("Did you mean title?"))
        #expect(try home.run("tasks", "list", "--columns", "title", "--json").status == 64)
        #expect(try home.run("tasks", "list", "--columns", "title", "--ids").status == 64)
    }

    @Test func whatIsLateIsMarkedWithoutColours() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "Paint due:yesterday")
        #expect(try home.run("tasks", "list", "--color", "never").output.contains("yesterday !"))
    }
}

/// The chart of time on an axis of hours.
@Suite struct TimeChartTests {
    @Test func daysAndSumsAreShown() throws {
        let home = try HelixHome()
        try home.run("time", "add", "yesterday 9-12 Design", "--project", "house")
        try home.run("time", "add", "yesterday 22:00-01:00 Late")
        let lines = try home.run("time", "chart").output.split(separator: "\n").map(String.init)
        #expect(lines[0].contains("00:00") && lines[0].contains("21:00"))
        #expect(lines.contains { $0.hasPrefix("Tue 17 Nov") && $0.hasSuffix("5h") })
        #expect(lines.contains { $0.hasPrefix("Wed 18 Nov") && $0.hasSuffix("1h") })
        #expect(lines.last == "6h in total")
        // An export has what a list with the same words shows.
        let exported = try home.run("time", "export", "project:house").output.split(whereSeparator: \.isNewline)
        #expect(exported.count == 2 && exported[1].contains("Design"))
        #expect(try home.run("time", "export", "--where", "Late").output.contains("Late"))
        let filtered = try home.run("time", "chart", "this week", "project:house", "--json").items()
        #expect(filtered.count == 1)
        #expect(try home.run("time", "chart", "2026").errors.contains("cannot chart"))
        #expect(try home.run("time", "chart", "2025-01").output.contains("No time was tracked."))
    }
}
