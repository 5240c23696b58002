/// A stretch of days: the first, and the first after it.
public struct DayPeriod: Hashable, Sendable {
    /// The first day.
    public var first: CivilDate
    /// The first day after it.
    public var end: CivilDate

    /// From `first` up to but not including `end`.
    public init(first: CivilDate, end: CivilDate) {
        self.first = first
        self.end = end
    }
}

/// The times that a phrase says; any part may be missing.
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
    /// The exact moment of the end.
    public var endInstant: Instant?
    /// A named stretch of days, such as `this week`.
    public var period: DayPeriod?
    /// Whether whole days are asked for.
    public var isAllDay = false
    /// How it repeats.
    public var repetition: Repetition?
    /// The zone whose clock shows the times, if one is named.
    public var zone: Zone?
    /// The offset in seconds that the abbreviation of ``zone`` stands for.
    var zoneOffset: Int?
    /// A shift from the time that something has: `+1d`, `next week`. Only where something is moved.
    public var shift: PhraseShift?

    /// A part of the day that tells 8 from 20 o'clock.
    var part: DayPart?
    /// Whether ``time`` is only the usual one of ``part``.
    public internal(set) var isPartOnly = false
    /// Whether the hour may be one of the afternoon: it is at most 12 and nothing says which half of the day.
    var isOpen = false
    var isEndOpen = false
    /// Whether the hour stands alone, without minutes.
    var isBare = false
    /// Whether midnight was named, which is either end of a day.
    var isMidnight = false
    /// Whether the hour behind `at` may be the number of a house.
    var isDoubtful = false
    /// Whether days and hours are ranges of their own: `mon-fri 9-17`.
    var isSplit = false
    /// Whether ``date`` is the day from which on it repeats.
    var isBeginning = false
    /// The limits of a repetition, which may stand apart from it.
    var until: CivilDate?
    var count: Int?
    /// A stretch of days up to which it repeats: to its beginning, or its end.
    var vagueUntil: DayPeriod?
    var exceptions: [CivilDate] = []
    /// Whether a stretch of days is left out, on some of which it would not take place anyway.
    var hasExceptionRange = false
    /// Weekdays on which it does not happen.
    var freeDays: [Weekday] = []
    /// A length in weeks or more: how long something lasts, or how long it repeats.
    var span: PhraseSpan?

    /// The length in months or years, which ``duration`` has in usual days.
    var months: PhraseSpan?

    /// Nothing said.
    public init() {}

    /// Whether nothing was said.
    public var isEmpty: Bool { self == PhraseParts() }

    /// Whether neither a day nor a time is said.
    public var saysNoTime: Bool {
        date == nil && time == nil && instant == nil && period == nil && duration == nil && shift == nil
            && repetition == nil && !isAllDay
    }

    /// Whether an end or a length is said.
    public var saysEnd: Bool { endTime != nil || lastDate != nil || endInstant != nil || duration != nil }
}

/// A number of a unit.
struct PhraseSpan: Hashable, Sendable {
    var number: Int
    var unit: PhraseUnit
}

/// A shift by days and months, which keeps the time of day, or by seconds.
public struct PhraseShift: Hashable, Sendable {
    /// Months, by which the day of the month stays.
    public var months = 0
    /// Days.
    public var days = 0
    /// Seconds.
    public var seconds = 0

    /// The day and time on the clock after the shift.
    public func applied(to civil: CivilDateTime) -> CivilDateTime {
        CivilDateTime(civil.date.adding(months: months) + days) + civil.secondOfDay + seconds
    }
}

/// How something repeats, as people say it.
public struct Repetition: Hashable, Sendable {
    /// A weekday, or the nth one of a month; negative from its end.
    public struct Day: Hashable, Sendable {
        /// The weekday.
        public var weekday: Weekday
        /// Its number in the month; negative from its end.
        public var ordinal: Int?

        /// A weekday, with its number in the month if that counts.
        public init(_ weekday: Weekday, ordinal: Int? = nil) {
            self.weekday = weekday
            self.ordinal = ordinal
        }
    }

