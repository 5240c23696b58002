import Glibc

/// A point in time: seconds since 1970-01-01T00:00:00 UTC, leap seconds not counted.
public struct Instant: Hashable, Comparable, Sendable {
    /// Seconds since the Unix epoch, negative before it.
    public var seconds: Int64

    /// Creates an instant at `seconds` since the Unix epoch, UTC; clamped to ``distantFuture``, and as far before the epoch, so
    /// that sums and differences of instants never overflow, even with data of a damaged file.
    public init(_ seconds: Int64) { self.seconds = min(max(seconds, -Instant.limit), Instant.limit) }

    static let limit = Int64.max / 4

    /// The time of the system's clock.
    public static var current: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(Int64(time.tv_sec))
    }

    /// After every instant that a calendar can name.
    public static let distantFuture = Instant(limit)

    /// Orders instants, the earlier first.
    public static func < (a: Instant, b: Instant) -> Bool { a.seconds < b.seconds }
    /// The instant `seconds` later.
    public static func + (a: Instant, seconds: Int) -> Instant { Instant(a.seconds.clampedSum(Int64(seconds))) }
    /// The instant `seconds` earlier.
    public static func - (a: Instant, seconds: Int) -> Instant {
        Instant(a.seconds.clampedSum(-Int64(max(seconds, -.max))))
    }
    /// The seconds from `b` to `a`.
    public static func - (a: Instant, b: Instant) -> Int { Int(a.seconds - b.seconds) }
}

extension Int64 {
    /// The sum, clamped to the range of the type.
    func clampedSum(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }
}

/// A range of time, from `start` up to but excluding `end`.
public struct TimeRange: Hashable, Sendable {
    /// The first instant of the range.
    public var start: Instant
    /// The first instant after the range.
    public var end: Instant

    /// Creates a range from `start` up to but excluding `end`.
    public init(start: Instant, end: Instant) {
        self.start = start
        self.end = end
    }

    /// The length in seconds; 0 for a moment.
    public var duration: Int { end - start }

    /// Whether the two share any instant. Adjacent ranges do not overlap.
    public func overlaps(_ other: TimeRange) -> Bool {
        start < other.end && other.start < end
    }

    /// Whether it overlaps another range; without a duration, whether it is within the other.
    public func touches(_ other: TimeRange) -> Bool {
        start < other.end && (end > other.start || duration <= 0 && start >= other.start)
    }

    /// Whether the range contains `instant`; the end is excluded.
    public func contains(_ instant: Instant) -> Bool {
        start <= instant && instant < end
    }

    /// The overlap of both, if any.
    public func intersection(_ other: TimeRange) -> TimeRange? {
        overlaps(other) ? TimeRange(start: max(start, other.start), end: min(end, other.end)) : nil
    }
}
