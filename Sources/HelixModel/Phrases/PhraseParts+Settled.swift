/// A reason why a phrase is ambiguous or contradictory.
enum PhraseDoubt: Error, Hashable {
    /// The half of the day is open.
    case halfOfDay(Int)
    /// Midnight at either end of the day.
    case midnight(CivilDate)
    /// The hour is outside the part of the day.
    case part(DayPart, Int)
    /// One time of day for several days, from the first to the last.
    case timeOfDays(CivilDate, CivilDate, Int)
    case startWithoutTime
    case startWithoutDay
    case endBeforeStart
    /// The abbreviation of a zone is not in use on the day.
    case zone(Zone, CivilDate)
    case weekday(CivilDate)
    /// A zone without a time to which it applies.
    case zoneWithoutTime(Zone)
    case placeOrTime(Int)
    /// A city after a time, where clocks show another one: either the place or the zone.
    case placeOrZone(String, Int)
    case daysOrHours
    case freeDays
    case dayOfPeriod(DayPeriod)
    /// A weekday of a month or year without its number.
    case weekdayOfMonth(Weekday)
    /// The repetition begins on a day that has passed.
    case past(CivilDate)
    /// A yearly month without a day.
    case noDay
    /// An occurrence lasts longer than until the next one.
    case overlapsItself
    /// The excluded day has no occurrence.
    case exception(CivilDate)
    /// The repetition ends with a period that may be included or not.
    case vagueEnd(DayPeriod)
    /// A time with a length of weeks.
    case long(Int)
}

extension PhraseParts {
    /// The length of the parts in seconds, if they have one.
    fileprivate var length: Int? {
        if let duration { return duration }
        guard let time, let endTime else { return nil }
        if let date, let lastDate { return (lastDate - date) * 86_400 + endTime - time }
        return endTime > time ? endTime - time : endTime - time + 86_400
    }

    /// Returns the parts with the half of the day decided, or throws the reason why that is impossible.
    func settled(_ parser: DatePhraseParser) throws(PhraseDoubt) -> PhraseParts {
        var parts = self
        if let vagueUntil { throw .vagueEnd(vagueUntil) }
        parts.settleDaysOfRepetition(parser)
        if parts != self { return try parts.settled(parser) }
        try parts.settleTimes(parser)
        // `starting 1 april for 3 months` ends on 30 June.
        if let months, let date, repetition == nil, parts.duration != nil {
            var shift = PhraseShift()
            shift.add(months.number, months.unit)
            parts.duration = (date.adding(months: shift.months) + shift.days - date) * 86_400
        }
        try checkTimes(parts, parser)
        try checkEnds(parts)
        try checkZone(parts, parser)
        if let repetition = parts.repetition { try settle(repetition, in: &parts, parser) }
        return parts
    }

    /// Throws the reason why the times are ambiguous.
    ///
    /// - Parameter settled: the parts after their times are settled.
    private func checkTimes(_ settled: PhraseParts, _ parser: DatePhraseParser) throws(PhraseDoubt) {
        if isDoubtful, part == nil, let time { throw .placeOrTime(time) }
        if isSplit { throw .daysOrHours }
        if let period, settled.time != nil { throw .dayOfPeriod(period) }
        if let period, duration != nil, parser.direction == .ahead { throw .dayOfPeriod(period) }
        if settled.time != nil, repetition == nil, let duration, duration >= 7 * 86_400 { throw .long(duration) }
        // `mon-fri 9:15`
        if let lastDate, let time = settled.time, endTime == nil, repetition == nil {
            throw .timeOfDays(date ?? parser.today, lastDate, time)
        }
    }

    /// Throws the reason why the end contradicts the start.
    private func checkEnds(_ settled: PhraseParts) throws(PhraseDoubt) {
        if endTime != nil, time == nil { throw .startWithoutTime }
        if endTime != nil, lastDate != nil, date == nil { throw .startWithoutDay }
        guard let lastDate, let date else { return }
        let isSameDay = lastDate == date
        if lastDate < date || isSameDay && (settled.endTime ?? 1) <= (settled.time ?? 0) { throw .endBeforeStart }
    }

    /// Throws the reason why the zone does not apply.
    private func checkZone(_ settled: PhraseParts, _ parser: DatePhraseParser) throws(PhraseDoubt) {
        guard let zone else { return }
        if settled.time == nil, settled.instant == nil { throw .zoneWithoutTime(zone) }
        if let zoneOffset, let time = settled.time {
            let day = settled.date ?? parser.today
            guard zone.offset(at: zone.instant(CivilDateTime(day) + time)) == zoneOffset else { throw .zone(zone, day) }
        }
    }

