/// Days relative to a week or another day, and whole weeks and months.
extension PhraseGrammar {
    /// A signed number of units: `+3d`, `-1w2d`; the shift keeps the time of day.
    func signed(_ index: Int) -> (shift: PhraseShift, end: Int)? {
        guard sign("+", index) || sign("-", index), isJoined(index + 1) else { return nil }
        let factor = sign("-", index) ? -1 : 1
        var shift = PhraseShift()
        var end = index + 1
        while let value = number(end, digits: 1...5), let unit = unit(end + 1),
            isJoined(end + 1) || end == index + 1
        {
            shift.add(value * factor, unit)
            end += 2
            // `+1h30`
            if unit == .hour, isJoined(end), let minutes = number(end, digits: 2...2), minutes < 60,
                wordEnd(end + 1) != nil
            {
                shift.add(minutes * factor, .minute)
                end += 1
                break
            }
            if !isJoined(end) { break }
        }
        return end > index + 1 ? (shift, end) : nil
    }

    /// A shift at the beginning: `+1d`, `-1w 2d`, `in 2 days`, `1 hour later`, `2 days earlier`, `next week`.
    func movement() -> (shift: PhraseShift, end: Int)? {
        if let found = signed(0) { return found }
        if let shift = shift(0), let unit = unit(1), unit.isDays, weekdayInWeek(0).isEmpty, shift != .this,
            ordinalDays(0, nil).isEmpty
        {
            var moved = PhraseShift()
            moved.add(PhraseGrammar.step(shift), unit)
            return (moved, 2)
        }
        let isIn = has(.in, 0)
        // `by 2 days`
        let isBy = tokens.indices.contains(0) && tokens[0].text == "by"
        guard let (shift, end, _) = amount(isIn || isBy ? 1 : 0) else { return nil }
        // `1d` alone is a shift as well.
        if end == tokens.count, !isIn { return (shift, end) }
        if isBy { return nil }
        if isIn { return weekday(skip([.on], end)) == nil ? (shift, end) : nil }
        guard end < tokens.count else { return nil }
        switch tokens[end].text {
        case "later", "after": return (shift, end + 1)
        case "earlier", "before": return end + 1 == tokens.count ? (shift.negated, end + 1) : nil
        default: return nil
        }
    }

    /// `in 2 weeks`, `2 weeks ago`, `+3d`, `two weeks from friday`, `3 days before eom`.
    ///
    /// In a field also `3d`.
    func relativeDays(_ index: Int) -> [(CivilDate, Int)] {
        let today = parser.today
        if let (shift, end) = signed(index) {
            return shift.seconds == 0 ? [(PhraseGrammar.date(shift, from: today), end)] : []
        }
        // `the day after christmas`
        if let unit = unit(index), unit.isDays, tokens[index].length > 2,
            has(.after, index + 1) || has(.before, index + 1)
        {
            var shift = PhraseShift()
            shift.add(has(.after, index + 1) ? 1 : -1, unit)
            return days(index + 2).map { (PhraseGrammar.date(shift, from: $0.date), $0.end) }
        }
        let hasIn = has(.in, index)
        // `in 3 business days`
        if hasIn, let count = count(index + 1), (1...100).contains(count), has(.weekdays, index + 2) {
            var day = today
            for _ in 0..<count {
                repeat { day = day + 1 } while day.weekday.isWeekend
            }
            return [(day, index + 3)]
        }
        guard let amount = amount(hasIn ? index + 1 : index), amount.unit.isDays else { return [] }
        let isPast = index > 0 && has(.agoBefore, index - 1)
        if isPast || has(.ago, amount.end) {
            if !isPast, hasIn { return [] }
            return [(PhraseGrammar.date(amount.shift.negated, from: today), isPast ? amount.end : amount.end + 1)]
        }
        if has(.fromNow, amount.end) { return [(PhraseGrammar.date(amount.shift, from: today), amount.end + 1)] }
        return hasIn ? daysIn(amount) : daysFrom(amount)
    }

    private static func date(_ shift: PhraseShift, from day: CivilDate) -> CivilDate {
        shift.applied(to: CivilDateTime(day)).date
    }

