/// A range of days.
public struct DayPeriod: Hashable, Sendable {
    /// The first day.
    public var first: CivilDate
    /// The first day after it.
    public var end: CivilDate

    /// Creates a range from `first` up to but excluding `end`.
    public init(first: CivilDate, end: CivilDate) {
        self.first = first
        self.end = end
    }
}

/// The times denoted by a phrase; any part may be missing.
public struct PhraseParts: Hashable, Sendable {
    /// The day, or the first of several.
    public var date: CivilDate?
    /// The last day, inclusive.
    public var lastDate: CivilDate?
    /// Whether ``date`` was given only by its weekday.
    public var isWeekday = false
    /// Seconds after midnight.
    public var time: Int?
    /// The end in seconds after midnight; if before ``time``, it is on the next day.
    public var endTime: Int?
    /// The length in seconds.
    public var duration: Int?
    /// An exact moment: `now`, `in 45m`, or a time with an offset.
    public var instant: Instant?
    /// The exact moment of the end.
    public var endInstant: Instant?
    /// A named range of days, such as `this week`.
    public var period: DayPeriod?
    /// Whether all-day times were requested.
    public var isAllDay = false
    /// The repetition.
    public var repetition: Repetition?
    /// The zone of the times, if one is named.
    public var zone: Zone?
    /// The offset in seconds that the abbreviation of ``zone`` denotes.
    var zoneOffset: Int?
    /// A shift from the existing time: `+1d`, `next week`. Only for moves.
    public var shift: PhraseShift?

    /// A part of the day that tells 8:00 from 20:00.
    var part: DayPart?
    /// Whether ``time`` is only the default of ``part``.
    public internal(set) var isPartOnly = false
    /// Whether the hour may be in the afternoon: it is at most 12 and neither half of the day is given.
    var isOpen = false
    var isEndOpen = false
    /// Whether the hour has no minutes.
    var isBare = false
    /// Whether midnight was named, which may be either end of a day.
    var isMidnight = false
    /// Whether the hour after `at` may be a house number.
    var isDoubtful = false
    /// Whether days and hours are separate ranges: `mon-fri 9-17`.
    var isSplit = false
    /// Whether ``date`` is the start of the repetition.
    var isBeginning = false
    /// The limits of a repetition, which may be separate from it.
    var until: CivilDate?
    var count: Int?
    /// A range of days that ends the repetition: at its beginning or its end.
    var vagueUntil: DayPeriod?
    var exceptions: [CivilDate] = []
    /// Whether a range of days is excluded, some of which may have no occurrence.
    var hasExceptionRange = false
    /// Excluded weekdays.
    var freeDays: [Weekday] = []
    /// A length in weeks or more: of an occurrence, or of the repetition.
    var span: PhraseSpan?

    /// The length in months or years, which ``duration`` has in nominal days.
    var months: PhraseSpan?

    /// Creates empty parts.
    public init() {}

    /// Whether all parts are missing.
    public var isEmpty: Bool { self == PhraseParts() }

    /// Whether both day and time are missing.
    public var saysNoTime: Bool {
        date == nil && time == nil && instant == nil && period == nil && duration == nil && shift == nil
            && repetition == nil && !isAllDay
    }

    /// Whether an end or a length is given.
    public var saysEnd: Bool { endTime != nil || lastDate != nil || endInstant != nil || duration != nil }
}

/// A number of a unit.
struct PhraseSpan: Hashable, Sendable {
    var number: Int
    var unit: PhraseUnit
}

/// A shift by days and months, which keeps the time of day, or by seconds.
public struct PhraseShift: Hashable, Sendable {
    /// Months, which keep the day of the month.
    public var months = 0
    /// Days.
    public var days = 0
    /// Seconds.
    public var seconds = 0

    /// Returns the day and time on the clock after the shift.
    public func applied(to civil: CivilDateTime) -> CivilDateTime {
        CivilDateTime(civil.date.adding(months: months) + days) + civil.secondOfDay + seconds
    }
}

/// A repetition, as users write it.
public struct Repetition: Hashable, Sendable {
    /// A weekday, or the nth one of a month; negative from its end.
    public struct Day: Hashable, Sendable {
        /// The weekday.
        public var weekday: Weekday
        /// Its number in the month; negative from its end.
        public var ordinal: Int?

        /// Creates a weekday, with its number in the month if that counts.
        public init(_ weekday: Weekday, ordinal: Int? = nil) {
            self.weekday = weekday
            self.ordinal = ordinal
        }
    }

    /// The unit.
    public var unit: PhraseUnit
    /// The number of units between occurrences.
    public var interval: Int
    /// The weekdays; empty if the start determines them.
    public var weekdays: [Day] = []
    /// The days of the month; negative from its end.
    public var monthDays: [Int] = []
    /// The months, 1 to 12.
    public var months: [Int] = []
    /// Whether only the last of ``weekdays`` in each month counts: the last workday.
    public var isLastOfSet = false
    /// Whether only the first of ``weekdays`` in each month counts: the first workday.
    public var isFirstOfSet = false
    /// The last possible day.
    public var until: CivilDate?
    /// The number of occurrences.
    public var count: Int?
    /// Excluded days.
    public var exceptions: [CivilDate] = []
    /// The time span from the first occurrence, in months and days; the repetition ends before its end.
    public var goesOn: PhraseShift?

    /// Creates a repetition every `interval` units.
    public init(_ unit: PhraseUnit, interval: Int = 1) {
        self.unit = unit
        self.interval = interval
    }

    /// Monday to Friday.
    static var workdays: [Day] { Weekday.allCases.filter { !$0.isWeekend }.map { Day($0) } }
}

extension PhraseParts {
    /// Merges both; nil if they contradict each other.
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
                // `Friday 2026-12-04` is redundant, if that day is a Friday.
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

    /// Sets a part; false if a different one is set already.
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
