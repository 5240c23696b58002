/// ISO 8601 texts, as helix prints them in JSON.
public enum ISO8601 {
    /// `2026-12-01`.
    public static func text(_ date: CivilDate) -> String {
        let (year, month, day) = date.components
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// `2026-12-01T14:30:00`, with no offset: for floating times.
    public static func text(_ civil: CivilDateTime) -> String {
        "\(text(civil.date))T\(padded(civil.hour, 2)):\(padded(civil.minute, 2)):\(padded(civil.second, 2))"
    }

    /// `2026-12-01T14:30:00+01:00`, the instant on `zone`'s wall clock; `Z` where the zone is UTC.
    public static func text(_ instant: Instant, in zone: Zone) -> String {
        let offset = zone.offset(at: instant)
        return text(CivilDateTime(seconds: instant.seconds + Int64(offset))) + self.offset(offset, zone: zone)
    }

    /// `+01:00`; `Z` for the zone UTC.
    public static func offset(_ seconds: Int, zone: Zone) -> String {
        if seconds == 0 && zone.isUTC { return "Z" }
        let size = abs(seconds)
        var text = "\(seconds < 0 ? "-" : "+")\(padded(size / 3600, 2)):\(padded(size / 60 % 60, 2))"
        if size % 60 != 0 { text += ":" + padded(size % 60, 2) }
        return text
    }

    /// `number` with leading zeros up to `width` digits.
    public static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(abs(number))
        let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
        return (number < 0 ? "-" : "") + zeros + digits
    }
}
