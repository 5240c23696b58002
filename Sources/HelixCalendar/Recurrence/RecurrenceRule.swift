import HelixModel

/// A recurrence rule (RFC 5545 §3.3.10) of an event, on its own wall clock.
///
/// ```swift
/// let rule = try RecurrenceRule("FREQ=MONTHLY;BYDAY=-1FR")
/// for start in rule.occurrences(from: start).prefix(3) { … }
/// ```
public struct RecurrenceRule: Hashable, Sendable {
    /// The unit of repetition, from the finest.
    public enum Frequency: String, Sendable, CaseIterable {
        case secondly = "SECONDLY"
        case minutely = "MINUTELY"
        case hourly = "HOURLY"
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    /// The last moment at which an occurrence may start, as written in the rule.
    public enum Until: Hashable, Sendable {
        /// That day, inclusive.
        case date(CivilDate)
        /// A time on the wall clock of the event.
        case floating(CivilDateTime)
        case utc(Instant)
    }

    /// A weekday of BYDAY, with an optional number in the month or year: `-1FR` is the last Friday.
    public struct WeekdayNumber: Hashable, Sendable {
        /// The day of the week.
        public var weekday: Weekday
        /// Its number in the month or year, from 1, or from -1 backwards; nil for every one.
        public var ordinal: Int?

        /// Creates a weekday: the `ordinal`-th, or every one.
        public init(_ weekday: Weekday, ordinal: Int? = nil) {
            self.weekday = weekday
            self.ordinal = ordinal
        }
    }

    /// FREQ.
    public var frequency: Frequency
    /// INTERVAL, at least 1.
    public var interval = 1
    /// COUNT, at least 1.
    public var count: Int?
    /// UNTIL.
    public var until: Until?
    /// BYSECOND, 0 to 60.
    public var seconds: [Int] = []
    /// BYMINUTE, 0 to 59.
    public var minutes: [Int] = []
    /// BYHOUR, 0 to 23.
    public var hours: [Int] = []
    /// BYDAY.
    public var weekdays: [WeekdayNumber] = []
    /// BYMONTHDAY, ±1 to ±31.
    public var monthDays: [Int] = []
    /// BYYEARDAY, ±1 to ±366.
    public var yearDays: [Int] = []
    /// BYWEEKNO, ±1 to ±53.
    public var weekNumbers: [Int] = []
    /// BYMONTH, 1 to 12.
    public var months: [Int] = []
    /// BYSETPOS, ±1 to ±366.
    public var setPositions: [Int] = []
    /// WKST: the day on which weeks start.
    public var weekStart = Weekday.monday

    /// Creates a rule with `frequency`.
    public init(_ frequency: Frequency) { self.frequency = frequency }

    /// Whether the rule has only FREQ, INTERVAL, COUNT, UNTIL and WKST.
    var isPlain: Bool {
        seconds.isEmpty && minutes.isEmpty && hours.isEmpty && weekdays.isEmpty && monthDays.isEmpty
            && yearDays.isEmpty && weekNumbers.isEmpty && months.isEmpty && setPositions.isEmpty
    }

    /// Whether UNTIL is before `start` on its wall clock in `zone`.
    func ends(before start: CivilDateTime, zone: Zone) -> Bool {
        switch until {
        case .date(let date)?: date < start.date
        case .floating(let civil)?: civil < start
        case .utc(let instant)?: zone.civil(instant) < start
        case nil: false
        }
    }

    /// The starts of the rule, in order, for an event that starts at `start`.
    ///
    /// - Parameters:
    ///   - start: DTSTART on its wall clock. Only the rule decides whether it is an occurrence.
    ///   - zone: the zone of that clock, for an UNTIL in UTC. Use UTC for floating times and dates.
    public func occurrences(from start: CivilDateTime, zone: Zone = .utc) -> RecurrenceSequence {
        RecurrenceSequence(rule: self, start: start, zone: zone)
    }
}

/// The starts of a rule, in order; possibly endless.
public struct RecurrenceSequence: Sequence, Sendable {
    let rule: RecurrenceRule
    let start: CivilDateTime
    let zone: Zone

    /// Iterates over all starts.
    public func makeIterator() -> RecurrenceIterator {
        RecurrenceIterator(rule: rule, start: start, zone: zone)
    }
}
