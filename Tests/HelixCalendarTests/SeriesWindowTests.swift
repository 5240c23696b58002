import Foundation
import HelixCalendar
import HelixModel
import TestSupport
import Testing

/// A window on a series shows all that lies in it, wherever occurrences were moved to.
@Suite struct SeriesWindowTests {

    private static func components(_ texts: [String]) throws -> [EventComponent] {
        try texts.map {
            try EventComponent(Array("BEGIN:VEVENT\nUID:u\n\($0)\nEND:VEVENT\n".utf8), zones: ZoneResolver())
        }
    }

    private static func text(_ seconds: Int64) -> String {
        ICalendarTime.utc(Instant(seconds)).text
    }

    private static let start = CivilDateTime(CivilDate(year: 2026, month: 1, day: 5), hour: 9).seconds

    @Test func anOccurrenceThatWasMovedFarAwayHidesNoOther() throws {
        let series = EventSeries(
            try Self.components([
                "DTSTART:20260105T090000Z\nRRULE:FREQ=WEEKLY",
                "RECURRENCE-ID:20260112T090000Z\nDTSTART:20291130T090000Z",
            ]))
        let march = TimeRange(start: Instant(Self.start + 60 * 86_400), end: Instant(Self.start + 95 * 86_400))
        #expect(series.window(march, reach: 0, limit: 100).instances.count == 5)
        let stored = series.occurrences(before: Self.start + 400 * 86_400, limit: 10_000)
        #expect(!stored.isComplete)
        #expect(stored.instances?.count == 58)
        #expect(series.next(after: Instant(Self.start + 8 * 86_400))?.start == Self.start + 14 * 86_400)
    }

    @Test func aDayAmongTheTimesOfAnEndlessSeriesIsShown() throws {
        let series = EventSeries(
            try Self.components(["DTSTART:20260105T090000Z\nRRULE:FREQ=WEEKLY\nRDATE;VALUE=DATE:20260203"]))
        let range = TimeRange(start: Instant(Self.start + 28 * 86_400), end: Instant(Self.start + 30 * 86_400))
        #expect(series.window(range, reach: 0, limit: 9).instances.map(\.basis) == [.instant, .date])
    }

    @Test func moreThanTheLimitIsSaid() throws {
        let series = EventSeries(try Self.components(["DTSTART:20260105T090000Z\nRRULE:FREQ=MINUTELY"]))
        let day = TimeRange(start: Instant(Self.start), end: Instant(Self.start + 86_400))
        let window = series.window(day, reach: 0, limit: 100)
        #expect(window.unknownFrom != nil)
        #expect(window.instances.count == 100)
        #expect(series.window(day, reach: 0, limit: 5000).unknownFrom == nil)
    }

