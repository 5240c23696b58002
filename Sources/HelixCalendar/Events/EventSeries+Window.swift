import HelixModel

extension EventSeries {
    /// The number of starts that are walked to reach a window: a rule with a huge COUNT cannot always be jumped over.
    private static let walkLimit = 300_000

    /// Occurrences of a window of time.
    public struct Window: Sendable {
        /// The occurrences that touch the window: the rule's in its order, then those that no rule gives.
        public var instances: [Instance] = []
        /// From where on occurrences are not known, because there are more than were asked for, or than could be reached;
        /// nil if all are.
        public var unknownFrom: Instant?
    }

    /// The occurrences that touch `range`, without walking there from the first where the rule can be jumped over.
    ///
    /// - Parameters:
    ///   - reach: seconds by which a wall clock that belongs to no zone may differ from UTC.
    ///   - limit: the most occurrences that the rule may give.
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
        // A rule that gives several a day is walked from an hour before, for the sake of changes of clocks.
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

    /// The occurrences that start before `horizon` (as ``EventTime/ordinal`` counts), and all that no rule gives.
    ///
    /// - Returns: the occurrences, or nil for more than `limit`; and whether the series ends before the horizon.
    public func occurrences(before horizon: Int64, limit: Int) -> (instances: [Instance]?, isComplete: Bool) {
        var found: [Instance] = []
        var walk = instances()
        let earliestShift = walk.shifts.lowerBound
        while let instance = walk.next() {
            if isRecurring, let nominal = walk.nominalStart, nominal >= horizon - earliestShift {
                // A changed occurrence may lie on the other side of the horizon than its original; these are few, and
                // all are stored.
                let standalone = standaloneInstances()
                let known = Set(standalone)
                return (found.filter { $0.start < horizon && !known.contains($0) } + standalone, false)
            }
            found.append(instance)
            if found.count > limit { return (nil, false) }
        }
        return (found, true)
    }

    /// The first occurrence that ends after `instant`, in the order of starts; without one the last before it.
    ///
    /// An occurrence that was moved counts by where it was moved to.
    public func next(after instant: Instant) -> Instance? {
        guard isRecurring else { return instances().first { _ in true } }
        for days in [2, 366, 30 * 366, 8000 * 366] as [Int64] {
            let range = TimeRange(start: instant, end: Instant(instant.seconds + days * 86_400))
            let found = window(range, reach: 0, limit: EventSeries.nearest).instances
            if let first = found.min(by: { $0.start < $1.start }) { return first }
        }
        return instances().first { _ in true }
    }

    /// The number of occurrences among which the next one is looked for; more than one because changes move them.
    private static let nearest = 64

    /// The occurrence that the rule gives at `recurrence`, on the master's wall clock, or nil if it gives none.
    public func instance(at recurrence: CivilDateTime) -> Instance? {
        var walk = instances(from: recurrence)
        let last = master.map { components[$0].start.at(recurrence).ordinal }
        while let instance = walk.next() {
            if instance.recurrence == recurrence { return instance }
            if let nominal = walk.nominalStart, let last, nominal > last { return nil }
        }
        return nil
    }

    /// The longest that an occurrence lasts, in seconds.
    private var longest: Int64 {
        let lengths = components.flatMap { component in
            [component.length.total] + component.extraDates.map { $0.duration ?? 86_400 }
        }
        return Int64(lengths.max() ?? 0)
    }
}
