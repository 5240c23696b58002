import Foundation
import TestSupport
import Testing

/// The export of a store changes nothing in it when it is imported again, whatever the format can carry; what another program has
/// changed in it is changed here, and nothing else.
@Suite struct TaskRoundTripTests {
    private static let formats = ["taskwarrior", "todotxt", "ics", "markdown", "csv"]

    /// A home with tasks of all kinds of fields.
    private static func home(seed: UInt64) throws -> HelixHome {
        let home = try HelixHome()
        var random = SeededGenerator(seed: seed)
        func pick<Value>(_ list: [Value]) -> Value { list[Int.random(in: 0..<list.count, using: &random)] }
        let repeats = [
            "weekly", "daily", "every 2 weeks", "monthly", "weekdays", "every mon", "every 3 days after done", "yearly",
        ]
        for number in 0..<12 {
            var words = [
                "tasks", "add",
                "Task \(number) \(pick(["of Ünïcode", "(A) x", "with: colon", "+plus @at", "due soon"]))",
            ]
            if Bool.random(using: &random) { words += ["--project", pick(["house", "Big Garden"])] }
            if Bool.random(using: &random) { words += ["--priority", pick(["low", "medium", "high", "critical"])] }
            if Bool.random(using: &random) { words += ["--tag", pick(["red", "blue"])] }
            if Bool.random(using: &random) { words += ["--estimate", pick(["45m", "1h 30m", "2h"])] }
            if Bool.random(using: &random) {
                words += ["--notes", pick(["one line", "two\nlines", "with * signs\n\nand more"])]
            }
            if Bool.random(using: &random) {
                words += ["--due", pick(["2026-12-01", "2026-12-03 14:30", "2026-11-20"])]
                if Bool.random(using: &random) { words += ["--repeat", pick(repeats)] }
            }
            if Bool.random(using: &random) { words += ["--wait", "2026-11-25"] }
            let added = try home.run(words)
            #expect(added.status == 0, "\(words) \(added.errors)")
        }
        let ids = try home.run("tasks", "list", "status:all", "--ids").output.split(separator: "\n").map(String.init)
        for id in ids.prefix(3) { #expect(try home.run("tasks", "done", id).status == 0) }
        for id in ids.suffix(2) { try home.run("tasks", "steps", "add", id, "A step") }
        if ids.count > 8 { try home.run("tasks", "edit", ids[7], "--parent", ids[8]) }
        if ids.count > 6 { try home.run("tasks", "block", ids[5], "--by", ids[6]) }
        return home
    }

    private static func all(_ home: HelixHome) throws -> String {
        try home.run("tasks", "list", "status:all", "--sort", "created,title", "--json").output
    }

    @Test(arguments: formats, [1, 2, 3] as [UInt64]) func anExportChangesNothingWhereItCameFrom(
        _ format: String, _ seed: UInt64
    )
        throws
    {
        let home = try Self.home(seed: seed)
        let (before, history) = (try Self.all(home), try home.run("history", "--json").output)
        let file = home.folder.path + "/export"
        #expect(try home.run("tasks", "export", "--format", format, "--out", file).status == 0)
        let imported = try home.run("tasks", "import", file, "--format", format)
        #expect(imported.status == 0 && imported.output.contains("Imported 0 new"), "\(imported)")
        #expect(try Self.all(home) == before, "\(format) \(imported.output)")
        #expect(try home.run("history", "--json").output == history)
    }

    /// What a format has of a task.
    private static func shown(_ home: HelixHome, _ format: String) throws -> [String] {
        var fields = ["title", "status", "priority", "project", "tags", "due"]
        if format != "markdown" { fields += ["recurrence", "hidden_until"] }
        if ["taskwarrior", "ics", "csv"].contains(format) {
            fields += ["estimate", "notes", "checklist", "board", "column", "block", "assignee", "created_at"]
        }
        let items = try home.run("tasks", "list", "status:all", "--json").items()
        let titles = Dictionary(
            items.map { ($0["id"] as? String ?? "", $0["title"] as? String ?? "") }, uniquingKeysWith: { a, _ in a })
        return items.map { item in
            var parts = fields.map { "\($0)=\(item[$0] ?? "-")" }
            if ["taskwarrior", "ics", "csv", "markdown"].contains(format) {
                parts.append("parent=\(titles[item["parent"] as? String ?? ""] ?? "-")")
            }
            if ["taskwarrior", "ics", "csv"].contains(format) {
                let blockers = (item["blocked_by"] as? [String] ?? []).map { titles[$0] ?? "?" }.sorted()
                parts.append("blockers=\(blockers)")
            }
            return parts.joined(separator: "\n  ")
        }.sorted()
    }

    @Test(arguments: formats, [4, 5, 6] as [UInt64]) func anExportIsTheSameInANewHome(
        _ format: String, _ seed: UInt64
    ) throws {
        let home = try Self.home(seed: seed)
        let first = try #require(try home.run("tasks", "list", "--ids").output.split(separator: "\n").first)
        if ["taskwarrior", "ics", "csv"].contains(format) {
            let edited = try home.run("tasks", "edit", String(first), "project:house", "block:Roof", "assignee:ana")
            #expect(edited.status == 0, "\(edited.errors)")
            try home.run("tasks", "move", String(first), "doing")
        }
        let file = home.folder.path + "/export"
        #expect(try home.run("tasks", "export", "--format", format, "--out", file).status == 0)
        let new = try HelixHome()
        let imported = try new.run("tasks", "import", file, "--format", format)
        #expect(imported.status == 0 && !imported.output.contains("could not"), "\(imported)")
        var (before, after) = (try Self.shown(home, format), try Self.shown(new, format))
        if format == "todotxt" {
            // A project is one word, due dates are days.
            let plain = { (text: String) in
                text.replacingOccurrences(of: "Big Garden", with: "Big_Garden")
                    .replacingOccurrences(of: "T[0-9:+]+", with: "", options: .regularExpression)
            }
            // What looks like a context is one there.
            (before, after) = (
                before.filter { !$0.contains("@at") }.map(plain), after.filter { !$0.contains("\"at\"") }.map(plain)
            )
        }
        #expect(before == after, "\(format) \(imported.output)")
    }

    @Test(arguments: [
        ("taskwarrior", "\"description\":\"Paint\"", "\"description\":\"Paint it\""),
        ("todotxt", " Paint ", " Paint it "),
        ("ics", "SUMMARY:Paint", "SUMMARY:Paint it"),
    ]) func aChangeInTheFileIsTheOnlyChange(_ format: String, _ before: String, _ after: String) throws {
        let home = try HelixHome()
        try home.run(
            "tasks", "add", "Paint", "--due", "2026-12-01", "--repeat", "every 3 days after done", "--notes",
            "two\nlines",
            "--estimate", "100m")
        try home.run("tasks", "move", "text:Paint", "doing")
        let file = home.folder.path + "/export"
        try home.run("tasks", "export", "--format", format, "--out", file)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains(before), "\(text)")
        try text.replacingOccurrences(of: before, with: after).write(toFile: file, atomically: true, encoding: .utf8)
        let was = try #require(try home.run("tasks", "list", "--json").items().first)
        #expect(try home.run("tasks", "import", file, "--format", format).status == 0)
        let items = try home.run("tasks", "list", "--json").items()
        if format == "todotxt" {
            // todo.txt has no identities: another title is another task.
            #expect(items.count == 2)
        } else {
            let now = try #require(items.first)
            #expect(items.count == 1 && now["title"] as? String == "Paint it")
            for key in ["due", "recurrence", "notes", "estimate", "column", "id"] {
                #expect("\(now[key] ?? "-")" == "\(was[key] ?? "-")", "\(key)")
            }
        }
    }

