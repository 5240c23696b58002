/// A wall-clock reading: date and time of day, without a zone.
public struct CivilDateTime: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00 on the same wall clock.
    public var seconds: Int64

    /// Creates the reading `seconds` after 1970-01-01T00:00:00, within the limits of ``Instant``.
    public init(seconds: Int64) { self.seconds = min(max(seconds, -Instant.limit), Instant.limit) }

    /// Creates the reading at `secondOfDay` (0–86399) of `date`.
    public init(_ date: CivilDate, secondOfDay: Int = 0) {
        seconds = Int64(date.dayNumber) * 86_400 + Int64(secondOfDay)
    }

    /// Creates the reading at that hour, minute and second of `date`.
    public init(_ date: CivilDate, hour: Int, minute: Int = 0, second: Int = 0) {
        self.init(date, secondOfDay: hour * 3600 + minute * 60 + second)
    }

    /// The day.
    public var date: CivilDate {
        CivilDate(dayNumber: Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400))
    }

    /// Seconds since the day's midnight, 0 to 86399.
    public var secondOfDay: Int { Int(seconds - Int64(date.dayNumber) * 86_400) }
    /// The hour, 0 to 23.
    public var hour: Int { secondOfDay / 3600 }
    /// The minute, 0 to 59.
    public var minute: Int { secondOfDay / 60 % 60 }
    /// The second, 0 to 59.
    public var second: Int { secondOfDay % 60 }

    /// Orders readings, the earlier first.
    public static func < (a: CivilDateTime, b: CivilDateTime) -> Bool { a.seconds < b.seconds }
    /// The reading `seconds` later on the same clock.
    public static func + (a: CivilDateTime, seconds: Int) -> CivilDateTime {
        CivilDateTime(seconds: a.seconds.clampedSum(Int64(seconds)))
    }
    /// The seconds from `b` to `a` on the same clock.
    public static func - (a: CivilDateTime, b: CivilDateTime) -> Int { Int(a.seconds - b.seconds) }
}
