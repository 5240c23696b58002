import Foundation
import TestSupport
import Testing

/// Tasks are kept the same with other programs and other machines: columns, dependencies and what only others know.
@Suite(
    .enabled(
        if: TestServer.has("/usr/bin/radicale") && TestServer.has("/usr/bin/xandikos"),
        "needs the server radicale and xandikos"))
struct TaskSyncTests {
    private static func sync(_ homes: HelixHome...) throws {
        for home in homes {
            let result = try home.run("sync")
            guard result.status == 0 else { throw OracleFailure(message: result.errors + result.output) }
        }
    }

    /// What a task is like, in words.
    private static func tasks(_ home: HelixHome) throws -> [String] {
        try home.run("tasks", "list", "status:open or status:done or status:dropped", "--json").items().map { item in
            let fields = ["title", "board", "column", "status", "priority", "project", "assignee", "estimate", "due"]
            let words = fields.map { "\($0)=\(item[$0] ?? "")" }
            let tags = (item["tags"] as? [String] ?? []).joined(separator: ",")
            return (words + ["tags=" + tags]).joined(separator: " ")
        }.sorted()
    }

    private static func id(_ home: HelixHome, _ title: String) throws -> String {
        let items = try home.run("tasks", "list", "status:open or status:done or status:dropped", "--json").items()
        return items.first { $0["title"] as? String == title }?["id"] as? String ?? "none"
    }

    /// Puts a task into the calendar, as another program does.
    private static func put(_ site: CalendarSite, _ uid: String, _ lines: [String]) throws {
        let text =
            ([
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other//EN", "BEGIN:VTODO", "UID:\(uid)",
                "DTSTAMP:20261101T000000Z",
            ] + lines + ["END:VTODO", "END:VCALENDAR", ""]).joined(separator: "\r\n")
        switch site.place {
        case .folder: try Data(text.utf8).write(to: site.folder.appendingPathComponent("calendar/\(uid).ics"))
        case .radicale: try site.curl("PUT", "/ana/calendar/\(uid).ics", text)
        case .xandikos: try site.curl("PUT", "/user/calendars/calendar/\(uid).ics", text)
        }
    }

