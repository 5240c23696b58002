import HelixModel

/// An event with all its occurrences: the components of one UID, a master and its overrides.
public struct EventSeries: Sendable {
    /// An occurrence of the event.
    public struct Instance: Hashable, Sendable {
        /// The index of its component in ``EventSeries/components``.
        public var component: Int
        /// The start, as an ``EventTime/ordinal``.
        public var start: Int64
        /// The end, as an ordinal; never before the start.
        public var end: Int64
        /// The time basis of both.
        public var basis: TimeBasis
        /// The original start by the master's rule, on the master's wall clock; nil for a single event.
        public var recurrence: CivilDateTime?
    }

    /// The components in the order of the text.
    public let components: [EventComponent]
    /// The index of the master; nil if only single occurrences are known.
    public let master: Int?

    /// Creates the series of one UID's components. Of several masters, the newest counts.
    public init(_ components: [EventComponent]) {
        self.components = components
        var best: Int?
        for (index, component) in components.enumerated() where component.recurrenceID == nil {
            guard let held = best else {
                best = index
                continue
            }
            if EventSeries.isNewer(component, than: components[held]) { best = index }
        }
        master = best
    }

    /// Whether `a` is a newer version than `b`: by SEQUENCE, then by LAST-MODIFIED (RFC 5546 §2.1.5).
    public static func isNewer(_ a: EventComponent, than b: EventComponent) -> Bool {
        if a.sequence != b.sequence { return a.sequence > b.sequence }
        guard let mine = a.modified, let theirs = b.modified else { return a.modified != nil }
        return mine > theirs
    }

    /// Whether the event is recurring.
    public var isRecurring: Bool {
        master.map { components[$0].isRecurring } ?? false || components.contains { $0.recurrenceID != nil }
    }

    /// Walks the occurrences.
    ///
    /// They are in the order of the master's rule; standalone occurrences are last.
    /// - Parameter target: the start of the walk, on the master's wall clock; nil for the first occurrence.
    public func instances(from target: CivilDateTime? = nil) -> EventInstances {
        EventInstances(self, from: target)
    }

    /// The overrides and standalone occurrences, without walking the rule.
    public func standaloneInstances() -> [Instance] {
        EventInstances(self, from: nil).withoutRule()
    }

    func instance(_ index: Int, recurrence: CivilDateTime?) -> Instance {
        let component = components[index]
        let start = component.start.ordinal
        return Instance(
            component: index, start: start,
            end: max(start, component.endOrdinal(startCivil: component.start.civil, startOrdinal: start)),
            basis: component.start.basis, recurrence: recurrence)
    }
}

/// An iterator over the occurrences of an event: those of the master, with overrides applied, then those that are
/// not from a rule.
public struct EventInstances: Sequence, IteratorProtocol, Sendable {
    private let series: EventSeries
    private var starts: EventRecurrence.Iterator?
    /// Overrides by the master's wall clock, not yet reached.
    private var overrides: [CivilDateTime: Int] = [:]
    /// Overrides by day, for a RECURRENCE-ID that is a date while the master has times, and vice versa.
    private var dayOverrides: [CivilDate: Int] = [:]
    private var exceptions: Set<CivilDateTime> = []
    private var dayExceptions: Set<CivilDate> = []
    private var durations: [CivilDateTime: Int] = [:]
    /// Overrides for this and all later occurrences, in order.
    private var future: [(from: CivilDateTime, component: Int)] = []
    /// The minimum and maximum shift of occurrences by THISANDFUTURE overrides, in seconds.
    private(set) var shifts: ClosedRange<Int64> = 0...0
    private var used: Set<Int> = []
    private var leftovers: [Int]?
    /// RDATEs of another type than the master's start: times instead of dates, or vice versa.
    private var loose: [EventComponent.ExtraDate] = []
    private let target: CivilDateTime?
    /// The original start by the rule of the occurrence that ``next()`` returned last, as an ``EventTime/ordinal``;
    /// nil for occurrences that are not from a rule.
    ///
    /// Only these are in order: a walk that ends at the start of a moved occurrence would lose all later ones.
    private(set) var nominalStart: Int64?

    init(_ series: EventSeries, from target: CivilDateTime?) {
        self.series = series
        self.target = target
        guard let masterIndex = series.master else { return }
        let master = series.components[masterIndex]
        for (index, component) in series.components.enumerated() where index != masterIndex {
            guard let id = component.recurrenceID else { continue }
            let key = EventInstances.reading(id, on: master.start)
            if id.isDate != master.start.isDate {
                dayOverrides[key.date] = index
            } else {
                // Of two overrides of one occurrence, the newer counts.
                if let other = overrides[key], EventSeries.isNewer(series.components[other], than: component) {
                    used.insert(index)
                    continue
                }
                if let other = overrides[key] { used.insert(other) }
                overrides[key] = index
            }
            if component.isThisAndFuture { future.append((key, index)) }
        }
        future.sort { $0.from < $1.from }
        for change in future {
            let start = EventInstances.reading(series.components[change.component].start, on: master.start)
            let shift = Int64(start - change.from)
            shifts = Swift.min(shifts.lowerBound, shift)...Swift.max(shifts.upperBound, shift)
        }
        for time in master.exceptions {
            let key = EventInstances.reading(time, on: master.start)
            if time.isDate && !master.start.isDate { dayExceptions.insert(key.date) } else { exceptions.insert(key) }
        }
        var extra: [CivilDateTime] = []
        for date in master.extraDates {
            guard date.start.isDate == master.start.isDate else {
                let day = EventInstances.reading(date.start, on: master.start)
                if !exceptions.contains(day), !dayExceptions.contains(day.date) { loose.append(date) }
                continue
            }
            let key = EventInstances.reading(date.start, on: master.start)
            extra.append(key)
            if let duration = date.duration { durations[key] = duration }
        }
        let recurrence = EventRecurrence(
            start: master.start.civil, rules: master.rules, extra: extra, zone: master.start.clock)
        starts = target.map(recurrence.makeIterator(from:)) ?? recurrence.makeIterator()
    }

