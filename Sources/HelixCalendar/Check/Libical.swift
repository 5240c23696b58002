import CLibical
import HelixModel

/// iCalendar as libical reads it: the reference of the field for validity. It is never used to write (docs/architecture.md).
enum Libical {
    /// An error that libical found.
    struct Problem {
        enum Kind { case parse, count, method }
        var kind: Kind
        /// The value of the last ``marker`` before it; 0 without one.
        var line: Int
        /// `VEVENT`.
        var component: String
        /// The property that is counted.
        var property: String?
        /// libical's message; empty for a count.
        var message: String
        /// The number of properties, for a count.
        var count: Int
    }

    /// The main properties of a component.
    struct Reading {
        var component: String
        var uid: String?
        var start: Start?
        /// RRULE in libical's words.
        var rule: String?
    }

    /// A DTSTART.
    struct Start {
        /// Its reading on its own clock.
        var civil: CivilDateTime
        var isDate: Bool
        var isUTC: Bool
        /// Whether its zone is known.
        var hasZone: Bool
        /// The instant; as if it were in UTC if it has no zone.
        var instant: Instant
    }

    /// The property that gives the lines after it their number.
    static let marker = "X-HELIX-LINE"

    static var isAvailable: Bool { helix_ical_is_available() != 0 }

    /// Parses the text of one VCALENDAR.
    /// - Parameter method: whether to check the restrictions of its METHOD.
    /// - Returns: nil if libical finds no calendar in it.
    static func read(_ text: [UInt8], method: Bool) -> (problems: [Problem], readings: [Reading])? {
        let calendar = (text + [0]).withUnsafeBytes { bytes in
            bytes.bindMemory(to: CChar.self).baseAddress.flatMap { helix_ical_parse($0) }
        }
        guard let calendar else { return nil }
        defer { helix_ical_free(calendar) }
        if method { helix_ical_check_method(calendar) }
        var problems: [Problem] = []
        withUnsafeMutablePointer(to: &problems) { list in
            helix_ical_errors(calendar, method ? 0 : 1, list) { context, error in
                guard let context, let error else { return }
                context.assumingMemoryBound(to: [Problem].self).pointee.append(Problem(error.pointee))
            }
        }
        var readings: [Reading] = []
        withUnsafeMutablePointer(to: &readings) { list in
            helix_ical_readings(calendar, list) { context, reading in
                guard let context, let reading else { return }
                context.assumingMemoryBound(to: [Reading].self).pointee.append(Reading(reading.pointee))
            }
        }
        return (problems, readings)
    }
}

extension Libical.Problem {
    fileprivate init(_ error: helix_ical_error) {
        kind =
            switch error.kind {
            case HELIX_ICAL_COUNT: .count
            case HELIX_ICAL_METHOD: .method
            default: .parse
            }
        line = error.line
        component = error.component.map { String(cString: $0) } ?? ""
        property = error.property.map { String(cString: $0) }
        message = error.message.map { String(cString: $0) } ?? ""
        count = Int(error.count)
    }
}

extension Libical.Reading {
    fileprivate init(_ reading: helix_ical_reading) {
        component = reading.component.map { String(cString: $0) } ?? ""
        uid = reading.uid.map { String(cString: $0) }
        rule = reading.rule.map { String(cString: $0) }
        if reading.has_start != 0 {
            let date = CivilDate(year: Int(reading.year), month: Int(reading.month), day: Int(reading.day))
            let clock = Int(reading.hour) * 3600 + Int(reading.minute) * 60 + Int(reading.second)
            start = Libical.Start(
                civil: CivilDateTime(date, secondOfDay: clock), isDate: reading.is_date != 0,
                isUTC: reading.is_utc != 0, hasZone: reading.zone != nil, instant: Instant(reading.start))
        }
    }
}

extension Libical {
    /// Whether values of the property are text, which may be empty; true for X- names.
    static func isText(_ property: String) -> Bool { helix_ical_is_text(property) != 0 }
}
