import Foundation
import TestSupport
import Testing

/// Time tracking and projects.
@Suite struct TimeTests {
    @Test func theClockRunsForOneThingAtATime() throws {
        let home = try HelixHome()
        #expect(try home.run("time", "start", "First", "--at", "9:00").status == 0)
        #expect(try home.run("time", "switch", "Second", "--at", "9:30").status == 0)
        #expect(try home.run("time", "stop", "--at", "10:00").status == 0)
        #expect(try home.run("time", "stop").status == 80)
        let log = try home.run("time", "log", "today", "--json").items()
        #expect(log.map { $0["title"] as? String } == ["First", "Second"])
        #expect(log.map { $0["duration"] as? Int } == [1800, 1800])
        try home.run("undo")
        #expect(try home.run("time", "status").output.contains("Second"))
    }

    @Test func twoShellsThatStartAtOnceLeaveOneClockRunning() throws {
        let home = try HelixHome()
        try home.run("time", "status")
        let script = (0..<8).map { "'\(HelixHome.binary.path)' time start Work\($0) --at '9:0\($0)' >/dev/null 2>&1 &" }
            .joined(separator: "\n")
        _ = try home.run(program: "/bin/bash", ["-c", script + "\nwait"])
        let running = try home.run("time", "log", "today", "--json").items().filter { $0["running"] as? Bool == true }
        #expect(running.count == 1)
        #expect(try home.run("doctor").status == 0)
    }

    @Test func entriesNeverOverlap() throws {
        let home = try HelixHome()
        try home.run("time", "add", "yesterday 9-12", "Long")
        let taken = try home.run("time", "add", "yesterday 10:00 for 30m", "Short")
        #expect(taken.status == 80 && taken.errors.contains("Long"))
        #expect(try home.run("time", "add", "yesterday 10:00 for 30m", "Short", "--adjust").output.contains("divided"))
        #expect(try home.run("time", "add", "yesterday 11:30-13:00", "Late", "--adjust").output.contains("trimmed"))
        #expect(try home.run("time", "add", "yesterday 8-14", "All", "--adjust").output.contains("removed"))
        #expect(try home.run("time", "log", "yesterday", "--json").items().count == 1)
        for _ in 0..<3 { try home.run("undo") }
        #expect(try home.run("time", "log", "yesterday", "--json").items().count == 1)
        #expect(try home.run("time", "log", "yesterday").output.contains("3h"))
    }

    @Test func midnightAndTheChangeOfTheClocksAreOrdinary() throws {
        let home = try HelixHome(now: "2026-10-26T12:00:00")
        try home.run("time", "add", "2026-10-24 23:00-1:00", "Over midnight")
        // The night in which an hour comes twice: from 1:00 to 4:00 are four hours.
        try home.run("time", "add", "2026-10-25 1:00-4:00", "Long night")
        let days = try home.run("time", "report", "2026-10-24..2026-10-25", "--json").items()
        #expect(days.map { $0["seconds"] as? Int } == [3600, 3600 + 4 * 3600])
        // What is still to come can be entered, too.
        #expect(try home.run("time", "add", "tomorrow 9-10", "Meeting", "--planned").status == 0)
    }

