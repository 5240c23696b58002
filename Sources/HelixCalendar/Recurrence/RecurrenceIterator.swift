import HelixModel

/// An iterator over the starts of a recurrence rule, in order, without duplicates.
///
/// The work per step is bounded: a rule that never occurs again ends the walk instead of blocking it, and ``skip(to:)``
/// skips years without walking them; for rules with COUNT, it counts the starts of whole days or periods.
public struct RecurrenceIterator: IteratorProtocol, Sendable {
    /// The last moment that a calendar file can express.
    private static let lastSecond = CivilDateTime(CivilDate(year: 9999, month: 12, day: 31), secondOfDay: 86_399)
        .seconds
    /// The number of consecutive periods without an occurrence after which a rule counts as ended.
    private static let fruitlessLimit = 5_000_000

    let rule: RecurrenceRule
    let start: CivilDateTime
    let startDate: CivilDate
    let days: RecurrenceDays
    /// Offsets in seconds of the times within one period's day, hour, minute or second.
    let times: [Int]
    private let lastAllowed: Int64

    /// The number of the next period, counted from the one of DTSTART.
    var period = 0
    /// The current period's bases in seconds, to which `times` are added.
    private(set) var bases: [Int64] = []
    /// The current period's chosen positions, or nil for all.
    private(set) var positions: [Int]?
    var index = 0
    private(set) var length = 0
    var emitted = 0
    var isDone = false

    init(rule: RecurrenceRule, start: CivilDateTime, zone: Zone) {
        self.rule = rule
        self.start = start
        startDate = start.date
        days = RecurrenceDays(rule, start: startDate)
        times = RecurrenceIterator.times(of: rule, start: start)
        switch rule.until {
        case .date(let date)?: lastAllowed = CivilDateTime(date, secondOfDay: 86_399).seconds
        case .floating(let civil)?: lastAllowed = civil.seconds
        case .utc(let instant)?: lastAllowed = zone.civil(instant).seconds
        case nil: lastAllowed = RecurrenceIterator.lastSecond
        }
    }

    /// The next start, or nil when the rule has ended.
    public mutating func next() -> CivilDateTime? {
        while !isDone {
            while index < length {
                let position = positions.map { $0[index] } ?? index
                index += 1
                let seconds = bases[position / times.count] + Int64(times[position % times.count])
                if seconds < start.seconds { continue }
                guard seconds <= min(lastAllowed, RecurrenceIterator.lastSecond) else {
                    isDone = true
                    return nil
                }
                emitted += 1
                if emitted == rule.count { isDone = true }
                return CivilDateTime(seconds: seconds)
            }
            fillNextPeriod()
        }
        return nil
    }

    /// Skips to the first start at or after `target`, or a little earlier.
    public mutating func skip(to target: CivilDateTime) {
        let seconds = min(target.seconds, RecurrenceIterator.lastSecond)
        guard seconds > start.seconds, period == 0, emitted == 0 else { return }
        if rule.count != nil {
            guard rule.isPlain, let unit = fixedUnit else { return skipCounting(to: seconds) }
            let steps = Int((seconds - start.seconds) / (unit * Int64(rule.interval)))
            emitted = min(steps, rule.count ?? 0)
            if emitted == rule.count { isDone = true }
            period = steps
            return
        }
        let date = CivilDateTime(seconds: seconds).date
        let distance: Int
        switch rule.frequency {
        case .yearly: distance = date.year - startDate.year - 1
        case .monthly: distance = (date.year - startDate.year) * 12 + date.month - startDate.month
        case .weekly: distance = (date - startDate) / 7 - 1
        default: distance = Int((seconds - start.seconds) / (fixedUnit ?? 1)) - 1
        }
        period = max(0, distance / rule.interval - 1)
    }

    /// The length of a period in seconds, if constant.
    var fixedUnit: Int64? {
        switch rule.frequency {
        case .secondly: 1
        case .minutely: 60
        case .hourly: 3600
        case .daily: 86_400
        case .weekly: 604_800
        case .monthly, .yearly: nil
        }
    }

    private static func times(of rule: RecurrenceRule, start: CivilDateTime) -> [Int] {
        let isSecondly = rule.frequency == .secondly
        let isMinutely = isSecondly || rule.frequency == .minutely
        let isHourly = isMinutely || rule.frequency == .hourly
        let hours = isHourly ? [0] : rule.hours.isEmpty ? [start.hour] : rule.hours
        let minutes = isMinutely ? [0] : rule.minutes.isEmpty ? [start.minute] : rule.minutes
        let seconds = isSecondly ? [0] : rule.seconds.isEmpty ? [start.second] : rule.seconds
        // Second 60 is a leap second, which wall clocks here do not have.
        let valid = Set(seconds.map { min($0, 59) }).sorted()
        return hours.flatMap { hour in minutes.flatMap { minute in valid.map { hour * 3600 + minute * 60 + $0 } } }
    }

    // MARK: Periods

