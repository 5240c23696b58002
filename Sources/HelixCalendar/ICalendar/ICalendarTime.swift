import HelixModel

/// A DATE or DATE-TIME value (RFC 5545 §3.3.4, §3.3.5), before its TZID is resolved.
public enum ICalendarTime: Hashable, Sendable {
    case date(CivilDate)
    /// Without `Z`: in the zone of the property's TZID, or floating.
    case floating(CivilDateTime)
    case utc(Instant)

    /// Parses `20261201`, `20261201T143000`, `20261201T143000Z`.
    ///
    /// Missing seconds, hour 24, second 60, dashes and colons are accepted: real files have them.
    public init?(_ text: String) {
        var digits: [Int] = []
        var isDateTime = false
        var isUTC = false
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39:
                guard !isUTC, digits.count < 14 else { return nil }
                digits.append(Int(byte) - 48)
            case 0x54, 0x74:  // T
                guard digits.count == 8, !isDateTime else { return nil }
                isDateTime = true
            case 0x5A, 0x7A:  // Z
                guard !isUTC else { return nil }
                isUTC = true
            case 0x2D, 0x3A, 0x20, 0x0D: continue
            default: return nil
            }
        }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        guard digits.count >= 8,
            let date = CivilDate(validYear: number(0..<4), month: number(4..<6), day: number(6..<8))
        else { return nil }
        guard isDateTime else {
            guard digits.count == 8, !isUTC else { return nil }
            self = .date(date)
            return
        }
        guard digits.count == 14 || digits.count == 12 else { return nil }
        let hour = number(8..<10)
        let minute = number(10..<12)
        let second = digits.count == 14 ? min(59, number(12..<14)) : 0
        guard hour < 24 || (hour == 24 && minute == 0 && second == 0), minute < 60 else { return nil }
        if digits.count == 14 { guard number(12..<14) <= 60 else { return nil } }
        let civil = CivilDateTime(date, hour: hour, minute: minute, second: second)
        self = isUTC ? .utc(Instant(civil.seconds)) : .floating(civil)
    }

    /// The value in the form of RFC 5545.
    public var text: String {
        switch self {
        case .date(let date): ICalendarTime.digits(date)
        case .floating(let civil): ICalendarTime.digits(civil)
        case .utc(let instant): ICalendarTime.digits(CivilDateTime(seconds: instant.seconds)) + "Z"
        }
    }

    private static func digits(_ date: CivilDate) -> String { DigitWriter.text { $0.put(date) } }

    private static func digits(_ civil: CivilDateTime) -> String {
        DigitWriter.text { writer in
            writer.put(civil.date)
            writer.put("T")
            writer.put(time: civil)
        }
    }
}

extension Occurrence {
    /// The RECURRENCE-ID of an occurrence: its original start (RFC 5545 §3.8.4.4).
    public var recurrenceID: String? {
        recurrence.map { civil in
            switch basis {
            case .date: ICalendarTime.date(civil.date).text
            case .floating: ICalendarTime.floating(civil).text
            case .instant: ICalendarTime.floating(civil).text + (zone == "UTC" ? "Z" : "")
            }
        }
    }
}
