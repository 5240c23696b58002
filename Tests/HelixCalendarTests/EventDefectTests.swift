import HelixModel
import Testing

@testable import HelixCalendar

/// An event whose values have no meaning is read without them, and the reader names each one.
@Suite struct EventDefectTests {
    private func read(_ lines: [String]) throws -> EventComponent {
        var own = lines
        if !own.contains(where: { $0.hasPrefix("DTSTART") }) { own.insert("DTSTART:20261201T100000Z", at: 0) }
        let text = (["BEGIN:VEVENT", "UID:a"] + own + ["END:VEVENT"]).map { $0 + "\n" }.joined()
        return try EventComponent(Array(text.utf8), zones: ZoneResolver())
    }

    static let unusable = [
        "STATUS:CONFIRMD", "TRANSP:BUSY", "SEQUENCE:two", "DTSTAMP:yesterday", "LAST-MODIFIED:2026", "DURATION:1h",
        "DURATION:-PT1H", "DTEND:noon", "EXDATE:20261202T100000Z,never", "RDATE:soon", "RDATE:20261203T100000Z/later",
        "RRULE:FREQ=SOMETIMES", "X-APPLE-TRAVEL-DURATION:far", "X-APPLE-TRAVEL-DURATION:P3D",
        "ATTENDEE;PARTSTAT=MAYBE:mailto:ana@example.org", "RECURRENCE-ID;RANGE=THISANDPRIOR:20261201T100000Z",
        "DTSTART:20261201T100000Z,20261202T100000Z", "DTEND;VALUE=DATE:20261202",
    ]

    @Test(arguments: unusable) func aValueWithoutMeaningIsNamed(_ line: String) throws {
        let event = try read([line])
        #expect(event.warnings.count == 1, "\(event.warnings)")
        let name = line.prefix { $0.isUppercase || $0 == "-" }
        let remark = event.warnings.first ?? ""
        #expect(remark.contains(name == "RRULE" ? "rule" : name == "ATTENDEE" ? "PARTSTAT" : name), "\(remark)")
    }

    static let usable = [
        "STATUS:cancelled", "STATUS:TENTATIVE", "TRANSP:transparent", "TRANSP:OPAQUE", "SEQUENCE: 3",
        "DTSTAMP:20261101T100000Z", "LAST-MODIFIED:20261101T100000", "DURATION:PT1H", "DURATION:P1D",
        "DTEND:20261201T110000Z", "EXDATE:20261202T100000Z,20261203T100000Z", "RDATE:20261203T100000Z/PT1H",
        "X-APPLE-TRAVEL-DURATION:PT30M", "ATTENDEE;PARTSTAT=needs-action:mailto:ana@example.org",
        "ATTENDEE:mailto:ana@example.org", "RECURRENCE-ID;RANGE=THISANDFUTURE:20261201T100000Z", "DTSTART:20261201",
    ]

    @Test(arguments: usable) func aValueWithMeaningHasNoRemark(_ line: String) throws {
        #expect(try read([line]).warnings == [])
    }

    @Test(arguments: [
        ("TRIGGER:soon", "'soon'"), ("TRIGGER;VALUE=DATE-TIME:20261201", "'20261201'"),
        ("ACTION:DISPLAY", "no TRIGGER"),
    ]) func anAlarmThatCannotRingIsNamed(_ line: String, _ words: String) throws {
        let event = try read(["BEGIN:VALARM", line, "END:VALARM"])
        #expect(
            event.alarms.isEmpty && event.warnings.count == 1 && event.warnings[0].contains(words), "\(event.warnings)")
        let two = try read(["BEGIN:VALARM", line, "END:VALARM", "BEGIN:VALARM", "TRIGGER:-PT5M", "END:VALARM"])
        #expect(two.alarms.count == 1 && two.warnings == event.warnings)
    }

    /// Of what an event has at most once, a second value is not lost in silence.
    @Test(arguments: [
        "SUMMARY:a", "LOCATION:a", "DESCRIPTION:a", "URL:https://example.org", "STATUS:CONFIRMED", "TRANSP:OPAQUE",
        "DTEND:20261201T110000Z", "DURATION:PT1H", "ORGANIZER:mailto:a@example.org", "SEQUENCE:1",
        "DTSTAMP:20261101T100000Z", "LAST-MODIFIED:20261101T100000Z", "DTSTART:20261201T100000Z", "UID:b",
    ]) func aSecondValueIsNamed(_ line: String) throws {
        let name = line.prefix { $0 != ":" }
        let event = try read([line, line])
        #expect(
            event.warnings.count == 1 && event.warnings[0].hasPrefix("\(name) is there more than once"),
            "\(event.warnings)")
    }

    @Test func aDurationBesideAnEndIsNamed() throws {
        let event = try read(["DTEND:20261201T110000Z", "DURATION:PT3H"])
        #expect(event.warnings == ["DURATION is ignored, since there is a DTEND"])
        #expect(event.length == ICalendarDuration(seconds: 3600))
    }
}
