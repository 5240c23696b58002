import Foundation
import HelixModel
import TestSupport
import Testing

@testable import HelixCalendar

/// `helix cal check`: errors in calendars, by libical and helix's own reader.
@Suite(.enabled(if: CalendarCheck.isAvailable, "libical is not installed")) struct CalendarCheckTests {
    private static let good = [
        "BEGIN:VEVENT", "UID:a@x", "DTSTAMP:20260101T000000Z", "DTSTART;TZID=Europe/Berlin:20260105T090000",
        "DTEND;TZID=Europe/Berlin:20260105T100000", "RRULE:FREQ=WEEKLY;BYDAY=MO", "SUMMARY:Weekly", "LOCATION:",
        "ATTENDEE;CN=\"Ben, B\";PARTSTAT=ACCEPTED:mailto:ben@example.org", "X-NOTE:", "BEGIN:VALARM", "ACTION:DISPLAY",
        "TRIGGER:-PT15M", "DESCRIPTION:Soon", "END:VALARM", "END:VEVENT",
    ]

    private func findings(_ lines: [String], method: String? = nil) -> [CalendarFinding] {
        var all = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:test"]
        if let method { all.append("METHOD:\(method)") }
        return CalendarCheck.findings(in: Array((all + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n").utf8))
    }

    @Test func aValidEventHasNoFindings() {
        #expect(findings(Self.good) == [])
    }

    /// One line is replaced by a wrong one, wherever it is, however much folded text is before it.
    @Test(arguments: [
        ("DTSTART;TZID=Europe/Berlin:20260105T0900", "DTSTART", 4, CalendarFinding.Rule.syntax),
        ("DTEND:tomorrow", "DTEND", 5, .syntax), ("RRULE:FREQ=FORTNIGHTLY", "RRULE", 6, .syntax),
        ("TRIGGER:soon", "TRIGGER", 13, .syntax), ("no property", "", 8, .syntax),
        ("EVENT-ID:5", "EVENT-ID", 8, .syntax),
        ("RDATE:", "RDATE", 8, .syntax), ("DTSTAMP:now", "DTSTAMP", 3, .syntax),
    ])
    func anErrorIsToldWithItsLine(_ line: String, _ property: String, _ place: Int, _ rule: CalendarFinding.Rule) {
        for padding in 0..<4 {
            var lines = Self.good
            lines[place - 1] = line
            let folded = ["X-LONG:" + String(repeating: "a", count: 60)] + Array(repeating: " more", count: padding)
            lines.insert(contentsOf: folded, at: 1)
            let expected = 3 + place + folded.count
            let found = findings(lines).first { $0.rule == rule && $0.line == expected }
            #expect(found != nil, "\(findings(lines).map(\.text))")
            #expect(found?.property ?? "" == property)
        }
    }

    @Test(arguments: ["UID", "DTSTAMP", "DTSTART"]) func aRequiredPropertyIsThereOnce(_ name: String) {
        let without = Self.good.filter { !$0.hasPrefix(name) }
        let found = findings(without).filter { $0.rule == .count }
        #expect(found.map(\.property) == [name])
        #expect(found.first?.line == 4)
        let twice = Self.good.flatMap { $0.hasPrefix(name) ? [$0, $0] : [$0] }
        #expect(findings(twice).contains { $0.rule == .count && $0.property == name })
    }

    @Test func aMessageHasTheRulesOfItsMethod() {
        let published = findings(Self.good, method: "PUBLISH")
        #expect(published.contains { $0.rule == .method && $0.property == "ORGANIZER" })
        let reply = [
            "BEGIN:VEVENT", "UID:a@x", "DTSTAMP:20260101T000000Z", "ORGANIZER:mailto:ana@example.org",
            "ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@example.org", "END:VEVENT",
        ]
        #expect(findings(reply, method: "REPLY") == [])
        #expect(findings(reply).contains { $0.rule == .count && $0.property == "DTSTART" })
        // The method ends with its calendar.
        let two = ["END:VCALENDAR", "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"] + Self.good
        #expect(findings(two, method: "PUBLISH") == [])
    }

    @Test func aZoneDefinedBehindItsUseIsKnown() {
        let zone = [
            "BEGIN:VTIMEZONE", "TZID:Mine", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0330",
            "TZOFFSETTO:+0330", "END:STANDARD", "END:VTIMEZONE",
        ]
        let event = Self.good.map { $0.replacing("Europe/Berlin", with: "Mine") }
        #expect(findings(zone + event) == [])
        #expect(findings(event + zone) == [])
    }

    /// A start that helix reads otherwise than libical: helix exchanges the ends of an event that ends before it begins.
    @Test func aDifferentReadingIsTold() {
        let lines = Self.good.map {
            $0.replacing("DTEND;TZID=Europe/Berlin:20260105T100000", with: "DTEND;TZID=Europe/Berlin:20260105T080000")
        }
        let found = findings(lines)
        #expect(found.map(\.rule) == [.usable, .reading, .syntax])
        #expect(found[1].line == 7 && found[1].message.contains("08:00"))
        #expect(found.last?.property == "DTEND")
    }

    @Test(arguments: [
        ("VERSION:1.0", "PRODID:x", ["VERSION"]), ("VERSION:2.0", "X-A:b", ["PRODID"]),
        ("X-A:b", "PRODID:x", ["VERSION"]),
        ("VERSION:2.0", "PRODID:x", []), ("VERSION:2.0;3.0", "PRODID:", ["PRODID"]),
        ("VERSION:2.0\r\nVERSION:2.0", "PRODID:x\r\nCALSCALE:JULIAN", ["CALSCALE", "VERSION"]),
    ])
    func aCalendarHasItsOwnProperties(_ version: String, _ product: String, _ expected: [String]) {
        let lines = ["BEGIN:VCALENDAR", version, product] + Self.good + ["END:VCALENDAR", ""]
        // Each calendar of a file is checked on its own, with the line of its BEGIN or of the property.
        let text = (lines + lines).joined(separator: "\r\n")
        let found = CalendarCheck.findings(in: Array(text.utf8))
        #expect(found.map(\.component) == Array(repeating: "VCALENDAR", count: expected.count * 2))
        #expect(found.compactMap(\.property).sorted() == (expected + expected).sorted())
        let places = text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        for finding in found {
            let line = places[finding.line - 1]
            #expect(line == "BEGIN:VCALENDAR" || line.hasPrefix(finding.property ?? "-"), "\(finding.text)")
        }
    }

    @Test(arguments: ["LAST-MODIFIED", "CREATED", "DTSTAMP"], ["20260101", "20260101T100000", "2026", ""])
    func aMomentIsInUTC(_ name: String, _ value: String) {
        let lines = Self.good.filter { !$0.hasPrefix(name) }
        let found = findings(Array(lines.prefix(2)) + ["\(name):\(value)"] + lines.dropFirst(2))
        #expect(Set(found.map(\.property)) == [name], "\(found.map(\.text))")
        #expect(found.contains { $0.line == 6 })
    }

    @Test func textThatIsNotUTF8IsTold() {
        var bytes = Array(
            (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"] + Self.good + ["END:VCALENDAR", ""]).joined(separator: "\n")
                .utf8)
        let place = bytes.firstRange(of: Array("Weekly\n".utf8))?.lowerBound ?? 0
        bytes[place] = 0xE9
        let found = CalendarCheck.findings(in: bytes)
        #expect(found.map(\.line) == [10])
        #expect(found.first?.property == "SUMMARY")
        #expect(found.first?.message.contains("UTF-8") == true)
    }

    /// A value that libical refuses is not told a second time because helix ignores it.
    @Test func anInvalidRuleIsToldOnce() {
        let lines = Self.good.map { $0.hasPrefix("RRULE") ? "RRULE:FREQ=DAILY;BYDAY=XX" : $0 }
        #expect(findings(lines).map(\.property) == ["RRULE"])
    }

    /// What helix and libical read differently in the real calendars, file by file: each has been looked at.
    @Test(.enabled(if: Corpora.isAvailable, "the corpora are missing"))
    func bothReadRealCalendarsAlike() throws {
        let disputed: [String: String] = [
            "ical4j__OZMovies.ics": "its VTIMEZONE has no onset",
            "libical__poc-01.ics": "before the zone's first onset",
            "calcurse__ical-009.ics": "ends before it begins",
            "ical4j__rfc5545-sec4.2.ics": "before the zone's first onset",
            "ical4j__stacksize.ics": "its VTIMEZONE has no onset", "libical__2445.ics": "before the zone's first onset",
            "libical__2446.ics": "ends before it begins", "rie__end_before_start_event.ics": "ends before it begins",
            "rie__issue_132_swapped_start_and_end.ics": "ends before it begins",
        ]
        var found: Set<String> = []
        for folder in ["parse", "malformed", "recur"] {
            for file in try FileManager.default.contentsOfDirectory(atPath: Corpora.file("ics/\(folder)").path)
            where file.hasSuffix(".ics") {
                let bytes = [UInt8](try Corpora.data("ics/\(folder)/\(file)"))
                for finding in CalendarCheck.findings(in: bytes)
                where finding.rule == .reading && finding.property == "DTSTART" {
                    found.insert(file)
                    #expect(disputed[file] != nil, "\(file): \(finding.text)")
                }
            }
        }
        #expect(found == Set(disputed.keys))
    }

    /// Random bytes in real structures end neither reader, and each finding has a line of the file.
    @Test func damagedCalendarsAreRead() {
        var random = SeededGenerator(seed: 22)
        let text = Array(
            (["BEGIN:VCALENDAR", "METHOD:REQUEST"] + Self.good + ["END:VCALENDAR", ""]).joined(separator: "\n").utf8)
        for _ in 0..<3_000 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default:
                    bytes.insert(contentsOf: Array(";:,=\"\n\\".utf8).shuffled(using: &random).prefix(2), at: place)
                }
            }
            let lines = bytes.count { $0 == 0x0A } + 1
            for finding in CalendarCheck.findings(in: bytes) {
                #expect((1...lines).contains(finding.line), "\(finding.text)")
            }
        }
    }
}
