import HelixModel

/// The open work of a project at the end of each day, and the straight line on which it would be done in time.
public struct BurnDown: Sendable {
    /// A day.
    public struct Day: Hashable, Sendable {
        /// The date.
        public var date: CivilDate
        /// The work that was open at its end; nil for a day to come.
        public var open: Int?
        /// The work that was added on it, and the work that was done or dropped on it.
        public var added: Int, closed: Int
        /// The work that would be open on the straight line to the due date; nil without one.
        public var planned: Double?
    }

    /// The days, from the first one to today, or to the due date if that is later.
    public let days: [Day]

    /// - Parameters:
    ///   - pasts: the tasks; those that were created later than `now` are left out.
    ///   - weight: the work of a task: 1, or its estimate in seconds.
    ///   - start: the first day; by default that on which the first task was created.
    ///   - due: the day at whose end all is to be done.
    public init(
        _ pasts: [TaskHistory], start: CivilDate?, due: CivilDate?, now: Instant, zone: Zone,
        weight: (EntityID) -> Int = { _ in 1 }
    ) {
        let today = zone.date(now)
        let known = pasts.filter { $0.createdAt <= now }
        guard let first = start ?? known.map(\.createdAt).min().map(zone.date) else {
            days = []
            return
        }
        var added: [CivilDate: Int] = [:]
        var closed: [CivilDate: Int] = [:]
        for task in known {
            // Work from before the first day is there when it begins.
            let work = weight(task.id)
            added[max(first, zone.date(task.createdAt)), default: 0] += work
            if let end = task.completedAt, end <= now { closed[max(first, zone.date(end)), default: 0] += work }
        }
        let last = max(first, today, due ?? today)
        var open = 0
        var days: [Day] = []
        for offset in 0...max(0, last - first) {
            let date = first + offset
            let (more, less) = (added[date] ?? 0, closed[date] ?? 0)
            open += more - less
            days.append(Day(date: date, open: date <= today ? open : nil, added: more, closed: less))
        }
        if let due, due >= first { BurnDown.plan(&days, until: due) }
        self.days = days
    }

    /// The line falls from the work of the first day that has any to nothing at the due date. Work that was added later is not
    /// planned.
    private static func plan(_ days: inout [Day], until due: CivilDate) {
        guard let first = days.firstIndex(where: { $0.added > 0 }), days[first].date <= due else { return }
        let whole = Double(days[first].added)
        let length = due - days[first].date
        for place in first..<days.count where days[place].date <= due {
            days[place].planned = length == 0 ? 0 : whole * Double(length - (place - first)) / Double(length)
        }
    }
}