    @Test func entriesAreSplitJoinedMovedAndPaused() throws {
        let home = try HelixHome()
        let id = try #require(
            try home.run("time", "add", "today 8-9", "Work", "--json").items().first?["id"] as? String)
        let parts = try home.run("time", "split", id, "--at", "8:15", "--json").items()
        #expect(parts.map { $0["duration"] as? Int } == [900, 2700])
        let other = try #require(parts.last?["id"] as? String)
        #expect(try home.run("time", "join", id, other, "--json").items().first?["duration"] as? Int == 3600)
        #expect(
            try home.run("time", "move", id, "7:00", "--json").items().first?["start"] as? String
                == "2026-11-18T07:00:00+01:00")
        try home.run("time", "start", "Deep", "--at", "9:00")
        #expect(try home.run("time", "break", "30m", "--json").items().map { $0["duration"] as? Int } == [3000, 0])
        try home.run("time", "cancel")
        #expect(try home.run("time", "resume").output.contains("Deep"))
    }

    @Test func aForgottenClockIsPointedOut() throws {
        let home = try HelixHome()
        try home.run("time", "start", "Night shift", "--at", "yesterday 17:00")
        #expect(try home.run("time", "status").output.contains("forgotten"))
        #expect(try home.run("today").output.contains("forgotten?"))
        // A computer whose clock went back is no reason to lose the time.
        home.environment["HELIX_NOW"] = "2026-11-16T10:00:00"
        #expect(try home.run("time", "status").output.contains("in the future"))
        #expect(try home.run("time", "stop").status == 64)
        #expect(try home.run("time", "status").output.contains("Night shift"))
    }

    @Test func startingATaskIsStartingItsClock() throws {
        let home = try HelixHome()
        let id = try #require(try home.run("tasks", "add", "Paint", "--json").items().first?["id"] as? String)
        let started = try home.run("tasks", "start", id, "--at", "9:50")
        #expect(started.status == 0, "\(id): \(started.errors)")
        #expect(try home.run("tasks", "board").output.contains("▶"))
        #expect(try home.run("tasks", "list", "--json").items().first?["column"] as? String == "doing")
        #expect(try home.run("time", "start", id).status == 80)
        #expect(try home.run("tasks", "done", id).output.contains("timer was stopped"))
        #expect(try home.run("tasks", "show", id, "--json").json()["time_spent"] as? Int == 1800)
        try home.run("tasks", "delete", id, "--yes")
        #expect(try home.run("time", "log", "--json").items().first?["title"] as? String == "Paint")
    }

    @Test func eventsAreOfferedAsTime() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "Standup today 9:15-9:30")
        try home.run("cal", "add", "Later today 15:00-16:00")
        #expect(try home.run("time", "propose", "--json").items().map { $0["title"] as? String } == ["Standup"])
        #expect(try home.run("time", "propose", "--accept", "2").status == 64)
        #expect(try home.run("time", "propose", "--accept", "all").status == 0)
        #expect(try home.run("time", "propose", "--json").items().isEmpty)
    }

    @Test func moneyIsExact() throws {
        let home = try HelixHome()
        try home.run("projects", "add", "house", "--rate", "48.10", "--currency", "eur")
        try home.run("time", "add", "yesterday 9:00-9:20", "Talk", "--project", "house", "--billable")
        for _ in 0..<3 { try home.run("projects", "material", "add", "house", "Screw", "0.1", "kg", "0.1") }
        let report = try home.run("projects", "report", "house", "--json").json()
        #expect(report["work_cost"] as? String == "16.03" && report["material_cost"] as? String == "0.03")
        #expect(report["cost"] as? String == "16.06" && report["currency"] as? String == "EUR")
        #expect(try home.run("projects", "material", "add", "house", "X", "1e3", "m", "2").status == 64)
        try home.run("tasks", "add", "Open project:house")
        #expect(try home.run("projects", "complete", "house").status == 80)
        #expect(try home.run("projects", "complete", "house", "--drop-open").status == 0)
        try home.run("undo")
        #expect(try home.run("tasks", "list", "project:house", "--count").output == "1\n")
    }

    @Test func aStatusLineFillsInWhatItNames() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "Due due:today")
        try home.run("tasks", "add", "Late due:yesterday")
        try home.run("cal", "add", "Lunch 12:30-13:00")
        let line = try home.run("status", "--format", "[{next_event}] {timer} {due_today}/{overdue}").output
        #expect(line == "[12:30 Lunch] 1/1\n")
        #expect(try home.run("status", "--format", "{nope}").status == 64)
        #expect(try home.run("today").output.contains("Lunch"))
    }

    @Test(arguments: [
        (["yesterday", "22:00-23:00", "midnight snack"], "midnight snack", "2026-11-17T22:00:00+01:00"),
        (["2026-11-16", "7-8", "noon review"], "noon review", "2026-11-16T07:00:00+01:00"),
        (["yesterday", "15-16", "Friday retro"], "Friday retro", "2026-11-17T15:00:00+01:00"),
        (["yesterday 14:00 for 45m", "in 2 weeks plan"], "in 2 weeks plan", "2026-11-17T14:00:00+01:00"),
        (["9-10", "yesterday", "Mail"], "Mail", "2026-11-17T09:00:00+01:00"),
        (["Review", "9-10"], "Review", "2026-11-18T09:00:00+01:00"),
    ])
    func theWordsOfAnEntryAreNoTimes(words: [String], title: String, start: String) throws {
        let home = try HelixHome()
        let added = try #require(try home.run(["time", "add"] + words + ["--json"]).items().first)
        #expect(added["title"] as? String == title && added["start"] as? String == start)
    }

    @Test func whatIsPlannedDoesNotKeepTheClockFromRunning() throws {
        let home = try HelixHome()
        try home.run("time", "add", "today 11-12", "Planned", "--planned")
        #expect(try home.run("time", "start", "Now").status == 0)
        #expect(try home.run("doctor").status == 0)
        home.environment["HELIX_NOW"] = "2026-11-18T11:30:00"
        let stopped = try home.run("time", "stop")
        #expect(stopped.status == 0 && stopped.output.contains("1 entry was trimmed"))
        #expect(try home.run("time", "log", "today", "--json").items().map { $0["duration"] as? Int } == [4200, 1800])
    }

    @Test func whatLiesBelowAProjectIsRenamedWithIt() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "Floor project:house")
        try home.run("tasks", "add", "Sink project:house.kitchen")
        try home.run("projects", "edit", "house", "--rename", "villa")
        #expect(try home.run("tasks", "list", "project:villa", "--count").output == "2\n")
        try home.run("undo")
        #expect(try home.run("tasks", "list", "project:house", "--count").output == "2\n")
    }

    @Test func aReportAsCSVHasTheSums() throws {
        let home = try HelixHome()
        try home.run("time", "add", "yesterday 9:00 for 50m", "One", "-p", "house", "--billable")
        try home.run("time", "add", "yesterday 10:00 for 25m", "Two", "-p", "garden")
        let csv = try home.run("time", "report", "this week", "--by", "project", "--round", "15m", "--csv").output
        #expect(csv.contains("house,0.75,2700,2700") && csv.contains("garden,0.5,1800,0"), "\(csv)")
        #expect(try home.run("time", "start", "Later", "--at", "tomorrow 9:00").status == 64)
        #expect(try home.run("time", "propose", "--accept", "1").errors.contains("no proposals in that range"))
    }
}

