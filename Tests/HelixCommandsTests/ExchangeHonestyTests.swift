import Foundation
import TestSupport
import Testing

/// What is exported comes back, and what an import changes or leaves out is told.
@Suite struct ExchangeHonestyTests {
    private func calendar(_ lines: String...) -> String {
        (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"] + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    }

    private func event(_ uid: String, _ lines: String...) -> String {
        (["BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20261101T101010Z", "DTSTART:20261203T110000Z"] + lines + ["END:VEVENT"])
            .joined(separator: "\r\n")
    }

    @Test func eventsOfOneUIDInSeveralCalendarsComeBack() throws {
        let (home, other) = (try HelixHome(), try HelixHome())
        let file = try home.write(calendar(event("a", "SUMMARY:A"), event("b", "SUMMARY:B")), to: "s.ics")
        for name in ["work", "home", "third"] { try home.perform("cal", "import", file, "-c", name) }
        let all = home.folder.path + "/all.ics"
        #expect(try home.perform("cal", "export", "-o", all).status == 0)
        #expect(try other.perform("cal", "import", all).status == 0)
        let counts = try other.perform("cal", "calendars", "list", "--json").items().compactMap { $0["events"] as? Int }
        #expect(counts == [2, 2, 2], "\(counts)")
    }

    /// RFC 5545 §3.8.2.3: DUE has the form of DTSTART, and is later.
    @Test(arguments: ["2026-12-01", "2026-12-10", "2026-12-01 9:00", "2026-12-10 9:00", "2026-12-04"])
    func aTaskWithAStartAndADueDateIsExportedAndComesBack(_ start: String) throws {
        for due in ["2026-12-04", "2026-12-04 17:00"] {
            let (home, other) = (try HelixHome(), try HelixHome())
            #expect(try home.perform("tasks", "add", "B", "--due", due, "--scheduled", start).status == 0)
            let file = home.folder.path + "/t.ics"
            let run = try home.perform("tasks", "export", "-o", file, "--check")
            #expect(run.status == 0, "\(run)")
            #expect(try home.perform("cal", "check", file).status == 0)
            #expect(try other.perform("tasks", "import", file).status == 0)
            let fields = ["--json", "--fields", "title,due,scheduled"]
            let (own, theirs) = try (
                home.perform(["tasks", "list"] + fields).output, other.perform(["tasks", "list"] + fields).output
            )
            #expect(own == theirs, "\(start) \(due)")
            #expect(try other.perform("tasks", "import", file).output.contains("1 unchanged"))
        }
    }

    @Test func theAddressOfAPageIsOne() throws {
        let home = try HelixHome()
        #expect(try home.perform("cal", "add", "A tomorrow 10:00", "--url", "www.example.com/meet").status == 0)
        #expect(try home.perform("cal", "add", "B tomorrow 10:00", "--url", "not a page").status == 64)
        // Earlier versions took it as it was: their events are exported, too.
        let text = try home.perform("cal", "export").output
        #expect(text.contains("URL:https://www.example.com/meet"))
        try home.sql("UPDATE event SET text = replace(text, 'URL:https://', 'URL:')")
        #expect(try home.perform("cal", "export").status == 0)
    }

    @Test(arguments: ["ics", "taskwarrior", "csv"])
    func anOlderExportIsNotImportedOverANewerTask(_ format: String) throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Zed", "--due", "2026-12-04")
        let file = home.folder.path + "/z"
        #expect(try home.perform("tasks", "export", "--format", format, "-o", file).status == 0)
        try home.sql("UPDATE task SET modified_at = modified_at - 60")
        try home.perform("tasks", "export", "--format", format, "-o", file, "--force")
        let id = try #require(try home.perform("tasks", "list", "--json").items().first?["id"] as? String)
        #expect(try home.perform("tasks", "done", id).status == 0)
        let run = try home.perform("tasks", "import", "--format", format, file)
        #expect(run.output.contains("1 older than stored"), "\(run)")
        #expect(run.errors.contains("task 'Zed': was changed here since the file was written"), "\(run)")
        #expect(try home.perform("tasks", "list", "--json").items().isEmpty)
    }

    @Test func theTimeOfCreationIsEditedInASheet() throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Zed")
        let text = try home.perform("tasks", "export", "--format", "csv").output
        // The time of creation is the first one of the row.
        let stamp = try #require(text.firstMatch(of: /2026-11-18T[0-9:+Z]+/)?.output)
        let edited = text.replacing(stamp, with: "2020-02-02T00:00:00Z", maxReplacements: 1)
        let file = try home.write(edited, to: "z.csv")
        let run = try home.perform("tasks", "import", file)
        #expect(run.output.contains("1 updated"), "\(run) \(text)")
        let again = try home.perform("tasks", "export", "--format", "csv").output
        #expect(again.contains("2020-02-02T"), "\(again)")
    }

