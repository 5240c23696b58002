import Foundation
import TestSupport
import Testing

/// Tasks of other programs, in and out again.
@Suite struct ExchangeTests {
    private func objects(_ text: String) throws -> [String: NSDictionary] {
        let list = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [NSDictionary] ?? []
        return Dictionary(list.map { ($0["uuid"] as? String ?? "", $0) }) { first, _ in first }
    }

    @Test(.enabled(if: Corpora.isAvailable, "needs the corpora")) func taskwarriorsExportComesBackAsItWas() throws {
        let home = try HelixHome()
        for name in ["taskwarrior_export.json", "taskwarrior_export_lines.json"] {
            let file = Corpora.file("tasks/\(name)").path
            #expect(try home.run("tasks", "import", file, "--format", "taskwarrior").status == 0)
            #expect(try home.run("tasks", "import", file).output.contains("0 new"))
        }
        let before = try objects(
            String(contentsOfFile: Corpora.file("tasks/taskwarrior_export.json").path, encoding: .utf8))
        let after = try objects(try home.run("tasks", "export", "--format", "taskwarrior").output)
        #expect(before == after && before.count == 7)
    }

    /// Taskwarrior itself is the judge: what it exports, helix takes and gives back, and Taskwarrior takes again.
    @Test func twoThousandTasksOfTaskwarriorLoseNothing() throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/task") else { return }
        let home = try HelixHome()
        home.environment["TASKDATA"] = home.folder.path
        home.environment["TASKRC"] = try home.write(
            "confirmation=no\nuda.size.type=numeric\nuda.client.type=string\njson.array=on\nhooks=off\n", to: "taskrc")
        var made: [[String: Any]] = []
        let ids = (0..<2000).map { _ in UUID().uuidString.lowercased() }
        for (index, id) in ids.enumerated() {
            var task: [String: Any] = [
                "uuid": id, "description": "Thing \(index) é \"q\" \\ /", "entry": "20260901T080000Z",
                "status": ["pending", "completed", "waiting", "deleted"][index % 4],
            ]
            if index % 4 == 1 || index % 4 == 3 { task["end"] = "20261010T090000Z" }
            if index % 4 == 2 { task["wait"] = "20270101T000000Z" }
            if index % 3 == 0 { task["project"] = "work.q\(index % 5)" }
            if index % 5 == 0 { task["tags"] = ["a", "site_visit"] }
            if index % 7 == 0 { task["due"] = "20261205T170000Z" }
            if index % 6 == 0 { task["priority"] = ["H", "M", "L"][index % 3] }
            if index % 9 == 0, index > 0 { task["depends"] = [ids[index - 1]] }
            if index % 11 == 0 {
                task["annotations"] = [["entry": "20260902T080000Z", "description": "see http://x/?a=b"]]
            }
            if index % 13 == 0 { (task["size"], task["client"]) = (3.5, "Ácme") }
            made.append(task)
        }
        let file = try home.write(
            String(decoding: try JSONSerialization.data(withJSONObject: made), as: UTF8.self), to: "made.json")
        _ = try home.run(program: "/usr/bin/task", ["import", file])
        let exported = try home.run(program: "/usr/bin/task", ["export"]).output
        let from = try home.write(exported, to: "export.json")
        #expect(try home.run("tasks", "import", from, "--json").json()["created"] as? Int == 2000)
        let back = try home.run("tasks", "export", "--format", "taskwarrior").output
        #expect(try objects(exported) == objects(back))
        // A change here is what Taskwarrior reads there, and nothing else.
        try home.run("tasks", "edit", "text:Thing +a", "priority:low")
        let again = try home.write(
            try home.run("tasks", "export", "--format", "taskwarrior").output, to: "again.json")
        let taken = try home.run(program: "/usr/bin/task", ["import", again])
        #expect(taken.status == 0, "\(taken.errors.suffix(300))")
    }

    @Test(.enabled(if: Corpora.isAvailable, "needs the corpora")) func todoTxtIsReadAsItsRulesSay() throws {
        struct Cases: Decodable {
            struct Case: Decodable {
                let line: String
                let completed: Bool?
                let projects: [String]?
                let attributes: [String: [String]]?
            }
            let cases: [Case]
        }
        let cases = try JSONDecoder().decode(
            Cases.self, from: Data(contentsOf: Corpora.file("tasks/todotxt_cases.json")))
        for one in cases.cases {
            let home = try HelixHome()
            let file = try home.write(one.line + "\n", to: "todo.txt")
            #expect(try home.run("tasks", "import", file).status == 0, "\(one.line)")
            let task = try #require(try home.run("tasks", "list", "status:all", "--json").items().first)
            #expect((task["status"] as? String == "done") == (one.completed ?? false), "\(one.line)")
            #expect(task["project"] as? String == one.projects?.first, "\(one.line)")
            #expect((task["due"] as? String) == one.attributes?["due"]?.first, "\(one.line)")
            #expect(try home.run("tasks", "export", "--format", "todotxt").output == one.line + "\n")
        }
    }

    @Test(.enabled(if: Corpora.isAvailable, "needs the corpora")) func everyFileWithVTODOsIsReadAndWrittenTwiceTheSame()
        throws
    {
        let folder = Corpora.file("ics/parse")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
            let path = folder.appendingPathComponent(name).path
            let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
            guard text.contains("BEGIN:VTODO") else { continue }
            let home = try HelixHome()
            let status = try home.run("tasks", "import", path).status
            #expect(status == 0 || status == 65, "\(name)")
            guard status == 0 else { continue }
            let first = try home.run("tasks", "export", "--format", "ics").output
            let other = try HelixHome()
            try other.run("tasks", "import", try other.write(first, to: "first.ics"))
            #expect(try other.run("tasks", "export", "--format", "ics").output == first, "\(name)")
        }
    }

    @Test func aTaskThatIsTwiceInAFileIsFoundByItsLastWordsAndUndoneAsOne() throws {
        let home = try HelixHome()
        let entry = "\"status\": \"pending\", \"entry\": \"20260101T000000Z\""
        let text = """
            [{"uuid": "a", "description": "First words", \(entry)}, {"uuid": "b", "description": "Other", \(entry)},
             {"uuid": "a", "description": "Second words", \(entry), "modified": "20260301T000000Z"}]
            """
        let file = try home.write(text, to: "tasks.json")
        let result = try home.run("tasks", "import", file)
        #expect(result.output.contains("2 new") && result.errors.contains("another task of the file has its UUID"))
        #expect(try home.run("tasks", "import", file).output.contains("0 new, 2 unchanged"))
        #expect(try home.run("tasks", "search", "second").output.contains("Second words"))
        #expect(!(try home.run("tasks", "search", "first").output.contains("words")))
        try home.run("undo")
        #expect(try home.run("tasks", "list", "--count").output == "0\n")
        try home.run("redo")
        #expect(try home.run("tasks", "search", "second").output.contains("Second words"))
        #expect(try home.run("doctor").status == 0)
    }

    @Test func aMarkdownChecklistKeepsItsParts() throws {
        let home = try HelixHome()
        let text =
            "## House\n\n- [ ] Paint the door +diy\n  - [x] buy paint\n  - [ ] sand it due:2026-12-01\n- [x] Old thing\n"
        #expect(try home.run("tasks", "import", try home.write(text, to: "plan.md")).status == 0)
        #expect(try home.run("tasks", "export", "project:House status:all", "--format", "markdown").output == text)
        #expect(try home.run("tasks", "list", "+parent", "--json").items().first?["progress"] as? Double == 0.5)
    }

    @Test func whatIsNoneOfItIsRefusedWithItsReason() throws {
        let home = try HelixHome()
        let files = [
            ("broken.json", "[{\"description\": \"x\"}, {"), ("other.json", "[1, 2]"),
            ("deep.json", String(repeating: "[", count: 100_000)),
            ("none.ics", "hello"), ("binary.txt", "a\0b"), ("empty.json", ""),
        ]
        for (name, text) in files {
            let result = try home.run("tasks", "import", try home.write(text, to: name))
            #expect(result.status == 65, "\(name)")
            #expect(result.errors.hasPrefix("helix: ") || result.errors.contains("\nhelix: "), "\(name)")
        }
        #expect(try home.run("tasks", "import", "/nonexistent.json").status == 66)
        #expect(try home.run("tasks", "list", "status:all", "--count").output == "0\n")
    }

    /// Outlook calls every zone of its own by one name.
    @Test func zonesOfOneNameStayApartInAnExport() throws {
        let home = try HelixHome()
        func file(_ zone: String, _ offset: String, _ title: String) throws -> String {
            try home.write(
                """
                BEGIN:VCALENDAR\r
                VERSION:2.0\r
                PRODID:-//x//EN\r
                BEGIN:VTIMEZONE\r
                TZID:\(zone)\r
                BEGIN:STANDARD\r
                DTSTART:16010101T000000\r
                TZOFFSETFROM:\(offset)\r
                TZOFFSETTO:\(offset)\r
                END:STANDARD\r
                END:VTIMEZONE\r
                BEGIN:VEVENT\r
                UID:\(title)\r
                DTSTAMP:20260101T000000Z\r
                DTSTART;TZID=\(zone):20261201T120000\r
                DTEND;TZID=\(zone):20261201T130000\r
                SUMMARY:\(title)\r
                END:VEVENT\r
                END:VCALENDAR\r

                """, to: title + ".ics")
        }
        let files = [
            try file("Customized Time Zone", "+0300", "A"), try file("Customized Time Zone", "-0700", "B"),
            try file("Europe/Berlin", "+0530", "C"),
        ]
        #expect(try home.run("cal", "add", "Mine 2026-12-01 12:00 for 1h", "--tz", "Europe/Berlin").status == 0)
        #expect(try home.run(["cal", "import"] + files + ["--on-conflict", "allow"]).status == 0)
        func starts(_ home: HelixHome) throws -> [String] {
            try home.run("cal", "agenda", "--from", "2026-12-01", "--to", "2026-12-02", "--tz", "UTC", "--json").items()
                .map { "\($0["title"] ?? "") \($0["start"] ?? "")" }.sorted()
        }
        let before = try starts(home)
        #expect(before.count == 4)
        let export = home.folder.appendingPathComponent("all.ics").path
        #expect(try home.run("cal", "export", "-o", export).status == 0)
        let other = try HelixHome()
        #expect(try other.run("cal", "import", export, "--on-conflict", "allow").status == 0)
        #expect(try starts(other) == before)
        let again = other.folder.appendingPathComponent("again.ics").path
        #expect(try other.run("cal", "export", "-o", again).status == 0)
        let third = try HelixHome()
        #expect(try third.run("cal", "import", again, "--on-conflict", "allow").status == 0)
        #expect(try starts(third) == before)
    }
}