    /// `in 2 weeks`, `in 2 weeks' time`.
    private func daysIn(_ amount: (shift: PhraseShift, end: Int, unit: PhraseUnit)) -> [(CivilDate, Int)] {
        let (shift, end, unit) = amount
        let date = PhraseGrammar.date(shift, from: parser.today)
        // `dans 15 jours`, `in acht Tagen`: usually weeks, since today is counted.
        if unit == .day, let days = PhraseGrammar.countedWeeks[tokens[end - 1].text], days.contains(shift.days) {
            return [(date, end), (date - 1, end)]
        }
        // `in 2 weeks' time`
        let place = sign("'", end) || sign("’", end) ? end + 1 : end
        let isTime = tokens.indices.contains(place) && tokens[place].text == "time"
        return [(date, isTime ? place + 1 : end)]
    }

    /// `two weeks from friday`, `3 days before eom`, `a week today`, `a week on tuesday`; in a field also `3d`.
    private func daysFrom(_ amount: (shift: PhraseShift, end: Int, unit: PhraseUnit)) -> [(CivilDate, Int)] {
        let (shift, end, unit) = amount
        let today = parser.today
        var found: [(CivilDate, Int)] = []
        // `a week today`, `a fortnight tomorrow`
        if unit == .week, tokens.indices.contains(end),
            let offset = first(end, { if case .day(let offset) = $0 { offset } else { nil } }), offset >= 0,
            tokens[end].text != "tom"
        {
            found.append((PhraseGrammar.date(shift, from: today + offset), end + 1))
        }
        // `a week on tuesday`
        if unit == .week, has(.on, end), weekday(end + 1) != nil {
            for day in days(end + 1) { found.append((PhraseGrammar.date(shift, from: day.date), day.end)) }
        }
        for (marker, factor) in [(DateMarker.from, 1), (.after, 1), (.before, -1)] where has(marker, end) {
            for day in days(end + 1) {
                // `4 days from dec 10` may also last four days.
                if isLine, factor > 0, unit == .day || marker == .from,
                    tokens[end + 1].kind == .number || month(end + 1) != nil || unit == .day && weekday(end + 1) != nil
                {
                    continue
                }
                found.append((PhraseGrammar.date(factor > 0 ? shift : shift.negated, from: day.date), day.end))
            }
        }
        // `due:3d`, `due:2weeks`
        if !isLine, parser.direction != .neutral, found.isEmpty {
            found.append((PhraseGrammar.date(parser.direction == .back ? shift.negated : shift, from: today), end))
        }
        return found
    }

    /// Numbers of days that mean one or two weeks because today is counted, by the word for days.
    private static let countedWeeks: [String: Set<Int>] = [
        "jours": [8, 15], "dias": [8, 15], "giorni": [8, 15], "tagen": [8],
    ]

    /// An unsigned number of units: `2 weeks`, `a month`, `3d`, `a fortnight`.
    func amount(_ index: Int) -> (shift: PhraseShift, end: Int, unit: PhraseUnit)? {
        if has(.fortnight, index) || has(.a, index) && has(.fortnight, index + 1) {
            var shift = PhraseShift()
            shift.days = 14
            return (shift, has(.fortnight, index) ? index + 1 : index + 2, .week)
        }
        guard let number = count(index), let unit = unit(index + 1) else { return nil }
        var shift = PhraseShift()
        shift.add(number, unit)
        return (shift, skipDot(index + 2), unit)
    }

    /// The first days of named weeks: `next week`, `in 2 weeks`, `week 50`, `w50`.
    func weeks(_ index: Int) -> [(first: CivilDate, end: Int)] {
        let start = skip([.on, .of, .in, .the], index)
        let isIn = (index..<start).contains { has(.in, $0) }
        if let shift = shift(start), unit(start + 1) == .week {
            return [(week(PhraseGrammar.step(shift)), start + 2)]
        }
        if unit(start) == .week, let shift = shiftBehind(start + 1) {
            return [(week(PhraseGrammar.step(shift)), start + 2)]
        }
        if let number = first(start, { if case .namedWeek(let number) = $0 { number } else { nil } }) {
            return [(week(number), start + 1)]
        }
        if isIn, let (shift, end, unit) = amount(start), unit == .week, shift.days > 0 {
            return [(week(shift.days / 7), end)]
        }
        if let (shift, end, unit) = amount(start), unit == .week, has(.fromNow, end) {
            return [(week(shift.days / 7), end + 1)]
        }
        return numberedWeek(start).map { [($0.first, $0.end)] } ?? []
    }