/// Sums by two fields.
@Suite struct TimeGroupingTests {
    @Test func sumsOfTwoFieldsAddUpToThoseOfEach() throws {
        let home = try HelixHome(now: "2026-11-23T10:20")
        for name in ["house", "boat"] { try home.run("projects", "add", name) }
        for line in [
            "2026-11-16 9:00-11:00 Paint project:house +x", "2026-11-17 12:00-13:10 Tools project:house +y",
            "2026-11-18 22:00-02:00 Paint project:boat +x,y", "2026-11-20 9:00-9:20 Call",
        ] { #expect(try home.run("time", "add", line).status == 0, "\(line)") }
        let fields = ["day", "project", "task", "customer"]
        for outer in fields {
            for inner in fields where inner != outer {
                for rounding in [[], ["--round", "15m"]] {
                    let range = ["time", "report", "2026-11", "--json"] + rounding
                    let both = try home.run(range + ["--by", "\(outer),\(inner)"]).items()
                    let alone = try home.run(range + ["--by", outer]).items()
                    for item in alone {
                        let name = item["date"] as? String ?? item["name"] as? String
                        let parts = both.filter { $0["group"] as? String == name }.compactMap { $0["seconds"] as? Int }
                        #expect(parts.reduce(0, +) == item["seconds"] as? Int, "\(outer),\(inner) \(name ?? "")")
                    }
                }
            }
        }
        for wrong in ["day,day", "day,", "day,project,task", "days"] {
            #expect(try home.run("time", "report", "--by", wrong).status == 64, "\(wrong)")
        }
    }
}