    @Test(arguments: CalendarSite.Place.allCases) func twoHomesAndAnotherProgramAgree(_ place: CalendarSite.Place)
        throws
    {
        let site = try CalendarSite(place)
        let (one, two) = (try site.home(), try site.home())
        try Self.put(site, "paint", ["SUMMARY:Paint the fence", "PRIORITY:2", "X-OTHER:kept", "CATEGORIES:garden"])
        try Self.sync(one, two)
        #expect(try Self.tasks(two) == Self.tasks(one))
        #expect(try Self.tasks(one).first?.contains("board=calendar column=todo") == true)
        // Everything that a task of helix's has goes with it.
        try one.run(
            "tasks", "add", "Buy paint due:2026-12-01 est:2h +shop priority:high project:House assignee:ben", "--board",
            "calendar")
        try one.run("tasks", "depend", try Self.id(one, "Paint the fence"), try Self.id(one, "Buy paint"))
        try one.run("tasks", "move", try Self.id(one, "Buy paint"), "review")
        try one.run("tasks", "move", try Self.id(one, "Paint the fence"), "doing")
        try two.run("tasks", "edit", try Self.id(two, "Paint the fence"), "title:Paint the whole fence")
        try Self.sync(one, two, one)
        #expect(try Self.tasks(two) == Self.tasks(one))
        let found = try Self.tasks(two)
        #expect(found.contains { $0.hasPrefix("title=Paint the whole fence board=calendar column=doing") })
        #expect(
            found.contains {
                $0.hasPrefix("title=Buy paint board=calendar column=review status=open priority=high project=House")
            })
        let item = try two.run("tasks", "show", try Self.id(two, "Paint the whole fence"), "--json").json()
        #expect(item["blocked"] as? Bool == true)
        // It is done on one machine, and deleted on the other.
        try two.run("tasks", "done", try Self.id(two, "Buy paint"))
        try Self.sync(two, one)
        #expect(try Self.tasks(one).contains { $0.hasPrefix("title=Buy paint board=calendar column=done status=done") })
        try one.run("tasks", "delete", "--yes", try Self.id(one, "Buy paint"))
        try Self.sync(one, two)
        #expect(try Self.tasks(two) == Self.tasks(one))
        #expect(try Self.tasks(one).count == 1)
        // Nothing more is to be done, and what others wrote is still there.
        for home in [one, two] {
            try home.run("sync")
            let item = try home.run("sync", "--json").items().first
            #expect((item?["steps"] as? [Any])?.isEmpty == true, "\(item ?? [:])")
            #expect((item?["round_trips"] as? Int ?? 99) <= 4)
        }
        #expect(try one.run("tasks", "export", "--format", "ics").output.contains("X-OTHER:kept"))
        // What a person did is undone, there too.
        try one.run("undo")
        try Self.sync(one, two)
        #expect(try Self.tasks(two).count == 2)
    }

    @Test func aTaskThatAnotherProgramFinishesIsDoneHere() throws {
        let site = try CalendarSite(.folder)
        let home = try site.home()
        try Self.put(site, "a", ["SUMMARY:Part", "RELATED-TO:whole", "DUE;VALUE=DATE:20261205"])
        try Self.sync(home)
        // What it is a part of comes later.
        try Self.put(site, "whole", ["SUMMARY:Whole", "STATUS:IN-PROCESS"])
        try Self.sync(home, home)
        let part = try home.run("tasks", "show", try Self.id(home, "Part"), "--json").json()
        let whole = try Self.id(home, "Whole")
        #expect((part["parent"] as? String) == whole, "\(part)")
        let file = try String(contentsOf: site.folder.appendingPathComponent("calendar/a.ics"), encoding: .utf8)
        #expect(file.contains("RELATED-TO:whole\r\n"))
        #expect(try Self.tasks(home).contains { $0.hasPrefix("title=Whole board=calendar column=doing") })
        try Self.put(site, "a", ["SUMMARY:Part", "RELATED-TO:whole", "STATUS:COMPLETED", "COMPLETED:20261120T100000Z"])
        try Self.sync(home)
        #expect(try Self.tasks(home).contains { $0.hasPrefix("title=Part board=calendar column=done status=done") })
        try FileManager.default.removeItem(at: site.folder.appendingPathComponent("calendar/a.ics"))
        try Self.sync(home)
        #expect(try Self.tasks(home).count == 1)
    }

    @Test func aFinishedInstanceHasNoRuleAndTheNextOneHasIt() throws {
        let site = try CalendarSite(.folder)
        let home = try site.home()
        let rule = "RRULE:FREQ=WEEKLY;BYDAY=FR"
        try Self.put(site, "a", ["SUMMARY:Water", "DTSTART;VALUE=DATE:20261127", "DUE;VALUE=DATE:20261127", rule])
        try Self.sync(home)
        try home.run("tasks", "done", try Self.id(home, "Water"))
        try Self.sync(home)
        let folder = site.folder.appendingPathComponent("calendar")
        let texts = try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
            try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
        }
        let (done, open) = (
            texts.filter { $0.contains("STATUS:COMPLETED") }, texts.filter { !$0.contains("STATUS:COMPLETED") }
        )
        #expect(done.count == 1 && open.count == 1, "\(texts)")
        #expect(!done.joined().contains("RRULE") && open.joined().contains("RRULE:FREQ=WEEKLY"), "\(texts)")
        #expect(open.joined().contains("20261204"), "\(texts)")
        #expect(try home.run("sync").output.contains("nothing new"))
    }

    @Test(.enabled(if: Corpora.isAvailable, "needs the corpora")) func whatOthersWroteIsNotWrittenAnew() throws {
        let site = try CalendarSite(.folder)
        let corpus = Corpora.file("ics/parse")
        let folder = site.folder.appendingPathComponent("calendar")
        var before: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: corpus.path) {
            guard let data = FileManager.default.contents(atPath: corpus.appendingPathComponent(name).path),
                String(decoding: data, as: UTF8.self).contains("BEGIN:VTODO")
            else { continue }
            before[name] = data
            try data.write(to: folder.appendingPathComponent(name))
        }
        #expect(before.count > 10)
        let home = try site.home()
        for _ in 0..<3 { try Self.sync(home) }
        for (name, data) in before {
            #expect(FileManager.default.contents(atPath: folder.appendingPathComponent(name).path) == data, "\(name)")
        }
        #expect(try home.run("doctor").status == 0)
    }

    @Test func aTaskThatGoesToAnotherListKeepsItsTimeAndItsLinks() throws {
        let site = try CalendarSite(.folder)
        try FileManager.default.createDirectory(
            at: site.folder.appendingPathComponent("work"), withIntermediateDirectories: true)
        let home = try site.home()
        try Self.put(site, "a", ["SUMMARY:Report"])
        try Self.sync(home)
        let id = try Self.id(home, "Report")
        try home.run("time", "add", "2026-11-20 9:00-10:00", "--task", id)
        try FileManager.default.moveItem(
            at: site.folder.appendingPathComponent("calendar/a.ics"),
            to: site.folder.appendingPathComponent("work/a.ics"))
        try Self.sync(home)
        #expect(try Self.id(home, "Report") == id)
        #expect(try Self.tasks(home).first?.contains("board=work") == true)
    }

    @Test(arguments: CalendarSite.Place.allCases) func whatIsMovedOutOfSightWhileItIsChangedThereIsOneStill(
        _ place: CalendarSite.Place
    ) throws {
        let site = try CalendarSite(place)
        let (one, two) = (try site.home(), try site.home())
        try Self.put(site, "paint", ["SUMMARY:Paint the fence", "X-OTHER:kept"])
        try Self.sync(one, two)
        let calendar = try one.run("cal", "calendars", "list", "--json").items().first?["name"] as? String ?? ""
        try one.run("cal", "add", "Lunch 2026-11-20 12:30 for 45m", "--calendar", calendar)
        try Self.sync(one, two)
        func lunch(_ home: HelixHome) throws -> [[String: Any]] {
            try home.run("cal", "search", "lunch", "--json").items()
        }
        // Here both go to where the other side does not see them; there both are changed.
        try one.run("tasks", "boards", "add", "Private")
        #expect(
            try one.run("tasks", "edit", try Self.id(one, "Paint the fence"), "board:Private", "+urgent").status == 0)
        try one.run("cal", "calendars", "add", "Mine")
        let moved = try one.run("cal", "edit", try lunch(one).first?["id"] as? String ?? "", "--calendar", "Mine")
        #expect(moved.status == 0, "\(moved.errors)")
        try two.run("tasks", "edit", try Self.id(two, "Paint the fence"), "title:Paint the whole fence")
        try two.run("cal", "edit", try lunch(two).first?["id"] as? String ?? "", "--location", "Cafe Roma")
        try Self.sync(two, one, two, one)
        #expect(try Self.tasks(one).count == 1)
        #expect(
            try Self.tasks(one).first?.hasPrefix("title=Paint the whole fence board=Private") == true)
        #expect(try Self.tasks(one).first?.hasSuffix("tags=urgent") == true)
        let here = try lunch(one)
        #expect(here.count == 1)
        #expect(here.first?["location"] as? String == "Cafe Roma")
        #expect(here.first?["calendar"] as? String == "Mine")
        // On the other machine both are gone.
        #expect(try Self.tasks(two).isEmpty)
        #expect(try lunch(two).isEmpty)
        for home in [one, two] {
            let item = try home.run("sync", "--json").items().first
            #expect((item?["steps"] as? [Any])?.isEmpty == true, "\(item ?? [:])")
        }
    }

    @Test func whereAskIsSaidBothSidesWaitForAChoice() throws {
        for keep in ["local", "server", "both"] {
            let site = try CalendarSite(.folder)
            let (one, two) = (try site.home(), try site.home(["--strategy", "ask"]))
            try Self.sync(one)
            try one.run("cal", "add", "Lunch 2026-11-20 12:30 for 45m", "--calendar", "calendar")
            try Self.put(site, "t", ["SUMMARY:Task"])
            try Self.sync(one, two)
            func event(_ home: HelixHome) throws -> [[String: Any]] {
                try home.run("cal", "agenda", "2026-11-20", "--json").items()
            }
            func edit(_ home: HelixHome, _ word: String) throws {
                try home.run("cal", "edit", try event(home).first?["id"] as? String ?? "", "--title", word)
                try home.run("tasks", "edit", try Self.id(home, "Task"), "title:\(word) task")
            }
            try edit(one, "Theirs")
            try edit(two, "Ours")
            try two.run("cal", "edit", try event(two).first?["id"] as? String ?? "", "--location", "Rome")
            try Self.sync(one)
            let asked = try two.run("sync")
            #expect(asked.status == 81)
            #expect(asked.output.contains("helix sync resolve"))
            #expect(try event(two).first?["title"] as? String == "Ours")
            let conflicts = try two.run("sync", "conflicts", "--json").items()
            #expect(conflicts.count == 2)
            let names = conflicts.flatMap {
                ($0["differences"] as? [[String: Any]] ?? []).compactMap { $0["here"] as? String }
            }
            #expect(names.sorted() == ["Ours", "Ours task"])
            // It waits as long as nobody chooses, and neither side is written over.
            #expect(try two.run("sync").status == 81)
            try Self.sync(one)
            #expect(try event(one).first?["title"] as? String == "Theirs")
            for conflict in conflicts {
                let result = try two.run("sync", "resolve", conflict["id"] as? String ?? "", "--keep", keep)
                #expect(result.status == 0, "\(result.errors)")
            }
            try Self.sync(two, one, two)
            let titles = try event(one).compactMap { $0["title"] as? String }.sorted()
            #expect(titles == (keep == "both" ? ["Ours", "Theirs"] : keep == "local" ? ["Ours"] : ["Theirs"]))
            #expect(try event(two).compactMap { $0["title"] as? String }.sorted() == titles)
            // What only one side changed stays in any case.
            #expect(try event(one).contains { $0["location"] as? String == "Rome" })
            #expect(try Self.tasks(one) == Self.tasks(two))
            #expect(try Self.tasks(one).count == (keep == "both" ? 2 : 1))
            #expect(try two.run("sync", "conflicts", "--json").items().isEmpty)
            #expect(try two.run("sync", "resolve", try Self.id(two, "Ours task"), "--keep", "local").status == 66)
        }
    }

    @Test func whatCanOnlyBeReadIsNeverWritten() throws {
        let site = try CalendarSite(.folder)
        let home = try site.home(["--read-only"])
        try Self.put(site, "a", ["SUMMARY:Theirs"])
        try Self.sync(home)
        try home.run("tasks", "done", try Self.id(home, "Theirs"))
        let result = try home.run("sync")
        #expect(result.status == 0)
        #expect(result.output.contains("is read-only: 1 local change cannot be sent"))
        let file = try String(contentsOf: site.folder.appendingPathComponent("calendar/a.ics"), encoding: .utf8)
        #expect(!file.contains("COMPLETED"))
        try home.run("account", "edit", "cal", "--no-read-only")
        try Self.sync(home)
        let after = try String(contentsOf: site.folder.appendingPathComponent("calendar/a.ics"), encoding: .utf8)
        #expect(after.contains("STATUS:COMPLETED"))
    }
}
