/// When an event starts or ends, as its owner meant it: the instant follows from it, not the other way round.
public enum EventTime: Hashable, Sendable {
    /// A whole day, of no zone.
    case date(CivilDate)
    /// The wall clock of wherever one is.
    case floating(CivilDateTime)
    /// The wall clock of a zone. It keeps its reading if the zone's rules change.
    case zoned(CivilDateTime, Zone)
    case utc(Instant)

    /// The wall clock on which the event repeats. A day is its midnight; UTC is a clock like others.
    public var civil: CivilDateTime {
        switch self {
        case .date(let date): CivilDateTime(date)
        case .floating(let civil), .zoned(let civil, _): civil
        case .utc(let instant): CivilDateTime(seconds: instant.seconds)
        }
    }

    /// The zone of that clock: UTC also for days and floating times, which have none.
    public var clock: Zone {
        if case .zoned(_, let zone) = self { zone } else { .utc }
    }

    /// Whether this is a whole day.
    public var isDate: Bool { if case .date = self { true } else { false } }

    /// What ties the time to the line of instants.
    public var basis: TimeBasis {
        switch self {
        case .date: .date
        case .floating: .floating
        case .zoned, .utc: .instant
        }
    }

    /// The instant; for a day, its first; for days and floating times, on the clock of `zone`.
    public func instant(in zone: Zone) -> Instant {
        switch self {
        case .date(let date): zone.startOfDay(date)
        case .floating(let civil): zone.instant(civil)
        case .zoned(let civil, let own): own.instant(civil)
        case .utc(let instant): instant
        }
    }

    /// A time of the same kind and zone at another reading of its clock.
    public func at(_ civil: CivilDateTime) -> EventTime {
        switch self {
        case .date: .date(civil.date)
        case .floating: .floating(civil)
        case .zoned(_, let zone): .zoned(civil, zone)
        case .utc: .utc(Instant(civil.seconds))
        }
    }

    /// The number that stands for the time in the store: seconds of UTC for instants, seconds on the wall clock for
    /// days and floating times.
    public var ordinal: Int64 {
        switch self {
        case .date, .floating: civil.seconds
        case .zoned(let civil, let zone): zone.instant(civil).seconds
        case .utc(let instant): instant.seconds
        }
    }
}

/// What a stored number of seconds counts. The raw value stands in the store.
public enum TimeBasis: Int, Sendable, Hashable {
    /// Seconds of UTC.
    case instant = 0
    /// Seconds on the wall clock of wherever one is.
    case floating = 1
    /// Midnights of days.
    case date = 2
}

/// When an occurrence is, for one who looks at it from a certain zone.
public enum OccurrenceTime: Hashable, Sendable {
    case timed(TimeRange)
    /// From the first day up to but not including the last.
    case days(CivilDate, CivilDate)

    /// The stretch of time on the clock of `zone`.
    public func range(in zone: Zone) -> TimeRange {
        switch self {
        case .timed(let range): range
        case .days(let first, let end): zone.range(from: first, to: end)
        }
    }

    /// Whether these are whole days.
    public var isAllDay: Bool { if case .days = self { true } else { false } }

    /// The days that it touches on the clock of `zone`: from the first up to but not including the last.
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
