import Foundation
import TestSupport
import Testing

/// A line to a server of calendars that is cut, slow or corrupt at any point loses nothing and doubles nothing; nor does a
/// sync that is killed.
@Suite(.enabled(if: TestServer.has("/usr/bin/radicale"), "needs the server radicale"))
struct BrokenCalendarLineTests {
    /// Each event with its day and place.
    private static func events(_ home: HelixHome) throws -> [String] {
        try home.run("cal", "agenda", "2026-11-01..2027-02-28", "--json", "--limit", "1000").items().map {
            "\($0["title"] ?? "") \(($0["start"] as? String ?? "").prefix(10)) \($0["location"] ?? "")"
        }.sorted()
    }

    /// Each task with its column.
    private static func tasks(_ home: HelixHome) throws -> [String] {
        try home.run("tasks", "list", "status:all", "--json", "--limit", "1000").items().map {
            "\($0["title"] ?? "") \($0["column"] ?? "")"
        }.sorted()
    }

    private static func id(_ home: HelixHome, _ title: String) throws -> String {
        let items = try home.run("cal", "search", title, "--json").items()
        return items.first { $0["title"] as? String == title }?["id"] as? String ?? "none"
    }

    private static func task(_ home: HelixHome, _ title: String) throws -> String {
        let items = try home.run("tasks", "list", "status:all", "--json", "--limit", "1000").items()
        return items.first { $0["title"] as? String == title }?["id"] as? String ?? "none"
    }

    /// What both sides do between two syncs.
    private static func change(_ one: HelixHome, _ two: HelixHome, _ round: Int) throws {
        let day = "2026-12-\(String(format: "%02d", round))"
        func run(_ home: HelixHome, _ words: String...) throws {
            let result = try home.run(words)
            guard result.status == 0 else { throw OracleFailure(message: "\(words): \(result.errors)") }
        }
        try run(one, "cal", "add", "here\(round) \(day) 10:00 for 1h", "--calendar", "calendar")
        try run(two, "cal", "add", "there\(round) \(day) 12:00 for 1h", "--calendar", "calendar")
        try run(one, "tasks", "add", "do\(round)", "--board", "calendar")
        guard round > 1 else { return }
        // The same event gets another title here, and another place there.
        try run(two, "cal", "edit", try id(two, "there\(round - 1)"), "--location", "Room\(round)")
        if try id(one, "there\(round - 1)") != "none" {
            try run(one, "cal", "edit", try id(one, "there\(round - 1)"), "--title", "seen\(round - 1)")
        }
        try run(one, "tasks", "done", try task(one, "do\(round - 1)"))
        guard round > 2, round % 3 == 0 else { return }
        try run(one, "cal", "delete", "--yes", try id(one, "here\(round - 2)"))
    }

