/// A day found in tokens.
struct DayMatch {
    var start: Int
    var end: Int
    var date: CivilDate
    var isWeekday = false
    var bonus = 0
    var isWeak = false
}

extension PhraseGrammar {
    /// The days that begin at the token.
    ///
    /// - Parameter after: the day from which weekdays and days of a year are counted; for an end, its start.
    func days(_ index: Int, after: CivilDate? = nil) -> [DayMatch] {
        guard index < tokens.count else { return [] }
        var found: [DayMatch] = []
        if tokens[index].kind == .number {
            for match in writtenDays(index, after) {
                add(match.date, index..<match.end, bonus: match.bonus, isWeak: match.isWeak, to: &found)
            }
        }
        for (date, end) in weekdayInWeek(index) { add(date, index..<end, bonus: 2, to: &found) }
        if let day = weekday(index) { addWeekday(day, index, after, to: &found) }
        if let shift = shift(index), let day = weekday(index + 1) {
            for date in shifted(day, shift) { add(date, index..<skipDot(index + 2), to: &found) }
        }
        for meaning in meanings(index) {
            switch meaning {
            case .day(let offset): addNearDay(offset, index, to: &found)
            case .named(let day):
                if let named = namedDay(day, index, after) {
                    add(named.date, index..<named.end, isWeak: named.isWeak, to: &found)
                }
            default: break
            }
        }
        // `from today to friday`; `2 weeks from today` counts.
        if has(.fromNow, index), index == 0 || unit(index - 1) == nil,
            line[tokens[index].range].lowercased() == "from today"
        {
            add(parser.today, index..<index + 1, to: &found)
        }
        for (date, end) in monthDays(index, after) { add(date, index..<end, to: &found) }
        for (date, end) in ordinalDays(index, after) { add(date, index..<end, to: &found) }
        for (date, end) in relativeDays(index) { add(date, index..<end, bonus: 2, to: &found) }
        for (date, end) in edges(index) { add(date, index..<end, to: &found) }
        return found
    }

    /// Adds the day that the words denote, unless it is missing or too far away.
    private func add(
        _ date: CivilDate?, _ words: Range<Int>, isWeekday: Bool = false, bonus: Int = 0, isWeak: Bool = false,
        to found: inout [DayMatch]
    ) {
        guard let date, date >= firstDay, date <= CivilDate.lastRead else { return }
        found.append(
            DayMatch(
                start: words.lowerBound, end: words.upperBound, date: date, isWeekday: isWeekday, bonus: bonus,
                isWeak: isWeak))
    }

    /// `friday`, `friday next`, `Fri 27 Nov 2026`, `friday 13th`, `fri 27 19:00`.
    private func addWeekday(_ day: Weekday, _ index: Int, _ after: CivilDate?, to found: inout [DayMatch]) {
        let end = skipDot(index + 1)
        add(resolved(day, after), index..<end, isWeekday: true, isWeak: isPlacedShortWeekday(index), to: &found)
        if let shift = shiftBehind(end) {
            for date in shifted(day, shift) { add(date, index..<end + 1, to: &found) }
        }
        // `friday fortnight`
        if has(.fortnight, end) { add(resolved(day, after) + 14, index..<end + 1, bonus: 3, to: &found) }
        let place = skip([.the], end)
        // `Fri 27 Nov 2026` denotes one day, if that is a Friday.
        let whole = writtenDays(place, after).map { ($0.date, $0.end) } + monthDays(place, after)
        for (date, past) in whole where date.weekday == day { add(date, index..<past, bonus: 3, to: &found) }
        // `friday 13th`
        if let number = dayNumber(place), number.isOrdinal, tokens[place].kind == .number,
            month(skip([.of], number.end)) == nil
        {
            add(resolved(day, number.day, after), index..<number.end, bonus: 2, to: &found)
        }
        // `fri 27 19:00`, `thu 26`: an hour is at most 24, and is not followed by a time.
        if let number = number(place, digits: 1...2), let date = resolved(day, number, after),
            date - (after ?? parser.today) < 31 || parser.direction == .back,
            number > 24 && !(isJoined(place + 1) && sign(":", place + 1))
                || isClockBehind(skip([.at, .from], place + 1)),
            unit(place + 1) == nil, month(skip([.of], place + 1)) == nil, wordEnd(place + 1) != nil
        {
            add(date, index..<place + 1, bonus: 2, to: &found)
        }
    }

