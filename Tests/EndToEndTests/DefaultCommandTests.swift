import TestSupport
import Testing

/// A noun without a command, and options before it.
@Suite struct DefaultCommandTests {
    @Test(arguments: [
        ([], ["today"]), (["cal"], ["cal", "agenda"]), (["tasks"], ["tasks", "next"]),
        (["time"], ["time", "status"]), (["chat"], ["chat", "list"]),
    ])
    func aNounAloneShowsWhatIsAskedForMost(words: [String], meant: [String]) throws {
        let home = try HelixHome()
        for line in ["Lunch today 12:30", "Dinner tomorrow 19:00"] { try home.run("cal", "add", line) }
        try home.run("tasks", "add", "Paint due:today")
        for options in [[], ["--json"]] {
            let (short, long) = (try home.run(words + options), try home.run(meant + options))
            #expect(short.output == long.output && short.status == long.status, "\(words)")
            #expect(!short.output.isEmpty && !short.output.contains("USAGE"))
        }
    }

    @Test func theUsualCommandIsASetting() throws {
        let home = try HelixHome()
        #expect(try home.run("config", "set", "default.cal", "week").status == 0)
        #expect(try home.run("config", "set", "default.helix", "tasks list").status == 0)
        #expect(try home.run(["cal"]).output == home.run(["cal", "week"]).output)
        #expect(try home.run([]).output == home.run(["tasks", "list"]).output)
        for (key, value) in [("default.cal", "wek"), ("default.helix", "cal wek"), ("default.time", "")] {
            #expect(try home.run("config", "set", key, value).status == 64, "\(key) \(value)")
        }
    }

    @Test func optionsMayStandBeforeTheNoun() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "Lunch today 12:30")
        let usual = try home.run("cal", "agenda", "--json", "--tz", "Asia/Tokyo").output
        #expect(try home.run("--json", "--tz", "Asia/Tokyo", "cal", "agenda").output == usual)
        #expect(try home.run("--json", "cal", "search", "--", "--tz").status == 0)
    }
}
