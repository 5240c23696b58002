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

/// What a sentence says about when: any part may be missing.
public struct PhraseParts: Hashable, Sendable {
    /// The day, or the first of several.
    public var date: CivilDate?
    /// The last day, itself included.
    public var lastDate: CivilDate?
    /// Whether ``date`` was named by its weekday alone, which comes round again.
    public var isWeekday = false
    /// Seconds after midnight.
    public var time: Int?
    /// Seconds after midnight of the end; before ``time`` it is on the next day.
    public var endTime: Int?
    /// Seconds.
    public var duration: Int?
    /// An exact moment: `now`, `in 45m`, or a time with an offset.
    public var instant: Instant?
    /// A named stretch of days, such as `this week`: the first day, and the first after it.
    public var period: (first: CivilDate, end: CivilDate)?

    /// Nothing said.
    public init() {}

    /// Whether nothing was said.
    public var isEmpty: Bool {
        date == nil && time == nil && duration == nil && instant == nil && period == nil
    }

    /// Equal in all parts.
    public static func == (a: PhraseParts, b: PhraseParts) -> Bool {
        a.date == b.date && a.lastDate == b.lastDate && a.time == b.time && a.endTime == b.endTime
            && a.duration == b.duration && a.instant == b.instant && a.period?.first == b.period?.first
            && a.period?.end == b.period?.end
    }

    /// By all parts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(date)
        hasher.combine(lastDate)
        hasher.combine(time)
        hasher.combine(endTime)
        hasher.combine(duration)
        hasher.combine(instant)
    }
}
