import Foundation
import TestSupport
import Testing

@Suite struct CalendarTests {
    @Test(arguments: ["Europe/Rome", "America/New_York", "Asia/Kolkata"])
    func aPersonLivesADayWithIt(zone: String) throws {
        let home = try HelixHome(zone: zone)
        let file = try home.calendar(
            vevent("a", "DTSTART:20261118T090000Z", "DTEND:20261118T100000Z", "SUMMARY:Call"),
            vevent(
                "b", "DTSTART;TZID=Europe/Rome:20261119T100000", "DURATION:PT1H", "SUMMARY:Review",
                "RRULE:FREQ=WEEKLY;COUNT=3"))
        #expect(try home.run("cal", "import", file).status == 0)
        #expect(try home.run("cal", "week").output.contains("Call"))
        #expect(try home.run("cal", "month").output.contains("Review"))
        let added = try home.run("cal", "add", "Lunch with Ana tomorrow 12:30 for 45m at Cafe Roma", "--json")
        let lunch = try #require(try added.items().first)
        #expect(lunch["title"] as? String == "Lunch with Ana")
        #expect(lunch["location"] as? String == "Cafe Roma")
        #expect((lunch["start"] as? String)?.hasPrefix("2026-11-19T12:30:00") == true)
        #expect((lunch["end"] as? String)?.hasPrefix("2026-11-19T13:15:00") == true)
        let id = try #require(lunch["id"] as? String)
        let moved = try home.run("cal", "move", String(id.prefix(8)), "fri", "15:00", "--json")
        #expect((try moved.items().first?["start"] as? String)?.hasPrefix("2026-11-20T15:00:00") == true)
        try home.run("undo")
        #expect(try home.run("cal", "agenda", "tomorrow").output.contains("12:30–13:15"))
        try home.run("redo")
        #expect(try !home.run("cal", "agenda", "tomorrow").output.contains("12:30–13:15"))
        #expect(try home.run("cal", "free", "--json").items().isEmpty == false)
        #expect(try home.run("doctor").status == 0)
    }

    @Test func importingAgainChangesNothing() throws {
        let home = try HelixHome()
        let file = try home.calendar(vevent("a", "DTSTART:20261118T090000Z", "SUMMARY:One"))
        #expect(try home.run("cal", "import", file, "--json").json()["unchanged"] as? Int == 0)
        let again = try home.run("cal", "import", file, "--json").json()
        #expect(again["unchanged"] as? Int == 1)
        #expect((again["created"] as? [Any])?.isEmpty == true)
        #expect(try home.run("history", "--json").items().count == 1)
    }

    @Test func aNewerStateUpdatesAndAnOlderOneIsLeftOutAndSaid() throws {
        let home = try HelixHome()
        func file(_ sequence: Int, _ title: String) throws -> String {
            try home.calendar(
                vevent("a", "SEQUENCE:\(sequence)", "DTSTART:20261118T090000Z", "SUMMARY:\(title)"),
                name: "\(sequence).ics")
        }
        try home.run("cal", "import", file(1, "First"))
        let newer = try home.run("cal", "import", file(2, "Second"), "--json").json()
        #expect((newer["updated"] as? [Any])?.count == 1)
        let older = try home.run("cal", "import", file(1, "First"))
        #expect(older.errors.contains("older"))
        #expect(try home.run("cal", "agenda", "today").output.contains("Second"))
    }

    @Test func oneImportIsOneChangeSet() throws {
        let home = try HelixHome()
        let file = try home.calendar(
            vevent("a", "DTSTART:20261118T090000Z", "SUMMARY:One"),
            vevent("b", "DTSTART:20261118T110000Z", "SUMMARY:Two"))
        try home.run("cal", "import", file)
        try home.run("undo")
        #expect(try home.run("cal", "agenda", "today", "--json").items().isEmpty)
        try home.run("redo")
        #expect(try home.run("cal", "agenda", "today", "--json").items().count == 2)
        #expect(try home.run("cal", "search", "two", "--json").items().count == 1)
    }

