import HelixCalendar
import HelixModel
import HelixStore
import TestSupport
import Testing

@testable import HelixCommands

/// Calendars that are read ahead in another thread are the same as those that are not.
@Suite struct CalendarReadAheadTests {
    private static let zone = [
        "BEGIN:VTIMEZONE", "TZID:Mine", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0330",
        "TZOFFSETTO:+0330",
        "END:STANDARD", "END:VTIMEZONE",
    ]

    private static func calendar(_ random: inout SeededGenerator) -> [String] {
        var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"]
        let isBound = Int.random(in: 0..<3, using: &random) == 0
        if isBound { lines.append("X-WR-TIMEZONE:America/New_York") }
        if Bool.random(using: &random) { lines += zone }
        for number in 0..<Int.random(in: 1...300, using: &random) {
            let starts = [
                "DTSTART:20261201T100000Z", "DTSTART:20261201T100000", "DTSTART;VALUE=DATE:20261201",
                "DTSTART:nonsense",
                "DTSTART;TZID=Mine:20261201T100000", "DTSTART;TZID=Nowhere:20261201T100000",
                "DTSTART;TZID=Europe/Rome:20261201T100000",
            ]
            lines += ["BEGIN:VEVENT"]
            if Int.random(in: 0..<8, using: &random) > 0 { lines.append("UID:\(number / 2)") }
            lines += [starts.randomElement(using: &random) ?? starts[0], "SUMMARY:\(number)", "X-HELIX-CALENDAR:a"]
            if Bool.random(using: &random) { lines += ["RRULE:FREQ=DAILY;COUNT=3", "STATUS:FOO"] }
            lines += ["END:VEVENT"]
        }
        if Bool.random(using: &random) { lines += zone }
        return lines + ["END:VCALENDAR"]
    }

    /// All groups of events, as texts, with what an import stores of them.
    private static func groups(_ pieces: any ICalendarPieces) throws -> [String] {
        var reader = CalendarFileReader(pieces)
        var found: [String] = []
        while let part = try reader.next() {
            guard case .events(var group) = part else { continue }
            let name = CalendarNameLine.take(from: &group) ?? ""
            let read = group.components.map { raw in
                let event = Result { () throws(EventComponentError) in try raw.readEvent(group.zones) }
                return "\(event)"
            }
            found.append("\(group.uid) \(name) \(String(decoding: group.text, as: UTF8.self)) \(read)")
        }
        return found + ["\(reader.hasContent)"]
    }

    @Test func whatIsReadAheadIsTheSame() throws {
        var random = SeededGenerator(seed: 2_411)
        for _ in 0..<20 {
            let text = (0..<Int.random(in: 0...8, using: &random)).flatMap { _ in Self.calendar(&random) }
            let bytes = Array(text.joined(separator: "\r\n").utf8)
            func chunks() -> () throws -> [UInt8] {
                var rest = bytes[...]
                return {
                    defer { rest = rest.dropFirst(5_000) }
                    return Array(rest.prefix(5_000))
                }
            }
            let plain = try Self.groups(ICalendarReader(chunks()))
            let ahead = try CalendarReadAhead(keepsLineNumbers: false, chunks())
            #expect(try Self.groups(ahead) == plain)
        }
    }

    @Test func anErrorOfTheSourceIsThrownWhereItIs() throws {
        var count = 0
        let ahead = try CalendarReadAhead(keepsLineNumbers: false) {
            count += 1
            if count == 3 { throw HelixError(.io, "broken") }
            return Array("BEGIN:VEVENT\nUID:\(count)\nDTSTART:20261201T100000Z\nEND:VEVENT\n".utf8)
        }
        #expect(throws: HelixError.self) { try Self.groups(ahead) }
    }

    /// The thread ends although nobody reads the rest.
    @Test func aReaderThatStopsLetsTheThreadEnd() throws {
        for _ in 0..<50 {
            var rest = 100_000
            var ahead = try CalendarReadAhead(keepsLineNumbers: true) {
                rest -= 1
                return rest > 0 ? Array("BEGIN:VEVENT\nUID:\(rest)\nDTSTART:20261201T100000Z\nEND:VEVENT\n".utf8) : []
            }
            _ = try ahead.next()
            ahead.stop()
        }
    }
}
