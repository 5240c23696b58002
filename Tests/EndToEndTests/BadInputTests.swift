import Foundation
import TestSupport
import Testing

/// A command that is wrong, and the status it must end with.
struct Mistake: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let status: Int32
    var testDescription: String { arguments.joined(separator: " ") }

    init(_ status: Int32, _ arguments: String...) {
        self.arguments = arguments
        self.status = status
    }
}

private let mistakes: [Mistake] = [
    Mistake(64, "cal", "add", "No date"),
    Mistake(64, "cal", "add", "x", "--start", "blah"),
    Mistake(66, "cal", "show", "zzzz"),
    Mistake(64, "cal", "week", "blah"),
    Mistake(64, "cal", "nope"),
    Mistake(64, "cal", "agenda", "--fields", "nope"),
    Mistake(66, "cal", "week", "-c", "nope"),
    Mistake(64, "cal", "free", "--duration", "0m"),
    Mistake(64, "cal", "add", "x tomorrow", "--rrule", "FREQ=NEVER"),
    Mistake(64, "cal", "agenda", "--limit", "-1"),
    Mistake(64, "cal", "add", "x tomorrow", "--repeat", "whenever"),
    Mistake(66, "cal", "delete", "zzzz"),
    Mistake(66, "undo", "zzzz"),
    Mistake(66, "redo"),
    Mistake(64, "config", "set", "nope", "x"),
    Mistake(64, "config", "set", "calendar.hours", "x"),
    Mistake(66, "restore", "nope.db"),
    Mistake(66, "schema", "nope"),
    Mistake(64, "cal", "agenda", "--tz", "Mars/Olympus"),
    Mistake(73, "cal", "export", "-o", "/nonexistent/x.ics"),
    Mistake(73, "backup", "/nonexistent/x.db"),
    Mistake(64, "cal", "add", "x tomorrow", "--attendee", "nobody"),
    Mistake(64, "cal", "conflicts", "--buffer", "x"),
    Mistake(64, "cal", "agenda", "fri..mon 2020"),
]

/// Whatever comes in: a clear error or a bounded result, and nothing that was there is lost.
@Suite struct BadInputTests {
    private func home() throws -> HelixHome {
        let home = try HelixHome()
        try home.run("cal", "add", "Keep me tomorrow 9:00")
        return home
    }

    private func expectKept(_ home: HelixHome, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let kept = try home.run("cal", "search", "keep", "--json").items()
        #expect(kept.count == 1, sourceLocation: sourceLocation)
        #expect(try home.run("doctor").status == 0, sourceLocation: sourceLocation)
    }

    @Test func aTruncatedFileGivesWhatIsWhole() throws {
        let home = try home()
        let file = try home.calendar(
            vevent("a", "DTSTART:20261118T090000Z", "SUMMARY:Whole"), vevent("b", "DTSTART:20261118T090000Z"))
        let text = try String(contentsOfFile: file, encoding: .utf8)
        for length in stride(from: 1, to: text.utf8.count, by: 17) {
            let cut = try home.write(String(decoding: text.utf8.prefix(length), as: UTF8.self), to: "cut.ics")
            let result = try home.run("cal", "import", cut)
            #expect([0, 65].contains(result.status), "\(length): \(result.errors)")
        }
        try expectKept(home)
    }