    @Test func whatCannotBeUsedIsNamedWithItsLineAndTheRestIsImported() throws {
        let home = try HelixHome()
        let file = try home.calendar(
            vevent("bad", "SUMMARY:No start"), vevent("good", "DTSTART:20261118T090000Z", "SUMMARY:Good"),
            "BEGIN:VTODO\nUID:t\nSUMMARY:Task\nEND:VTODO")
        let result = try home.run("cal", "import", file)
        #expect(result.status == 0)
        #expect(result.errors.contains("line 4"))
        #expect(result.errors.contains("DTSTART is missing"))
        #expect(result.output.contains("1 new"))
        #expect(result.output.contains("1 VTODO"))
    }

    @Test func aFileOfWhichNothingCanBeUsedIsAnError() throws {
        let home = try HelixHome()
        let file = try home.calendar(vevent("bad", "SUMMARY:No start"))
        #expect(try home.run("cal", "import", file).status == 65)
        #expect(try home.run("cal", "import", home.write("hello\n", to: "no.ics")).status == 65)
        #expect(try home.run("cal", "import", "missing.ics").status == 66)
        #expect(try home.run("cal", "agenda", "--json").items().isEmpty)
    }

    @Test func exportImportExportIsAFixedPoint() throws {
        let home = try HelixHome()
        let file = try home.calendar(
            "BEGIN:VTIMEZONE\nTZID:Odd Zone\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0530\nTZOFFSETTO:+0530\nEND:STANDARD\nEND:VTIMEZONE",
            vevent(
                "a", "DTSTART;TZID=Odd Zone:20261118T090000",
                "SUMMARY;LANGUAGE=en:Long " + String(repeating: "näh ", count: 60),
                "X-UNKNOWN;X-P=\"a;b\":kept\\, as it is", "RRULE:FREQ=WEEKLY"),
            vevent("b", "DTSTART;TZID=W. Europe Standard Time:20261118T100000", "SUMMARY:Windows"))
        try home.run("cal", "import", file)
        let first = try home.run("cal", "export").output
        #expect(first.contains("X-UNKNOWN;X-P=\"a;b\":kept\\, as it is\r\n"))
        for line in first.components(separatedBy: "\r\n") { #expect(line.utf8.count <= 75) }
        let second = try HelixHome()
        try second.run("cal", "import", "-", input: first)
        #expect(try second.run("cal", "export").output == first)
        let starts = try second.run("cal", "agenda", "today", "--json").items().compactMap { $0["start"] as? String }
        #expect(starts == ["2026-11-18T04:30:00+01:00", "2026-11-18T10:00:00+01:00"])
    }

    @Test func oneOccurrenceThisAndFutureAndAllCanBeChangedAndDeleted() throws {
        let home = try HelixHome()
        let added = try home.run(
            "cal", "add", "Gym", "--start", "tue 18:00", "--duration", "1h", "--repeat",
            "every week tue,thu until 2026-12-31", "--json")
        let id = try #require(try added.items().first?["id"] as? String)
        #expect(try home.run("cal", "move", id, "mon").status == 64)
        try home.run("cal", "move", id, "19:00", "--this", "2026-11-26")
        try home.run("cal", "delete", id, "--this", "2026-11-24", "--yes")
        try home.run("cal", "edit", id, "--future", "2026-12-08", "--location", "New gym")
        let items = try home.run("cal", "agenda", "--from", "2026-11-18", "--to", "2026-12-16", "--json").items()
        let starts = items.compactMap { $0["start"] as? String }
        #expect(
            starts == [
                "2026-11-26T19:00:00+01:00", "2026-12-01T18:00:00+01:00", "2026-12-03T18:00:00+01:00",
                "2026-12-08T18:00:00+01:00", "2026-12-10T18:00:00+01:00", "2026-12-15T18:00:00+01:00",
            ])
        #expect(items.compactMap { $0["location"] as? String }.count == 3)
        try home.run("cal", "delete", id, "--all", "--yes")
        #expect(
            try home.run("cal", "agenda", "--from", "2026-11-18", "--to", "2026-12-16", "--json").items().count == 3)
    }

    @Test func conflictsAreCheckedBeforeSaving() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "Review tomorrow 10:00-11:00")
        let warned = try home.run("cal", "add", "Dentist tomorrow 10:30 for 1h")
        #expect(warned.status == 0)
        #expect(warned.errors.contains("conflicts with 'Review'"))
        let refused = try home.run("cal", "add", "Haircut tomorrow 10:15 for 30m", "--on-conflict", "fail")
        #expect(refused.status == 80)
        #expect(try !home.run("cal", "agenda", "tomorrow").output.contains("Haircut"))
        let suggested = try home.run(
            "cal", "add", "Haircut tomorrow 10:15 for 30m", "--on-conflict", "suggest", "--json")
        #expect(suggested.status == 80)
        #expect(try suggested.items().first?["start"] as? String == "2026-11-19T11:30:00+01:00")
        #expect(
            try home.run("cal", "add", "Free time tomorrow 10:00 for 1h", "--free", "--on-conflict", "fail").status == 0
        )
        let conflicts = try home.run("cal", "conflicts", "--json").items()
        #expect(conflicts.count == 1)
        #expect((conflicts.first?["overlap"] as? [String: Any])?["seconds"] as? Int == 1800)
    }

    @Test func textFromOutsideCannotSteerTheTerminal() throws {
        let home = try HelixHome()
        let evil = "Evil \u{1B}[31mred\u{1B}[0m \u{202E}drow\u{9B}2J\u{7}"
        let file = try home.calendar(
            vevent("a", "DTSTART:20261118T090000Z", "SUMMARY:\(evil)", "LOCATION:\(evil)", "DESCRIPTION:\(evil)"))
        try home.run("cal", "import", file)
        try home.run("cal", "add", "Own \u{202E}evil\u{1B}[2J tomorrow 9:00")
        for command in [
            ["cal", "week"], ["cal", "agenda"], ["cal", "month"], ["cal", "search", "evil"],
            ["cal", "agenda", "--json"], ["history"],
        ] {
            let result = try home.run(command + ["--color", "never"])
            for scalar in (result.output + result.errors).unicodeScalars {
                let isHarmful =
                    scalar.value < 0x20 && scalar != "\n" || (0x7F...0x9F).contains(scalar.value)
                    || (0x202A...0x202E).contains(scalar.value)
                #expect(!isHarmful, "\(command) printed U+\(String(scalar.value, radix: 16))")
            }
        }
    }

    @Test func viewsFitTheWidthTheyAreGiven() throws {
        let home = try HelixHome()
        try home.run("cal", "import", Corpora.packageDirectory.appendingPathComponent("Examples/sample.ics").path)
        for width in [40, 80, 120, 200] {
            home.environment["COLUMNS"] = "\(width)"
            for view in ["week", "day", "month", "agenda", "year", "stats", "conflicts"] {
                let output = try home.run("cal", view).output
                #expect(!output.isEmpty)
                for line in output.split(separator: "\n") {
                    #expect(line.count <= width, "\(view) at \(width): \(line)")
                }
            }
        }
    }

    @Test func asciiOutputIsASCII() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "Café déjà vu 会議 tomorrow 9:00")
        for view in ["week", "month", "agenda", "year"] {
            let output = try home.run("cal", view, "--ascii").output
            #expect(output.utf8.allSatisfy { $0 < 0x80 }, "\(view)")
        }
        home.environment["LANG"] = "C"
        #expect(try home.run("cal", "week").output.utf8.allSatisfy { $0 < 0x80 })
    }
}