    @Test func anEditReachesAnotherStoreByTaskwarriorsFormat() throws {
        let (home, other) = (try HelixHome(), try HelixHome())
        let task = """
            [{"description":"Rent","entry":"20251101T101010Z","modified":"20251102T101010Z","status":"pending",\
            "uuid":"11111111-1111-1111-1111-111111111111"}]
            """
        for home in [home, other] { try home.perform("tasks", "import", try home.write(task, to: "c.json")) }
        try other.sql("UPDATE task SET modified_at = modified_at - 60")
        let id = try #require(try home.perform("tasks", "list", "--json").items().first?["id"] as? String)
        try home.perform("tasks", "edit", id, "--title", "Edited")
        let file = home.folder.path + "/e.json"
        try home.perform("tasks", "export", "--format", "taskwarrior", "-o", file)
        #expect(try other.perform("tasks", "import", file).output.contains("1 updated"))
        #expect(try other.perform("tasks", "list", "--json").items().first?["title"] as? String == "Edited")
    }

    /// What counts is when a task was changed, not when it was imported.
    @Test func aTaskThatWasChangedBeforeTheImportIsUpdated() throws {
        let home = try HelixHome()
        func file(_ title: String, _ day: Int) throws -> String {
            let task = """
                [{"description":"\(title)","entry":"20251101T101010Z","modified":"202511\(day)T101010Z","status":"pending",\
                "uuid":"11111111-1111-1111-1111-111111111111"}]
                """
            return try home.write(task, to: "\(day).json")
        }
        let (first, second) = (try file("Rent", 12), try file("Rent paid", 13))
        #expect(try home.perform("tasks", "import", first).output.contains("1 new"))
        #expect(try home.perform("tasks", "import", second).output.contains("1 updated"))
        #expect(try home.perform("tasks", "import", first).output.contains("1 older"))
        #expect(try home.perform("tasks", "list", "--json").items().first?["title"] as? String == "Rent paid")
    }

