import Foundation
import HelixModel
import TestSupport
import Testing

@Suite struct ZoneTests {
    private let rome = ZoneDatabase.zone(named: "Europe/Rome") ?? .utc

    @Test func aTimeInAGapIsReadWithTheOffsetFromBeforeIt() {
        // RFC 5545 §3.3.5: 02:30 does not exist on 29 March 2026; it is 03:30 summer time.
        let gap = rome.instant(CivilDateTime(CivilDate(year: 2026, month: 3, day: 29), hour: 2, minute: 30))
        #expect(ISO8601.text(gap, in: rome) == "2026-03-29T03:30:00+02:00")
    }

    @Test func aTimeThatComesTwiceIsTheFirst() {
        let twice = rome.instant(CivilDateTime(CivilDate(year: 2026, month: 10, day: 25), hour: 2, minute: 30))
        #expect(ISO8601.text(twice, in: rome) == "2026-10-25T02:30:00+02:00")
    }

    @Test func theRuleAtTheFilesEndHoldsForEver() {
        let far = rome.instant(CivilDateTime(CivilDate(year: 2150, month: 7, day: 1), hour: 12))
        #expect(ISO8601.text(far, in: rome) == "2150-07-01T12:00:00+02:00")
    }

    @Test(arguments: [
        ("Europe/Rome", "Europe/Rome"), ("/mozilla.org/20050126_1/Europe/Rome", "Europe/Rome"),
        ("/softwarestudio.org/Tzfile/America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
        ("W. Europe Standard Time", "Europe/Berlin"), ("Eastern Standard Time", "America/New_York"),
        ("Tokyo Standard Time", "Asia/Tokyo"), ("UTC", "UTC"),
    ])
    func namesOfManyKindsAreUnderstood(_ c: (tzid: String, zone: String)) {
        #expect(ZoneDatabase.zone(tzid: c.tzid)?.identifier == c.zone)
    }

    @Test(arguments: ["../../etc/passwd", "/etc/passwd", "Nowhere/City", "", "posix/../../../etc/shadow", "localtime"])
    func aNameNeverLeadsOutOfTheZoneFolder(_ name: String) {
        #expect(ZoneDatabase.zone(tzid: name) == nil)
    }

    @Test func dstRulesInPOSIXNotationAreRead() throws {
        let rule = try #require(PosixZoneRule("CET-1CEST,M3.5.0,M10.5.0/3"))
        #expect(rule.yearlyChanges(from: Instant(1_790_000_000))?.count == 2)
        #expect(PosixZoneRule("garbage,") == nil)
    }

    /// The C library reads the same files on its own.
    @Test(arguments: [
        "Europe/Rome", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Africa/Casablanca",
        "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia",
    ])
    func offsetsAreThoseOfTheCLibrary(_ name: String) throws {
        let zone = try #require(ZoneDatabase.zone(named: name))
        let script = """
            import sys, zoneinfo, datetime
            z = zoneinfo.ZoneInfo('\(name)')
            for n in range(400):
                t = -2000000000 + n * 17000003
                print(t, int(datetime.datetime.fromtimestamp(t, z).utcoffset().total_seconds()))
            """
        let home = try HelixHome()
        let lines = try home.run(program: "/usr/bin/env", ["python3", "-c", script]).output.split(separator: "\n")
        #expect(lines.count == 400)
        for line in lines {
            let numbers = line.split(separator: " ").compactMap { Int64($0) }
            #expect(Int64(zone.offset(at: Instant(numbers[0]))) == numbers[1], "\(name) at \(numbers[0])")
        }
    }
}

@Suite struct CivilDateTests {
    @Test func daysAndDatesGoBothWays() {
        for number in stride(from: -800_000, through: 3_000_000, by: 97) {
            let date = CivilDate(dayNumber: number)
            let (year, month, day) = date.components
            #expect(CivilDate(year: year, month: month, day: day) == date)
        }
    }

    @Test(arguments: [(2026, 11, 21, 47), (2021, 1, 3, 53), (2020, 12, 31, 53), (2018, 12, 31, 1), (2016, 1, 1, 53)])
    func weeksAreThoseOfISO8601(_ c: (year: Int, month: Int, day: Int, week: Int)) {
        #expect(CivilDate(year: c.year, month: c.month, day: c.day).week().week == c.week)
    }

    @Test func aDayThatDoesNotExistIsNone() {
        #expect(CivilDate(validYear: 2026, month: 2, day: 29) == nil)
        #expect(CivilDate(validYear: 2024, month: 2, day: 29) != nil)
        #expect(CivilDate(validYear: 2026, month: 13, day: 1) == nil)
    }
}