    static func step(_ shift: DateShift) -> Int {
        switch shift {
        case .this: 0
        case .next, .coming, .either: 1
        case .last: -1
        case .afterNext: 2
        case .beforeLast: -2
        }
    }

    /// `week 50`, `week 50 2027`, `w50`, `kw 50`, `2026-W50`.
    func numberedWeek(_ index: Int) -> (first: CivilDate, end: Int)? {
        if let year = number(index, digits: 4...4), sign("-", index + 1), isJoined(index + 1), isJoined(index + 2),
            tokens[index + 2].text == "w", isJoined(index + 3), let week = number(index + 3, digits: 1...2),
            let monday = isoWeek(year, week), !(sign("-", index + 4) && isJoined(index + 4))
        {
            return (monday, index + 4)
        }
        guard unit(index) == .week, let week = number(index + 1, digits: 1...2), (1...53).contains(week),
            tokens[index].text != "w" || isJoined(index + 1), !isJoined(index + 2) || wordEnd(index + 2) != nil,
            unit(index + 2) == nil
        else { return nil }
        if let (year, end) = year(index + 2), let monday = isoWeek(year, week) { return (monday, end) }
        let own = parser.today.week().year
        let years = parser.direction == .back ? [own, own - 1] : [own, own + 1]
        for year in years {
            guard let monday = isoWeek(year, week) else { continue }
            let isFitting = parser.direction == .back ? monday <= parser.today : monday + 6 >= parser.today
            if isFitting { return (monday, index + 2) }
        }
        return nil
    }

    /// `next week wednesday`, `wednesday next week`, `fri in 2 weeks`, `friday of week 50`, `in two weeks on monday`.
    func weekdayInWeek(_ index: Int) -> [(CivilDate, Int)] {
        func day(_ weekday: Weekday, _ first: CivilDate) -> CivilDate {
            first + weekday.index(inWeekStartingOn: first.weekday)
        }
        if let weekday = weekday(index) {
            var found = weeks(skipDot(index + 1)).map { (day(weekday, $0.first), $0.end) }
            // `friday week`: a week after that Friday.
            if unit(index + 1) == .week, tokens[index + 1].text == "week", wordEnd(index + 2) != nil,
                index + 2 >= tokens.count || number(index + 2) != nil || has(.at, index + 2)
            {
                found.append((resolved(weekday, nil) + 7, index + 2))
            }
            return found
        }
        return weeks(index).compactMap { week in
            let start = skip([.on, .the], week.end)
            return weekday(start).map { (day($0, week.first), skipDot(start + 1)) }
        }
    }

    /// A month after `of`: `of january 2027`, `of next month`, `of the month`.
    func monthOf(_ index: Int) -> (first: CivilDate, end: Int)? {
        let start = skip([.of, .in, .the], index)
        let this = parser.today.startOfMonth
        if let shift = shift(start), unit(start + 1) == .month {
            return (this.adding(months: PhraseGrammar.step(shift)), start + 2)
        }
        if unit(start) == .month {
            if let shift = shiftBehind(start + 1) { return (this.adding(months: PhraseGrammar.step(shift)), start + 2) }
            return start > index ? (this, start + 1) : nil
        }
        if let month = month(start) {
            let end = skipDot(start + 1)
            if let (year, past) = year(end, isWhole: true) {
                return (CivilDate(year: year, month: month, day: 1), past)
            }
            let own = parser.today
            let isOver = month < own.month
            let year = own.year + (parser.direction == .back ? (month > own.month ? -1 : 0) : isOver ? 1 : 0)
            return (CivilDate(year: year, month: month, day: 1), end)
        }
        return nil
    }
}

extension PhraseShift {
    var negated: PhraseShift { PhraseShift(months: -months, days: -days, seconds: -seconds) }

    mutating func add(_ number: Int, _ unit: PhraseUnit) {
        switch unit {
        case .second, .minute, .hour: seconds += number * unit.seconds
        case .day: days += number
        case .week: days += number * 7
        case .month: months += number
        case .quarter: months += number * 3
        case .year: months += number * 12
        }
    }
}