    // MARK: Repetitions

    /// Sets the repetition of the settled parts, with its limits and days.
    private func settle(
        _ stated: Repetition, in parts: inout PhraseParts, _ parser: DatePhraseParser
    ) throws(PhraseDoubt) {
        var repetition = stated
        repetition.until = until
        repetition.count = count
        repetition.exceptions = exceptions
        try settleSpan(of: &repetition, in: &parts)
        try checkStart(of: &repetition, parser)
        try settleLength(of: &repetition, in: &parts)
        try settleExceptions(of: &repetition)
        // `daily from dec 1 to dec 5`: the time span of the repetition.
        if let date, let last = lastDate, until == nil, count == nil, endTime == nil,
            (last - date) * 86_400 >= repetition.interval * repetition.unit.seconds
        {
            (repetition.until, parts.lastDate) = (last, nil)
        }
        try checkWeekday(of: repetition)
        if !freeDays.isEmpty { try removeFreeDays(from: &repetition) }
        // `every 2 weeks on friday` equals a start on a Friday.
        if let date, repetition.unit == .week, repetition.weekdays.isEmpty {
            repetition.weekdays = [.init(date.weekday)]
        }
        if isWeekday, repetition.unit == .week, lastDate == nil { (parts.date, parts.isWeekday) = (nil, false) }
        parts.repetition = repetition
    }

    /// Sets the time span of the repetition, or the length of each occurrence if an interval is longer.
    private func settleSpan(of repetition: inout Repetition, in parts: inout PhraseParts) throws(PhraseDoubt) {
        guard let span else { return }
        var shift = PhraseShift()
        shift.add(span.number, span.unit)
        if span.number * span.unit.seconds < repetition.interval * repetition.unit.seconds {
            // `every month for 3 days`: the length of each occurrence.
            guard parts.duration == nil, !parts.saysEnd else { throw .endBeforeStart }
            parts.duration = span.number * span.unit.seconds
        } else {
            repetition.goesOn = shift
        }
    }

    /// Throws the reason why the repetition cannot start on the day. Days that make whole weeks, on a weekday, become weeks.
    private func checkStart(of repetition: inout Repetition, _ parser: DatePhraseParser) throws(PhraseDoubt) {
        if let date, isWeekday, repetition.unit == .day, repetition.interval > 1 {
            // `every 14 days on monday`; `tous les 15 jours` is a fortnight.
            guard repetition.interval % 7 == 0 || repetition.interval == 15 else { throw .weekday(date) }
            (repetition.unit, repetition.interval) = (.week, repetition.interval / 7)
        }
        if let date, isWeekday, repetition.unit >= .month { throw .weekdayOfMonth(date.weekday) }
        if let date, parser.direction == .ahead, date < parser.today, repetition.unit < .year { throw .past(date) }
        if repetition.unit == .year, !repetition.months.isEmpty, repetition.monthDays.isEmpty,
            repetition.weekdays.isEmpty, date == nil
        {
            throw .noDay
        }
    }

    /// Sets a length beyond the interval as the time span of the repetition: `every tue 9:00 10 weeks`.
    private func settleLength(of repetition: inout Repetition, in parts: inout PhraseParts) throws(PhraseDoubt) {
        let interval = repetition.interval * repetition.unit.seconds
        guard let length = parts.length, length > interval else { return }
        guard let duration = parts.duration, duration % 86_400 == 0, until == nil, count == nil else {
            throw .overlapsItself
        }
        var shift = PhraseShift()
        shift.days = duration / 86_400
        (repetition.goesOn, parts.duration) = (shift, nil)
    }

    /// Removes excluded days of a range that have no occurrence; a single one is an error.
    private func settleExceptions(of repetition: inout Repetition) throws(PhraseDoubt) {
        guard repetition.unit == .week, !repetition.weekdays.isEmpty else { return }
        let weekdays = repetition.weekdays
        func occurs(_ date: CivilDate) -> Bool { weekdays.contains { $0.weekday == date.weekday } }
        if hasExceptionRange {
            repetition.exceptions = exceptions.filter(occurs)
        } else if let odd = exceptions.first(where: { !occurs($0) }) {
            throw .exception(odd)
        }
    }

    /// Throws the reason why a weekly repetition contradicts the day of the start.
    private func checkWeekday(of repetition: Repetition) throws(PhraseDoubt) {
        guard let date, repetition.unit == .week, isWeekday || !isBeginning, !repetition.weekdays.isEmpty,
            repetition.weekdays.allSatisfy({ $0.weekday != date.weekday })
        else { return }
        throw .weekday(date)
    }

