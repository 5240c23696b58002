import TestSupport
import Testing

/// Phrases of time tracking look back, and moves are counted from the thing. Today is Wednesday 18 November 2026, 10:20.
@Suite struct TimePhraseTests {
    @Test(arguments: [
        ("fri", "Fri 13 Nov 2026 – Fri 13 Nov 2026"), ("nov 1-15", "Sun 1 Nov 2026 – Sun 15 Nov 2026"),
        ("oct", "Thu 1 Oct 2026 – Sat 31 Oct 2026"), ("7d", "Thu 12 Nov 2026 – Wed 18 Nov 2026"),
        ("since nov 1", "Sun 1 Nov 2026 – Wed 18 Nov 2026"), ("20.10.", "Tue 20 Oct 2026 – Tue 20 Oct 2026"),
        ("week", "Mon 16 Nov 2026 – Sun 22 Nov 2026"), ("ytd", "Thu 1 Jan 2026 – Wed 18 Nov 2026"),
        ("q3", "Wed 1 Jul 2026 – Wed 30 Sep 2026"), ("all", "all time"),
        ("last week", "Mon 9 Nov 2026 – Sun 15 Nov 2026"), ("sat..sun", "Sat 14 Nov 2026 – Sun 15 Nov 2026"),
        ("fri..sun", "Fri 13 Nov 2026 – Sun 15 Nov 2026"),
    ])
    func rangesLookBack(phrase: String, days: String) throws {
        let report = try HelixHome().run("time", "report", phrase)
        #expect(report.output.contains(days), "\(phrase): \(report.output)\(report.errors)")
    }

    @Test(arguments: [
        ("Mail 2h", "Wed 18 Nov 2026 08:20–10:20  2h  Mail"), ("Mail 45 minutes", "09:35–10:20  45m  Mail"),
        ("Support half an hour", "09:50–10:20  30m  Support"), ("Mail for the last hour", "09:20–10:20  1h  Mail"),
        ("Mail last 2 hours", "08:20–10:20  2h  Mail"), ("Mail since 8:00", "08:00–10:20"),
        ("since yesterday 22:00 Night", "Tue 17 Nov 2026 22:00 – Wed 18 Nov 2026 10:20"),
        ("yesterday 13-17 Meetings", "Tue 17 Nov 2026 13:00–17:00  4h  Meetings"),
        ("yesterday 9-10 Tuesday service", "Tue 17 Nov 2026 09:00–10:00  1h  Tuesday service"),
        ("8-8:30 Morning mail", "08:00–08:30  30m  Morning mail"), ("Write 2 pages 30m", "30m  Write 2 pages"),
        ("sun 22:00 - mon 03:00 Night", "Sun 15 Nov 2026 22:00 – Mon 16 Nov 2026 03:00  5h  Night"),
    ])
    func aTrackerReadsWhatWasDone(line: String, answer: String) throws {
        let result = try HelixHome().run("time", "add", line)
        #expect(result.output.contains(answer), "\(line): \(result.output)\(result.errors)")
    }

    @Test func wordsBehindTwoDashesAreTheTitleAlone() throws {
        let home = try HelixHome()
        let first = try home.run("time", "add", "yesterday", "9-10", "--", "Monday blues 10:00")
        #expect(first.output.contains("Monday blues 10:00"))
        #expect(try home.run("time", "add", "yesterday", "11-12", "--title", "Fri 9-10").output.contains("  Fri 9-10"))
        let task = try home.run("tasks", "add", "due:fri", "--", "-foo", "say due:mon")
        #expect(task.output.contains("-foo say due:mon  due Fri"))
        #expect(try home.run("tasks", "add", "Buy", "--title", "Sell").status == 64)
        #expect(try home.run("tasks", "add", "Read note:'hi there'").output.contains("hi there"))
    }