    /// A series with occurrences that were moved, excluded, or moved with all that follow.
    private static func randomSeries(_ random: inout SeededGenerator) throws -> EventSeries {
        let rules = [
            "FREQ=DAILY;COUNT=80", "FREQ=WEEKLY;BYDAY=MO,TH;COUNT=60", "FREQ=DAILY;INTERVAL=3;UNTIL=20261231T000000Z",
            "FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=30", "FREQ=HOURLY;BYHOUR=9,14;COUNT=70", "FREQ=WEEKLY;COUNT=50",
        ]
        var master = "DTSTART:\(text(start))\nDURATION:PT1H\nRRULE:\(rules.randomElement(using: &random) ?? "")"
        let starts = EventSeries(try components([master])).instances().map(\.start)
        var texts: [String] = []
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let at = starts.randomElement(using: &random) ?? start
            let shift = Int64.random(in: -900...900, using: &random) * 86_400 / Int64.random(in: 1...30, using: &random)
            let range = Int.random(in: 0...4, using: &random) == 0 ? ";RANGE=THISANDFUTURE" : ""
            texts.append("RECURRENCE-ID\(range):\(text(at))\nDTSTART:\(text(at + shift))\nDURATION:PT2H")
        }
        if Bool.random(using: &random) { master += "\nEXDATE:\(text(starts.randomElement(using: &random) ?? start))" }
        return EventSeries(try components([master] + texts))
    }

    @Test func windowsAreWhatAWholeWalkHasInThem() throws {
        var random = SeededGenerator(seed: 20)
        for number in 0..<(Corpora.isThorough ? 20_000 : 1500) {
            let series = try Self.randomSeries(&random)
            let all = Array(series.instances())
            for _ in 0..<4 {
                let from = Self.start + Int64.random(in: -400...700, using: &random) * 86_400
                let range = TimeRange(
                    start: Instant(from), end: Instant(from + Int64.random(in: 1...90, using: &random) * 86_400))
                let wanted = all.filter { $0.start < range.end.seconds && $0.end >= range.start.seconds }
                let found = series.window(range, reach: 0, limit: 10_000).instances
                #expect(Set(found) == Set(wanted) && found.count == Set(found).count, "series \(number)")
            }
            // Stored occurrences and those that views add are all there are, each once.
            let horizon = Self.start + Int64.random(in: -10...300, using: &random) * 86_400
            let (stored, isComplete) = series.occurrences(before: horizon, limit: 10_000)
            let standalone = Set(series.standaloneInstances())
            let far = TimeRange(start: Instant(horizon - 1000 * 86_400), end: Instant(horizon + 2000 * 86_400))
            let added =
                isComplete
                ? []
                : series.window(far, reach: 0, limit: 10_000).instances.filter {
                    $0.start >= horizon && !standalone.contains($0)
                }
            let both = (stored ?? []) + added
            #expect(Set(both) == Set(all) && both.count == Set(both).count, "series \(number)")
        }
    }

    private static func randomRule(_ random: inout SeededGenerator) -> (start: CivilDateTime, rule: String) {
        let frequency =
            ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY"].randomElement(using: &random) ?? ""
        var parts = ["FREQ=\(frequency)", "INTERVAL=\(Int.random(in: 1...4, using: &random))"]
        func maybe(_ text: @autoclosure () -> String) {
            if Int.random(in: 0...2, using: &random) == 0 { parts.append(text()) }
        }
        let isShort = ["HOURLY", "MINUTELY"].contains(frequency)
        // Not the last week: dateutil 2.8 counts the weeks of the year before wrongly; and each year, because it counts
        // intervals by calendar years and not by those of weeks, as libical does.
        if frequency == "YEARLY", Bool.random(using: &random) {
            parts[1] = "INTERVAL=1"
            parts.append("BYWEEKNO=\([1, 2, 20, 50, -5].randomElement(using: &random) ?? 1)")
            parts.append("BYDAY=\(["MO", "TH,SU", "WE"].randomElement(using: &random) ?? "MO")")
        } else {
            maybe("BYMONTH=\(Int.random(in: 1...6, using: &random)),\(Int.random(in: 7...12, using: &random))")
            maybe("BYDAY=\(["MO", "TU,SA", "MO,TU,WE,TH,FR"].randomElement(using: &random) ?? "MO")")
        }
        if isShort {
            maybe("BYHOUR=\(Int.random(in: 0...11, using: &random)),\(Int.random(in: 12...23, using: &random))")
        }
        if frequency == "DAILY" { maybe("BYMINUTE=0,30") }
        parts.append("COUNT=\(Int.random(in: 1...(isShort ? 30_000 : 300), using: &random))")
        let date = CivilDate(year: 2018, month: 1, day: 1) + Int.random(in: 0...1500, using: &random)
        let hour = Int.random(in: 0...23, using: &random)
        return (CivilDateTime(date, hour: hour), parts.joined(separator: ";"))
    }

    @Test func rulesWithCountsAreJumpedOverAsDateutilWalksThem() throws {
        var random = SeededGenerator(seed: 21)
        var lines: [String] = []
        var own: [String] = []
        for _ in 0..<(Corpora.isThorough ? 5000 : 120) {
            let (start, text) = Self.randomRule(&random)
            let rule = try RecurrenceRule(text)
            let target = start + Int.random(in: 0...(900 * 86_400), using: &random)
            func written(_ civil: CivilDateTime) -> String { ICalendarTime.floating(civil).text }
            lines.append("\(written(start)) \(text) \(written(target)) 5")
            let starts = EventRecurrence(start: start, rules: [rule]).makeIterator(from: target)
            own.append(
                IteratorSequence(starts).lazy.filter { $0 >= target }.prefix(5).map(written).joined(separator: " "))
        }
        let home = try HelixHome()
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Oracles/expand_rules.py").path
        let result = try home.run(program: "/usr/bin/python3", [script], input: lines.joined(separator: "\n") + "\n")
        #expect(result.status == 0, "\(result.errors)")
        let theirs = result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for place in lines.indices { #expect(own[place] == theirs[place], "\(lines[place])") }
    }
}
