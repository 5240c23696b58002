import TestSupport
import Testing

/// Events that occur more often than can be listed do not hide anything.
@Suite struct DenseSeriesTests {
    private func home(_ rule: String, zone: String = "") throws -> HelixHome {
        let home = try HelixHome()
        let end = zone.isEmpty ? "Z" : ""
        let file = try home.calendar(
            vevent(
                "dense", "DTSTART\(zone):20200101T000000\(end)", "DTEND\(zone):20200101T000001\(end)", "RRULE:\(rule)",
                "SUMMARY:tick"))
        #expect(try home.run("cal", "import", file).status == 0)
        return home
    }

    @Test(arguments: ["", ";TZID=Asia/Tokyo", ";TZID=America/New_York"])
    func aConflictWithSomethingEachSecondIsFound(_ zone: String) throws {
        let home = try home("FREQ=SECONDLY", zone: zone)
        let refused = try home.run("cal", "add", "X", "--start", "2026-11-24 10:00", "--on-conflict", "fail")
        #expect(refused.status == 80, "\(refused.output)")
        #expect(refused.errors.contains("tick"))
        #expect(try home.run("cal", "add", "Y", "--start", "2026-11-24 10:00").errors.contains("3595 more"))
        let repeated = try home.run(
            "cal", "add", "Z", "--start", "2026-11-24 10:00", "--repeat", "daily", "--on-conflict", "fail")
        #expect(repeated.status == 80)
        #expect(repeated.errors.contains("conflict"))
        let free = try home.run("cal", "free", "2026-11-24", "--json")
        #expect(try free.items().isEmpty)
        let list = try home.run(
            "cal", "agenda", "--from", "2026-11-24 12:00:00", "--to", "2026-11-24 12:00:30", "--json")
        #expect(try list.items().count == 30)
    }

    @Test func nothingIsCalledFreeOfConflictsThatWasNotCompared() throws {
        let home = try home("FREQ=SECONDLY")
        try home.run(
            "cal", "add", "Late", "--start", "2026-11-24 20:00", "--end", "2026-11-24 20:10", "--on-conflict", "allow")
        let list = try home.run("cal", "conflicts", "2026-11-24")
        #expect(!list.output.contains("No conflicts:"))
        #expect(try home.run("cal", "conflicts", "2026-11-24", "--json").json()["truncated"] as? Bool == true)
    }

    @Test func minutesAreListedWhole() throws {
        let home = try home("FREQ=MINUTELY")
        let list = try home.run("cal", "agenda", "2026-11-24", "--json")
        #expect(try list.items().count == 1440)
        #expect(try list.json()["truncated"] as? Bool != true)
    }

    @Test func aSeriesThatCannotBeComparedWholeIsRefused() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "Meet", "--start", "2026-11-24 11:00", "--duration", "30m")
        for option in ["fail", "suggest"] {
            let result = try home.run(
                "cal", "add", "Dense", "--start", "2026-11-24 00:00", "--duration", "1s", "--rrule", "FREQ=SECONDLY",
                "--on-conflict", option)
            #expect(result.status == 80, "\(result.output)")
        }
        let warned = try home.run(
            "cal", "add", "Dense", "--start", "2026-11-24 00:00", "--duration", "1s", "--rrule", "FREQ=SECONDLY")
        #expect((warned.output + warned.errors).contains("has more occurrences"))
    }
}
