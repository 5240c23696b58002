import TestSupport
import Testing

/// Changes to events: lists, clocks that change, days that are none, and answers that say all that is stored.
@Suite struct EventAnswerTests {
    @Test func listsAreChangedByWhatComesAndWhatGoes() throws {
        let home = try HelixHome()
        try home.run(
            "cal", "add", "Mtg 2026-11-20 10:00", "--attendee", "ana@x.org", "--attendee", "Bo <bo@x.org>",
            "--category", "work",
            "--alarm", "10m", "--alarm", "1h")
        let id = try #require(HelixHome.ids(home.run("cal", "search", "mtg", "--json")).first)
        let changed = try home.run(
            "cal", "edit", id, "--attendee", "+c@x.org", "--attendee", "-ana@x.org", "--category", "+big", "--alarm",
            "-10m")
        for line in ["with Bo, c@x.org", "categories work, big", "remind 1h before"] {
            #expect(changed.output.contains(line), "\(changed.output)")
        }
        let shown = try home.run("cal", "show", id, "--json").json()
        #expect((shown["categories"] as? [String]) == ["work", "big"])
        #expect((shown["alarms"] as? [String]) == ["-PT1H"])
        let absent = try home.run("cal", "edit", id, "--category", "-nope")
        #expect(absent.status == 64 && absent.errors.contains("work, big"))
        #expect(try home.run("cal", "edit", id, "--alarm", "-3h").status == 64)
        #expect(try home.run("cal", "edit", id, "--attendee", "-no@x.org").status == 64)
        #expect(try home.run("cal", "add", "Other 2026-11-20 12:00", "--category", "-x").status == 64)
        let replaced = try home.run(
            "cal", "edit", id, "--attendee", "new@x.org", "--category", "none", "--alarm", "none")
        #expect(replaced.output.contains("with new@x.org") && !replaced.output.contains("categories"))
        #expect((try home.run("cal", "show", id, "--json").json()["alarms"] as? [String]) == [])
    }

    @Test func theNextThreeDaysOfARepetitionAreSaid() throws {
        let home = try HelixHome()
        let added = try home.run("cal", "add", "Standup every weekday 9:15 for 15m")
        #expect(added.output.contains("every weekday: Thu 19 Nov, Fri 20 Nov, Mon 23 Nov"), "\(added.output)")
        let days = try home.run("cal", "add", "Feast every year on 14 march")
        #expect(days.output.contains("Sun 14 Mar 2027, Tue 14 Mar 2028, Wed 14 Mar 2029"), "\(days.output)")
    }

    @Test func aTimeThatNoClockShowsIsRefusedAndOneThatComesTwiceIsNamed() throws {
        let home = try HelixHome()
        for line in ["X 2027-03-28 02:30", "X 2027-03-28 01:30-02:30", "X 2027-03-27 22:00 to 2027-03-28 2:15"] {
            let refused = try home.run("cal", "add", line)
            #expect(refused.status == 64 && refused.errors.contains("go forward"), "\(line)")
        }
        #expect(try home.run("cal", "agenda", "2027-03", "--json").items().isEmpty)
        let twice = try home.run("cal", "add", "X 2027-10-31 02:30 for 1h")
        #expect(twice.output.contains("02:30 CEST – 02:30 CET (1h)"))
        #expect(try home.run("cal", "add", "Y 2027-03-28 03:30").status == 0)
    }

    @Test func anOccurrenceThatIsNoneNamesItsNeighbours() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "Standup every weekday 9:15")
        let id = try #require(HelixHome.ids(home.run("cal", "search", "standup", "--json")).first)
        let refused = try home.run("cal", "edit", id, "--this", "2026-11-28", "--title", "x")
        #expect(refused.status == 66 && refused.errors.contains("Fri 27 Nov 2026 and on Mon 30 Nov 2026"))
        try home.run("cal", "edit", id, "--future", "2026-12-07", "--start", "10:00")
        let other = try home.run("cal", "edit", id, "--this", "2026-12-08", "--title", "x")
        #expect(other.status == 66 && other.errors.contains("On that day it is the event"), "\(other.errors)")
    }

    @Test func daysWithoutWorkingHoursAreNamed() throws {
        let home = try HelixHome()
        let free = try home.run("cal", "free", "saturday")
        #expect(free.status == 0 && free.output.contains("no working hours"))
    }

    @Test func anUnknownZoneIsNotUTC() throws {
        let home = try HelixHome()
        home.environment["TZ"] = "Nowhere/Bad"
        let refused = try home.run("cal", "agenda")
        #expect(refused.status == 78 && refused.errors.contains("Nowhere/Bad"))
        for zone in ["UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", ":Europe/Rome", "UTC"] {
            home.environment["TZ"] = zone
            #expect(try home.run("cal", "agenda").status == 0, "\(zone)")
        }
    }

    @Test func anotherZoneShowsBothTimes() throws {
        let home = try HelixHome()
        let added = try home.run("cal", "add", "Call 2026-11-24 9:00", "--tz", "America/New_York")
        #expect(
            added.output.contains("09:00–10:00 (1h) America/New_York")
                && added.output.contains("15:00–16:00 Europe/Rome"))
    }
}
