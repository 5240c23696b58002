import HelixCalendar
import TestSupport
import Testing

/// What RFC 5545 forbids is found, also where libical says nothing.
@Suite(.enabled(if: CalendarCheck.isAvailable, "needs libical"))
struct ComponentRulesTests {
    private static func findings(_ lines: String...) -> [String] {
        let component =
            ["BEGIN:VEVENT", "UID:u", "DTSTAMP:20260101T000000Z"] + lines + ["END:VEVENT"]
        let text = (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//t//t//EN"] + component + ["END:VCALENDAR", ""])
        return CalendarCheck.findings(in: Array(text.joined(separator: "\r\n").utf8))
            .map { "\($0.line) \($0.rule.rawValue) \($0.property ?? $0.component)" }
    }

    private static let start = "DTSTART:20261118T100000Z"

    @Test(arguments: [
        (["DTEND:20261118T110000Z", "DURATION:PT5H"], ["9 count DURATION"]),
        (["STATUS:FOO"], ["8 syntax STATUS"]), (["STATUS:COMPLETED"], ["8 syntax STATUS"]),
        (["PRIORITY:hello"], ["8 syntax PRIORITY"]), (["PRIORITY:10"], ["8 syntax PRIORITY"]),
        (["SEQUENCE:-1"], ["8 syntax SEQUENCE"]), (["TRANSP:MAYBE"], ["8 syntax TRANSP"]),
        (["DTEND;VALUE=DATE:20261119"], ["8 syntax DTEND"]), (["SUMMARY:a", "SUMMARY:b"], ["9 count SUMMARY"]),
        (["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", "END:VALARM"], ["8 count VALARM"]),
        (["BEGIN:VALARM", "TRIGGER:-PT5M", "END:VALARM"], ["8 count VALARM"]),
        (["DTEND:20261118T100000Z"], ["8 syntax DTEND"]), (["DTEND:20261118T090000Z"], ["8 syntax DTEND"]),
        (["DTEND:20261119"], ["8 syntax DTEND"]), (["DTEND;TZID=Europe/Rome:20261118T110000Z"], ["8 syntax DTEND"]),
        (["EXDATE:20261119"], ["8 syntax EXDATE"]), (["EXDATE;VALUE=DATE:20261119T100000Z"], ["8 syntax EXDATE"]),
        (["RDATE;VALUE=PERIOD:20261119T100000Z/20261119T090000Z"], ["8 syntax RDATE"]),
        (["RDATE;VALUE=PERIOD:20261119T100000Z/-PT1H"], ["8 syntax RDATE"]),
        (["DURATION:-PT1H"], ["8 syntax DURATION"]), (["GEO:91;0"], ["8 syntax GEO"]), (["GEO:12"], ["8 syntax GEO"]),
        (["ATTENDEE:ana@example.org"], ["8 syntax ATTENDEE"]), (["ATTENDEE:mailto:ana"], ["8 syntax ATTENDEE"]),
        (["ORGANIZER:Ana"], ["8 syntax ORGANIZER"]), (["URL:example.org"], ["8 syntax URL"]),
        (["ATTACH:a.pdf"], ["8 syntax ATTACH"]),
        (
            ["BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER;VALUE=DATE-TIME:20261118T090000", "END:VALARM"],
            ["10 syntax TRIGGER"]
        ),
        (["BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER:20261118T090000Z", "END:VALARM"], ["10 syntax TRIGGER"]),
    ])
    func whatIsForbiddenIsFound(_ lines: [String], _ wanted: [String]) {
        let text =
            [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//t//t//EN", "BEGIN:VEVENT", "UID:u",
                "DTSTAMP:20260101T000000Z",
            ]
            + [Self.start] + lines + ["END:VEVENT", "END:VCALENDAR", ""]
        let found = CalendarCheck.findings(in: Array(text.joined(separator: "\r\n").utf8), comparesReadings: false)
            .filter { $0.rule != .usable }
            .map { "\($0.line) \($0.rule.rawValue) \($0.property ?? $0.component)" }
        #expect(found == wanted)
    }

    @Test func whatIsAllowedIsNoFinding() {
        #expect(
            Self.findings(
                Self.start, "DTEND:20261118T110000Z", "STATUS:confirmed", "PRIORITY:0", "SEQUENCE:12",
                "TRANSP:OPAQUE", "SUMMARY:a", "COMMENT:b", "COMMENT:c", "CATEGORIES:d", "CATEGORIES:e", "BEGIN:VALARM",
                "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT5M", "END:VALARM", "BEGIN:VALARM", "ACTION:AUDIO",
                "TRIGGER:-PT9M", "END:VALARM", "BEGIN:VALARM", "ACTION:AUDIO",
                "TRIGGER;VALUE=DATE-TIME:20261118T090000Z", "END:VALARM") == [])
        #expect(
            Self.findings(
                "DTSTART;VALUE=DATE:20261118", "DTEND;VALUE=DATE:20261119", "GEO:-37.386013;122.082932",
                "ATTENDEE;CN=Ana:mailto:ana@example.org", "ATTENDEE:invalid:nomail", "ORGANIZER:urn:uuid:1",
                "URL:https://example.org", "ATTACH:CID:part1", "ATTACH;VALUE=BINARY;ENCODING=BASE64:AAAA",
                "RDATE;VALUE=DATE:20261120,20261121", "EXDATE;VALUE=DATE:20261122") == [])
    }

    @Test func theZoneOfACalendarIsTold() {
        func found(_ zone: String, _ start: String) -> [String] {
            let text = [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//t//t//EN", "X-WR-TIMEZONE:\(zone)", "BEGIN:VEVENT",
                "UID:u",
                "DTSTAMP:20260101T000000Z", start, "END:VEVENT", "END:VCALENDAR", "",
            ]
            return CalendarCheck.findings(in: Array(text.joined(separator: "\r\n").utf8)).map {
                "\($0.line) \($0.rule.rawValue) \($0.property ?? "")"
            }
        }
        #expect(found("Europe/Rome", "DTSTART:20261118T100000") == ["4 reading X-WR-TIMEZONE"])
        #expect(found("Europe/Rome", Self.start) == [])
        #expect(found("Mars/Olympus", Self.start) == ["4 usable X-WR-TIMEZONE"])
    }

    @Test func anEmptyUIDIsReplacedByOne() throws {
        let event = ["BEGIN:VEVENT", "UID:", "DTSTAMP:20260101T000000Z", Self.start, "END:VEVENT", ""]
        var reader = CalendarFileReader(Array(event.joined(separator: "\r\n").utf8))
        var texts: [String] = []
        while let part = try reader.next() {
            if case .events(let group) = part { texts.append(String(decoding: group.text, as: UTF8.self)) }
        }
        #expect(texts.count == 1)
        #expect(texts[0].split(separator: "\n").count { $0.hasPrefix("UID") } == 1, "\(texts)")
        #expect(!texts[0].contains("UID:\n"))
    }

    @Test func anEventThatIsThereTwiceIsFound() {
        let event = ["BEGIN:VEVENT", "UID:u", "DTSTAMP:20260101T000000Z", Self.start, "END:VEVENT"]
        let text =
            (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//t//t//EN"] + event + event + ["END:VCALENDAR", ""])
            .joined(separator: "\r\n")
        let found = CalendarCheck.findings(in: Array(text.utf8))
        #expect(found.map(\.line) == [9] && found.first?.property == "UID")
    }
}
