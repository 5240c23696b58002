import Foundation
import TestSupport
import Testing

/// `helix cal check`, and the checks of imports, exports and messages.
@Suite struct CalendarCheckCommandTests {
    private static let good = vevent("good@x", "DTSTART:20270104T090000Z", "DTEND:20270104T100000Z", "SUMMARY:Good")
    private static let bad = """
        BEGIN:VEVENT
        UID:bad@x
        DTSTAMP:20260101T000000Z
        DTSTART:20270105T090000Z
        ROOM-ID:5
        RRULE:FREQ=FORTNIGHTLY
        SUMMARY:Bad
        END:VEVENT
        """

    @Test func theExitStatusSaysWhetherThereAreFindings() throws {
        let home = try HelixHome()
        let good = try home.calendar(Self.good, name: "good.ics")
        let bad = try home.calendar(Self.good, Self.bad, name: "bad.ics")
        let clean = try home.run("cal", "check", good)
        #expect(clean.status == 0 && clean.output.contains("No findings in 1 component."))
        let found = try home.run("cal", "check", bad)
        #expect(found.status == 65)
        let text = try String(contentsOfFile: bad, encoding: .utf8).replacing("\r\n", with: "\n")
        let line = try #require(text.split(separator: "\n").firstIndex { $0.hasPrefix("RRULE") }) + 1
        #expect(
            found.output.contains("bad.ics:\(line): VEVENT RRULE: 'FREQ=FORTNIGHTLY' is not a valid RECUR  (bad@x)"))
        let items = try home.run("cal", "check", bad, good, "--json").items()
        #expect(Set(items.compactMap { $0["rule"] as? String }) == ["syntax"])
        #expect(items.allSatisfy { $0["file"] as? String == bad })
        let card = try home.run(["cal", "check", "-", "--json"], input: "BEGIN:VCARD\nVERSION:3.0\nFN:A\nEND:VCARD\n")
        #expect(try card.items().map { $0["component"] as? String } == ["VCARD"], "\(card)")
        let piped = try home.run(["cal", "check", "-"], input: text)
        #expect(piped.status == 65 && piped.output.contains("standard input:\(line):"))
        #expect(try home.run("cal", "check").status == 64)
        #expect(try home.run("cal", "check", "-", "-").status == 64)
        #expect(try home.run("cal", "check", "/nonexistent.ics").status == 66)
    }

    @Test func theStoreIsCheckedAsItIsExported() throws {
        let home = try HelixHome()
        #expect(try home.run("cal", "check", "--store").output.contains("No findings in 0 components."))
        // An export adds the stamp that is missing here.
        let file = try home.calendar(
            "BEGIN:VEVENT\nUID:s@x\nDTSTART;VALUE=DATE:20270104\nSUMMARY:Day\nEND:VEVENT", Self.bad)
        #expect(try home.run("cal", "import", file).status == 0)
        let found = try home.run("cal", "check", "--store", "--json")
        #expect(found.status == 65)
        let events = Set(try found.items().compactMap { $0["event"] as? String })
        #expect(events.count == 1)
        #expect(try home.run("doctor").output.contains("1 of 2 events are not valid iCalendar"))
    }

    @Test func aStrictImportIsOfAllOrNothing() throws {
        let home = try HelixHome()
        let bad = try home.calendar(Self.good, Self.bad, name: "bad.ics")
        let refused = try home.run("cal", "import", "--strict", bad)
        #expect(refused.status == 65)
        #expect(refused.errors.contains("bad.ics is not valid; nothing was changed"), "\(refused.errors)")
        #expect(refused.errors.contains("RRULE"))
        #expect(try home.run("cal", "agenda", "2027-01-01..2027-01-31", "--ids").output.isEmpty)
        let dry = try home.run("cal", "import", "--dry-run", bad, "--json")
        let findings = try #require(try dry.json()["findings"] as? [[String: Any]])
        #expect(findings.map { $0["property"] as? String } == ["ROOM-ID", "RRULE"])
        #expect(try home.run("cal", "import", bad).status == 0)
        let good = try home.calendar(Self.good.replacing("good@x", with: "new@x"), name: "good.ics")
        #expect(try home.run("cal", "import", "--strict", good).status == 0)
        #expect(
            try home.run("cal", "agenda", "2027-01-01..2027-01-31", "--ids").output.split(separator: "\n").count == 3)
    }

    @Test func anExportOfWhatHelixWroteIsValidOrRefused() throws {
        let home = try HelixHome()
        for text in [
            "Lunch tomorrow 12:30", "Standup every weekday 9:30", "Trip 2027-02-01..2027-02-05",
            "Call 2027-03-01 23:30 2h",
        ] {
            #expect(try home.run("cal", "add", text).status == 0)
        }
        let path = home.folder.path + "/all.ics"
        #expect(try home.run("cal", "export", "-o", path).status == 0)
        #expect(try home.run("cal", "check", path).status == 0)
        // As if helix had written a wrong rule.
        try home.sql("UPDATE event SET text = replace(text, 'FREQ=WEEKLY', 'FREQ=FORTNIGHTLY')")
        let broken = home.folder.path + "/broken.ics"
        let refused = try home.run("cal", "export", "-o", broken)
        #expect(refused.status == 1 && refused.errors.contains("RRULE"), "\(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: broken))
        #expect(try home.run("cal", "export").output.isEmpty)
        #expect(try home.run("cal", "export", "--no-check", "-o", broken).status == 0)
        #expect(try home.run("cal", "check", broken).status == 65)
    }

    @Test func errorsOfOtherProgramsDoNotStopAnExport() throws {
        let home = try HelixHome()
        let file = try home.calendar(Self.good, Self.bad)
        #expect(try home.run("cal", "import", file).status == 0)
        let id = try #require(try home.run("cal", "search", "Bad", "--ids").output.split(separator: "\n").first)
            .description
        // Changed, copied and moved, it has the lines of the other program.
        #expect(try home.run("cal", "edit", id, "--title", "Mine").status == 0)
        #expect(try home.run("cal", "export").status == 0)
        #expect(try home.run("cal", "copy", id, "2027-02-01").status == 0)
        let all = try home.run("cal", "export", "--check")
        #expect(all.status == 0 && all.output.components(separatedBy: "ROOM-ID:5").count == 3)
        #expect(
            all.errors.contains("2 events are not valid, and exported with errors of other programs"), "\(all.errors)")
        // An error that helix adds to it is one of helix.
        try home.sql("UPDATE event SET text = replace(text, 'SUMMARY:Mine', 'DTEND:never') WHERE uid = 'bad@x'")
        #expect(try home.run("cal", "export").status == 1)
    }

    @Test func exportedTasksAreValid() throws {
        let home = try HelixHome()
        for text in ["Paint due tomorrow every week", "Buy milk +shop !h", "Write due:2027-01-05 start:2027-01-02"] {
            #expect(try home.run("tasks", "add", text).status == 0)
        }
        let path = home.folder.path + "/tasks.ics"
        #expect(try home.run("tasks", "export", "-o", path).status == 0)
        let found = try home.run("cal", "check", path)
        #expect(found.status == 0, "\(found.output)")
    }
}