    @Test(arguments: ["cut", "send", "flip"]) func atEveryPointNothingIsLostAndNothingDoubled(_ kind: String) throws {
        let site = try CalendarSite(.radicale)
        let server = try #require(site.server)
        // Corruption is for TLS to find.
        let safe = kind == "flip" ? try TestServer("radicale.sh", in: server.folder, ports: 1, ["tls"]) : nil
        let proxy = try TestServer("proxy.py", ports: 1, [String((safe ?? server).ports[0])])
        func set(_ fault: String) throws {
            try fault.write(to: proxy.folder.appendingPathComponent("fault"), atomically: true, encoding: .utf8)
        }
        let address = "\(safe == nil ? "http" : "https")://localhost:\(proxy.ports[0])/"
        // The first task makes the board of the calendar.
        let task = "BEGIN:VTODO\r\nUID:first\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:first\r\nEND:VTODO\r\n"
        try site.curl(
            "PUT", "/ana/calendar/first.ics",
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\n\(task)END:VCALENDAR\r\n")
        let one = try site.home(safe == nil ? [] : ["--ca", server.certificate], at: address)
        let two = try site.home()
        for home in [one, two] {
            let first = try home.run("sync")
            #expect(first.status == 0, "\(first.errors)")
        }
        var failed = 0
        let rounds = 18
        for round in 1...rounds {
            try set("none")
            if round % 6 == 1 { for home in [one, two, one] { try home.run("sync") } }
            try Self.change(one, two, round)
            #expect(try two.run("sync").status == 0)
            // One request is a connection of its own: the eighth and those after it write.
            let connection = 1 + (round * 5) % 11
            let place = safe != nil ? [300, 1100, 1500, 1900, 2300][round % 5] : [0, 40, 180, 400, 700][round % 5]
            try set("\(kind) \(place) \(connection)")
            let result = try one.run("sync")
            if result.status != 0 { failed += 1 }
            #expect([0, 69, 76, 77].contains(result.status), "\(kind) \(place) \(connection): \(result.errors)")
        }
        #expect(failed > 5, "\(failed)")
        try set("slow")
        #expect(try one.run("sync").status == 0)
        try set("none")
        for home in [two, one, two] {
            let result = try home.run("sync")
            #expect(result.status == 0, "\(result.errors)")
        }
        let found = try Self.events(one)
        #expect(try Self.events(two) == found)
        let deleted = Set(stride(from: 3, through: rounds, by: 3).map { "here\($0 - 2)" })
        let names = found.map { $0.split(separator: " ").first.map(String.init) ?? "" }
        let kept = (1...rounds).map { "here\($0)" }.filter { !deleted.contains($0) }
        #expect(names.filter { $0.hasPrefix("here") } == kept.sorted())
        // Whatever title they have by now, each is there once, at the place that was said on the other side.
        let places = found.filter { !$0.hasPrefix("here") }
        #expect(places.count == rounds)
        for round in 2...rounds {
            let day = "2026-12-\(String(format: "%02d", round - 1))"
            #expect(places.filter { $0.contains(" \(day) Room\(round)") }.count == 1, "\(places)")
        }
        let tasks = try Self.tasks(one)
        #expect(try Self.tasks(two) == tasks)
        #expect(tasks == ((1..<rounds).map { "do\($0) done" } + ["do\(rounds) todo", "first todo"]).sorted())
        // The server has what they have, each once.
        let folder = server.folder.path + "/store/collection-root/ana/calendar"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".ics") }
        #expect(files.count == found.count + tasks.count)
        for home in [one, two] { #expect(try home.run("doctor").status == 0) }
    }

    @Test(arguments: CalendarSite.Place.allCases) func aSyncThatIsKilledAnywhereGoesOnWhereItStopped(
        _ place: CalendarSite.Place
    ) throws {
        let site = try CalendarSite(place)
        let (one, two) = (try site.home(), try site.home())
        for home in [one, two] { #expect(try home.run("sync").status == 0) }
        let calendar = try one.run("cal", "calendars", "list", "--json").items().first?["name"] as? String ?? ""
        func many(_ name: String, _ home: HelixHome) throws {
            let events = (1...40).map { number in
                vevent(
                    "\(name)\(number)", "SUMMARY:\(name)\(number)",
                    "DTSTART:202612\(String(format: "%02d", 1 + number % 28))T100000Z", "DURATION:PT1H")
            }
            let lines =
                ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//test//EN"] + events + ["END:VCALENDAR", ""]
            let text = lines.joined(separator: "\n").replacingOccurrences(of: "\n", with: "\r\n")
            let result = try home.run("cal", "import", try home.write(text, to: "\(name).ics"), "--calendar", calendar)
            guard result.status == 0 else { throw OracleFailure(message: result.errors) }
        }
        try many("there", two)
        #expect(try two.run("sync").status == 0)
        var killed = 0
        for round in 0..<10 {
            // Both sides go on meanwhile.
            try one.run("cal", "add", "mine\(round) 2026-12-15 8:00 for 1h", "--calendar", calendar)
            if round == 3 { try many("here", one) }
            if round == 6 { try two.run("cal", "add", "meanwhile 2026-12-16 8:00 for 1h", "--calendar", calendar) }
            if round == 6 { try two.run("sync") }
            let process = Process()
            process.executableURL = HelixHome.binary
            process.arguments = ["sync"]
            process.environment = one.environment
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            usleep(UInt32(12_000 + (round * 7 % 10) * 35_000))
            if process.isRunning { killed += 1 }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        #expect(killed > 0)
        for home in [one, two, one] {
            let result = try home.run("sync")
            #expect(result.status == 0, "\(result.errors)")
        }
        let found = try Self.events(one)
        let expected =
            (1...40).flatMap { ["there\($0)", "here\($0)"] } + (0..<10).map { "mine\($0)" } + ["meanwhile"]
        #expect(found.map { $0.split(separator: " ").first.map(String.init) ?? "" }.sorted() == expected.sorted())
        #expect(try Self.events(two) == found)
        for home in [one, two] {
            #expect(try home.run("doctor").status == 0)
            let item = try home.run("sync", "--json").items().first
            #expect((item?["steps"] as? [Any])?.isEmpty == true, "\(item ?? [:])")
        }
    }
}
