/// The start or end of an event, as its owner meant it: the instant is derived from it.
public enum EventTime: Hashable, Sendable {
    /// An all-day date, without a zone.
    case date(CivilDate)
    /// A wall-clock time in whatever zone the user is in.
    case floating(CivilDateTime)
    /// A wall-clock time in a zone. It keeps its reading if the zone's rules change.
    case zoned(CivilDateTime, Zone)
    case utc(Instant)

    /// The reading of the clock on which the event recurs. A day is its midnight; UTC is a clock like others.
    public var civil: CivilDateTime {
        switch self {
        case .date(let date): CivilDateTime(date)
        case .floating(let civil), .zoned(let civil, _): civil
        case .utc(let instant): CivilDateTime(seconds: instant.seconds)
        }
    }

    /// The zone of ``civil``: UTC also for days and floating times, which have none.
    public var clock: Zone {
        if case .zoned(_, let zone) = self { zone } else { .utc }
    }

    /// Whether this is an all-day date.
    public var isDate: Bool { if case .date = self { true } else { false } }

    /// The unit of ``ordinal``.
    public var basis: TimeBasis {
        switch self {
        case .date: .date
        case .floating: .floating
        case .zoned, .utc: .instant
        }
    }

    /// The instant. A day is its first instant; days and floating times are on the clock of `zone`.
    public func instant(in zone: Zone) -> Instant {
        switch self {
        case .date(let date): zone.startOfDay(date)
        case .floating(let civil): zone.instant(civil)
        case .zoned(let civil, let own): own.instant(civil)
        case .utc(let instant): instant
        }
    }

    /// Returns a time of the same kind and zone at another reading of its clock.
    public func at(_ civil: CivilDateTime) -> EventTime {
        switch self {
        case .date: .date(civil.date)
        case .floating: .floating(civil)
        case .zoned(_, let zone): .zoned(civil, zone)
        case .utc: .utc(Instant(civil.seconds))
        }
    }

    /// The number under which the time is stored: seconds of UTC for instants, seconds on the wall clock for
    /// days and floating times.
    public var ordinal: Int64 {
        switch self {
        case .date, .floating: civil.seconds
        case .zoned(let civil, let zone): zone.instant(civil).seconds
        case .utc(let instant): instant.seconds
        }
    }
}

/// The unit of a stored number of seconds. The raw value is written to the store.
public enum TimeBasis: Int, Sendable, Hashable {
    /// Seconds of UTC.
    case instant = 0
    /// Seconds on the wall clock of whatever zone the user is in.
    case floating = 1
    /// Midnights of days.
    case date = 2
}

/// The time of an occurrence: all-day, or a range of instants.
public enum OccurrenceTime: Hashable, Sendable {
    case timed(TimeRange)
    /// From the first day up to but excluding the last.
    case days(CivilDate, CivilDate)

    /// The range of instants on the clock of `zone`.
    public func range(in zone: Zone) -> TimeRange {
        switch self {
        case .timed(let range): range
        case .days(let first, let end): zone.range(from: first, to: end)
        }
    }

    /// Whether the occurrence is all-day.
    public var isAllDay: Bool { if case .days = self { true } else { false } }

    /// The days that overlap the time on the clock of `zone`: from the first up to but excluding the last.
    public func days(in zone: Zone) -> (first: CivilDate, end: CivilDate) {
        switch self {
        case .days(let first, let end): return (first, max(end, first + 1))
        case .timed(let range):
            let first = zone.date(range.start)
            guard range.duration > 0 else { return (first, first + 1) }
            return (first, zone.date(range.end - 1) + 1)
        }
    }
}