    @Test func aTimestampOfATaskInOrgIsItsStart() throws {
        let home = try HelixHome(zone: "UTC")
        let text = "* TODO Visit <2026-12-08 Tue 10:00>\n* TODO Two <2026-12-08 Tue 10:00-11:00> <2026-12-09 Wed>\n"
        let run = try home.perform("tasks", "import", try home.write(text, to: "o.org"))
        #expect(
            run.errors.contains("the end of its timestamp is omitted") && run.errors.contains("2026-12-09"), "\(run)")
        let items = try home.perform("tasks", "list", "--json").items()
        #expect(items.compactMap { $0["scheduled"] as? String } == Array(repeating: "2026-12-08T10:00:00Z", count: 2))
    }

    @Test(arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian])
    func calendarsInUTF16AreRead(_ encoding: String.Encoding) throws {
        let home = try HelixHome()
        let title = String(repeating: "東京\u{1F600}é ", count: 40_000)
        let text = calendar("X-WR-CALNAME:Wide", event("a", "SUMMARY:\(title)x"))
        let path = home.folder.path + "/w.ics"
        try #require(text.data(using: encoding)).write(to: URL(fileURLWithPath: path))
        let run = try home.perform("cal", "import", path)
        #expect(run.status == 0 && run.errors.isEmpty && run.output.contains("Wide"), "\(run)")
        let item = try home.perform("cal", "agenda", "2026-12-03", "--json", "--fields", "title").items().first
        #expect(item?["title"] as? String == title + "x")
    }

    @Test func controlCharactersAreFound() throws {
        let home = try HelixHome()
        let path = try home.write(calendar(event("a", "SUMMARY:A\u{7}B")), to: "c.ics")
        #expect(try home.perform("cal", "check", path).output.contains("has control characters"))
        #expect(try home.perform("cal", "import", "--strict", "--check", path).status == 65)
        #expect(
            try home.perform("cal", "import", path).errors.contains("line 8: a line of c.ics has control characters"))
    }

    @Test func tasksOfACalendarAreCheckedAsTheyAreRead() throws {
        let home = try HelixHome()
        func task(_ lines: String...) -> String {
            (["BEGIN:VTODO", "UID:\(lines[0])", "DTSTAMP:20261101T101010Z"] + lines + ["END:VTODO"]).joined(
                separator: "\r\n")
        }
        let path = try home.write(
            calendar(
                task("DUE;TZID=Nowhere/Zone:20261201T100000"), task("DURATION:PT2H"),
                task("DTSTART:20261201T100000Z", "RRULE:FREQ=WEEKLY;BYDAY=2MO")), to: "t.ics")
        let found = try home.perform("cal", "check", path, "--json").items()
        #expect(found.compactMap { $0["property"] as? String } == ["DUE", "DURATION", "RRULE"], "\(found)")
        #expect(try home.perform("tasks", "import", path).errors.split(separator: "\n").count == 3)
    }

    @Test func remarksNameTheFile() throws {
        let home = try HelixHome()
        try FileManager.default.createDirectory(
            atPath: home.folder.path + "/vdir/home", withIntermediateDirectories: true)
        for (name, line) in [("a", "DTEND:tomorrow"), ("b", "STATUS:FOO")] {
            try home.write(calendar(event(name, line)), to: "vdir/home/\(name).ics")
        }
        try home.write(calendar("BEGIN:VTODO\r\nUID:t\r\nSUMMARY:x\r\nEND:VTODO"), to: "vdir/home/t.ics")
        let folder = home.folder.path + "/vdir"
        let dry = try home.perform("cal", "import", folder, "--json", "--dry-run")
        let defects = try dry.json()["defects"] as? [[String: Any]]
        #expect(Set(defects?.compactMap { $0["file"] as? String } ?? []) == ["a.ics", "b.ics"])
        let run = try home.perform("cal", "import", folder)
        #expect(run.errors.contains("a.ics, line 4:") && run.errors.contains("b.ics, line 4:"), "\(run)")
        #expect(try home.perform("tasks", "import", folder).output.contains("1 new"))
    }

    @Test func aClockThatEndedElsewhereEndsHere() throws {
        let home = try HelixHome(zone: "UTC")
        let running = try home.write("inc 20260105T120000Z # work\n", to: "r1.data")
        let ended = try home.write("inc 20260105T120000Z - 20260105T130000Z # work\n", to: "r2.data")
        #expect(try home.perform("time", "import", running).output.contains("1 new"))
        #expect(try home.perform("time", "import", running).output.contains("1 unchanged"))
        #expect(try home.perform("time", "import", ended).output.contains("1 updated"))
        #expect(try home.perform("time", "import", ended).output.contains("1 unchanged"))
        let entries = try home.perform("time", "log", "2026-01-05", "--json").items()
        #expect(entries.count == 1 && entries.first?["end"] as? String == "2026-01-05T13:00:00Z")
        #expect(try home.perform("undo").status == 0)
    }
}
