/// Formats ISO 8601 texts for JSON.
public enum ISO8601 {
    /// `2026-12-01`.
    public static func text(_ date: CivilDate) -> String { DigitWriter.text { $0.put(date, separator: "-") } }

    /// `2026-12-01T14:30:00`, with no offset: for floating times.
    public static func text(_ civil: CivilDateTime) -> String { DigitWriter.text { put(civil, &$0) } }

    /// `2026-12-01T14:30:00+01:00`, the instant on `zone`'s wall clock; `Z` for UTC.
    public static func text(_ instant: Instant, in zone: Zone) -> String {
        let offset = zone.offset(at: instant)
        return DigitWriter.text { writer in
            put(CivilDateTime(seconds: instant.seconds + Int64(offset)), &writer)
            put(offset: offset, zone: zone, &writer)
        }
    }

    /// `+01:00`; `Z` for the zone UTC.
    public static func offset(_ seconds: Int, zone: Zone) -> String {
        DigitWriter.text { put(offset: seconds, zone: zone, &$0) }
    }

    private static func put(_ civil: CivilDateTime, _ writer: inout DigitWriter) {
        writer.put(civil.date, separator: "-")
        writer.put("T")
        writer.put(time: civil, separator: ":")
    }

    private static func put(offset seconds: Int, zone: Zone, _ writer: inout DigitWriter) {
        if seconds == 0 && zone.isUTC { return writer.put("Z") }
        let size = abs(seconds)
        writer.put(seconds < 0 ? "-" : "+")
        writer.put(size / 3600, 2)
        writer.put(":")
        writer.put(size / 60 % 60, 2)
        if size % 60 != 0 {
            writer.put(":")
            writer.put(size % 60, 2)
        }
    }

    /// `number` with leading zeros up to `width` digits.
    public static func padded(_ number: Int, _ width: Int) -> String { DigitWriter.text { $0.put(number, width) } }
}