    @Test(arguments: [
        ("weekly", "FREQ=WEEKLY"), ("3days", "FREQ=DAILY;INTERVAL=3"), ("P2W", "FREQ=WEEKLY;INTERVAL=2"),
        ("quarterly", "FREQ=MONTHLY;INTERVAL=3"), ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("annual", "FREQ=YEARLY"), ("2 months", "FREQ=MONTHLY;INTERVAL=2"),
    ]) func aTemplateOfTaskwarriorIsARecurringTask(_ recur: String, _ rule: String) throws {
        let home = try HelixHome()
        let template =
            "{\"uuid\":\"6d647933-7a33-8364-b66a-773576733678\",\"description\":\"Water\",\"status\":\"recurring\","
            + "\"recur\":\"\(recur)\",\"due\":\"20261201T090000Z\",\"entry\":\"20261101T090000Z\"}"
        let child =
            "{\"uuid\":\"7d647933-7a33-8364-b66a-773576733678\",\"description\":\"Water\",\"status\":\"pending\","
            + "\"parent\":\"6d647933-7a33-8364-b66a-773576733678\",\"recur\":\"\(recur)\",\"imask\":0,"
            + "\"due\":\"20261208T090000Z\",\"entry\":\"20261101T090000Z\"}"
        for (file, due) in [("[\(template)]", "2026-12-01"), ("[\(template),\(child)]", "2026-12-08")] {
            let home = try HelixHome()
            let path = try home.write(file, to: "export.json")
            #expect(try home.run("tasks", "import", path, "--format", "taskwarrior").status == 0)
            let open = try home.run("tasks", "list", "--json").items()
            #expect(open.count == 1 && open.first?["recurrence"] as? String == rule, "\(open)")
            #expect((open.first?["due"] as? String)?.hasPrefix(due) == true)
            // What Taskwarrior wrote goes back as it was.
            let back = try home.run("tasks", "export", "--format", "taskwarrior").output
            #expect(back.contains("\"status\":\"recurring\"") && back.contains("\"recur\":\"\(recur)\""), "\(back)")
        }
        withExtendedLifetime(home) {}
    }