    /// `tomorrow`, `today+3`, `tomorrow week`: days relative to a day that is `offset` days from now.
    private func addNearDay(_ offset: Int, _ index: Int, to found: inout [DayMatch]) {
        let day = parser.today + offset
        // Tom is a name.
        if !isLine || tokens[index].text != "tom" { add(day, index..<index + 1, to: &found) }
        // `today+3`, `tomorrow+1w`
        if isJoined(index + 1), sign("+", index + 1) || sign("-", index + 1), isJoined(index + 2) {
            if let (shift, end) = signed(index + 1), shift.seconds == 0 {
                add(shift.applied(to: CivilDateTime(day)).date, index..<end, bonus: 2, to: &found)
            } else if let number = number(index + 2, digits: 1...3), wordEnd(index + 3) != nil {
                let date = sign("+", index + 1) ? day + number : day - number
                add(date, index..<index + 3, bonus: 2, to: &found)
            }
        }
        // `heute in einer Woche`
        if offset >= 0, parser.vocabulary.hasOthers, has(.in, index + 1) {
            for (date, end) in relativeDays(index + 1) { add(date + offset, index..<end, bonus: 2, to: &found) }
        }
        // `tomorrow week`
        if offset >= 0, unit(index + 1) == .week, tokens[index + 1].text == "week", isLastOrClock(index + 2) {
            add(day + 7, index..<index + 2, bonus: 2, to: &found)
        }
    }

    /// Whether nothing or a time follows.
    private func isLastOrClock(_ index: Int) -> Bool {
        index >= tokens.count || number(index) != nil || has(.at, index)
    }

    // MARK: Days with missing parts

    /// The day with that name nearest in the direction of the parser, today included.
    func resolved(_ day: Weekday, _ after: CivilDate?) -> CivilDate {
        let anchor = after ?? parser.today
        if parser.direction == .back, after == nil {
            return anchor - (7 - day.index(inWeekStartingOn: anchor.weekday)) % 7
        }
        return anchor + day.index(inWeekStartingOn: anchor.weekday)
    }

    /// The nearest day with that name and number in its month.
    private func resolved(_ day: Weekday, _ number: Int, _ after: CivilDate?) -> CivilDate? {
        let anchor = after ?? parser.today
        let isBack = parser.direction == .back && after == nil
        return (0...2_000).lazy.map { isBack ? anchor - $0 : anchor + $0 }.first {
            $0.weekday == day && $0.day == number
        }
    }

    /// The weekday with a shift: `next fri` is the one of next week, `last fri` the last one before today.
    func shifted(_ day: Weekday, _ shift: DateShift) -> [CivilDate] {
        let here = week(0) + day.index(inWeekStartingOn: parser.firstWeekday)
        switch shift {
        case .this: return [here]
        case .next: return [here + 7]
        case .last: return [here < parser.today ? here : here - 7]
        case .coming: return [here > parser.today ? here : here + 7]
        case .either: return here > parser.today ? [here, here + 7] : [here + 7]
        case .afterNext: return [here + 14]
        case .beforeLast: return [here - 14]
        }
    }

    /// The first day of the week that is `offset` weeks from now.
    func week(_ offset: Int) -> CivilDate {
        parser.today.startOfWeek(on: parser.firstWeekday) + offset * 7
    }

    /// The day with that month and number nearest in the direction of the parser, today included.
    func resolved(month: Int, day: Int, _ after: CivilDate?) -> CivilDate? {
        let anchor = after ?? parser.today
        let isBack = parser.direction == .back && after == nil
        for step in 0...8 {
            let year = anchor.year + (isBack ? -step : step)
            guard let date = CivilDate(validYear: year, month: month, day: day) else { continue }
            if isBack ? date <= anchor : date >= anchor { return date }
        }
        return nil
    }

    /// The nearest day with that number in its month.
    func resolved(day: Int, _ after: CivilDate?) -> CivilDate? {
        let anchor = after ?? parser.today
        let isBack = parser.direction == .back && after == nil
        for step in 0...12 {
            let month = anchor.startOfMonth.adding(months: isBack ? -step : step)
            guard let date = CivilDate(validYear: month.year, month: month.month, day: day) else { continue }
            if isBack ? date <= anchor : date >= anchor { return date }
        }
        return nil
    }

    /// A year of four digits, or of two after an apostrophe or a whole date.
    ///
    /// - Parameter isWhole: whether a year must have four digits.
    func year(_ index: Int, isWhole: Bool = false) -> (year: Int, end: Int)? {
        let start = sign(",", index) || has(.of, index) ? index + 1 : index
        if let year = number(start, digits: 4...4), (1000...9999).contains(year), !isClockBehind(start) {
            // `24 dec 1900` is a time of this year's; `14 march 1950 every year` is a birthday.
            let isNear = abs(year - parser.today.year) <= 30 && year >= parser.today.year - 1
            let isClock = year / 100 < 24 && year % 100 < 60
            let isYearly = tokens.indices.contains { has(.every, $0) || tokens[$0].text == "yearly" }
            if isLine, parser.direction == .ahead, isClock, !isNear, !isYearly { return nil }
            return (year, start + 1)
        }
        if sign("'", start), let year = number(start + 1, digits: 2...2), isJoined(start + 1) {
            return (2000 + year, start + 2)
        }
        // `5 jan 27 10:00`: no other number is between a date and a time.
        // A past year is not a year of plans: `Team of 5 dec 24 17:00`.
        let years = parser.direction == .ahead ? 0...10 : -1...(parser.direction == .back ? 0 : 10)
        // `lesson 12 jan 28 10:00`: the number before the month may belong to the title.
        let isBehindNoun =
            isLine && index > 2 && (isPlainWord(index - 3) || sign(".", index - 3) && isPlainWord(index - 4))
        guard !isWhole, !isBehindNoun, let year = number(index, digits: 2...2), !isJoined(index), !isClockBehind(index),
            years.contains(2000 + year - parser.today.year), wordEnd(index + 1) != nil, unit(index + 1) == nil,
            index + 1 == tokens.count || isClock(index + 1)
        else { return nil }
        return (2000 + year, index + 1)
    }

