import HelixModel

/// The days that match a rule's BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY and BYDAY; missing parts default to
/// DTSTART's month, day and weekday (RFC 5545 §3.3.10).
struct RecurrenceDays: Sendable {
    private let rule: RecurrenceRule
    private let monthMask: UInt16
    /// Days of the month; bit n is day n.
    private let monthDayMask: UInt32
    /// Days counted from the end of the month; bit 1 is the last.
    private let monthDayFromEndMask: UInt32
    /// Weekdays without a number; bit n is ISO weekday n.
    private let weekdayMask: UInt8
    private let numbered: [RecurrenceRule.WeekdayNumber]
    private let numberedInMonth: Bool

    init(_ rule: RecurrenceRule, start: CivilDate) {
        var rule = rule
        let (_, month, day) = start.components
        // Missing parts default to DTSTART.
        switch rule.frequency {
        case .yearly:
            if rule.weekdays.isEmpty && rule.monthDays.isEmpty && rule.yearDays.isEmpty {
                if rule.weekNumbers.isEmpty {
                    if rule.months.isEmpty { rule.months = [month] }
                    rule.monthDays = [day]
                } else {
                    rule.weekdays = [.init(start.weekday)]
                }
            }
            numberedInMonth = !rule.months.isEmpty
        case .monthly:
            if rule.weekdays.isEmpty && rule.monthDays.isEmpty { rule.monthDays = [day] }
            numberedInMonth = true
        case .weekly:
            if rule.weekdays.isEmpty { rule.weekdays = [.init(start.weekday)] }
            numberedInMonth = false
        default:
            numberedInMonth = false
        }
        self.rule = rule
        monthMask = rule.months.reduce(0) { $0 | 1 << UInt16($1) }
        monthDayMask = rule.monthDays.filter { $0 > 0 }.reduce(0) { $0 | 1 << UInt32($1) }
        monthDayFromEndMask = rule.monthDays.filter { $0 < 0 }.reduce(0) { $0 | 1 << UInt32(-$1) }
        weekdayMask = rule.weekdays.filter { $0.ordinal == nil }.reduce(0) { $0 | 1 << UInt8($1.weekday.rawValue) }
        numbered = rule.weekdays.filter { $0.ordinal != nil }
    }

    /// Whether every day matches the rule.
    var isUnlimited: Bool {
        monthMask == 0 && rule.monthDays.isEmpty && rule.yearDays.isEmpty && rule.weekdays.isEmpty
    }

    func allows(month: Int) -> Bool { monthMask == 0 || monthMask & 1 << UInt16(month) != 0 }

    /// Whether `date` matches. BYWEEKNO is not checked: the caller walks its weeks.
    func allows(_ date: CivilDate) -> Bool {
        let (year, month, day) = date.components
        guard allows(month: month) else { return false }
        return allows(date, year: year, month: month, day: day)
    }

    private func allows(_ date: CivilDate, year: Int, month: Int, day: Int) -> Bool {
        if !rule.monthDays.isEmpty {
            let fromEnd = CivilDate.daysIn(month: month, year: year) - day + 1
            guard monthDayMask & 1 << UInt32(day) != 0 || monthDayFromEndMask & 1 << UInt32(fromEnd) != 0 else {
                return false
            }
        }
        if !rule.yearDays.isEmpty {
            let dayOfYear = date.dayNumber - CivilDate(year: year, month: 1, day: 1).dayNumber + 1
            let fromEnd = dayOfYear - (CivilDate.isLeap(year) ? 367 : 366)
            guard rule.yearDays.contains(dayOfYear) || rule.yearDays.contains(fromEnd) else { return false }
        }
        if !rule.weekdays.isEmpty {
            let weekday = date.weekday
            if weekdayMask & 1 << UInt8(weekday.rawValue) != 0 { return true }
            return numbered.contains { entry in
                entry.weekday == weekday && isNumber(entry.ordinal ?? 0, date, year: year, month: month, day: day)
            }
        }
        return true
    }

    private func isNumber(_ ordinal: Int, _ date: CivilDate, year: Int, month: Int, day: Int) -> Bool {
        let position: Int
        let length: Int
        if numberedInMonth {
            position = day
            length = CivilDate.daysIn(month: month, year: year)
        } else {
            position = date.dayNumber - CivilDate(year: year, month: 1, day: 1).dayNumber + 1
            length = CivilDate.isLeap(year) ? 366 : 365
        }
        return ordinal > 0 ? (position - 1) / 7 + 1 == ordinal : (length - position) / 7 + 1 == -ordinal
    }

    /// The matching days of a calendar year, in order.
    func days(ofYear year: Int) -> [CivilDate] {
        (1...12).filter(allows(month:)).flatMap { days(ofMonth: $0, year: year) }
    }

    /// The matching days of a month, in order.
    func days(ofMonth month: Int, year: Int) -> [CivilDate] {
        guard allows(month: month) else { return [] }
        let first = CivilDate(year: year, month: month, day: 1)
        let last = CivilDate.daysIn(month: month, year: year)
        var days: [CivilDate] = []
        if monthDayMask != 0 && monthDayFromEndMask == 0 {
            // Only the listed days need a check: common rules have one.
            for day in rule.monthDays where day <= last && allows(first + (day - 1), year: year, month: month, day: day)
            {
                days.append(first + (day - 1))
            }
            return days
        }
        for day in 1...last where allows(first + (day - 1), year: year, month: month, day: day) {
            days.append(first + (day - 1))
        }
        return days
    }

    /// The matching days of the rule's weeks of `weekYear`, in order. They may be in the adjacent years.
    func days(ofWeekYear weekYear: Int) -> [CivilDate] {
        // 4 January is always in week 1, 28 December always in the last.
        let first = CivilDate(year: weekYear, month: 1, day: 4).startOfWeek(on: rule.weekStart)
        let last = CivilDate(year: weekYear, month: 12, day: 28).startOfWeek(on: rule.weekStart)
        let count = (last - first) / 7 + 1
        let weeks = Set(rule.weekNumbers.map { $0 > 0 ? $0 : count + 1 + $0 }.filter { (1...count).contains($0) })
        return weeks.sorted().flatMap { week in
            (0..<7).map { first + ((week - 1) * 7 + $0) }.filter(allows(_:))
        }
    }

    /// The first matching day from `date` on, or nil if there is none in a whole Gregorian cycle.
    func next(from date: CivilDate) -> CivilDate? {
        if isUnlimited { return date }
        var day = date
        let limit = date + 146_097
        while day < limit {
            let (year, month, _) = day.components
            guard allows(month: month) else {
                day = CivilDate(year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1)
                continue
            }
            if allows(day) { return day }
            day = day + 1
        }
        return nil
    }
}
