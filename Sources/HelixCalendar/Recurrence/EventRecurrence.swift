import HelixModel

/// The starts of a recurring event on its own wall clock: those of its rules, its DTSTART and its RDATEs, in order and
/// without duplicates.
///
/// DTSTART is always the first occurrence, even if the rules exclude it (RFC 5545 §3.8.5.3 leaves that open; people
/// expect the visible start to be shown). COUNT counts the starts of the rule, as in nearly all engines. Only a series
/// whose rules all ended before DTSTART has no occurrences: calendars leave that behind after a change of "this and all
/// following" from the first occurrence on.
public struct EventRecurrence: Sequence, Sendable {
    /// DTSTART.
    public var start: CivilDateTime
    /// RRULEs; more than one is allowed and does occur.
    public var rules: [RecurrenceRule]
    /// Additional starts, from RDATE.
    public var extra: [CivilDateTime]
    /// The zone of the wall clock, for an UNTIL in UTC.
    public var zone: Zone

    /// Creates the recurrence of an event that starts at `start`.
    public init(start: CivilDateTime, rules: [RecurrenceRule], extra: [CivilDateTime] = [], zone: Zone = .utc) {
        self.start = start
        self.rules = rules
        self.extra = extra
        self.zone = zone
    }

    /// Iterates over all starts.
    public func makeIterator() -> Iterator { Iterator(self, from: nil) }

    /// Iterates from the first start at or after `target`, or a little earlier.
    public func makeIterator(from target: CivilDateTime) -> Iterator { Iterator(self, from: target) }

    /// Merges the iterators of the rules.
    public struct Iterator: IteratorProtocol, Sendable {
        private var walks: [(iterator: RecurrenceIterator, next: CivilDateTime?)]
        private var extra: ArraySlice<CivilDateTime>
        private var last: CivilDateTime?

        init(_ recurrence: EventRecurrence, from target: CivilDateTime?) {
            let start = recurrence.start
            walks = recurrence.rules.map { rule in
                var iterator = RecurrenceIterator(rule: rule, start: start, zone: recurrence.zone)
                if let target { iterator.skip(to: target) }
                return (iterator, nil)
            }
            for index in walks.indices { walks[index].next = walks[index].iterator.next() }
            let isOver =
                !recurrence.rules.isEmpty
                && recurrence.rules.allSatisfy { $0.ends(before: start, zone: recurrence.zone) }
            extra = Set(recurrence.extra + (isOver ? [] : [start])).sorted()[...]
            if let target { extra = extra.drop { $0 < target } }
        }

        /// The next start, or nil after the last.
        public mutating func next() -> CivilDateTime? {
            while true {
                var best = extra.first
                for walk in walks {
                    if let candidate = walk.next, best.map({ candidate < $0 }) ?? true { best = candidate }
                }
                guard let best else { return nil }
                if extra.first == best { extra = extra.dropFirst() }
                for index in walks.indices where walks[index].next == best {
                    walks[index].next = walks[index].iterator.next()
                }
                if best != last {
                    last = best
                    return best
                }
            }
        }
    }
}
