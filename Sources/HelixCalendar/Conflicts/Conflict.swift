import HelixModel

/// Two occurrences that want the same time.
public struct Conflict: Hashable, Sendable {
    /// How the two collide.
    public enum Kind: String, Sendable, CaseIterable {
        /// Both are firm.
        case hard
        /// At least one is tentative.
        case soft
        /// Only the way there (`X-APPLE-TRAVEL-DURATION`) overlaps.
        case travel
        /// They do not overlap, but lie closer than the buffer that was asked for.
        case buffer
    }

    /// How much an event is beset: 1 or 2 conflicts are a warning, 3 or more critical.
    public enum Severity: String, Sendable, CaseIterable {
        case warning
        case critical

        /// The severity of an event with so many conflicts.
        public init(count: Int) { self = count >= 3 ? .critical : .warning }
    }

    /// The one that starts first.
    public var a: Occurrence
    /// The other.
    public var b: Occurrence
    /// The time that both want.
    public var overlap: TimeRange
    /// How they collide.
    public var kind: Kind
    /// The greater of the two events' severities.
    public var severity: Severity
}

/// What counts as a conflict.
public struct ConflictPolicy: Hashable, Sendable {
    /// Seconds to keep free between two events.
    public var buffer = 0
    /// Whether busy all-day events conflict.
    public var includesAllDay = false
    /// The zone in which days and floating times are looked at.
    public var zone = Zone.utc
    /// No more conflicts than this are listed.
    public var limit = 10_000

    /// The usual policy, seen from `zone`.
    public init(zone: Zone) { self.zone = zone }
}

/// The conflicts found, and whether there were more.
public struct ConflictList: Sendable {
    /// In order of the overlaps' starts.
    public var conflicts: [Conflict] = []
    /// Whether the limit cut the list.
    public var isTruncated = false
}

extension Sequence where Element == Occurrence {
    /// The pairs of busy occurrences that overlap, in order of start.
    ///
    /// Sweeps once over the starts: O(n log n) and the number of conflicts. Cancelled, declined and transparent
    /// occurrences never conflict (RFC 5545 §3.8.2.7), nor do two occurrences of one event, nor copies of one meeting
    /// in two calendars.
    public func conflicts(policy: ConflictPolicy) -> ConflictList {
        var busy: [BusyOccurrence] = []
        for occurrence in self where occurrence.isBusy && (policy.includesAllDay || !occurrence.time.isAllDay) {
            let range = occurrence.time.range(in: policy.zone)
            if range.duration > 0 { busy.append(BusyOccurrence(occurrence: occurrence, range: range)) }
        }
        busy.sort { ($0.from, $0.range.start, $0.occurrence.uid) < ($1.from, $1.range.start, $1.occurrence.uid) }
        var list = ConflictList()
        var counts: [OccurrenceKey: Int] = [:]
        var active: [Int] = []
        sweep: for (index, next) in busy.enumerated() {
            active.removeAll { busy[$0].range.end + policy.buffer <= next.from }
            for other in active {
                guard let conflict = pair(busy[other], next, buffer: policy.buffer) else { continue }
                if list.conflicts.count >= policy.limit {
                    list.isTruncated = true
                    break sweep
                }
                list.conflicts.append(conflict)
                counts[OccurrenceKey(conflict.a), default: 0] += 1
                counts[OccurrenceKey(conflict.b), default: 0] += 1
            }
            active.append(index)
        }
        for index in list.conflicts.indices {
            let mine = counts[OccurrenceKey(list.conflicts[index].a)] ?? 0
            let theirs = counts[OccurrenceKey(list.conflicts[index].b)] ?? 0
            list.conflicts[index].severity = Conflict.Severity(count: Swift.max(mine, theirs))
        }
        list.conflicts.sort { ($0.overlap.start, $0.a.uid) < ($1.overlap.start, $1.a.uid) }
        return list
    }

    private func pair(_ first: BusyOccurrence, _ second: BusyOccurrence, buffer: Int) -> Conflict? {
        let a = first.occurrence
        let b = second.occurrence
        if a.event == b.event || a.uid == b.uid && first.range == second.range { return nil }
        let (left, right) = first.range.start <= second.range.start ? (first, second) : (second, first)
        let isSoft = a.status == .tentative || b.status == .tentative
        if let overlap = left.range.intersection(right.range) {
            return Conflict(
                a: left.occurrence, b: right.occurrence, overlap: overlap, kind: isSoft ? .soft : .hard,
                severity: .warning)
        }
        let way = TimeRange(start: right.from, end: right.range.end)
        if let overlap = left.range.intersection(way) {
            return Conflict(
                a: left.occurrence, b: right.occurrence, overlap: overlap, kind: isSoft ? .soft : .travel,
                severity: .warning)
        }
        let kept = TimeRange(start: left.range.start, end: left.range.end + buffer)
        guard buffer > 0, let overlap = kept.intersection(way) else { return nil }
        return Conflict(
            a: left.occurrence, b: right.occurrence, overlap: overlap, kind: .buffer, severity: .warning)
    }
}

private struct BusyOccurrence {
    var occurrence: Occurrence
    var range: TimeRange
    /// When the way there begins.
    var from: Instant { range.start - occurrence.travel }
}

/// One occurrence of one event, to count by.
public struct OccurrenceKey: Hashable, Sendable {
    private let event: EntityID
    private let recurrenceID: String?
    private let time: OccurrenceTime

    /// The key of `occurrence`.
    public init(_ occurrence: Occurrence) {
        event = occurrence.event
        recurrenceID = occurrence.recurrenceID
        time = occurrence.time
    }
}
