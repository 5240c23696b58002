/// Days in digits, and named days.
extension PhraseGrammar {
    struct WrittenDay {
        var date: CivilDate
        var end: Int
        var bonus = 0
        var isWeak = false
    }

    /// `2026-12-01`, `20261201`, `2026/12/1`, `1.12.2026`, `1.12.`, `24/12`, `12-01`, `2026-W50-2`.
    func writtenDays(_ index: Int, _ after: CivilDate?) -> [WrittenDay] {
        guard let first = number(index, digits: 1...8) else { return [] }
        let digits = tokens[index].length
        if digits == 8 {
            let date = CivilDate(validYear: first / 10_000, month: first / 100 % 100, day: first % 100)
            return date.map { [WrittenDay(date: $0, end: index + 1)] } ?? []
        }
        if digits == 4 { return yearFirst(index, first) }
        guard digits <= 2 else { return [] }
        if sign(".", index + 1) { return dotted(index, first, after) }
        if sign("/", index + 1), isJoined(index + 1) { return slashed(index, first, after) }
        // `25-12-2026`; if both numbers could be the month, there are two readings.
        if sign("-", index + 1), isJoined(index + 1), isJoined(index + 2),
            let second = number(index + 2, digits: 1...2),
            sign("-", index + 3), isJoined(index + 3), isJoined(index + 4), let year = number(index + 4, digits: 4...4)
        {
            let dates = [(second, first), (first, second)].compactMap {
                CivilDate(validYear: year, month: $0.0, day: $0.1)
            }
            return Set(dates).map { WrittenDay(date: $0, end: index + 5, bonus: 9) }
        }
        if sign("-", index + 1), isJoined(index + 1), isJoined(index + 2), digits == 2,
            let second = number(index + 2, digits: 2...2), !isJoined(index + 3) || wordEnd(index + 3) != nil,
            !isQuantity(index, index + 3), let date = resolved(month: first, day: second, after)
        {
            // `03-12` could be in March or December.
            if isLine, first <= 12, second <= 12, first != second,
                tokens[index].text.hasPrefix("0") || tokens[index + 2].text.hasPrefix("0"),
                let other = resolved(month: second, day: first, after)
            {
                return [date, other].map { WrittenDay(date: $0, end: index + 3, bonus: 9) }
            }
            // `12-01` and `12-24` are days, `10-12` are hours in a sentence.
            let isClear = tokens[index].text.hasPrefix("0") || tokens[index + 2].text.hasPrefix("0") || second > 24
            return [WrittenDay(date: date, end: index + 3, bonus: isClear ? 9 : second > 20 ? 6 : -6)]
        }
        return []
    }

    private func yearFirst(_ index: Int, _ year: Int) -> [WrittenDay] {
        for separator in ["-", "/", "."] where sign(separator, index + 1) && isJoined(index + 1) && isJoined(index + 2)
        {
            if separator == "-", tokens[index + 2].text == "w", let week = number(index + 3, digits: 1...2),
                isJoined(index + 3), sign("-", index + 4), isJoined(index + 4), isJoined(index + 5),
                let day = number(index + 5, digits: 1...1), (1...7).contains(day),
                let monday = isoWeek(year, week)
            {
                return [WrittenDay(date: monday + day - 1, end: index + 6)]
            }
            guard let month = number(index + 2, digits: 1...2), sign(separator, index + 3), isJoined(index + 3),
                isJoined(index + 4), let day = number(index + 4, digits: 1...2),
                let date = CivilDate(validYear: year, month: month, day: day)
            else { continue }
            return [WrittenDay(date: date, end: index + 5)]
        }
        return []
    }

    /// The Monday of an ISO 8601 week, if the year has it.
    func isoWeek(_ year: Int, _ week: Int) -> CivilDate? {
        guard (1...53).contains(week), (1000...9999).contains(year) else { return nil }
        let monday = CivilDate(year: year, month: 1, day: 4).startOfWeek() + (week - 1) * 7
        return monday.week().year == year ? monday : nil
    }

    /// `24.12.2026`, `24.12.26`, `24.12.`, and `24.12` unless it is a time.
    private func dotted(_ index: Int, _ day: Int, _ after: CivilDate?) -> [WrittenDay] {
        guard isJoined(index + 1), !isLine || !hasNumberedNoun(index) else { return [] }
        // `24. 12. 2026` as well.
        let isSpaced = !isJoined(index + 2)
        guard let month = number(index + 2, digits: 1...2), (1...12).contains(month) else { return [] }
        let hasDot = sign(".", index + 3) && isJoined(index + 3)
        if isSpaced && !hasDot { return [] }
        if hasDot {
            if let year = number(index + 4), [2, 4].contains(tokens[index + 4].length),
                isJoined(index + 4) || tokens[index + 4].length == 4,
                let date = CivilDate(validYear: year < 100 ? 2000 + year : year, month: month, day: day)
            {
                return [WrittenDay(date: date, end: index + 5)]
            }
            guard !isJoined(index + 4) || tokens[index + 4].kind != .number,
                let date = resolved(month: month, day: day, after)
            else { return [] }
            return [WrittenDay(date: date, end: index + 4)]
        }
        // `Release 1.10 fri 10:00`
        let named = index > 0 ? weekday(index - 1) : nil
        let isOwn = named != nil && named == resolved(month: month, day: day, after)?.weekday
        if isLine, tokens[index].length == 1, !isOwn, tokens.indices.contains(where: { weekday($0) != nil }) {
            return []
        }
        guard !isJoined(index + 3) || wordEnd(index + 3) != nil, tokens[index + 2].length == 2,
            let date = resolved(month: month, day: day, after)
        else { return [] }
        return [WrittenDay(date: date, end: index + 3)]
    }

