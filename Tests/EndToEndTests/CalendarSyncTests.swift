import Foundation
import TestSupport
import Testing

/// Calendars here and elsewhere are kept the same: in folders, on Radicale and on Xandikos, and at published addresses.
@Suite(
    .enabled(
        if: TestServer.has("/usr/bin/radicale") && TestServer.has("/usr/bin/xandikos"),
        "needs the server radicale and xandikos"))
struct CalendarSyncTests {
    typealias Place = CalendarSite.Place
    typealias Site = CalendarSite

    private static func events(_ home: HelixHome) throws -> [String] {
        try home.run("cal", "agenda", "2026-11-01..2026-12-31", "--json").items().map {
            "\($0["title"] as? String ?? "") \($0["start"] as? String ?? "") \($0["location"] as? String ?? "")"
        }.sorted()
    }

    private static func id(_ home: HelixHome, _ title: String) throws -> String {
        let items = try home.run("cal", "agenda", "2026-11-01..2026-12-31", "--json").items()
        return items.first { $0["title"] as? String == title }?["id"] as? String ?? "none"
    }

    private static func sync(_ homes: HelixHome...) throws {
        for home in homes {
            let result = try home.run("sync")
            guard result.status == 0 else { throw OracleFailure(message: result.errors + result.output) }
        }
    }

    @Test(arguments: Place.allCases) func twoHomesComeToTheSameState(_ place: Place) throws {
        let site = try Site(place)
        let (one, two) = (try site.home(), try site.home())
        try Self.sync(one)
        let calendar = try one.run("cal", "calendars", "list", "--json").items().first?["name"] as? String ?? ""
        for text in ["Lunch 2026-11-20 12:30 for 45m", "Talk 2026-11-21 9:00 for 1h", "Walk 2026-11-22 8:00 for 1h"] {
            #expect(try one.run("cal", "add", text, "--calendar", calendar).status == 0)
        }
        try Self.sync(one, two)
        #expect(try Self.events(one).count == 3)
        #expect(try Self.events(two) == Self.events(one))
        // Each side changes another property of the same event, deletes one, adds one.
        try one.run("cal", "edit", try Self.id(one, "Lunch"), "--title", "Lunch with Ben")
        try two.run("cal", "edit", try Self.id(two, "Lunch"), "--location", "Cafe Roma")
        try one.run("cal", "delete", "--yes", try Self.id(one, "Talk"))
        try two.run("cal", "add", "Dinner 2026-11-23 20:00 for 2h", "--calendar", calendar)
        try Self.sync(one, two, one)
        let found = try Self.events(one)
        #expect(found.count == 3)
        #expect(found.contains { $0.hasPrefix("Lunch with Ben ") && $0.hasSuffix("Cafe Roma") })
        #expect(found.contains { $0.hasPrefix("Dinner ") })
        #expect(!found.contains { $0.hasPrefix("Talk ") })
        #expect(try Self.events(two) == found)
        // Nothing more is to be done, on either side.
        for home in [one, two] {
            try home.run("sync")
            let item = try home.run("sync", "--json").items().first
            #expect((item?["steps"] as? [Any])?.isEmpty == true)
            #expect((item?["round_trips"] as? Int ?? 99) <= 4)
            #expect(try home.run("doctor").status == 0)
        }
        // What a person did is undone, not what came from elsewhere; and it is undone there, too.
        let undone = try one.run("undo")
        #expect(undone.output.contains("Talk"), "\(undone.output)")
        try Self.sync(one, two)
        #expect(try Self.events(two).contains { $0.hasPrefix("Talk ") })
    }

