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
                "TRIGGER:-PT9M", "END:VALARM") == [])
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
