import HelixModel

extension EventSeries {
    /// The maximum number of starts walked to reach a window: a rule with a huge COUNT cannot always be skipped.
    private static let walkLimit = 300_000

    /// The occurrences in a window of time.
    public struct Window: Sendable {
        /// The occurrences in the window: those of the rule in its order, then the rest.
        public var instances: [Instance] = []
        /// The time from which occurrences are unknown, because there are more than the limit, or more than could be
        /// reached; nil if all are known.
        public var unknownFrom: Instant?
    }

    /// The occurrences in `range`, without walking there from the first if the rule can be skipped.
    ///
    /// - Parameters:
    ///   - reach: seconds by which a floating wall clock may differ from UTC.
    ///   - limit: the maximum number of occurrences of the rule.
    public func window(_ range: TimeRange, reach: Int64, limit: Int) -> Window {
        var window = Window()
        func touches(_ instance: Instance) -> Bool {
            let reach = instance.basis == .instant ? 0 : reach
            return instance.start < range.end.seconds + reach && instance.end >= range.start.seconds - reach
        }
        let start = master.map { components[$0].start }
        let isInstant = start?.basis == .instant
        let shifts = EventInstances(self, from: nil).shifts
        let first = range.start.seconds - longest - shifts.upperBound
        // Rules with several occurrences a day are walked from three hours before, because of clock changes.
        let isDense = master.map { components[$0].rules.contains { $0.frequency < .daily } } ?? false
        let slack: Int64 = isDense ? 3 * 3600 : 86_400
        let target =
            isInstant
            ? start?.clock.civil(Instant(first - slack)) : CivilDateTime(seconds: first - reach - slack)
        let last = range.end.seconds + (isInstant ? 0 : reach) - shifts.lowerBound
        var walk = instances(from: target)
        var walked = 0
        while let instance = walk.next() {
            if let nominal = walk.nominalStart, nominal >= last { break }
            walked += 1
            let isInside = touches(instance)
            if walked > EventSeries.walkLimit || isInside && window.instances.count >= limit {
                window.unknownFrom = isInside && isInstant ? Instant(instance.start) : range.start
                break
            }
            if isInside { window.instances.append(instance) }
        }
        let known = Set(window.instances)
        window.instances += standaloneInstances().filter { instance in
            !known.contains(instance) && touches(instance)
        }
        return window
    }

    /// The occurrences that start before `horizon` (an ``EventTime/ordinal``), and all that are not from a rule.
    ///
    /// - Returns: the occurrences, or nil if there are more than `limit`; and whether the series ends before the horizon.
    public func occurrences(before horizon: Int64, limit: Int) -> (instances: [Instance]?, isComplete: Bool) {
        var found: [Instance] = []
        var walk = instances()
        let earliestShift = walk.shifts.lowerBound
        while let instance = walk.next() {
            if isRecurring, let nominal = walk.nominalStart, nominal >= horizon - earliestShift {
                // An override may be on the other side of the horizon than its original; these are few, and all are
                // stored.
                let standalone = standaloneInstances()
                let known = Set(standalone)
                return (found.filter { $0.start < horizon && !known.contains($0) } + standalone, false)
            }
            found.append(instance)
            if found.count > limit { return (nil, false) }
        }
        return (found, true)
    }

    /// The first occurrence that ends after `instant`, in the order of starts; otherwise the last one before it.
    ///
    /// A moved occurrence counts at its new time.
    public func next(after instant: Instant) -> Instance? {
        guard isRecurring else { return instances().first { _ in true } }
        for days in [2, 366, 30 * 366, 8000 * 366] as [Int64] {
            let range = TimeRange(start: instant, end: Instant(instant.seconds + days * 86_400))
            let found = window(range, reach: 0, limit: EventSeries.nearest).instances
            if let first = found.min(by: { $0.start < $1.start }) { return first }
        }
        return instances().first { _ in true }
    }

    /// The number of occurrences searched for the next one; more than one because overrides may be moved.
    private static let nearest = 64

    /// The occurrence of the rule at `recurrence` on the master's wall clock, or nil.
    public func instance(at recurrence: CivilDateTime) -> Instance? {
        var walk = instances(from: recurrence)
        let last = master.map { components[$0].start.at(recurrence).ordinal }
        while let instance = walk.next() {
            if instance.recurrence == recurrence { return instance }
            if let nominal = walk.nominalStart, let last, nominal > last { return nil }
        }
        return nil
    }

    /// The longest duration of an occurrence, in seconds.
    private var longest: Int64 {
        let lengths = components.flatMap { component in
            [component.length.total] + component.extraDates.map { $0.duration ?? 86_400 }
        }
        return Int64(lengths.max() ?? 0)
    }
}
