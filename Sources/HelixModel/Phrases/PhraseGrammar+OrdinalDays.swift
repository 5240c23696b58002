// Days by their number or place in a month, and the edges of periods.
extension PhraseGrammar {
    /// `second tuesday of january`, `last friday of the month`, `last day of next month`, `on the 15th`,
    /// `5th of next month`, `next month on the 5th`.
    func ordinalDays(_ index: Int, _ after: CivilDate?) -> [(CivilDate, Int)] {
        var found: [(CivilDate, Int)] = []
        if let (ordinal, next) = ordinal(index) { addNth(ordinal, next, to: &found) }
        if let day = dayNumber(index) {
            if has(.of, day.end) { addDayOfMonth(day.day, day.end, to: &found) }
            if isMarked(day, index), weekday(day.end) == nil, !has(.of, day.end),
                let date = resolved(day: day.day, after)
            {
                found.append((date, day.end))
            }
        }
        // `next month on the 5th`
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

    /// `second tuesday of january`, `last weekday of the month`, `last day of next month`: an ordinal before `next`.
    private func addNth(_ ordinal: Int, _ next: Int, to found: inout [(CivilDate, Int)]) {
        if let day = weekday(next), let month = monthOf(skipDot(next + 1)) {
            var date = PhraseGrammar.nth(ordinal, day, month.first)
            // `first monday of the month`, if that has passed.
            let isThis = unit(month.end - 1) == .month && month.first == parser.today.startOfMonth
            if isThis, shift(month.end - 2) == nil, parser.direction == .ahead, let past = date, past < parser.today {
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

    /// `5th of next month`, `1st of the month`.
    private func addDayOfMonth(_ day: Int, _ end: Int, to found: inout [(CivilDate, Int)]) {
        guard let month = monthOf(end), self.month(skip([.of, .the], end)) == nil,
            let date = CivilDate(validYear: month.first.year, month: month.first.month, day: day)
        else { return }
        // `1st of the month`, if that has passed.
        let isThis = unit(month.end - 1) == .month && shift(month.end - 2) == nil
        if isThis, parser.direction == .ahead, date < parser.today {
            let next = month.first.adding(months: 1)
            if let date = CivilDate(validYear: next.year, month: next.month, day: day) {
                found.append((date, month.end))
            }
        } else {
            found.append((date, month.end))
        }
    }

    /// Whether a number without its month is a day: `on the 15th`; in a field `15th` alone.
    private func isMarked(_ day: (day: Int, end: Int, isOrdinal: Bool), _ index: Int) -> Bool {
        let end = day.end
        // `on the thirteenth`
        if tokens[index].kind == .word {
            return has(.the, index - 1) && (has(.on, index - 2) || day.day > 5) && !isPlainWord(end)
        }
        guard tokens[index].kind == .number else { return false }
        // `le 15`, `am 15.`
        let isDotted = sign(".", end - 1) && end > index + 1 && has(.on, index - 1)
        let isNamed =
            has(.the, index - 1) && has(.on, index - 1) && !has(.to, index - 1)
            && !(isJoined(end) && !sign(",", end)) && !has(.oclock, end)
        // `Dinner 5th at 8pm`; `5th Avenue` is a place.
        let next = skip([.at, .from], end)
        let isAlone =
            ["st", "nd", "rd", "th"].contains(tokens[end - 1].text) && !sign(",", end)
            && (end >= tokens.count || next < tokens.count && tokens[next].kind == .number && month(next + 1) == nil)
        return day.isOrdinal
            && (!isLine || isAlone || index > 0 && (has(.the, index - 1) || has(.on, index - 1)))
            || isDotted || isNamed
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