    /// Whether the number is the hour of a time: `10:30`, `10am`, `10-12`.
    private func isClockBehind(_ index: Int) -> Bool {
        guard number(index) != nil else { return false }
        guard isJoined(index + 1) else { return has(.am, index + 1) || has(.pm, index + 1) }
        return sign(":", index + 1) || sign("-", index + 1) && number(index + 2) != nil || sign("/", index + 1)
            || tokens[index + 1].kind == .word
            || sign(".", index + 1) && isJoined(index + 2)
    }

    private func isClock(_ index: Int) -> Bool {
        number(index, digits: 1...2) != nil && isClockBehind(index) || has(.at, index)
    }

    /// A day of the month: `1`, `1st`, `1.`, in a word `first`.
    func dayNumber(_ index: Int) -> (day: Int, end: Int, isOrdinal: Bool)? {
        if let day = number(index, digits: 1...2), (1...31).contains(day) {
            let next = index + 1
            if isJoined(next), tokens[next].kind == .word {
                guard PhraseGrammar.suffixes.contains(tokens[next].text) else { return nil }
                return (day, next + 1, true)
            }
            if isJoined(next), sign("º", next) || sign("°", next) || sign("ª", next) { return (day, next + 1, true) }
            if isJoined(next), sign(".", next), !(isJoined(next + 1) && number(next + 1) != nil) {
                return (day, next + 1, false)
            }
            return isJoined(next) && (sign(":", next) || sign(".", next)) ? nil : (day, next, false)
        }
        let word = first(index) { if case .ordinal(let ordinal) = $0, ordinal > 0 { ordinal } else { nil } }
        return word.map { ($0, index + 1, true) }
    }

    private static let suffixes: Set<String> = [
        "st", "nd", "rd", "th", "º", "ª", "er", "re", "e", "o", "a", "ten", "te",
    ]

    /// `dec 1`, `1 december 2027`, `1st of december`, `december the 1st`.
    private func monthDays(_ index: Int, _ after: CivilDate?) -> [(CivilDate, Int)] {
        var found: [(CivilDate, Int)] = []
        func add(_ month: Int, _ day: Int, _ end: Int) {
            if let (year, past) = year(end), let date = CivilDate(validYear: year, month: month, day: day) {
                found.append((date, past))
            } else if let date = resolved(month: month, day: day, after) {
                found.append((date, end))
            }
        }
        if let month = month(index) {
            let start = skip([.the], skipDot(index + 1))
            if let day = dayNumber(start), !isClockBehind(start) || day.end > start + 1 { add(month, day.day, day.end) }
        }
        // `dec-01`
        if let month = month(index), sign("-", index + 1), isJoined(index + 1), isJoined(index + 2),
            let day = number(index + 2, digits: 1...2), wordEnd(index + 3) != nil
        {
            add(month, day, index + 3)
        }
        // `2026 dec 3`
        if let year = number(index, digits: 4...4), (1900...2200).contains(year), let month = month(index + 1),
            let day = dayNumber(index + 2), !isClockBehind(index + 2),
            let date = CivilDate(validYear: year, month: month, day: day.day)
        {
            found.append((date, day.end))
        }
        // `05DEC`
        if let day = number(index, digits: 1...2), isJoined(index + 1), let month = month(index + 1),
            tokens[index + 1].length >= 3, wordEnd(index + 2) != nil || number(index + 2, digits: 2...4) != nil
        {
            add(month, day, index + 2)
        }
        if let day = dayNumber(index) {
            let start = skip([.of], day.end)
            // `level 2 may 14`
            let isNumber =
                isLine && hasNumberedNoun(index) && dayNumber(start + 1) != nil && !isClockBehind(start + 1)
            if !isNumber, let month = month(start), !isJoined(start) || sign(".", start - 1) {
                add(month, day.day, skipDot(start + 1))
            }
            // `1-dec-2026`, `01-Dec`
            if sign("-", day.end), isJoined(day.end), isJoined(day.end + 1), let month = month(day.end + 1) {
                if sign("-", day.end + 2), isJoined(day.end + 2), let year = number(day.end + 3, digits: 4...4) {
                    if let date = CivilDate(validYear: year, month: month, day: day.day) {
                        found.append((date, day.end + 4))
                    }
                } else if wordEnd(day.end + 2) != nil {
                    add(month, day.day, day.end + 2)
                }
            }
        }
        return found
    }
}

extension PhraseGrammar {
    /// Years before 1000 are typing errors in plans and past work.
    var firstDay: CivilDate { CivilDate(year: parser.direction == .neutral ? 0 : 1000, month: 1, day: 1) }
}

extension CivilDate {
    static let lastRead = CivilDate(year: 9999, month: 12, day: 31)
}
