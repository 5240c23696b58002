import Foundation
import TestSupport
import Testing

/// Changes to repeating events, and what one line is understood as. It is Wednesday 18 November 2026, 10:20 in Rome.
@Suite struct EditingTests {
    private func starts(_ home: HelixHome, from: String, to: String) throws -> [String] {
        try home.run("cal", "agenda", "--from", from, "--to", to, "--json").items().compactMap { item in
            guard let start = item["start"] as? String, let end = item["end"] as? String else { return nil }
            return "\(start.prefix(16))–\(end.dropFirst(11).prefix(5))"
        }
    }

    /// A weekly event on Mondays at 10:00 from 23 November on.
    private func weekly(_ home: HelixHome) throws -> String {
        let added = try home.run("cal", "add", "Sync mon 10:00 for 1h", "--repeat", "every week", "--json")
        return try #require(try added.items().first?["id"] as? String)
    }

    @Test func aNewStartOfOneOccurrenceKeepsItsLength() throws {
        let home = try HelixHome()
        let id = try weekly(home)
        let result = try home.run("cal", "edit", id, "--this", "2026-11-30", "--start", "12:00", "--json")
        #expect((try result.items().first?["start"] as? String)?.hasPrefix("2026-11-30T12:00") == true)
        try home.run("cal", "edit", id, "--this", "2026-11-30", "--start", "9:00")
        #expect(try starts(home, from: "2026-11-30", to: "2026-12-01") == ["2026-11-30T09:00–10:00"])
    }

