import HelixCalendar
import HelixModel
import TestSupport
import Testing

/// Calendars of strangers.
@Suite struct CalendarFuzzTests {
    private static let head = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//fuzz//fuzz//EN\r\n"
    private static let zone =
        "BEGIN:VTIMEZONE\r\nTZID:Office\r\nBEGIN:STANDARD\r\nDTSTART:19701025T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\n"
        + "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\nEND:STANDARD\r\nBEGIN:DAYLIGHT\r\nDTSTART:19700329T020000\r\n"
        + "TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n"
    private static func event(_ lines: String...) -> String {
        (["BEGIN:VEVENT", "UID:a@fuzz", "DTSTAMP:20260101T000000Z"] + lines + ["END:VEVENT", ""]).joined(
            separator: "\r\n")
    }
    private static let samples = [
        head + zone
            + event(
                "DTSTART;TZID=Office:20261118T090000", "DURATION:PT1H30M", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=12",
                "EXDATE;TZID=Office:20261123T090000", "SUMMARY:A\\, b\\nc")
            + event("RECURRENCE-ID;TZID=Office:20261125T090000", "DTSTART:20261126T090000Z", "SUMMARY:Moved")
            + "END:VCALENDAR\r\n",
        head
            + event(
                "DTSTART;VALUE=DATE:20260229", "DTEND;VALUE=DATE:20260302",
                "RRULE:FREQ=MONTHLY;BYDAY=-1FR;BYSETPOS=1,-1",
                "RDATE;VALUE=PERIOD:20260101T000000Z/PT1H", "ATTENDEE;CN=\"Ana: B\";PARTSTAT=DECLINED:mailto:a@b.org")
            + "END:VCALENDAR\r\n",
        head
            + event(
                "DTSTART:20261118T090000", "RRULE:FREQ=SECONDLY;INTERVAL=7;BYMINUTE=0,30;UNTIL=20261119T000000",
                "BEGIN:VALARM", "TRIGGER:-PT15M", "ACTION:DISPLAY", "END:VALARM")
            + "BEGIN:VTODO\r\nUID:t\r\nDUE:20261201T000000Z\r\nEND:VTODO\r\nEND:VCALENDAR\r\n",
    ]
    private static let words = [
        "\r\n ", "\r\n", ";", ":", ",", "=", "\"", "BEGIN:VEVENT\r\n", "END:VEVENT\r\n", "END:VCALENDAR\r\n",
        "RRULE:FREQ=YEARLY\r\n",
        "BYSETPOS=-1;", "BYWEEKNO=53;", "BYYEARDAY=-366;", "WKST=SU;", "INTERVAL=0;", "COUNT=999999999;",
        "UNTIL=99991231;",
        "DTSTART:00010101T000000Z\r\n", "DURATION:P9999999W\r\n", "RANGE=THISANDFUTURE", "TZID=Nowhere", "VALUE=DATE",
        "\\",
    ]

    /// The parts of a calendar, as their texts.
    private static func parts(_ chunks: [[UInt8]]) throws -> [String] {
        var rest = chunks[...]
        var reader = CalendarFileReader { rest.popFirst() ?? [] }
        var found: [String] = []
        while let part = try reader.next() {
            switch part {
            case .calendarBegin: found.append("begin")
            case .calendarProperty(let property, _): found.append("property \(property.name)")
            case .events(let group): found.append(String(decoding: group.text, as: UTF8.self))
            case .other(let raw), .timezone(let raw): found.append(String(decoding: raw.text, as: UTF8.self))
            case .defect(let defect): found.append("defect \(defect)")
            case .calendarEnd: found.append("end")
            }
        }
        return found
    }

    /// A calendar is read the same way in whatever pieces it comes, and what is stored of it is read as the same again.
    @Test func calendarsAreReadTheSameInAllPieces() throws {
        var events = 0
        try Mutation(Self.samples, words: Self.words).run { bytes, random in
            let whole = try Self.parts([bytes])
            #expect(try Self.parts(bytes.cut(&random)) == whole)
            for part in whole where part.hasPrefix("BEGIN:VEVENT") {
                events += 1
                let again = try Self.parts([Array((Self.head + part + "END:VCALENDAR\n").utf8)])
                #expect(again.contains(part), "\(part)")
            }
        }
        #expect(events > Mutation.count / 2)
    }

    /// Whatever the rule, the occurrences of a window are found, all within it.
    @Test func occurrencesOfAnyRuleAreFound() throws {
        let start = Instant(1_790_000_000)
        let range = TimeRange(start: start, end: start + 60 * 86_400)
        var count = 0
        try Mutation(Self.samples, words: Self.words).run { bytes, _ in
            var reader = CalendarFileReader(bytes)
            while let part = try reader.next() {
                guard case .events(let group) = part else { continue }
                let components = group.components.compactMap { try? EventComponent($0.text, zones: group.zones) }
                if components.isEmpty { continue }
                let window = EventSeries(components).window(range, reach: 0, limit: 200)
                count += window.instances.count
                // The limit is for rules; what was moved or added comes on top.
                #expect(window.instances.count <= 300)
                for instance in window.instances {
                    #expect(instance.start < range.end.seconds && instance.end >= range.start.seconds)
                }
            }
        }
        #expect(count > Mutation.count)
    }
}
