import Foundation
import HelixModel
import TestSupport
import Testing

@testable import HelixCalendar

/// Reminders go off when they should: none is missed, and none goes off twice.
@Suite struct AlarmTimesTests {
    private static let zones = [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Chatham", "UTC",
        "America/St_Johns", "Africa/Cairo", "Asia/Tokyo", "America/Santiago", "Pacific/Apia", "Europe/London",
    ]

    /// An event with its reminders, as iCalendar and as the oracle reads it.
    private struct Case {
        var lines: [String] = []
        var zone: String?
        var json: [String: Any] = [:]
    }

    private static func event(_ random: inout SeededGenerator, _ year: TimeRange, viewer: String) -> Case {
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        var made = Case()
        let isDay = chance(20)
        made.zone = isDay || chance(20) ? nil : zones.randomElement(using: &random)
        let first = CivilDate(year: 2026, month: 1, day: 1) + Int.random(in: -30...360, using: &random)
        // Clock changes are at night.
        let hour = chance(50) ? Int.random(in: 0...4, using: &random) : Int.random(in: 0...23, using: &random)
        let start = CivilDateTime(
            first, hour: isDay ? 0 : hour, minute: isDay ? 0 : 15 * Int.random(in: 0...3, using: &random))
        func text(_ civil: CivilDateTime) -> String {
            isDay ? ICalendarTime.date(civil.date).text : ICalendarTime.floating(civil).text
        }
        func time(_ name: String, _ civil: CivilDateTime) -> String {
            let parameter = isDay ? ";VALUE=DATE" : made.zone.map { $0 == "UTC" ? "" : ";TZID=\($0)" } ?? ""
            return "\(name)\(parameter):\(text(civil))\(made.zone == "UTC" ? "Z" : "")"
        }
        let minutes = isDay ? Int.random(in: 1...3, using: &random) : 15 * Int.random(in: 0...200, using: &random)
        let length = isDay ? "P\(minutes)D" : "PT\(minutes)M"
        var rule: String?
        if chance(60) {
            let unit = ["DAILY", "WEEKLY", "MONTHLY"].randomElement(using: &random) ?? "DAILY"
            // A day of the month that each month has.
            if unit != "MONTHLY" || first.day <= 28 {
                let count = Int.random(in: 2...40, using: &random)
                rule =
                    "FREQ=\(unit);INTERVAL=\(Int.random(in: 1...4, using: &random))"
                    + (chance(70) ? ";COUNT=\(count)" : "")
            }
        }
        var starts: [CivilDateTime] = [start]
        if let rule, let parsed = try? RecurrenceRule(rule) {
            starts = Array(EventRecurrence(start: start, rules: [parsed]).prefix(12))
        }
        var rest = Array(Set(starts).subtracting([start])).sorted { $0.seconds < $1.seconds }
        var excluded: [CivilDateTime] = []
        var moved: [(CivilDateTime, CivilDateTime)] = []
        if rule != nil, chance(40), !rest.isEmpty {
            excluded.append(rest.remove(at: Int.random(in: 0..<rest.count, using: &random)))
        }
        if rule != nil, chance(40), !rest.isEmpty {
            let old = rest.remove(at: Int.random(in: 0..<rest.count, using: &random))
            let shift = isDay ? 86_400 : 900 * Int.random(in: -80...80, using: &random)
            moved.append((old, old + shift))
        }
        var (alarms, objects): ([String], [[String: Any]]) = ([], [])
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let isEnd = chance(20)
            var object: [String: Any] = ["end": isEnd, "count": 0, "interval": 0]
            var lines = ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x"]
            // A reminder at a fixed time belongs to the event, not to a moved occurrence of it.
            if chance(10), moved.isEmpty {
                let at = year.start.seconds + Int64.random(in: 0..<Int64(year.duration), using: &random)
                object["at"] = at
                lines.append("TRIGGER;VALUE=DATE-TIME:\(ICalendarTime.utc(Instant(at)).text)")
            } else {
                let sign = chance(80) ? -1 : 1
                let days = chance(40) ? Int.random(in: 0...40, using: &random) : 0
                let seconds = chance(70) ? 60 * Int.random(in: 0...1_500, using: &random) : 0
                (object["days"], object["seconds"]) = (sign * days, sign * seconds)
                let value = ICalendarDuration(days: days, seconds: seconds).text
                lines.append("TRIGGER\(isEnd ? ";RELATED=END" : ""):\(sign < 0 ? "-" : "")\(value)")
            }
            if chance(15) {
                let (count, interval) = (Int.random(in: 1...5, using: &random), Int.random(in: 1...90, using: &random))
                (object["count"], object["interval"]) = (count, interval * 60)
                lines += ["REPEAT:\(count)", "DURATION:PT\(interval)M"]
            }
            alarms += lines + ["END:VALARM"]
            objects.append(object)
        }
        made.lines = ["BEGIN:VEVENT", "UID:a", time("DTSTART", start), "DURATION:\(length)"]
        if let rule { made.lines.append("RRULE:\(rule)") }
        made.lines += excluded.map { time("EXDATE", $0) } + alarms + ["END:VEVENT"]
        for (old, new) in moved {
            made.lines += [
                "BEGIN:VEVENT", "UID:a", time("RECURRENCE-ID", old), time("DTSTART", new), "DURATION:\(length)",
            ]
            made.lines += alarms + ["END:VEVENT"]
        }
        made.json = [
            "start": text(start), "zone": made.zone ?? NSNull(), "viewer": viewer, "hour": 9 * 3600,
            "rule": rule ?? NSNull(),
            "excluded": excluded.map(text),
            "moved": Dictionary(uniqueKeysWithValues: moved.map { (text($0), text($1)) }),
            "minutes": minutes, "alarms": objects, "from": year.start.seconds, "to": year.end.seconds,
        ]
        return made
    }

    private static func series(_ lines: [String]) throws -> EventSeries {
        let text = lines.map { $0 + "\n" }.joined()
        return EventSeries(
            try ICalendarComponent.list(text).map { try EventComponent(Array($0.text.utf8), zones: ZoneResolver()) })
    }

    /// A year is read in pieces of any length, as a program does that sleeps now and then.
    @Test func noneIsMissedAndNoneGoesOffTwice() throws {
        var random = SeededGenerator(seed: 2_803)
        let start = try #require(ISO8601Reader.instant("2026-01-01T00:00:00Z"))
        let year = TimeRange(start: start, end: start + 365 * 86_400)
        var (lines, own): ([String], [String]) = ([], [])
        var cases: [Case] = []
        for _ in 0..<(Corpora.isThorough ? 20_000 : 3_000) {
            let viewer = Self.zones.randomElement(using: &random) ?? "UTC"
            let event = Self.event(&random, year, viewer: viewer)
            let series = try Self.series(event.lines)
            let times = AlarmTimes(zone: try #require(ZoneDatabase.zone(tzid: viewer)), allDay: 9 * 3600)
            var found: [Instant] = []
            var place = year.start
            while place < year.end {
                let next = min(place + Int.random(in: 60...(90 * 86_400), using: &random), year.end)
                let (part, isComplete) = times.times(
                    of: series, in: TimeRange(start: place, end: next), reach: 15 * 3600, limit: 50_000)
                #expect(isComplete && part.map(\.time) == part.map(\.time).sorted())
                found += part.map(\.time)
                place = next
            }
            own.append(found.map { String($0.seconds) }.joined(separator: " "))
            lines.append(String(decoding: try JSONSerialization.data(withJSONObject: event.json), as: UTF8.self))
            cases.append(event)
        }
        let home = try HelixHome()
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Oracles/ring_alarms.py").path
        let result = try home.run(program: "/usr/bin/python3", [script], input: lines.joined(separator: "\n") + "\n")
        #expect(result.status == 0, "\(result.errors)")
        let theirs = result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var count = 0
        for place in lines.indices {
            count += own[place].split(separator: " ").count
            #expect(own[place] == theirs[place], "\(lines[place])")
        }
        #expect(count > 10_000, "\(count)")
    }
}