    @Test func taskwarriorItselfRepeatsARecurringTask() throws {
        let home = try HelixHome(now: "2026-11-18T10:20:00", zone: "UTC")
        try home.run("tasks", "add", "Water the plants", "--due", "2026-12-01", "--repeat", "weekly")
        try home.run("tasks", "add", "Repot", "--due", "2026-12-01", "--repeat", "every 3 days after done")
        let export = try home.run("tasks", "export", "--format", "taskwarrior", "--out", home.folder.path + "/a.json")
        #expect(export.errors.contains("1 recurrence."), "\(export.errors)")
        let script = """
            export TASKDATA=$PWD/tw TASKRC=$PWD/rc; mkdir -p tw; printf 'confirmation=no\\nrecurrence.confirmation=no\\n' > rc
            task import a.json >/dev/null 2>&1; task list >/dev/null 2>&1; task export 2>/dev/null > b.json
            """
        _ = try home.run(program: "/bin/sh", ["-c", script])
        let back = try HelixHome(now: "2026-11-18T10:20:00", zone: "UTC")
        let imported = try back.run("tasks", "import", home.folder.path + "/b.json", "--format", "taskwarrior")
        #expect(imported.status == 0, "\(imported)")
        let open = try back.run("tasks", "list", "text:Water", "--json").items()
        #expect(open.count == 1 && open.first?["recurrence"] as? String == "FREQ=WEEKLY", "\(open)")
        // Nor does it double the task in the home that it came from.
        #expect(try home.run("tasks", "import", home.folder.path + "/b.json", "--format", "taskwarrior").status == 0)
        #expect(try home.run("tasks", "list", "text:Repot", "--json").items().count == 1)
    }

    @Test(arguments: [
        ("Call Mom due:2026-12-01 rec:+1w", "FREQ=WEEKLY"), ("Call due:2026-12-01 rec:2d", "after:P2D"),
        ("Pay due:2026-12-01 rec:+1m", "FREQ=MONTHLY"),
        ("Post due:2026-12-01 rec:+1b", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("Renew due:2026-12-01 rec:1y", "after:P12M"),
    ]) func recOfTodoTxtIsARecurrenceAndGoesBack(_ line: String, _ rule: String) throws {
        let home = try HelixHome()
        let path = try home.write(line + "\n", to: "todo.txt")
        let imported = try home.run("tasks", "import", path)
        #expect(imported.status == 0 && !imported.errors.contains("rec:"), "\(imported)")
        let task = try #require(try home.run("tasks", "list", "--json").items().first)
        #expect(task["recurrence"] as? String == rule && (task["title"] as? String)?.contains("rec:") == false)
        #expect(try home.run("tasks", "export", "--format", "todotxt").output == line + "\n")
    }

    @Test func anExportSaysWhatTheFormatLacks() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "One", "--notes", "x", "--due", "2026-12-01 9:00", "--estimate", "2h")
        try home.run("tasks", "add", "Two", "--notes", "y")
        let text = try home.run("tasks", "export", "--format", "todotxt").errors
        #expect(text.contains("2 notes") && text.contains("1 estimate,") && text.contains("1 time of day"), "\(text)")
        let list = try home.run("tasks", "export", "--format", "markdown").errors
        #expect(list.contains("2 notes") && !list.contains("time of day"), "\(list)")
        for format in ["taskwarrior", "ics", "csv"] {
            #expect(try home.run("tasks", "export", "--format", format).errors.isEmpty, "\(format)")
        }
    }

    /// Boards, columns and the order of cards are kept, of few tasks and of many.
    @Test(arguments: ["taskwarrior", "ics", "csv"], [3, 520]) func boardsAreTheSameInANewHome(
        _ format: String, _ count: Int
    ) throws {
        let home = try HelixHome()
        let lines = (0..<count).map { "Task \($0)" }.joined(separator: "\n")
        #expect(try home.run("tasks", "import", home.write(lines, to: "t.txt")).status == 0)
        #expect(try home.run("tasks", "columns", "add", "waiting").status == 0)
        for number in [2, 1] {
            let moved = try home.run("tasks", "move", "text:\"Task \(number)\"", "waiting", "--limit", "1")
            #expect(moved.status == 0, "\(moved)")
        }
        func board(_ home: HelixHome) throws -> String {
            try home.run("tasks", "list", "--json").items().map {
                "\($0["column"] ?? ""): \($0["title"] ?? "")"
            }.sorted().joined(separator: "\n")
        }
        let file = home.folder.path + "/export"
        #expect(try home.run("tasks", "export", "--format", format, "--out", file).status == 0)
        let new = try HelixHome()
        #expect(try new.run("tasks", "import", file, "--format", format).status == 0)
        #expect(try board(new) == board(home))
        func cards(_ home: HelixHome) throws -> [String] {
            let found = try home.run("tasks", "board", "--json", "--limit", "all").output.components(separatedBy: "\n")
                .filter { $0.contains("\"title\"") }
            #expect(found.count >= count)
            return found
        }
        #expect(try cards(new) == cards(home))
        // A board that has tasks keeps its columns, and the difference is said.
        let other = try HelixHome()
        try other.run("tasks", "add", "Mine")
        let imported = try other.run("tasks", "import", file, "--format", format)
        #expect(imported.status == 0 && imported.errors.contains("main/waiting"), "\(imported.errors)")
    }
}
