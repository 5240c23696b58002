/// A day of the week, numbered as in ISO 8601: Monday is 1, Sunday 7.
public enum Weekday: Int, CaseIterable, Sendable, Comparable {
    case monday = 1
    case tuesday
    case wednesday
    case thursday
    case friday
    case saturday
    case sunday

    /// Orders weekdays as in ISO 8601, Monday first.
    public static func < (a: Weekday, b: Weekday) -> Bool { a.rawValue < b.rawValue }

    /// The weekday `days` later; negative goes back.
    public func advanced(by days: Int) -> Weekday {
        let index = ((rawValue - 1 + days) % 7 + 7) % 7
        return Weekday.allCases[index]
    }

    /// The number of days from `first` to this weekday in a week that starts on `first`: 0 to 6.
    public func index(inWeekStartingOn first: Weekday) -> Int {
        (rawValue - first.rawValue + 7) % 7
    }

    /// Whether it is Saturday or Sunday.
    public var isWeekend: Bool { self >= .saturday }
}

/// A day of the proleptic Gregorian calendar, without a zone.
public struct CivilDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01, negative before it.
    public var dayNumber: Int

    /// Creates the day `dayNumber` days after 1970-01-01, within the limits of ``Instant``.
    public init(dayNumber: Int) { self.dayNumber = min(max(dayNumber, -CivilDate.limit), CivilDate.limit) }

    private static let limit = Int(Instant.limit / 86_400)

    /// Creates the day of that year, month (1–12) and day of month, without validation: day 31 of a month of 30 days is
    /// the first of the next. Use ``init(validYear:month:day:)`` for input of users or files.
    public init(year: Int, month: Int, day: Int) {
        // Days from civil, by era of 400 years, with the year starting in March so that the leap day comes last.
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        dayNumber = era * 146_097 + dayOfEra - 719_468
    }

    /// Creates the day of that year (0–9999), month and day of month; nil if it does not exist.
    public init?(validYear year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= CivilDate.daysIn(month: month, year: year)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Year, month (1–12) and day of month.
    public var components: (year: Int, month: Int, day: Int) {
        let z = dayNumber + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The year; 0 is 1 BC.
    public var year: Int { components.year }
    /// The month, 1 to 12.
    public var month: Int { components.month }
    /// The day of the month, from 1.
    public var day: Int { components.day }

    /// The day of the week.
    public var weekday: Weekday {
        Weekday.allCases[((dayNumber + 3) % 7 + 7) % 7]
    }

    /// The day of the year, from 1.
    public var dayOfYear: Int { dayNumber - CivilDate(year: year, month: 1, day: 1).dayNumber + 1 }

    /// The week of the year, and the year that the week belongs to (ISO 8601, with weeks that start on `first`):
    /// week 1 is the first with at least four days in the year.
    public func week(startingOn first: Weekday = .monday) -> (year: Int, week: Int) {
        let middle = startOfWeek(on: first).dayNumber + 3
        let year = CivilDate(dayNumber: middle).year
        return (year, (middle - CivilDate(year: year, month: 1, day: 1).dayNumber) / 7 + 1)
    }

    /// The first day of this date's week, for weeks that start on `first`.
    public func startOfWeek(on first: Weekday = .monday) -> CivilDate {
        CivilDate(dayNumber: dayNumber - weekday.index(inWeekStartingOn: first))
    }

    /// The first day of this date's month.
    public var startOfMonth: CivilDate {
        let (year, month, _) = components
        return CivilDate(year: year, month: month, day: 1)
    }

    /// The same day `months` later, or the last day of that month if it has no such day.
    public func adding(months: Int) -> CivilDate {
        let (year, month, day) = components
        let index = year * 12 + month - 1 + months
        let newYear = index >= 0 ? index / 12 : (index - 11) / 12
        let newMonth = index - newYear * 12 + 1
        return CivilDate(
            year: newYear, month: newMonth, day: min(day, CivilDate.daysIn(month: newMonth, year: newYear)))
    }

    /// Whether the Gregorian `year` has a 29 February.
    public static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// The number of days in a month (1–12).
    public static func daysIn(month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Orders days, the earlier first.
    public static func < (a: CivilDate, b: CivilDate) -> Bool { a.dayNumber < b.dayNumber }
    /// The day `days` later.
    public static func + (a: CivilDate, days: Int) -> CivilDate {
        CivilDate(dayNumber: Int(Int64(a.dayNumber).clampedSum(Int64(days))))
    }
    /// The day `days` earlier.
    public static func - (a: CivilDate, days: Int) -> CivilDate { a + -max(days, -.max) }
    /// The days from `b` to `a`.
    public static func - (a: CivilDate, b: CivilDate) -> Int { a.dayNumber - b.dayNumber }
}
