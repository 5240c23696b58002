/// A moment denoted by a phrase.
public enum PhraseMoment: Hashable, Sendable {
    /// An all-day date.
    case date(CivilDate)
    /// A reading of the clock of the parser's zone.
    case civil(CivilDateTime)
    case instant(Instant)

    /// The instant, on the clock of `zone`; for a day, its first instant.
    public func instant(in zone: Zone) -> Instant {
        switch self {
        case .date(let date): zone.startOfDay(date)
        case .civil(let civil): zone.instant(civil)
        case .instant(let instant): instant
        }
    }

    /// The day on the clock of `zone`.
    public func date(in zone: Zone) -> CivilDate {
        switch self {
        case .date(let date): date
        case .civil(let civil): civil.date
        case .instant(let instant): zone.date(instant)
        }
    }
}

/// A range of time denoted by a phrase; the end is excluded.
public struct PhraseRange: Hashable, Sendable {
    /// The start.
    public var start: PhraseMoment
    /// The first moment after the range.
    public var end: PhraseMoment

    /// Creates a range from `start` up to but excluding `end`.
    public init(start: PhraseMoment, end: PhraseMoment) {
        self.start = start
        self.end = end
    }

    /// The instants, on the clock of `zone`.
    public func timeRange(in zone: Zone) -> TimeRange {
        TimeRange(start: start.instant(in: zone), end: end.instant(in: zone))
    }
}