    /// The reading of the master's wall clock at `time`.
    static func reading(_ time: EventTime, on master: EventTime) -> CivilDateTime {
        switch (time, master) {
        case (.date(let date), .date): CivilDateTime(date)
        case (_, .date): CivilDateTime(time.civil.date)
        case (.utc(let instant), .zoned(_, let zone)): zone.civil(instant)
        case (.zoned(let civil, let own), .zoned(_, let zone)): own == zone ? civil : zone.civil(own.instant(civil))
        case (.zoned(let civil, let own), .utc): CivilDateTime(seconds: own.instant(civil).seconds)
        default: time.civil
        }
    }

    /// The next occurrence, or nil after the last.
    public mutating func next() -> EventSeries.Instance? {
        while let start = starts?.next() {
            if exceptions.contains(start) || dayExceptions.contains(start.date) { continue }
            nominalStart = series.master.map { series.components[$0].start.at(start).ordinal }
            if let index = overrides[start] ?? dayOverrides[start.date] {
                used.insert(index)
                return series.instance(index, recurrence: start)
            }
            return regular(start)
        }
        nominalStart = nil
        if let date = loose.popLast(), let instance = instance(of: date) { return instance }
        if leftovers == nil { leftovers = standalone() }
        guard let index = leftovers?.popLast() else { return nil }
        let master = series.master.map { series.components[$0].start }
        let id = series.components[index].recurrenceID ?? series.components[index].start
        return series.instance(index, recurrence: master.map { EventInstances.reading(id, on: $0) } ?? id.civil)
    }

    /// The components without an occurrence of the master's rule, except those excluded by a newer master.
    private func standalone() -> [Int] {
        series.components.indices.filter { index in
            let component = series.components[index]
            guard let id = component.recurrenceID, !used.contains(index) else { return false }
            guard let master = series.master.map({ series.components[$0] }) else { return true }
            let key = EventInstances.reading(id, on: master.start)
            let isExcluded = exceptions.contains(key) || dayExceptions.contains(key.date)
            return !(isExcluded && EventSeries.isNewer(master, than: component))
        }.reversed()
    }

    /// The occurrence of an RDATE of another type than the master's start.
    private func instance(of date: EventComponent.ExtraDate) -> EventSeries.Instance? {
        guard let master = series.master else { return nil }
        let start = date.start.ordinal
        let length = date.duration ?? (date.start.isDate ? 86_400 : series.components[master].duration?.total ?? 0)
        return EventSeries.Instance(
            component: master, start: start, end: start + Int64(length), basis: date.start.basis,
            recurrence: date.start.civil)
    }

    /// The overrides, standalone occurrences, and RDATEs of another type than the master's start: a finite number, found
    /// without walking the rule.
    func withoutRule() -> [EventSeries.Instance] {
        let master = series.master.map { series.components[$0].start }
        let changed = series.components.indices.compactMap { index -> EventSeries.Instance? in
            guard let id = series.components[index].recurrenceID, !used.contains(index) else { return nil }
            let key = master.map { EventInstances.reading(id, on: $0) } ?? id.civil
            if let position = series.master, exceptions.contains(key) || dayExceptions.contains(key.date),
                EventSeries.isNewer(series.components[position], than: series.components[index])
            {
                return nil
            }
            return series.instance(index, recurrence: key)
        }
        return changed + loose.compactMap(instance(of:))
    }

    private func regular(_ start: CivilDateTime) -> EventSeries.Instance? {
        guard let masterIndex = series.master else { return nil }
        let master = series.components[masterIndex]
        let isRecurring = series.isRecurring
        var index = masterIndex
        var civil = start
        if let change = future.last(where: { $0.from <= start }) {
            index = change.component
            let component = series.components[index]
            let origin = EventInstances.reading(component.start, on: master.start)
            civil = start + (origin - change.from)
        }
        let component = series.components[index]
        let time = master.start.at(civil)
        let ordinal = time.ordinal
        var end = component.endOrdinal(startCivil: civil, startOrdinal: ordinal)
        if let duration = durations[start] { end = ordinal + Int64(duration) }
        return EventSeries.Instance(
            component: index, start: ordinal, end: Swift.max(ordinal, end), basis: master.start.basis,
            recurrence: isRecurring ? start : nil)
    }
}