    /// Removes the excluded weekdays: `every day except fri`.
    private func removeFreeDays(from repetition: inout Repetition) throws(PhraseDoubt) {
        let isDaily = repetition.unit == .day && repetition.interval == 1
        let isWeekly = repetition.unit == .week && !repetition.weekdays.isEmpty
        guard isDaily || isWeekly, repetition.weekdays.allSatisfy({ $0.ordinal == nil }) else {
            throw .freeDays
        }
        let all = isDaily ? Weekday.allCases.map { Repetition.Day($0) } : repetition.weekdays
        repetition.unit = .week
        repetition.weekdays = all.filter { !freeDays.contains($0.weekday) }
        guard !repetition.weekdays.isEmpty else { throw .freeDays }
    }

    /// Moves separate days into the repetition.
    private mutating func settleDaysOfRepetition(_ parser: DatePhraseParser) {
        guard var own = repetition else { return }
        // `every monday in december`, `every day this month`
        if let named = period, until == nil, count == nil, date == nil, span == nil, parser.direction == .ahead {
            (until, period) = (named.end - 1, nil)
            if named.first > parser.today { (date, isBeginning) = (named.first, true) }
            return
        }
        let isWeekly = own.unit == .week && own.weekdays.allSatisfy { $0.ordinal == nil }
        // `mon-thu 9:15-9:30 every week`
        if isWeekly, own.weekdays.isEmpty, own.interval == 1, let first = date, let last = lastDate, time != nil,
            (1..<7).contains(last - first), isSplit || endTime == nil
        {
            own.weekdays = (0...(last - first)).map { .init((first + $0).weekday) }.sorted { $0.weekday < $1.weekday }
            (repetition, lastDate, isSplit, isBeginning) = (own, nil, false, true)
            return
        }
        // `every fri 22:00 to sat 6:00`
        if isWeekly, own.weekdays.count == 1, date == nil, let last = lastDate, time != nil, endTime != nil {
            let first = parser.today + own.weekdays[0].weekday.index(inWeekStartingOn: parser.today.weekday)
            let days = last.weekday.index(inWeekStartingOn: first.weekday)
            (date, isWeekday, lastDate) = (first, true, first + (days == 0 ? 7 : days))
        }
    }

    private mutating func settleTimes(_ parser: DatePhraseParser) throws(PhraseDoubt) {
        guard let start = time else {
            if let part, instant == nil {
                guard let hour = parser.partHours[part] else { return }
                (time, isPartOnly) = (hour, true)
            }
            return
        }
        if isMidnight {
            if date == nil {
                (time, date) = (86_400, repetition == nil ? parser.today : nil)
                if repetition != nil { time = 0 }
            } else if part != nil {
                time = 86_400
            } else if let date {
                throw .midnight(date)
            }
            return
        }
        if let part {
            guard let settled = PhraseParts.time(start, isOpen: isOpen, in: part) else { throw .part(part, start) }
            time = settled
            if let end = endTime, isEndOpen, let other = PhraseParts.time(end, isOpen: true, in: part), other > settled
            {
                endTime = other
            }
            return
        }
        // `at 3`, `2:30`: unlikely in the night, which is usually written 02:30.
        if isOpen, start < (isBare ? 7 : 6) * 3600, start > 0, isBare || parser.direction == .ahead {
            throw .halfOfDay(start)
        }
        guard let end = endTime, lastDate == nil, end <= start else { return }
        if isOpen, isEndOpen, end + 43_200 > start, end <= 43_200, isBare || end + 43_200 - start <= 8 * 3600 {
            // `9-5`: the end of a working day; `11:30-1:15`.
            endTime = end % 43_200 + 43_200
        } else if start < 12 * 3600 || isOpen || end + 86_400 - start > 16 * 3600 {
            throw .endBeforeStart
        }
    }

    /// The time within a part of the day; nil if it is outside.
    private static func time(_ time: Int, isOpen: Bool, in part: DayPart) -> Int? {
        let half = 43_200
        let hours: ClosedRange<Int> =
            switch part {
            case .morning: 0...half
            case .afternoon: half...(19 * 3600)
            case .evening: (15 * 3600)...86_400
            case .night: (17 * 3600)...86_400
            }
        if part == .morning { return isOpen && time >= half || !hours.contains(time) ? nil : time }
        let later = isOpen ? (time == half && part != .afternoon ? 86_400 : time % half + half) : time
        return hours.contains(later) ? later : nil
    }
}
