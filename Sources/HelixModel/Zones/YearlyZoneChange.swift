/// A yearly change of a zone's clock, expressed as calendar rules do: months, days of the month, weekdays.
///
/// POSIX rules may name hours before or after the day (`M10.5.4/24`, `M3.5.0/-1`), which move the change to another day,
/// sometimes of another month; such a change becomes several of these.
public struct YearlyZoneChange: Hashable, Sendable {
    /// The days on which the change occurs.
    public enum Days: Hashable, Sendable {
        /// The nth weekday of the month; -1 is the last.
        case ordinal(Int, Weekday, month: Int)
        /// The weekday on one of those days of the month, which may be counted from its end (-1 is the last).
        case among([Int], Weekday, month: Int)
        /// The same date every year.
        case date(day: Int, month: Int)
        /// The day of the year, from 1; leap days count.
        case yearDay(Int)
    }

    /// The state of the clock after the change.
    public var state: Zone.Transition
    /// The offset before the change, in seconds east of UTC.
    public var from: Int
    /// The first onset, on the clock before it.
    public var onset: CivilDateTime
    /// The days.
    public var days: Days
}

extension PosixZoneRule {
    /// The number of years searched for the first onset of a change: a date falls on a weekday every 11 years at least,
    /// 12 across a century without a leap day.
    private static let searchedYears = 40

    /// The changes of the rule from `instant` on, each with its first onset; empty if the clock never changes. Nil for a rule
    /// whose days no calendar rule can name (the time zone database has none).
    public func yearlyChanges(from instant: Instant) -> [YearlyZoneChange]? {
        guard let daylight, let toDaylight, let toStandard else { return [] }
        var changes: [YearlyZoneChange] = []
        for (change, state, from) in [(toDaylight, daylight, standard.offset), (toStandard, standard, daylight.offset)]
        {
            guard let groups = change.calendarDays else { return nil }
            let first = CivilDateTime(seconds: instant.seconds + Int64(from)).date.year - 1
            for days in groups {
                let onsets = (first...first + Self.searchedYears).lazy.map { change.onset(in: $0) }
                let onset = onsets.first { civil in
                    civil.seconds - Int64(from) >= instant.seconds && days.isIn(month: civil.date.month)
                }
                guard let onset else { return nil }
                changes.append(YearlyZoneChange(state: state, from: from, onset: onset, days: days))
            }
        }
        return changes
    }

    /// The changes of the rule within `range`, in order.
    func changes(in range: Range<Int64>) -> [Zone.Transition] {
        guard let daylight, let toDaylight, let toStandard, !range.isEmpty else { return [] }
        let first = CivilDateTime(seconds: range.lowerBound).date.year - 1
        let last = CivilDateTime(seconds: range.upperBound).date.year + 1
        var found: [Zone.Transition] = []
        for year in first...last {
            for (change, state, from) in [
                (toDaylight, daylight, standard.offset), (toStandard, standard, daylight.offset),
            ] {
                var transition = state
                transition.at = change.onset(in: year).seconds - Int64(from)
                if range.contains(transition.at) { found.append(transition) }
            }
        }
        return found.sorted { $0.at < $1.at }
    }
}

extension PosixZoneRule.Change {
    /// The days of the change as calendar rules, by month; nil if they cannot be expressed.
    fileprivate var calendarDays: [YearlyZoneChange.Days]? {
        // Days before or after the one that the rule names.
        let shift = time >= 0 ? time / 86_400 : -((86_399 - time) / 86_400)
        switch day {
        case .weekday(let month, let week, let number):
            let weekday = Weekday(rawValue: ((number + shift) % 7 + 7) % 7 == 0 ? 7 : ((number + shift) % 7 + 7) % 7)
            guard let weekday else { return nil }
            if shift == 0 { return [.ordinal(week == 5 ? -1 : week, weekday, month: month)] }
            return Self.days(week: week, shift: shift, month: month).map { groups in
                groups.map { .among($0.days, weekday, month: $0.month) }
            }
        case .julian(let number):
            let date = CivilDate(year: 2001, month: 1, day: 1) + (number - 1)
            let moved = date + shift
            // A leap day in between would move it.
            guard moved.year == 2001, (date.month <= 2) == (moved.month <= 2) else { return nil }
            return [.date(day: moved.day, month: moved.month)]
        case .zeroBased(let number):
            let moved = number + 1 + shift
            return (1...365).contains(moved) ? [.yearDay(moved)] : nil
        }
    }

    /// The days on which the weekday of a month's week falls after a shift by `shift` days.
    private static func days(week: Int, shift: Int, month: Int) -> [(month: Int, days: [Int])]? {
        let before = month == 1 ? 12 : month - 1
        let after = month == 12 ? 1 : month + 1
        let length = month == 2 ? nil : CivilDate.daysIn(month: month, year: 2001)
        var days: [Int: [Int]] = [:]
        for step in 0..<7 {
            if week == 5 {
                let fromEnd = step - 7 + shift
                guard fromEnd < 0 else {
                    days[after, default: []].append(fromEnd + 1)
                    continue
                }
                // Counted from the start if the month always has the same length: more programs understand that.
                days[month, default: []].append(length.map { $0 + 1 + fromEnd } ?? fromEnd)
                continue
            }
            let day = (week - 1) * 7 + 1 + step + shift
            if day < 1 {
                days[before, default: []].append(
                    before == 2 ? day - 1 : CivilDate.daysIn(month: before, year: 2001) + day)
            } else if day <= (length ?? 28) {
                days[month, default: []].append(day)
            } else {
                // The 29th of February is the 1st of March in other years.
                guard let length else { return nil }
                days[after, default: []].append(day - length)
            }
        }
        return days.map { ($0.key, $0.value.sorted()) }.sorted { $0.month < $1.month }
    }
}

extension YearlyZoneChange.Days {
    fileprivate func isIn(month: Int) -> Bool {
        switch self {
        case .ordinal(_, _, let own), .among(_, _, let own), .date(_, let own): own == month
        case .yearDay: true
        }
    }
}

extension Zone {
    /// The changes of the offset after `start` and before `end`, in order, from the zone's table and then from its rule.
    public func changes(after start: Instant, before end: Instant) -> [Transition] {
        guard start < end else { return [] }
        var found = transitions.filter { $0.at > start.seconds && $0.at < end.seconds }
        if let rule {
            let from = max(start.seconds, transitions.last?.at ?? .min / 4) + 1
            if from < end.seconds { found += rule.changes(in: from..<end.seconds) }
        }
        var offset = self.offset(at: start)
        return found.filter { change in
            defer { offset = change.offset }
            return change.offset != offset
        }
    }

    /// The instant from which the zone's table and its rule agree: the first change from which they do, or the moment
    /// after the last one where they differ. Nil for a zone without a rule.
    public var ruleStart: Instant? {
        guard let rule else { return nil }
        guard let last = transitions.last else { return Instant(.min / 4) }
        let first = transitions.first?.at ?? last.at
        let actual = changes(after: Instant(first - 1), before: Instant(last.at + 1))
        let ruled = rule.changes(in: first..<last.at + 1)
        var same = 0
        while same < actual.count, same < ruled.count {
            let (a, b) = (actual[actual.count - 1 - same], ruled[ruled.count - 1 - same])
            guard a.at == b.at, a.offset == b.offset else { break }
            same += 1
        }
        return Instant(same > 0 ? actual[actual.count - same].at : last.at + 1)
    }
}