    @Test func movingAllStartsFromTheSeriesNotFromAnOccurrenceThatWasChanged() throws {
        let home = try HelixHome()
        let id = try weekly(home)
        try home.run("cal", "move", id, "18:00", "--this", "2026-11-23")
        try home.run("cal", "move", id, "15:00", "--all")
        #expect(
            try starts(home, from: "2026-11-23", to: "2026-12-08") == [
                "2026-11-23T18:00–19:00", "2026-11-30T15:00–16:00", "2026-12-07T15:00–16:00",
            ])
    }

    @Test func aWeekdayIsThatOfTheOccurrencesWeek() throws {
        let home = try HelixHome()
        let id = try weekly(home)
        try home.run("cal", "move", id, "fri 12:00", "--future", "2026-12-07")
        #expect(
            try starts(home, from: "2026-11-18", to: "2026-12-19") == [
                "2026-11-23T10:00–11:00", "2026-11-30T10:00–11:00", "2026-12-11T12:00–13:00", "2026-12-18T12:00–13:00",
            ])
    }

    @Test func aChangedOccurrenceIsWarnedOfItsOwnConflictsOnly() throws {
        let home = try HelixHome()
        let id = try weekly(home)
        try home.run("cal", "add", "Other", "--start", "2026-11-30 10:30", "--duration", "1h")
        try home.run("cal", "add", "Third", "--start", "2026-12-07 12:00", "--duration", "1h")
        let moved = try home.run("cal", "move", id, "12:30", "--this", "2026-12-07")
        #expect(moved.errors.contains("'Third'"))
        #expect(!moved.errors.contains("'Other'"))
    }

    @Test func anOptionThatWouldDoNothingIsRefused() throws {
        let home = try HelixHome()
        #expect(try home.run("config", "path", "--json").status == 64)
        #expect(try home.run("completions", "bash", "--json").status == 64)
        #expect(try home.run("cal", "export", "--json").status == 64)
    }

    @Test func aSeriesThatStopsRepeatingIsOneEvent() throws {
        let home = try HelixHome()
        let id = try weekly(home)
        try home.run("cal", "move", id, "18:00", "--this", "2026-11-30")
        try home.run("cal", "edit", id, "--all", "--repeat", "never")
        #expect(try starts(home, from: "2026-11-18", to: "2027-02-01") == ["2026-11-23T10:00–11:00"])
    }

    @Test func lengthsHoldAcrossTheEndOfSummerTime() throws {
        let home = try HelixHome()
        for (start, length, end) in [("2026-10-25 01:30", "2h", "02:30"), ("2026-10-25 02:30", "1h", "02:30")] {
            let added = try home.run("cal", "add", "Night", "--start", start, "--duration", length, "--json")
            let item = try #require(try added.items().first)
            #expect((item["end"] as? String)?.hasPrefix("2026-10-25T\(end):00+01:00") == true, "\(item)")
        }
    }

    @Test(arguments: [
        ("2nd and 4th tue of the month", ["2026-11-24", "2026-12-08", "2026-12-22"]),
        ("last fri of the month", ["2026-11-27", "2026-12-25"]),
        (
            "every 2 weeks mon,thu until 2026-12-20",
            ["2026-11-19", "2026-11-30", "2026-12-03", "2026-12-14", "2026-12-17"]
        ),
        ("weekdays until 2026-11-24", ["2026-11-19", "2026-11-20", "2026-11-23", "2026-11-24"]),
        ("last weekday of the month", ["2026-11-30", "2026-12-31"]),
        ("every month on the 15th", ["2026-12-15"]), ("daily 3 times", ["2026-11-19", "2026-11-20", "2026-11-21"]),
    ])
    func repetitionsBeginOnTheFirstDayTheyName(_ c: (phrase: String, days: [String])) throws {
        let home = try HelixHome()
        let added = try home.run("cal", "add", "Thing 8:00 for 30m", "--repeat", c.phrase)
        #expect(added.output.contains("↻ every"))
        #expect(try starts(home, from: "2026-11-18", to: "2027-01-01").map { String($0.prefix(10)) } == c.days)
    }

    @Test func aRuleThatEndsBeforeItBeginsIsRefused() throws {
        let home = try HelixHome()
        #expect(try home.run("cal", "add", "R 2026-12-01 7:00", "--repeat", "daily until 2026-11-30").status == 64)
        #expect(try home.run("cal", "calendars", "--json").items().isEmpty)
    }

    @Test(arguments: [
        "x tomorrow 25:00", "Q 12/11/2026 10:00", "AE every mnday 10:00", "Weekly review fri 10:00",
        "E tomorrow for 1.5h",
    ])
    func whatWouldBeUnderstoodWronglyIsRefused(_ line: String) throws {
        let home = try HelixHome()
        #expect(try home.run("cal", "add", line).status == 64)
    }

    @Test(arguments: [
        ("E tomorrow 9 for 1.5h", "E", "2026-11-19T09:00–10:30"),
        ("1:1 with Sam fri 11", "1:1 with Sam", "2026-11-20T11:00–12:00"),
        ("C 12-24 10:00", "C", "2026-12-24T10:00–11:00"), ("Shop tomorrow 10-12", "Shop", "2026-11-19T10:00–12:00"),
    ])
    func shortLinesAreUnderstood(_ c: (line: String, title: String, span: String)) throws {
        let home = try HelixHome()
        let item = try #require(try home.run("cal", "add", c.line, "--json").items().first)
        #expect(item["title"] as? String == c.title)
        #expect(try starts(home, from: "2026-11-18", to: "2027-01-01") == [c.span])
    }

    @Test func longOutputGoesThroughThePagerOnATerminal() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "Paged today 12:00")
        // A real terminal of 10 lines; a pager that reads the terminal must not be stopped.
        let pager = try home.write("#!/bin/sh\ncat\nread answer < /dev/tty\necho \"got $answer\"\n", to: "pager")
        chmod(pager, 0o755)
        home.environment["PAGER"] = pager
        let script = """
            zmodload zsh/zpty
            zpty shell "stty rows 10 cols 80; '\(HelixHome.binary.path)' cal week; echo ended"
            sleep 2
            zpty -w shell yes
            sleep 1
            while zpty -r -t shell chunk; do print -r -- "$chunk"; done
            """
        let output = try home.run(program: "/usr/bin/env", ["zsh", "-f", "-c", script]).output
        #expect(output.contains("got yes"), "\(output.suffix(400))")
        #expect(output.contains("ended"))
    }
}