    @Test(arguments: Place.allCases) func whatOneSideDeletesAndTheOtherChangesIsKept(_ place: Place) throws {
        let site = try Site(place)
        let (one, two) = (try site.home(), try site.home())
        try Self.sync(one)
        let calendar = try one.run("cal", "calendars", "list", "--json").items().first?["name"] as? String ?? ""
        for text in ["A 2026-11-20 12:30 for 45m", "B 2026-11-21 9:00 for 1h"] {
            try one.run("cal", "add", text, "--calendar", calendar)
        }
        try Self.sync(one, two)
        try one.run("cal", "delete", "--yes", try Self.id(one, "A"))
        try two.run("cal", "edit", try Self.id(two, "A"), "--title", "A changed")
        try two.run("cal", "delete", "--yes", try Self.id(two, "B"))
        try one.run("cal", "edit", try Self.id(one, "B"), "--title", "B changed")
        try Self.sync(one, two, one, two)
        let titles = try Self.events(one).map { $0.split(separator: "2").first.map(String.init) ?? "" }
        #expect(titles == ["A changed ", "B changed "])
        #expect(try Self.events(two) == Self.events(one))
    }

    @Test func whatOtherProgramsWroteSurvivesAnEdit() throws {
        let site = try Site(.folder)
        let path = site.folder.appendingPathComponent("calendar/other.ics")
        let text = """
            BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//other//EN\r\nBEGIN:VEVENT\r\nUID:other\r\nDTSTAMP:20261101T000000Z\r\n\
            DTSTART:20261125T100000Z\r\nDTEND:20261125T110000Z\r\nSUMMARY:Theirs\r\nX-OTHER;X-P=1:kept\r\nBEGIN:VALARM\r\n\
            ACTION:DISPLAY\r\nDESCRIPTION:x\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n
            """
        try Data(text.utf8).write(to: path)
        try Data("Work".utf8).write(to: site.folder.appendingPathComponent("calendar/displayname"))
        let home = try site.home()
        try Self.sync(home)
        #expect(try home.run("cal", "calendars", "list", "--json").items().first?["name"] as? String == "Work")
        try home.run("cal", "edit", try Self.id(home, "Theirs"), "--title", "Ours")
        try Self.sync(home)
        let after = try String(contentsOf: path, encoding: .utf8)
        #expect(after.contains("SUMMARY:Ours\r\n"))
        #expect(after.contains("X-OTHER;X-P=1:kept\r\n"))
        #expect(after.contains("TRIGGER:-PT5M\r\n"))
        // A task in the same folder is nobody's business here, and stays.
        let task = site.folder.appendingPathComponent("calendar/task.ics")
        try Data(
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:t\r\nSUMMARY:x\r\nEND:VTODO\r\nEND:VCALENDAR\r\n".utf8
        )
        .write(to: task)
        try Self.sync(home, home)
        #expect(FileManager.default.fileExists(atPath: task.path))
    }