    mutating func fillNextPeriod() {
        index = 0
        length = 0
        var fruitless = 0
        while length == 0 && !isDone {
            guard let found = nextBases() else {
                isDone = true
                return
            }
            bases = found
            length = bases.count * times.count
            choosePositions()
            fruitless += 1
            if fruitless > RecurrenceIterator.fruitlessLimit { isDone = true }
        }
    }

    private mutating func choosePositions() {
        guard !rule.setPositions.isEmpty, length > 0 else {
            positions = nil
            return
        }
        let all = length
        let chosen = Set(rule.setPositions.map { $0 > 0 ? $0 - 1 : all + $0 }.filter { (0..<all).contains($0) })
        positions = chosen.sorted()
        length = chosen.count
    }

    /// The bases of the next period, possibly empty, or nil after the last one.
    private mutating func nextBases() -> [Int64]? {
        let (number, overflow) = period.multipliedReportingOverflow(by: rule.interval)
        guard !overflow, number < 400_000_000_000 else { return nil }
        let found: [CivilDate]
        switch rule.frequency {
        case .yearly:
            // With BYWEEKNO, years are week years, counted from that of DTSTART.
            let isByWeek = !rule.weekNumbers.isEmpty
            let year = (isByWeek ? startDate.week(startingOn: rule.weekStart).year : startDate.year) + number
            guard year <= 10_000 else { return nil }
            found = isByWeek ? days.days(ofWeekYear: year) : days.days(ofYear: year)
        case .monthly:
            let month = startDate.month - 1 + number
            guard startDate.year + month / 12 <= 9999 else { return nil }
            found = days.days(ofMonth: month % 12 + 1, year: startDate.year + month / 12)
        case .weekly:
            let monday = startDate.startOfWeek(on: rule.weekStart) + number * 7
            guard CivilDateTime(monday).seconds <= bound else { return nil }
            found = (0..<7).map { monday + $0 }.filter(days.allows(_:))
        case .daily:
            guard let day = nextDay(from: number) else { return nil }
            found = [day]
        case .hourly, .minutely, .secondly:
            guard let base = nextBase(from: number) else { return nil }
            return [base]
        }
        period += 1
        return found.map { CivilDateTime($0).seconds }
    }

    private var bound: Int64 { min(lastAllowed, RecurrenceIterator.lastSecond) }

    /// The first matching day at least `number` days, in whole intervals, after DTSTART.
    private mutating func nextDay(from number: Int) -> CivilDate? {
        var day = startDate + number
        while CivilDateTime(day).seconds <= bound {
            guard let allowed = days.next(from: day) else { return nil }
            let steps = (allowed - startDate + rule.interval - 1) / rule.interval
            period = steps
            let aligned = startDate + steps * rule.interval
            if aligned == allowed { return aligned }
            day = aligned
            if days.allows(day) { return CivilDateTime(day).seconds <= bound ? day : nil }
        }
        return nil
    }

    /// The first matching hour, minute or second, in whole intervals from DTSTART, from the `number`-th on.
    private mutating func nextBase(from number: Int) -> Int64? {
        guard let unit = fixedUnit else { return nil }
        let origin = start.seconds - (start.seconds % unit + unit) % unit
        let step = unit * Int64(rule.interval)
        func aligned(_ seconds: Int64) -> Int64 { origin + (seconds - origin + step - 1) / step * step }
        var base = origin + Int64(number) * unit
        var tries = 0
        while base <= bound {
            tries += 1
            guard tries < RecurrenceIterator.fruitlessLimit else { return nil }
            let civil = CivilDateTime(seconds: base)
            let day = civil.date
            guard let allowed = days.next(from: day) else { return nil }
            let next: Int64?
            if allowed != day {
                next = CivilDateTime(allowed).seconds
            } else {
                next = firstMismatch(civil, unit: unit)
            }
            guard let next else {
                period = Int((base - origin) / step) + 1
                return base
            }
            base = aligned(next)
        }
        return nil
    }

    /// The next candidate if BYHOUR, BYMINUTE or BYSECOND exclude `civil`; nil if it matches.
    func firstMismatch(_ civil: CivilDateTime, unit: Int64) -> Int64? {
        let midnight = CivilDateTime(civil.date).seconds
        if !rule.hours.isEmpty, !rule.hours.contains(civil.hour) {
            let later = rule.hours.first { $0 > civil.hour }
            return midnight + Int64(later ?? 24) * 3600
        }
        let hour = midnight + Int64(civil.hour) * 3600
        if unit < 3600, !rule.minutes.isEmpty, !rule.minutes.contains(civil.minute) {
            let later = rule.minutes.first { $0 > civil.minute }
            return hour + Int64(later ?? 60) * 60
        }
        if unit < 60, !rule.seconds.isEmpty, !rule.seconds.contains(civil.second) {
            let later = rule.seconds.first { $0 > civil.second }
            return hour + Int64(civil.minute) * 60 + Int64(later ?? 60)
        }
        return nil
    }
}