    /// `24/12`, `12/24`, `24/12/2026`; if both numbers could be the month, there are two readings.
    private func slashed(_ index: Int, _ first: Int, _ after: CivilDate?) -> [WrittenDay] {
        guard isJoined(index + 2), let second = number(index + 2, digits: 1...2) else { return [] }
        // `24/7 support` and `9/11 memorial` are names.
        if isLine, isPlainWord(index + 3), ["24/7", "9/11"].contains(line[place(index..<index + 3)]) { return [] }
        var year: Int?
        var end = index + 3
        if sign("/", end), isJoined(end), isJoined(end + 1) {
            guard let value = number(end + 1), [2, 4].contains(tokens[end + 1].length) else { return [] }
            year = value < 100 ? 2000 + value : value
            end += 2
        }
        func date(_ month: Int, _ day: Int) -> CivilDate? {
            year.map { CivilDate(validYear: $0, month: month, day: day) } ?? resolved(month: month, day: day, after)
        }
        var dates = [date(second, first), date(first, second)].compactMap { $0 }
        if dates.count == 2, dates[0] == dates[1] { dates.removeLast() }
        // `1/2` may also be a half.
        let isWeak = year == nil && tokens[index].length + tokens[index + 2].length < 3
        return dates.map { WrittenDay(date: $0, end: end, isWeak: isWeak) }
    }

    // MARK: Names

    /// `eom`, `sow`, `easter`, each with an offset in days: `eom-3d`.
    ///
    /// In a line, the name of a holiday before a word is not a day: `Christmas party`.
    func namedDay(_ day: NamedDay, _ index: Int, _ after: CivilDate?) -> (date: CivilDate, end: Int, isWeak: Bool)? {
        var isWeak = false
        let today = parser.today
        var date: CivilDate
        switch day {
        case .start(let unit):
            date = start(of: unit, today)
            // In plans, the start of a period that has begun is the start of the next.
            if parser.direction == .ahead, date < today { date = start(of: unit, PhraseGrammar.adding(1, unit, date)) }
        case .end(let unit):
            date = PhraseGrammar.adding(1, unit, start(of: unit, today)) - 1
        case .feast(let month, let day):
            guard !isLine || !isPlainWord(index + 1), let found = resolved(month: month, day: day, after) else {
                return nil
            }
            (date, isWeak) = (found, isLine)
        case .weekdayOf, .daysAfter, .advent, .easter:
            guard !isLine || !isPlainWord(index + 1) else { return nil }
            isWeak = isLine
            let years = parser.direction == .back && after == nil ? [0, -1] : [0, 1]
            let anchor = after ?? today
            let dates = years.compactMap { PhraseGrammar.movable(day, in: anchor.year + $0) }
            guard let first = dates.first(where: { years[1] < 0 ? $0 <= anchor : $0 >= anchor }) else { return nil }
            date = first
        case .someday:
            guard !isLine, parser.direction == .ahead else { return nil }
            date = CivilDate(year: 9999, month: 12, day: 30)
        }
        guard isJoined(index + 1), let (shift, end) = signed(index + 1), shift.seconds == 0 else {
            return (date, index + 1, isWeak)
        }
        return (shift.applied(to: CivilDateTime(date)).date, end, isWeak)
    }

    /// The day of a movable holiday; nil for another name.
    private static func movable(_ day: NamedDay, in year: Int) -> CivilDate? {
        switch day {
        case .weekdayOf(let month, let ordinal, let weekday):
            nth(ordinal, weekday, CivilDate(year: year, month: month, day: 1))
        case .daysAfter(let days, let month, let ordinal, let weekday):
            nth(ordinal, weekday, CivilDate(year: year, month: month, day: 1)).map { $0 + days }
        // The fourth one is in the week before Christmas Day.
        case .advent(let number): CivilDate(year: year, month: 12, day: 24).startOfWeek(on: .sunday) + (number - 4) * 7
        case .easter(let offset): CivilDate.easter(year) + offset
        case .start, .end, .feast, .someday: nil
        }
    }

    /// The first day of the unit that contains the day.
    func start(of unit: PhraseUnit, _ day: CivilDate) -> CivilDate {
        switch unit {
        case .second, .minute, .hour, .day: day
        case .week: day.startOfWeek(on: parser.firstWeekday)
        case .month: day.startOfMonth
        case .quarter: CivilDate(year: day.year, month: (day.month - 1) / 3 * 3 + 1, day: 1)
        case .year: CivilDate(year: day.year, month: 1, day: 1)
        }
    }

    /// The day `number` units later.
    static func adding(_ number: Int, _ unit: PhraseUnit, _ day: CivilDate) -> CivilDate {
        switch unit {
        case .second, .minute, .hour: day
        case .day: day + number
        case .week: day + number * 7
        case .month: day.adding(months: number)
        case .quarter: day.adding(months: number * 3)
        case .year: day.adding(months: number * 12)
        }
    }
}

extension CivilDate {
    /// Easter Sunday of the Gregorian calendar, by the anonymous algorithm of 1876.
    static func easter(_ year: Int) -> CivilDate {
        let a = year % 19
        let (b, c) = (year / 100, year % 100)
        let f = (b + 8) / 25
        let h = (19 * a + b - b / 4 - (b - f + 1) / 3 + 15) % 30
        let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7
        let m = (a + 11 * h + 22 * l) / 451
        let n = h + l - 7 * m + 114
        return CivilDate(year: year, month: n / 31, day: n % 31 + 1)
    }
}
