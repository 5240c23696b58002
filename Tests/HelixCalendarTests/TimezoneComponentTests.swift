import Foundation
import HelixCalendar
import HelixModel
import TestSupport
import Testing

/// VTIMEZONEs that helix writes say what the zone database says, to all who read them; those of others count where they
/// know better.
@Suite struct TimezoneComponentTests {
    /// The years in which series begin.
    private static let years = [1970, 1985, 1999, 2010, 2022, 2026, 2040]

    private struct Sample {
        let name: String
        let component: ICalendarComponent
        let range: Range<Int64>
    }

    private static func newYear(_ year: Int) -> Int64 { CivilDateTime(CivilDate(year: year, month: 1, day: 1)).seconds }

    /// A component for a series that begins in `year`, with the time for which it must be right.
    private static func sample(_ name: String, _ year: Int, isEndless: Bool) -> Sample? {
        guard let zone = ZoneDatabase.zone(named: name) else { return nil }
        let range = newYear(year)..<newYear(isEndless ? 2061 : year + 2)
        let component = TimezoneComponent.component(
            zone, tzid: name, from: Instant(range.lowerBound), to: Instant(newYear(year + 2)), isEndless: isEndless)
        return Sample(name: name, component: component, range: range)
    }

    /// All zones, each for endless series from several years on and for single years between 1970 and 2060.
    private static let samples: [Sample] = ZoneDatabase.names().flatMap { name -> [Sample] in
        let endless = years.compactMap { sample(name, $0, isEndless: true) }
        // Each zone has its own years, so that all are looked at.
        let offset = Int(name.utf8.reduce(0) { ($0 &* 31 &+ UInt32($1)) % 9 })
        let single = stride(from: 1970 + offset, through: 2058, by: 9).compactMap { sample(name, $0, isEndless: false) }
        return endless + single
    }

    @Test func helixReadsItsOwnZonesAsTheDatabaseHasThem() throws {
        #expect(Self.samples.count > 4000)
        for sample in Self.samples {
            let own = try #require(TimezoneComponent.zone(sample.component))
            let zone = try #require(ZoneDatabase.zone(named: sample.name))
            let changes = zone.changes(
                after: Instant(sample.range.lowerBound), before: Instant(sample.range.upperBound))
            var seconds = [sample.range.lowerBound, sample.range.upperBound - 1]
            for change in changes { seconds += [change.at - 1, change.at, change.at + 1] }
            for second in seconds where sample.range.contains(second) {
                let (read, wanted) = (own.offset(at: Instant(second)), zone.offset(at: Instant(second)))
                if read != wanted {
                    Issue.record("\(sample.name) at \(second): \(read) instead of \(wanted)\n\(sample.component.text)")
                    return
                }
            }
        }
    }

    @Test func dateutilAndLibicalReadTheSameZones() throws {
        let home = try HelixHome()
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Oracles/check_zones.py").path
        // dateutil takes its time.
        let step = Corpora.isThorough ? 1 : Corpora.isBrief ? 100 : 20
        let chosen = Self.samples.enumerated().filter { $0.offset % step == 3 % step }.map(\.element)
        let text = chosen.map { sample in
            "X-CHECK:\(sample.range.lowerBound)..\(sample.range.upperBound)\n" + sample.component.text
        }.joined()
        let result = try home.run(program: "/usr/bin/python3", [script], input: text)
        #expect(result.status == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 1, "\(lines.prefix(60).joined(separator: "\n"))")
        #expect(lines.last?.hasPrefix("compared ") == true)
    }

    @Test(arguments: [
        "EGY-2EEST,M4.5.5/0,M10.5.4/24", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "IST-2IDT,M3.4.4/26,M10.5.0",
        "AAA3BBB,M2.5.0/24,M11.1.0/-24", "AAA3BBB,M3.1.1/-30,M12.5.2/40", "AAA3BBB,J60,J300", "AAA3BBB,59,299/1",
    ])
    func rulesWithHoursOfOtherDaysAreSaidByCalendarRules(_ text: String) throws {
        let rule = try #require(PosixZoneRule(text))
        let zone = Zone(
            identifier: "X", initial: .init(at: .min, offset: -10_800, isDaylight: false, abbreviation: "A"),
            transitions: [], rule: rule)
        let start = Instant(Self.newYear(2000))
        let component = TimezoneComponent.component(zone, tzid: "X", from: start, to: start + 1, isEndless: true)
        let own = try #require(TimezoneComponent.zone(component))
        for change in zone.changes(after: start, before: Instant(Self.newYear(2060))) {
            for second in [change.at - 1, change.at] {
                #expect(own.offset(at: Instant(second)) == zone.offset(at: Instant(second)), "\(component.text)")
            }
        }
    }

    private func differs(_ lines: String, year: Int, zone name: String) throws -> Bool {
        let text = "BEGIN:VTIMEZONE\nTZID:\(name)\n\(lines)\nEND:VTIMEZONE\n"
        let component = try #require(ICalendarComponent.list(text).first)
        let custom = try #require(TimezoneComponent.zone(component))
        return TimezoneComponent.differs(custom, from: try #require(ZoneDatabase.zone(named: name)), around: year)
    }

    private func observance(_ kind: String, _ start: String, _ from: String, _ to: String, _ more: String...) -> String
    {
        (["BEGIN:\(kind)", "DTSTART:\(start)", "TZOFFSETFROM:\(from)", "TZOFFSETTO:\(to)"] + more + ["END:\(kind)"])
            .joined(separator: "\n")
    }

    @Test(arguments: [1990, 1998, 2000, 2026])
    func aShorterZoneDoesNotWinOverTheSystems(_ year: Int) throws {
        // RFC 5545's own sample: two changes, and a meeting before the first.
        let two =
            observance("STANDARD", "19981025T020000", "-0400", "-0500") + "\n"
            + observance("DAYLIGHT", "19990404T020000", "-0500", "-0400")
        #expect(try !differs(two, year: year, zone: "America/New_York"))
        #expect(
            try !differs(
                observance("STANDARD", "19701101T030000", "+0100", "+0100"), year: year, zone: "Europe/Rome"))
    }

    @Test func aZoneThatContradictsTheSystemsWins() throws {
        let other = observance("STANDARD", "19700101T000000", "+0300", "+0300")
        #expect(try differs(other, year: 2026, zone: "Europe/Rome"))
        let old =
            observance("DAYLIGHT", "20070401T020000", "-0500", "-0400", "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU") + "\n"
            + observance("STANDARD", "20071028T020000", "-0400", "-0500", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU")
        #expect(try differs(old, year: 2026, zone: "America/New_York"))
    }
}
