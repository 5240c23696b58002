import TestSupport
import Testing

/// `helix dates`, and the languages in which commands read dates.
@Suite struct DatesTests {
    @Test func eachPieceOfAPhraseIsShownWithItsMeaning() throws {
        let home = try HelixHome()
        let said = try home.run("dates", "Gym every 2 weeks on friday 16:00 until 31 dec except dec 25", "--json")
        let items = try said.items()
        #expect(items.compactMap { $0["sort"] as? String } == ["words", "repetition", "time", "limit", "limit"])
        #expect(items.last?["meaning"] as? String == "except Fri 25 Dec 2026")
        let drawn = try home.run("dates", "Lunch tomorrow 12:30 for 45m")
        #expect(drawn.output.contains("12:30 for 45m") && drawn.output.contains("Left for a title: Lunch"))
        #expect(try home.run("dates", "Gym every night-shift tomorrow 25:00").status == 64)
        #expect(try home.run("dates", "no time at all").output.contains("No date or time"))
    }

    @Test func plansLookAheadAndTheClockLooksBack() throws {
        let home = try HelixHome()
        let ahead = try home.run("dates", "thu 9:00").output
        let back = try home.run("dates", "--back", "thu 9:00").output
        #expect(ahead != back)
    }

    @Test func theLocaleOrASettingChoosesTheLanguages() throws {
        let home = try HelixHome()
        let line = "Mittagessen morgen 12:30"
        let refused = try home.run("cal", "add", line)
        #expect(refused.status == 64 && refused.errors.contains("helix config set dates.languages de"))
        #expect(try home.run("cal", "agenda", "--json").items().isEmpty)
        #expect(try home.run("config", "set", "dates.languages", "de", "fr").status == 0)
        #expect(try home.run("cal", "add", line).output.contains("12:30"))
        #expect(try home.run("cal", "add", "Dîner demain 20h").output.contains("20:00"))
        #expect(try home.run("config", "set", "dates.languages", "none").status == 0)
        #expect(try home.run("cal", "add", line).status == 64)
        #expect(try home.run("config", "set", "dates.languages", "klingon").status == 64)
    }

    @Test func partsOfTheDayAreAtTheHoursOfTheSettings() throws {
        let home = try HelixHome()
        try home.run("config", "set", "dates.morning", "7:45")
        #expect(try home.run("cal", "add", "Run tomorrow morning").output.contains("7:45"))
        #expect(try home.run("config", "set", "dates.morning", "soon").status == 64)
    }
}
