import HelixModel

/// Working hours: hours of the day, on certain weekdays, in a zone.
public struct WorkingHours: Hashable, Sendable {
    /// Seconds after midnight at which the day begins and ends; the end may be 24 hours.
    public var start: Int
    /// See ``start``.
    public var end: Int
    /// The days of the week.
    public var weekdays: Set<Weekday>

    /// Creates working hours from `start` to `end`, in seconds after midnight, on `weekdays`.
    public init(start: Int, end: Int, weekdays: Set<Weekday> = Set(Weekday.allCases)) {
        self.start = start
        self.end = end
        self.weekdays = weekdays
    }

    /// The working time ranges within `range`, in `zone`. Hours that end before they start extend overnight.
    public func windows(in range: TimeRange, zone: Zone) -> [TimeRange] {
        var windows: [TimeRange] = []
        var day = zone.date(range.start) - 1
        let last = zone.date(range.end)
        while day <= last {
            defer { day = day + 1 }
            guard weekdays.contains(day.weekday) else { continue }
            let until = end > start ? end : end + 86_400
            let open = zone.instant(CivilDateTime(day) + start)
            let close = zone.instant(CivilDateTime(day) + until)
            if let window = TimeRange(start: open, end: close).intersection(range) { windows.append(window) }
        }
        return windows
    }
}

/// A search for free time.
public enum FreeTime {
    /// The free ranges of at least `duration` seconds within `windows`, in order.
    ///
    /// - Parameters:
    ///   - busy: busy occurrences, in any order; travel time counts.
    ///   - buffer: seconds to keep free before and after busy time.
    public static func slots(
        in windows: [TimeRange], busy: [Occurrence], duration: Int, buffer: Int, policy: ConflictPolicy
    ) -> [TimeRange] {
        let taken = busy.filter { $0.isBusy && (policy.includesAllDay || !$0.time.isAllDay) }.map { occurrence in
            let range = occurrence.time.range(in: policy.zone)
            return TimeRange(start: range.start - occurrence.travel - buffer, end: range.end + buffer)
        }.filter { $0.duration > 0 }.sorted { $0.start < $1.start }
        var slots: [TimeRange] = []
        var first = 0
        for window in windows {
            var cursor = window.start
            while first < taken.count, taken[first].end <= window.start { first += 1 }
            for range in taken[first...] {
                if range.start >= window.end { break }
                if range.end <= cursor { continue }
                if range.start - cursor >= duration { slots.append(TimeRange(start: cursor, end: range.start)) }
                cursor = max(cursor, range.end)
            }
            if window.end - cursor >= duration { slots.append(TimeRange(start: cursor, end: window.end)) }
        }
        return slots
    }
}
