import Foundation
import TestSupport
import Testing

/// What is said twice, says nothing, or would be lost is refused; what is shown is whole. Today is Wednesday 18 November
/// 2026, 10:20.
@Suite struct SaidPlainlyTests {
    private func ids(_ home: HelixHome, _ arguments: [String]) throws -> [String] {
        try home.run(arguments).output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: [
        ["tasks", "add", "--due", "fri", "--due=sat", "X"], ["tasks", "add", "--project", "a", "--project", "b", "X"],
        ["cal", "add", "Lunch fri 10:00", "--location", "A", "--location", "B"],
        ["time", "add", "-p", "a", "--project", "b", "x for 1h"],
        ["tasks", "list", "--sort", "due", "--sort", "title"],
    ])
    func anOptionOfOneValueIsNotSaidTwice(_ line: [String]) throws {
        let run = try HelixHome().run(line)
        #expect(run.status == 64 && run.errors.contains("is given 2 times"), "\(run.errors)")
    }

    @Test func anOptionOfManyValuesIsSaidAsOftenAsIsWanted() throws {
        let home = try HelixHome()
        let run = try home.run(
            "cal", "add", "Lunch fri 10:00", "--attendee", "a@example.org", "--attendee", "b@example.org", "--json")
        #expect(run.status == 0)
        #expect(try home.run("tasks", "add", "X", "--step", "one", "--step", "two").status == 0)
    }

