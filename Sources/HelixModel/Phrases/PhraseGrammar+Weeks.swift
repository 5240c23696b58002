/// Days relative to a week, a month or another day, and whole weeks and months.
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
        func date(_ shift: PhraseShift, from day: CivilDate) -> CivilDate {
            shift.applied(to: CivilDateTime(day)).date
        }
        if let (shift, end) = signed(index) { return shift.seconds == 0 ? [(date(shift, from: today), end)] : [] }
        // `the day after christmas`
        if let unit = unit(index), unit.isDays, tokens[index].length > 2,
            has(.after, index + 1) || has(.before, index + 1)
        {
            var shift = PhraseShift()
            shift.add(has(.after, index + 1) ? 1 : -1, unit)
            return days(index + 2).map { (date(shift, from: $0.date), $0.end) }
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
        guard let (shift, end, unit) = amount(hasIn ? index + 1 : index), unit.isDays else { return [] }
        if index > 0, has(.agoBefore, index - 1) { return [(date(shift.negated, from: today), end)] }
        if has(.ago, end) { return hasIn ? [] : [(date(shift.negated, from: today), end + 1)] }
        if has(.fromNow, end) { return [(date(shift, from: today), end + 1)] }
        if hasIn {
            // `in 2 weeks' time`
            let place = sign("'", end) || sign("’", end) ? end + 1 : end
            let isTime = tokens.indices.contains(place) && tokens[place].text == "time"
            // `dans 15 jours`, `in acht Tagen`: usually weeks, since today is counted.
            if unit == .day, let days = PhraseGrammar.countedWeeks[tokens[end - 1].text], days.contains(shift.days) {
                return [(date(shift, from: today), end), (date(shift, from: today) - 1, end)]
            }
            return [(date(shift, from: today), isTime ? place + 1 : end)]
        }
        var found: [(CivilDate, Int)] = []
        // `a week today`, `a fortnight tomorrow`
        if unit == .week, tokens.indices.contains(end),
            let offset = first(end, { if case .day(let offset) = $0 { offset } else { nil } }), offset >= 0,
            tokens[end].text != "tom"
        {
            found.append((date(shift, from: today + offset), end + 1))
        }
        // `a week on tuesday`
        if unit == .week, has(.on, end), weekday(end + 1) != nil {
            for day in days(end + 1) { found.append((date(shift, from: day.date), day.end)) }
        }
        for (marker, factor) in [(DateMarker.from, 1), (.after, 1), (.before, -1)] where has(marker, end) {
            for day in days(end + 1) {
                // `4 days from dec 10` may also last four days.
                if isLine, factor > 0, unit == .day || marker == .from,
                    tokens[end + 1].kind == .number || month(end + 1) != nil || unit == .day && weekday(end + 1) != nil
                {
                    continue
                }
                found.append((date(factor > 0 ? shift : shift.negated, from: day.date), day.end))
            }
        }
        // `due:3d`, `due:2weeks`
        if !isLine, parser.direction != .neutral, found.isEmpty {
            found.append((date(parser.direction == .back ? shift.negated : shift, from: today), end))
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

    /// `second tuesday of january`, `last friday of the month`, `last day of next month`, `on the 15th`,
    /// `5th of next month`, `next month on the 5th`.
    func ordinalDays(_ index: Int, _ after: CivilDate?) -> [(CivilDate, Int)] {
        var found: [(CivilDate, Int)] = []
        if let (ordinal, next) = ordinal(index) {
            if let day = weekday(next), let month = monthOf(skipDot(next + 1)) {
                var date = PhraseGrammar.nth(ordinal, day, month.first)
                // `first monday of the month`, if that has passed.
                let isThis = unit(month.end - 1) == .month && month.first == parser.today.startOfMonth
                if isThis, shift(month.end - 2) == nil, parser.direction == .ahead, let past = date, past < parser.today
                {
                    date = PhraseGrammar.nth(ordinal, day, month.first.adding(months: 1))
                }
                if let date { found.append((date, month.end)) }
            }
            // `last weekday of the month`
            if has(.weekdays, next), abs(ordinal) == 1, let month = monthOf(next + 1) {
                var day = ordinal < 0 ? month.first.adding(months: 1) - 1 : month.first
                while day.weekday.isWeekend { day = ordinal < 0 ? day - 1 : day + 1 }
                found.append((day, month.end))
            }
            if unit(next) == .day, let month = monthOf(next + 1) {
                let last = month.first.adding(months: 1) - 1
                found.append((ordinal < 0 ? last + 1 + ordinal : month.first + ordinal - 1, month.end))
            }
        }
        if let day = dayNumber(index) {
            if has(.of, day.end), let month = monthOf(day.end), self.month(skip([.of, .the], day.end)) == nil,
                let date = CivilDate(validYear: month.first.year, month: month.first.month, day: day.day)
            {
                // `1st of the month`, if that has passed.
                let isThis = unit(month.end - 1) == .month && shift(month.end - 2) == nil
                if isThis, parser.direction == .ahead, date < parser.today {
                    let next = month.first.adding(months: 1)
                    if let date = CivilDate(validYear: next.year, month: next.month, day: day.day) {
                        found.append((date, month.end))
                    }
                } else {
                    found.append((date, month.end))
                }
            }
            // `on the 15th`; in a field `15th` alone.
            // `le 15`, `am 15.`
            let isDotted = sign(".", day.end - 1) && day.end > index + 1 && has(.on, index - 1)
            let isNamed =
                has(.the, index - 1) && has(.on, index - 1) && !has(.to, index - 1)
                && !(isJoined(day.end) && !sign(",", day.end)) && !has(.oclock, day.end)
            // `Dinner 5th at 8pm`; `5th Avenue` is a place.
            let next = skip([.at, .from], day.end)
            let isAlone =
                ["st", "nd", "rd", "th"].contains(tokens[day.end - 1].text) && !sign(",", day.end)
                && (day.end >= tokens.count
                    || next < tokens.count && tokens[next].kind == .number && month(next + 1) == nil)
            // `on the thirteenth`
            let isWord =
                tokens[index].kind == .word && has(.the, index - 1) && (has(.on, index - 2) || day.day > 5)
                && !isPlainWord(day.end)
            let isMarked =
                isWord
                || tokens[index].kind == .number
                    && (day.isOrdinal
                        && (!isLine || isAlone || index > 0 && (has(.the, index - 1) || has(.on, index - 1)))
                        || isDotted || isNamed)
            if isMarked, weekday(day.end) == nil, !has(.of, day.end), let date = resolved(day: day.day, after) {
                found.append((date, day.end))
            }
        }
        if shift(index) != nil || unit(index) == .month, let month = monthOf(index), unit(month.end - 1) == .month {
            let start = skip([.on, .the], month.end)
            if start > month.end, let day = dayNumber(start),
                let date = CivilDate(validYear: month.first.year, month: month.first.month, day: day.day)
            {
                found.append((date, day.end))
            }
        }
        return found
    }

    /// `first` to `fifth`, `last`, `1st` to `5th`.
    func ordinal(_ index: Int) -> (ordinal: Int, end: Int)? {
        if let word = first(index, { if case .ordinal(let ordinal) = $0 { ordinal } else { nil } }) {
            return (word, index + 1)
        }
        guard let day = dayNumber(index), (1...5).contains(day.day) else { return nil }
        // `jeden 1. Donnerstag`
        let isWhole = weekday(day.end) != nil || has(.and, day.end) && sign(".", day.end + 2)
        let isDotted = parser.vocabulary.hasOthers && sign(".", day.end - 1) && day.end > index + 1 && isWhole
        guard day.isOrdinal || isDotted else { return nil }
        return (day.day, day.end)
    }

    /// The nth weekday of the month that begins on `first`; a negative `ordinal` counts from its end.
    static func nth(_ ordinal: Int, _ day: Weekday, _ first: CivilDate) -> CivilDate? {
        let end = first.adding(months: 1)
        if ordinal < 0 {
            let last = end - 1
            return last - (7 - day.index(inWeekStartingOn: last.weekday)) % 7 + (ordinal + 1) * 7
        }
        let date = first + day.index(inWeekStartingOn: first.weekday) + (ordinal - 1) * 7
        return date < end ? date : nil
    }

    /// `end of month`, `end of next week`, `beginning of january`, `end of the year`.
    func edges(_ index: Int) -> [(CivilDate, Int)] {
        let isEnd = has(.end, index)
        let isNamed = parser.vocabulary.hasOthers && !isPlainEnglishEdge(index) && month(index + 1) != nil
        guard isEnd || has(.beginning, index), has(.of, index + 1) || unit(index + 1) != nil || isNamed else {
            return []
        }
        let start = skip([.of, .the], index + 1)
        let step = shift(start)
        let place = step == nil ? start : start + 1
        if let step = shiftBehind(place + 1), let unit = unit(place), unit.isDays {
            let first = PhraseGrammar.adding(PhraseGrammar.step(step), unit, self.start(of: unit, parser.today))
            return [(isEnd ? PhraseGrammar.adding(1, unit, first) - 1 : first, place + 2)]
        }
        if let unit = unit(place), unit.isDays {
            var first = self.start(of: unit, parser.today)
            if let step { first = PhraseGrammar.adding(PhraseGrammar.step(step), unit, first) }
            return [(isEnd ? PhraseGrammar.adding(1, unit, first) - 1 : first, place + 1)]
        }
        guard month(start) != nil, let month = monthOf(start) else { return [] }
        return [(isEnd ? month.first.adding(months: 1) - 1 : month.first, month.end)]
    }

    /// `end May` means nothing in English, `Ende Mai` does in German.
    private func isPlainEnglishEdge(_ index: Int) -> Bool {
        tokens.indices.contains(index) && ["end", "start", "beginning"].contains(tokens[index].text)
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
