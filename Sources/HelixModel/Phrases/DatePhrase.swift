/// A moment as a phrase says it.
public enum PhraseMoment: Hashable, Sendable {
    /// A whole day.
    case date(CivilDate)
    /// A reading of the clock of the parser's zone.
    case civil(CivilDateTime)
    case instant(Instant)

    /// The instant, on the clock of `zone`; of a day the first.
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

/// A stretch of time as a phrase says it; the end is not part of it.
public struct PhraseRange: Hashable, Sendable {
    /// The beginning.
    public var start: PhraseMoment
    /// The first moment after it.
    public var end: PhraseMoment

    /// From `start` up to but not including `end`.
    public init(start: PhraseMoment, end: PhraseMoment) {
        self.start = start
        self.end = end
    }

    /// The instants, on the clock of `zone`.
    public func timeRange(in zone: Zone) -> TimeRange {
        TimeRange(start: start.instant(in: zone), end: end.instant(in: zone))
    }
}