    @Test func noneStandsAlone() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "Paint +x")
        let id = try ids(home, ["tasks", "list", "--ids"])[0]
        #expect(try home.run("tasks", "edit", id, "--tag", "y", "--tag", "none").status == 64)
        #expect(try home.run("tasks", "edit", id, "-y").errors.contains("no tag 'y'"))
        #expect(try home.run("tasks", "edit", id, "-project:house").errors.contains("project:none"))
        #expect(try home.run("tasks", "edit", id, "--tag", "none").status == 0)
        #expect(try !home.run("tasks", "list", "--json").output.contains("\"x\""))
    }

    @Test func wordsInQuotesStandInARow() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "Alpha beta gamma")
        try home.run("time", "add", "Alpha beta for 10m")
        for noun in [["tasks", "list"], ["search"], ["tasks", "search"]] {
            #expect(try home.run(noun + ["\"alpha beta\""]).output.contains("Alpha"), "\(noun)")
            #expect(try !home.run(noun + ["\"beta alpha\""]).output.contains("Alpha"), "\(noun)")
        }
        #expect(try home.run("time", "log", "--where", "\"alpha beta\"").output.contains("Alpha"))
        #expect(try !home.run("time", "log", "--where", "\"beta alpha\"").output.contains("Alpha"))
    }

    @Test func aTimeInTheFilterIsNotCutToThisWeek() throws {
        let home = try HelixHome()
        try home.run("time", "add", "Old 10 nov 9-10")
        #expect(try home.run("time", "log", "date:2026-11-10").output.contains("Old"))
        #expect(try home.run("time", "log", "not", "old").output.contains("No time"))
        #expect(try home.run("time", "report", "date:2026-11-10").status == 64)
        #expect(try home.run("time", "report", "10 nov", "-phone").output.contains("1h"))
    }

    @Test func allEntriesOfAFilterAreChangedInOneStep() throws {
        let home = try HelixHome()
        for hour in [8, 9] { try home.run("time", "add", "yesterday \(hour):00 for 30m Paint project:house") }
        try home.run("time", "add", "yesterday 12:00 for 30m Mail")
        let log = ["time", "log", "yesterday", "--json"]
        #expect(try home.run("time", "edit", "--where", "project:house").status == 64)
        #expect(try home.run("time", "edit", "--where", "project:house", "--start", "9:00", "+x").status == 64)
        #expect(try home.run("time", "edit", "--where", "project:house", "project:garden", "+x").status == 0)
        let projects = try home.run(log).items().map { $0["project"] as? String }
        #expect(projects.count { $0 == "garden" } == 2)
        #expect(try home.run("undo").status == 0)
        #expect(try home.run(log).items().count { $0["project"] as? String == "house" } == 2)
        #expect(try home.run("time", "delete", "--where", "project:house", "--yes").status == 0)
        #expect(try home.run(log).items().count == 1)
        #expect(try home.run("time", "edit", "--where", "project:nope", "+x").status != 0)
    }

    @Test func listsAreWholeInPipesAndByLimitAll() throws {
        let home = try HelixHome()
        for number in 1...60 { try home.run("tasks", "add", "Task \(number)") }
        #expect(try home.run("tasks", "list").output.split(separator: "\n").count == 60)
        #expect(try home.run("tasks", "list", "--limit", "3", "--ids").output.split(separator: "\n").count == 3)
        for all in ["0", "all"] {
            #expect(try home.run("tasks", "next", "--limit", all, "--json").items().count == 60)
        }
        #expect(try home.run("tasks", "list", "--limit", "-1").status == 64)
    }

    @Test func theAgendaGivesEachIDOnce() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "Swim every day 9:00 10 times")
        try home.run("tasks", "add", "Pay due:fri")
        #expect(try ids(home, ["cal", "agenda", "--ids"]).count == 1)
        #expect(try ids(home, ["cal", "agenda", "--ids", "--tasks"]).count == 2)
    }

    @Test func aSeriesThatMovesLosesNoneOfItsDays() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "Series every mon and wed 9:00 until 30 dec")
        let id = try ids(home, ["cal", "search", "Series", "--ids"])[0]
        let before = try home.run("cal", "agenda", "--from", "2026-11-01", "--to", "2027-02-01", "--json").items().count
        for move in [["cal", "move", id, "+1d", "--all"], ["cal", "move", id, "+3h", "--all"]] {
            #expect(try home.run(move).status == 0)
            let after = try home.run("cal", "agenda", "--from", "2026-11-01", "--to", "2027-02-01", "--json").items()
            #expect(after.count == before)
        }
    }

    @Test func aMoveIsCountedFromTheThingWhereverTheTimeStands() throws {
        let home = try HelixHome()
        for words in [["8:00", "+1d"], ["+1d", "8:00"], ["8:00 +1d"]] {
            try home.run("cal", "add", "Ev dec 10 9:00", "--on-conflict", "allow")
            let id = try #require(try ids(home, ["cal", "search", "Ev", "--ids"]).last)
            #expect(try home.run(["cal", "move", id] + words).output.contains("Fri 11 Dec 2026 08:00"), "\(words)")
            try home.run("cal", "delete", id, "--yes")
        }
        try home.run("time", "add", "11 nov 10-11 x")
        let entry = try #require(HelixHome.ids(home.run("time", "log", "11 nov", "--json")).first)
        #expect(try home.run("time", "move", entry, "11:00 -1w").output.contains("Wed 4 Nov 2026 11:00"))
        #expect(try home.run("time", "edit", entry, "title:a", "--title", "b").status == 64)
        #expect(try home.run("time", "edit", entry, "--tag", "a", "+b").status == 64)
        #expect(try home.run("tasks", "add", "A title:B").status == 64)
        #expect(try home.run("cal", "add", "--title", "A", "tomorrow 10:00", "--", "B").status == 64)
    }

    @Test func wholeDaysAreNotMovedByHours() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "Hol dec 5 to dec 7")
        let id = try ids(home, ["cal", "search", "Hol", "--ids"])[0]
        #expect(try home.run("cal", "move", id, "+1h").status == 64)
        #expect(try home.run("cal", "edit", id, "--start", "2026-12-05 10:00").status == 64)
        #expect(try home.run("cal", "edit", id, "--duration", "0m").status == 64)
        #expect(try home.run("cal", "move", id, "+1d").output.contains("Sun 6 Dec 2026 – Tue 8 Dec 2026"))
    }

    @Test func tasksLookAheadAndComeAgainOrAreRefused() throws {
        let home = try HelixHome()
        #expect(try home.run("tasks", "add", "X due:8am").output.contains("due tomorrow 08:00"))
        #expect(try home.run("tasks", "add", "X due:11am").output.contains("due today 11:00"))
        #expect(try home.run("tasks", "add", "X repeat:weekly until:fri").status == 64)
        #expect(try home.run("tasks", "add", "X project:\"unclosed").status == 64)
        #expect(try home.run("tasks", "add", "X project:a..b").status == 64)
        #expect(try home.run("tasks", "add", "X", "--step", "").status == 64)
        let said = try home.run("tasks", "add", "Water plants every monday")
        #expect((said.output + said.errors).contains("repeat:\"every monday\""))
        let until = try home.run("tasks", "add", "Read until friday 5pm")
        #expect((until.output + until.errors).contains("due:\"friday 5pm\""))
    }

    @Test func tasksAreAskedForByTitleNotesAndWhatTheyWaitFor() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "First note:'red car'")
        let first = try ids(home, ["tasks", "list", "--ids"])[0]
        try home.run("tasks", "add", "Second depends:\(first) due:fri")
        func found(_ filter: String) throws -> Int { try ids(home, ["tasks", "list", filter, "--ids"]).count }
        #expect(try found("title:red") == 0)
        #expect(try found("title:first") == 1)
        #expect(try found("notes:car") == 1)
        #expect(try found("notes:none") == 1)
        #expect(try found("depends:\(first)") == 1)
        #expect(try found("depends:none") == 1)
        #expect(try found("due!=fri") == 1)
        #expect(try home.run("tasks", "list", "until:fri").status == 64)
    }

    @Test func anotherZoneIsShownWithTheOwn() throws {
        let home = try HelixHome()
        home.environment["TZ"] = "Europe/Berlin"
        let task = try home.run("tasks", "add", "Call due:'fri 9am'", "--tz", "America/New_York").output
        #expect(task.contains("09:00 America/New_York (15:00 Europe/Berlin)"), "\(task)")
        let time = try home.run("time", "add", "Call fri 20:00-21:00", "--tz", "Asia/Tokyo", "--billable").output
        #expect(time.contains("Asia/Tokyo; Fri 13 Nov 2026 12:00–13:00 Europe/Berlin") && time.contains("billable"))
    }

    @Test func fieldsAreNoWordsOfAnEventAndNobodyIsAskedInSilence() throws {
        let home = try HelixHome()
        #expect(try home.run("cal", "add", "Meeting fri 9:00 calendar:work").status == 64)
        #expect(try home.run("cal", "add", "Re: offers fri 9:00").status == 0)
        let asked = try home.run("cal", "add", "Lunch fri 12:00", "--attendee", "bo@example.org")
        #expect((asked.output + asked.errors).contains("helix cal invite"))
        #expect(try home.run("cal", "search", "date:\"fri 9:00..10:00\"").output.contains("Re: offers"))
    }

    // MARK: Series

    private func series(_ home: HelixHome, _ line: String) throws -> String {
        let run = try home.run("cal", "add", line, "--json")
        return try #require(run.items().first?["id"] as? String, "\(run.errors)")
    }

    private func days(_ home: HelixHome, _ range: String, _ title: String) throws -> [String] {
        try home.run("cal", "agenda", range, "--json").items().filter { $0["title"] as? String == title }
            .compactMap { ($0["start"] as? String).map { String($0.prefix(10)) } }
    }

    @Test func whatRepeatsOtherwiseFromADayOnBeginsThen() throws {
        let home = try HelixHome()
        let id = try series(home, "Yoga every tue 18:00-19:00")
        let run = try home.run("cal", "edit", id, "--future", "15 dec", "--repeat", "every 2 weeks")
        #expect(run.status == 0 && !run.output.contains("conflict"), "\(run.output)\(run.errors)")
        #expect(
            try days(home, "2026-11-20..2027-01-15", "Yoga") == [
                "2026-11-24", "2026-12-01", "2026-12-08", "2026-12-15", "2026-12-29", "2027-01-12",
            ])
    }

    @Test func anEditSaysThatItTakesNoDaysOut() throws {
        let home = try HelixHome()
        let id = try series(home, "Gym every thu 7:00")
        let run = try home.run("cal", "edit", id, "--all", "--repeat", "weekly except 10 dec")
        #expect(run.status == 64 && run.errors.contains("--this 'dec 10'"), "\(run.errors)")
    }

    @Test func aSeriesOfSeveralWeekdaysIsNotMovedToOne() throws {
        let home = try HelixHome()
        let id = try series(home, "Standup every weekday 9:15")
        let run = try home.run("cal", "move", id, "sat", "--all")
        #expect(run.status == 64 && run.errors.contains("--repeat"), "\(run.errors)")
        #expect(try home.run("cal", "move", id, "10:00", "--all").status == 0)
        #expect(try home.run("cal", "move", id, "sat", "--this", "fri").status == 0)
    }
}