    @Test func anEventThatGetsAnotherAddressIsNotGone() throws {
        let site = try Site(.folder)
        let (one, two) = (try site.home(), try site.home())
        try Self.sync(one)
        try one.run("cal", "add", "Move me 2026-11-25 9:00 for 1h", "--calendar", "calendar")
        try Self.sync(one, two)
        let folder = site.folder.appendingPathComponent("calendar")
        let name = try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(".ics") } ?? ""
        try FileManager.default.moveItem(
            at: folder.appendingPathComponent(name), to: folder.appendingPathComponent("other.ics"))
        try Self.sync(one, two, one, two)
        #expect(try Self.events(one).count == 1)
        #expect(try Self.events(two).count == 1)
        #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("other.ics").path))
        // The same by way of an undo.
        try one.run("cal", "delete", "--yes", try Self.id(one, "Move me"))
        try Self.sync(one)
        try one.run("undo")
        try Self.sync(one, two, one)
        #expect(try Self.events(one).count == 1)
        #expect(try Self.events(two).count == 1)
    }

    @Test func anAccountThatIsAddedAgainFindsItsCalendars() throws {
        let site = try Site(.folder)
        let home = try site.home()
        try Self.sync(home)
        for day in 1...6 { try home.run("cal", "add", "E\(day) 2026-12-0\(day) 9:00 for 1h", "--calendar", "calendar") }
        try Self.sync(home)
        try home.run("account", "remove", "cal", "--yes")
        try home.run("account", "add", "again", "vdir", site.folder.path)
        try Self.sync(home)
        #expect(try home.run("cal", "calendars", "list", "--json").items().count == 1)
        #expect(try Self.events(home).count == 6)
        let files = try FileManager.default.contentsOfDirectory(
            atPath: site.folder.appendingPathComponent("calendar").path)
        #expect(files.filter { $0.hasSuffix(".ics") }.count == 6)
    }

    @Test func aFolderThatIsEmptiedOrAwayIsNotFollowed() throws {
        let site = try Site(.folder)
        let home = try site.home()
        try Self.sync(home)
        for day in 1...8 {
            try home.run("cal", "add", "E\(day) 2026-12-0\(day) 9:00 for 1h", "--calendar", "calendar")
        }
        try Self.sync(home)
        let folder = site.folder.appendingPathComponent("calendar")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
        let braked = try home.run("sync", "--json").items().first?["problems"] as? [String] ?? []
        #expect(braked.contains { $0.contains("8 of 8 events and tasks are gone") })
        #expect(try Self.events(home).count == 8)
        try FileManager.default.moveItem(at: site.folder, to: site.folder.appendingPathExtension("away"))
        #expect(try home.run("sync").status == 69)
        #expect(try Self.events(home).count == 8)
        try FileManager.default.moveItem(at: site.folder.appendingPathExtension("away"), to: site.folder)
        #expect(try home.run("sync", "--allow-mass-delete").status == 0)
        #expect(try Self.events(home).isEmpty)
    }

    @Test func aPublishedCalendarIsReadAndNeverWritten() throws {
        let web = try TestServer("web.py", ports: 1)
        func publish(_ titles: [String]) throws {
            let events = titles.map { title in
                "BEGIN:VEVENT\r\nUID:\(title)\r\nDTSTAMP:20261101T000000Z\r\nDTSTART;VALUE=DATE:20261201\r\nSUMMARY:\(title)\r\nEND:VEVENT\r\n"
            }
            let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n" + events.joined() + "END:VCALENDAR\r\n"
            try Data(text.utf8).write(to: web.folder.appendingPathComponent("days.ics"))
        }
        try publish(["One", "Two"])
        let home = try HelixHome()
        try home.run("account", "add", "days", "webcal", "http://127.0.0.1:\(web.ports[0])/days.ics")
        try Self.sync(home)
        #expect(try home.run("cal", "agenda", "2026-12-01", "--json").items().count == 2)
        let again = try home.run("sync", "--json").items().first
        #expect((again?["steps"] as? [Any])?.isEmpty == true)
        usleep(1_100_000)
        try publish(["Two", "Three"])
        try Self.sync(home)
        let titles = try home.run("cal", "agenda", "2026-12-01", "--json").items().compactMap { $0["title"] as? String }
        #expect(titles.sorted() == ["Three", "Two"])
        #expect(try home.run("account", "add", "bad", "webcal", "ftp://x/y").status == 64)
        #expect(try home.run("account", "add", "bad", "caldav", "https://ana:secret@x/").status == 64)
    }

    @Test func whatServersSayReachesNoTerminalAsItIs() throws {
        let site = try Site(.folder)
        let name = "evil\u{1B}]0;owned\u{7}\u{202E}name"
        try Data(name.utf8).write(to: site.folder.appendingPathComponent("calendar/displayname"))
        let event =
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:e\r\nDTSTAMP:20261101T000000Z\r\nDTSTART:20261120T100000Z\r\nSUMMARY:Title \u{1B}[31mred\r\nATTENDEE;CN=\u{1B}[2J:mailto:x@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
        try Data(event.utf8).write(to: site.folder.appendingPathComponent("calendar/e.ics"))
        let task =
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:t\r\nSUMMARY:Task \u{1B}[5m\r\nX-HELIX-COLUMN:col\u{1B}[1m\r\nX-HELIX-PROJECT:\u{9B}31m\r\nCATEGORIES:\u{1B}[7m\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        try Data(task.utf8).write(to: site.folder.appendingPathComponent("calendar/t.ics"))
        let home = try site.home(["--strategy", "ask"])
        var said = ""
        func run(_ arguments: String...) throws {
            let result = try home.run(arguments)
            said += result.output + result.errors
        }
        try run("sync")
        try run("account", "check", "cal")
        try home.run("cal", "edit", try Self.id(home, "Title \u{1B}[31mred"), "--title", "Mine")
        try Data(event.replacing("red", with: "blue").utf8).write(
            to: site.folder.appendingPathComponent("calendar/e.ics"))
        for command in [
            ["sync"], ["sync", "conflicts"], ["cal", "agenda", "2026-11-20"], ["tasks", "list"],
            ["tasks", "board", "--all"],
            ["cal", "calendars"], ["tasks", "boards"], ["doctor"], ["history"],
        ] {
            let result = try home.run(command + ["--color", "never"])
            said += result.output + result.errors
        }
        #expect(said.contains("evil"))
        #expect(said.contains("Task"))
        let bad = said.unicodeScalars.filter {
            $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) || $0.value == 0x202E
        }
        #expect(bad.isEmpty, "\(said.debugDescription)")
    }

    @Test(arguments: Place.allCases) func aCalendarThatIsMadeHereForTheOtherSideIsMadeThere(_ place: Place) throws {
        let site = try Site(place)
        let (one, two) = (try site.home(), try site.home())
        try Self.sync(one)
        #expect(try one.run("cal", "calendars", "add", "Größe & mehr", "green", "--account", "cal").status == 0)
        #expect(try one.run("tasks", "boards", "add", "Chores", "--account", "cal").status == 0)
        // A calendar that takes tasks gets a board of its own.
        let own = try one.run("cal", "calendars", "list", "--json").items().first?["name"] as? String ?? ""
        let note = try one.run("tasks", "boards", "add", own)
        #expect(note.errors.contains("It is local"), "\(note.errors)")
        try one.run("tasks", "boards", "delete", own)
        #expect(try one.run("tasks", "boards", "add", own, "--account", "cal").status == 0)
        try one.run("cal", "add", "Party 2026-11-20 12:30 for 45m", "--calendar", "Größe & mehr")
        try one.run("tasks", "add", "Dishes", "--board", "Chores")
        try one.run("tasks", "add", "Letter", "--board", own)
        #expect(try one.run("sync", "--dry-run").output.contains("Größe"))
        try Self.sync(one, two, one, two)
        #expect(try Self.events(two).contains { $0.hasPrefix("Party ") })
        let tasks = try two.run("tasks", "list", "--json").items().map { "\($0["title"] ?? "") \($0["board"] ?? "")" }
            .sorted()
        #expect(tasks == ["Dishes Chores", "Letter \(own)"], "\(tasks)")
        let names = try two.run("cal", "calendars", "list", "--json").items().compactMap { $0["name"] as? String }
        #expect(names.contains("Größe & mehr"), "\(names)")
        for home in [one, two] {
            let item = try home.run("sync", "--json").items().first
            #expect((item?["steps"] as? [Any])?.isEmpty == true, "\(item ?? [:])")
        }
        // What was taken back before anybody heard of it is made nowhere.
        try one.run("cal", "calendars", "add", "Mistake", "--account", "cal")
        try one.run("undo")
        try Self.sync(one, two)
        #expect(try !two.run("cal", "calendars", "list").output.contains("Mistake"))
        #expect(try one.run("doctor").status == 0)
    }

    @Test func aPlaceWithoutCalendarsIsNoneThatWorks() throws {
        let site = try Site(.xandikos)
        let home = try HelixHome()
        try home.run("account", "add", "x", "caldav", "http://127.0.0.1:\(site.server?.ports[0] ?? 0)/wrong")
        #expect(try home.run("account", "check", "x").status == 66)
        #expect(try home.run("sync").status == 66)
    }
}