    @Test func binaryIsRefused() throws {
        let home = try home()
        var generator = SystemRandomNumberGenerator()
        let bytes = Data((0..<200_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
        let file = home.folder.appendingPathComponent("noise.ics")
        try bytes.write(to: file)
        #expect(try home.run("cal", "import", file.path).status == 65)
        try expectKept(home)
    }

    @Test func aHugeFileAndAMillionCharacterLineAreRead() throws {
        let home = try home()
        let long = String(repeating: "x", count: 1_000_000)
        let file = try home.calendar(
            vevent("long", "DTSTART:20261120T090000Z", "SUMMARY:Long \(long)", "DESCRIPTION:\(long)"))
        #expect(try home.run("cal", "import", file).status == 0)
        for view in ["week", "month", "agenda", "show"] {
            let arguments = view == "show" ? ["cal", "agenda", "fri", "--fields", "id"] : ["cal", view]
            home.environment["COLUMNS"] = "80"
            let result = try home.run(arguments)
            home.environment["COLUMNS"] = nil
            #expect(result.status == 0)
            for line in result.output.split(separator: "\n") { #expect(line.count <= 80) }
        }
        // 100 MB of comments and one event: memory stays bounded, since one component is held at a time.
        let big = home.folder.appendingPathComponent("big.ics")
        try Data().write(to: big)
        let handle = try FileHandle(forWritingTo: big)
        handle.write(Data("BEGIN:VCALENDAR\r\n".utf8))
        let todo = Data(
            ("BEGIN:VTODO\r\nUID:t\r\nSUMMARY:" + String(repeating: "y", count: 1000) + "\r\nEND:VTODO\r\n").utf8)
        for _ in 0..<100 { handle.write(Data((0..<1000).flatMap { _ in todo })) }
        handle.write(Data((vevent("end", "DTSTART:20261118T090000Z", "SUMMARY:At the end") + "\nEND:VCALENDAR\n").utf8))
        try handle.close()
        let script = "ulimit -v 1500000; exec \"$0\" cal import \"$1\""
        let result = try home.run(program: "/bin/bash", ["-c", script, HelixHome.binary.path, big.path])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("1 new"))
        try expectKept(home)
    }

    @Test func deepNestingIsRefused() throws {
        let home = try home()
        let deep = String(repeating: "BEGIN:VALARM\r\n", count: 50_000)
        let file = try home.write("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:x\r\n" + deep, to: "deep.ics")
        #expect(try home.run("cal", "import", file).status == 65)
        try expectKept(home)
    }

    @Test(arguments: [
        "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "RRULE:FREQ=SECONDLY",
        "RRULE:FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30",
        "RRULE:FREQ=SECONDLY;INTERVAL=2;BYSECOND=1", "RRULE:FREQ=DAILY;COUNT=1000000000",
        "RRULE:FREQ=SECONDLY;COUNT=1000000000;BYDAY=MO",
        "RRULE:FREQ=YEARLY;INTERVAL=1000000000", "RRULE:FREQ=WEEKLY;UNTIL=99991231T235959Z",
        "RRULE:FREQ=HOURLY;INTERVAL=24;BYHOUR=3",
        "RRULE:FREQ=SECONDLY;BYHOUR=3;BYMINUTE=7;BYSECOND=9;BYMONTH=2;BYYEARDAY=366",
    ])
    func rulesWithoutEndOrOccurrenceAreBounded(_ rule: String) throws {
        let home = try home()
        let file = try home.calendar(
            vevent("r", "DTSTART:20261118T090000Z", "DTEND:20261118T090001Z", "SUMMARY:Endless", rule))
        let script = "ulimit -v 1500000; ulimit -t 60; exec \"$0\" \"$@\""
        for arguments in [
            ["cal", "import", file], ["cal", "week"], ["cal", "agenda", "2040-01-01"],
            ["cal", "agenda", "2100-02-01", "--json"], ["cal", "search", "endless"], ["cal", "conflicts"],
        ] {
            let result = try home.run(program: "/bin/bash", ["-c", script, HelixHome.binary.path] + arguments)
            #expect(result.status == 0, "\(arguments): \(result.errors)")
        }
        #expect(try home.run("cal", "agenda", "today").output.contains("Endless"))
        try expectKept(home)
    }

    @Test func datesAtTheEndsOfTimeAreShownOrRefused() throws {
        let home = try home()
        let file = try home.calendar(
            vevent("zero", "DTSTART:00000101T000000Z", "SUMMARY:Zero"),
            vevent("last", "DTSTART;VALUE=DATE:99991231", "SUMMARY:Last"),
            vevent("back", "DTSTART:20261118T100000Z", "DTEND:20261118T090000Z", "SUMMARY:Backwards"),
            vevent("month13", "DTSTART:20261318T100000Z"),
            vevent("long", "DTSTART:20261118T100000Z", "DURATION:P99999999999D", "SUMMARY:Lies"))
        let result = try home.run("cal", "import", file, "--json").json()
        #expect((result["created"] as? [Any])?.count == 4)
        #expect(result["rejected"] as? Int == 1)
        #expect(try home.run("cal", "agenda", "9999-12-31").output.contains("Last"))
        #expect(try home.run("cal", "agenda", "--from", "0000-01-01", "--to", "0000-01-03").output.contains("Zero"))
        #expect(try home.run("cal", "year", "9999").status == 0)
        #expect(try home.run("cal", "export").status == 0)
        try expectKept(home)
    }

    @Test(arguments: mistakes)
    func aMistakeHasItsStatusAndSaysWhatToDo(_ c: Mistake) throws {
        let home = try home()
        let result = try home.run(c.arguments)
        #expect(result.status == c.status, "\(result.errors)")
        #expect(result.output.isEmpty)
        // Whoever selects fields reads JSON.
        #expect(result.errors.hasPrefix(c.arguments.contains("--fields") ? "{\"error\"" : "helix: "))
        // An export is no JSON, and says so.
        if c.arguments.starts(with: ["cal", "export"]) { return }
        let machine = try home.run(c.arguments + ["--json"])
        #expect(machine.status == c.status)
        let error = try JSONSerialization.jsonObject(with: Data(machine.errors.utf8)) as? [String: Any]
        #expect((error?["error"] as? [String: Any])?["code"] as? String != nil)
        try expectKept(home)
    }

    @Test func anUnknownSettingNamesItsLine() throws {
        let home = try home()
        let file = try home.run("config", "path").output.trimmingCharacters(in: .whitespacesAndNewlines)
        try Data("[calendar]\nhours = \"9-17\"\nhuors = \"9-17\"\n".utf8).write(to: URL(fileURLWithPath: file))
        let result = try home.run("cal", "week")
        #expect(result.status == 0)
        #expect(result.errors.contains("line 3") && result.errors.contains("calendar.hours"), "\(result.errors)")
        try Data("[calendar\n".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try home.run("cal", "week").status == 78)
    }
}