    /// The unit that is counted.
    public var unit: PhraseUnit
    /// Every so many units.
    public var interval: Int
    /// Weekdays on which it happens; empty where the start says it.
    public var weekdays: [Day] = []
    /// Days of the month; negative from its end.
    public var monthDays: [Int] = []
    /// Months, 1 to 12.
    public var months: [Int] = []
    /// Whether the last of ``weekdays`` in each month is meant: the last workday.
    public var isLastOfSet = false
    /// Whether the first of ``weekdays`` in each month is meant: the first workday.
    public var isFirstOfSet = false
    /// The last day on which it may happen.
    public var until: CivilDate?
    /// How many times it happens.
    public var count: Int?
    /// Days on which it does not happen.
    public var exceptions: [CivilDate] = []
    /// How long it goes on, from its beginning, in months and days; it ends before that.
    public var goesOn: PhraseShift?

    /// Every `interval` units.
    public init(_ unit: PhraseUnit, interval: Int = 1) {
        self.unit = unit
        self.interval = interval
    }

    /// Monday to Friday.
    static var workdays: [Day] { Weekday.allCases.filter { !$0.isWeekend }.map { Day($0) } }
}

extension PhraseParts {
    /// Both together, or nil if they contradict each other.
    public func merging(_ other: PhraseParts) -> PhraseParts? {
        var result = self
        guard PhraseParts.fill(&result.lastDate, other.lastDate), PhraseParts.fill(&result.time, other.time),
            PhraseParts.fill(&result.endTime, other.endTime), PhraseParts.fill(&result.duration, other.duration),
            PhraseParts.fill(&result.instant, other.instant), PhraseParts.fill(&result.endInstant, other.endInstant),
            PhraseParts.fill(&result.period, other.period), PhraseParts.fill(&result.zone, other.zone),
            PhraseParts.fill(&result.repetition, other.repetition), PhraseParts.fill(&result.part, other.part),
            PhraseParts.fill(&result.until, other.until), PhraseParts.fill(&result.vagueUntil, other.vagueUntil),
            PhraseParts.fill(&result.count, other.count),
            PhraseParts.fill(&result.span, other.span), PhraseParts.fill(&result.months, other.months),
            PhraseParts.fill(&result.zoneOffset, other.zoneOffset), PhraseParts.fill(&result.shift, other.shift)
        else { return nil }
        if let theirs = other.date {
            if let mine = date {
                // `Friday 2026-12-04` says the same twice, if that day is a Friday.
                guard mine == theirs || (isWeekday || other.isWeekday) && mine.weekday == theirs.weekday else {
                    return nil
                }
                if mine != theirs, isWeekday == other.isWeekday { return nil }
                // `Sunday roast sun 13:00` names it; two weekdays that differ are two days.
                if isWeekday { (result.date, result.isWeekday) = (theirs, other.isWeekday) }
            } else {
                (result.date, result.isWeekday) = (theirs, other.isWeekday)
            }
        }
        result.isAllDay = isAllDay || other.isAllDay
        result.isOpen = isOpen || other.isOpen
        result.isEndOpen = isEndOpen || other.isEndOpen
        result.isBare = isBare || other.isBare
        result.isMidnight = isMidnight || other.isMidnight
        result.isDoubtful = isDoubtful || other.isDoubtful
        result.isBeginning = isBeginning || other.isBeginning
        result.isSplit =
            isSplit || other.isSplit || isRangeOfDays && other.endTime != nil || other.isRangeOfDays && endTime != nil
        result.exceptions += other.exceptions
        result.hasExceptionRange = hasExceptionRange || other.hasExceptionRange
        result.freeDays += other.freeDays
        return result.isConsistent ? result : nil
    }

    /// Takes over a part; false if there is one already.
    private static func fill<Value>(_ mine: inout Value?, _ theirs: Value?) -> Bool {
        guard let theirs else { return true }
        guard mine == nil else { return false }
        mine = theirs
        return true
    }

    private var isRangeOfDays: Bool { lastDate != nil && time == nil }

    private var isConsistent: Bool {
        if instant != nil, date != nil || time != nil || period != nil { return false }
        if period != nil, date != nil || lastDate != nil { return false }
        if duration != nil || span != nil && repetition == nil, endTime != nil || endInstant != nil { return false }
        if duration != nil, lastDate != nil, time != nil { return false }
        if isAllDay, time != nil || endTime != nil || part != nil { return false }
        if count != nil, until != nil { return false }
        if shift != nil, date != nil || period != nil || instant != nil { return false }
        return true
    }
}