    @Test func aFilterMayStandBehindTheDays() throws {
        let home = try HelixHome()
        try home.run("time", "add", "yesterday 9-10 Mail project:house")
        try home.run("time", "add", "yesterday 11-13 Other")
        let log = try home.run("time", "log", "yesterday", "project:house").output
        #expect(log.contains("Mail") && !log.contains("Other"))
        #expect(try home.run("time", "report", "project:house").output.contains("Total 1h"))
        #expect(try home.run("time", "log", "yesterday", "projekt:house").status == 64)
    }

    @Test func anOccurrenceOfItsOwnFollowsItsSeries() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "Sync fri 10:00", "--repeat", "weekly")
        let id = try #require(HelixHome.ids(home.run("cal", "search", "Sync", "--json")).first)
        try home.run("cal", "move", id, "+1d", "--this", "fri")
        let copy = try home.run("cal", "copy", id, "next week").output
        #expect(copy.contains("Sat 28 Nov, Fri 4 Dec"), "\(copy)")
        // Instances that were not moved take the new time, too.
        try home.run("cal", "edit", id, "--title", "Long sync", "--this", "2026-11-27")
        try home.run("cal", "move", id, "+1d", "--all")
        let agenda = try home.run("cal", "agenda", "2026-11-28").output
        #expect(agenda.contains("Long sync"), "\(agenda)")
    }

    @Test func aPartOfADayIsAllOfIt() throws {
        let home = try HelixHome()
        try home.run("time", "add", "yesterday 14:00-16:00 Work")
        #expect(try home.run("time", "report", "yesterday afternoon").output.contains("2h"))
        try home.run("cal", "add", "Talk tomorrow 15:30 for 1h")
        #expect(try home.run("cal", "agenda", "tomorrow afternoon").output.contains("Talk"))
        #expect(try home.run("cal", "free", "tomorrow afternoon").output.contains("12:00–15:30"))
    }

    @Test func anEditDoesNotReachIntoTheFuture() throws {
        let home = try HelixHome()
        let made = try home.run("time", "add", "8:00-9:00 Work", "--json")
        let id = try #require(try made.items().first?["id"] as? String)
        #expect(try home.run("time", "edit", id, "--end", "11:00").status == 64)
        #expect(try home.run("time", "edit", id, "--end=+15m").output.contains("08:00–09:15"))
        #expect(try home.run("time", "edit", id, "--start=-30m").output.contains("07:30–09:15"))
        #expect(try home.run("time", "edit", id, "--end", "9").output.contains("07:30–09:00"))
        #expect(try home.run("time", "add", "11-12 Later").status == 64)
        #expect(try home.run("time", "add", "9:30 - now Rest").output.contains("09:30–10:20"))
    }

    @Test func aNightLiesOnTwoDays() throws {
        let home = try HelixHome()
        try home.run("time", "add", "2026-11-16 22:00 to 2026-11-17 2:00 Work")
        #expect(try home.run("time", "log", "2026-11-16").output.contains("22:00–24:00  2h"))
        let second = try home.run("time", "log", "2026-11-17").output
        #expect(second.contains("00:00–02:00  2h") && !second.contains("22:00"))
        try home.run("cal", "add", "A 2026-11-16 12:00-14:00")
        try home.run("cal", "add", "B 2026-11-16 13:00-15:00")
        #expect(try home.run("time", "report", "2026-11-16").output.contains("2h of 3h"))
    }

    @Test func movesOfEventsAreCountedFromThem() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "L 2026-11-27 10:00")
        let id = try #require(HelixHome.ids(home.run("cal", "search", "L", "--json")).first)
        for (words, span) in [
            (["cal", "edit", id, "--start=+1h"], "Fri 27 Nov 2026 11:00–12:00"),
            (["cal", "move", id, "1d"], "Sat 28 Nov 2026 11:00"),
            (["cal", "move", id, "by 2 days"], "Mon 30 Nov 2026 11:00"),
            (["cal", "move", id, "to 14:00"], "Mon 30 Nov 2026 14:00"),
            (["cal", "edit", id, "--start", "week 50"], "Mon 7 Dec 2026 14:00"),
            (["cal", "edit", id, "--end=+30m"], "14:00–15:30"),
            (["cal", "edit", id, "--start", "9", "--end", "11"], "09:00–11:00"),
        ] {
            let changed = try home.run(words)
            #expect(changed.output.contains(span), "\(words): \(changed.output)\(changed.errors)")
        }
        for words in [
            ["cal", "edit", id, "--start", "14:00", "--end", "13:00"], ["cal", "move", id, "dec 4 to dec 6"],
            ["cal", "edit", id, "--title", ""], ["cal", "add", "x fri 12:30", "--end", "12:00"],
            ["cal", "add", "x fri 12:30", "--repeat", "every monday"],
            ["cal", "add", "x", "--start", "every fri 12:30"],
        ] { #expect(try home.run(words).status == 64, "\(words)") }
    }

    @Test func aRepetitionBeginsWithItsNextDay() throws {
        let home = try HelixHome()
        let gym = try home.run("cal", "add", "Gym every other monday 9am")
        #expect(gym.output.contains("Mon 23 Nov, Mon 7 Dec, Mon 21 Dec"), "\(gym.output)")
        let rent = try home.run("cal", "add", "Rent every 3 months on the 5th")
        #expect(rent.output.contains("Sat 5 Dec"), "\(rent.output)")
        let night = try home.run("cal", "add", "Night fri 22:00 to sat 02:00 weekly")
        #expect(night.output.contains("(4h)"), "\(night.output)")
        let term = try home.run("cal", "add", "Class every mon from dec 7 to jan 11 9am")
        #expect(
            term.output.contains("until Mon 11 Jan 2027") || term.output.contains("until 2027-01-11"), "\(term.output)")
        let except = try home.run("cal", "add", "Swim every monday 9am except dec 21 and 28")
        #expect(except.output.contains("except Mon 21 Dec 2026, Mon 28 Dec 2026"), "\(except.output)")
    }

    @Test func aFolderOfTimewarriorIsImported() throws {
        let home = try HelixHome()
        let folder = home.folder.path + "/data"
        _ = try home.run(program: "/bin/mkdir", ["-p", folder])
        _ = try home.write("inc 20261103T080000Z - 20261103T082000Z # email\n", to: "data/2026-11.data")
        _ = try home.write("email 1\n", to: "data/tags.data")
        #expect(try home.run("time", "import", folder).status == 0)
        #expect(try home.run("time", "log", "2026-11", "--json").items().count == 1)
        #expect(try home.run("time", "import", home.folder.path).status == 66)
    }

    @Test func theClockIsNotStoppedInTheFuture() throws {
        let home = try HelixHome()
        try home.run("time", "start", "Mail")
        let stopped = try home.run("time", "stop", "--at", "in 2 hours")
        #expect(stopped.status == 64 && stopped.errors.contains("in the future"), "\(stopped.output)\(stopped.errors)")
        #expect(try home.run("time", "status").output.contains("Mail"))
    }

    @Test func projectsThatContradictEachOtherAreRefused() throws {
        let home = try HelixHome()
        let both = try home.run("time", "add", "yesterday 8-9 Mail project:a", "--project", "b")
        #expect(
            both.status == 64 && both.errors.contains("'project' is set in the line"), "\(both.output)\(both.errors)")
        try home.run("time", "add", "yesterday 8-9 Mail +a +b")
        let id = try #require(HelixHome.ids(home.run("time", "log", "yesterday", "--json")).first)
        #expect(try home.run("time", "edit", id, "--tag=-b").status == 0)
        #expect(try home.run("time", "edit", id, "--tag", "+c,d").status == 0)
        let entry = try #require(try home.run("time", "log", "yesterday", "--json").items().first)
        #expect(entry["tags"] as? [String] == ["a", "c", "d"])
    }
}
