import HelixModel

/// A conflict of two overlapping occurrences.
public struct Conflict: Hashable, Sendable {
    /// The kind of a conflict.
    public enum Kind: String, Sendable, CaseIterable {
        /// Both are firm.
        case hard
        /// At least one is tentative.
        case soft
        /// Only the travel time (`X-APPLE-TRAVEL-DURATION`) overlaps.
        case travel
        /// They do not overlap, but are closer than the requested buffer.
        case buffer
    }

    /// The severity of an event's conflicts: 1 or 2 are a warning, 3 or more critical.
    public enum Severity: String, Sendable, CaseIterable {
        case warning
        case critical

        /// The severity of an event with `count` conflicts.
        public init(count: Int) { self = count >= 3 ? .critical : .warning }
    }

    /// The occurrence that starts first.
    public var a: Occurrence
    /// The other occurrence.
    public var b: Occurrence
    /// The overlap of both.
    public var overlap: TimeRange
    /// The kind of conflict.
    public var kind: Kind
    /// The greater of the two events' severities.
    public var severity: Severity
}

/// The policy that defines conflicts.
public struct ConflictPolicy: Hashable, Sendable {
    /// Seconds to keep free between two events.
    public var buffer = 0
    /// Whether busy all-day events conflict.
    public var includesAllDay = false
    /// The zone of days and floating times.
    public var zone = Zone.utc
    /// The maximum number of conflicts to list.
    public var limit = 10_000

    /// Creates the default policy for `zone`.
    public init(zone: Zone) { self.zone = zone }
}

/// A list of conflicts, possibly truncated.
public struct ConflictList: Sendable {
    /// The conflicts in order of their later starts.
    public var conflicts: [Conflict]
    /// Whether the list was truncated by the limit.
    public var isTruncated: Bool

    /// Creates a list.
    public init(conflicts: [Conflict] = [], isTruncated: Bool = false) {
        self.conflicts = conflicts
        self.isTruncated = isTruncated
    }
}

extension Conflict {
    /// The conflict of two occurrences at those times; nil if there is none.
    public init?(_ a: Occurrence, _ b: Occurrence, at first: BusyTime, _ second: BusyTime, buffer: Int) {
        let (x, y, left, right) = first.start <= second.start ? (a, b, first, second) : (b, a, second, first)
        let isSoft = left.isTentative || right.isTentative
        let own = TimeRange(start: Instant(left.start), end: Instant(left.end))
        let other = TimeRange(start: Instant(right.start), end: Instant(right.end))
        let way = TimeRange(start: Instant(right.lead), end: Instant(right.end))
        if let overlap = own.intersection(other) {
            self.init(a: x, b: y, overlap: overlap, kind: isSoft ? .soft : .hard, severity: .warning)
        } else if let overlap = own.intersection(way) {
            self.init(a: x, b: y, overlap: overlap, kind: isSoft ? .soft : .travel, severity: .warning)
        } else if let overlap = TimeRange(start: own.start, end: own.end + buffer).intersection(way) {
            self.init(a: x, b: y, overlap: overlap, kind: .buffer, severity: .warning)
        } else {
            return nil
        }
    }
}

extension [Occurrence] {
    /// The pairs of busy occurrences that overlap, in order of start.
    ///
    /// Cancelled, declined and transparent occurrences never conflict (RFC 5545 §3.8.2.7), nor do two occurrences of
    /// one event, nor copies of one meeting in two calendars.
    public func conflicts(policy: ConflictPolicy) -> ConflictList {
        let (times, places) = busyTimes(policy: policy)
        let sweep = BusySweep(times, buffer: policy.buffer, limit: policy.limit) { x, y in
            self[places[x]].uid == self[places[y]].uid
        }
        let found = sweep.pairs.compactMap { pair -> Conflict? in
            var conflict = Conflict(
                self[places[pair.a]], self[places[pair.b]], at: times[pair.a], times[pair.b], buffer: policy.buffer)
            conflict?.severity = sweep.severity(of: pair)
            return conflict
        }
        return ConflictList(conflicts: found, isTruncated: sweep.isTruncated)
    }

    /// For each occurrence, the identities of a few events that it overlaps.
    public func conflictPartners(policy: ConflictPolicy) -> [[EntityID]] {
        let (times, places) = busyTimes(policy: policy)
        let sweep = BusySweep(times, buffer: 0, limit: policy.limit) { x, y in
            self[places[x]].uid == self[places[y]].uid
        }
        var partners = [[EntityID]](repeating: [], count: count)
        for pair in sweep.pairs {
            for (mine, other) in [(places[pair.a], places[pair.b]), (places[pair.b], places[pair.a])]
            where partners[mine].count < 20 {
                partners[mine].append(self[other].event)
            }
        }
        return partners
    }

    /// The busy times, and the index of each one's occurrence.
    private func busyTimes(policy: ConflictPolicy) -> (times: [BusyTime], places: [Int]) {
        var times: [BusyTime] = []
        var places: [Int] = []
        var owners: [EntityID: Int] = [:]
        for (place, occurrence) in enumerated()
        where occurrence.isBusy && (policy.includesAllDay || !occurrence.time.isAllDay) {
            let range = occurrence.time.range(in: policy.zone)
            guard range.duration > 0 else { continue }
            let owner = owners[occurrence.event] ?? owners.count
            owners[occurrence.event] = owner
            times.append(
                BusyTime(
                    start: range.start.seconds, end: range.end.seconds, travel: occurrence.travel, owner: owner,
                    isTentative: occurrence.status == .tentative))
            places.append(place)
        }
        return (times, places)
    }
}

/// A key that identifies an occurrence of an event.
public struct OccurrenceKey: Hashable, Sendable {
    private let event: EntityID
    private let recurrence: CivilDateTime?
    private let time: OccurrenceTime

    /// The key of `occurrence`.
    public init(_ occurrence: Occurrence) {
        event = occurrence.event
        recurrence = occurrence.recurrence
        time = occurrence.time
    }
}
