/// Limits of a repetition.
extension PhraseGrammar {
    /// `until 31 dec`, `10 times`, `except dec 25`, `starting monday`, `for 10 times`.
    func limits(_ index: Int) -> [PhrasePiece] {
        var found: [PhrasePiece] = []
        addUntil(index, to: &found)
        // `for the next 4 weeks`
        if has(.for, index), shift(skip([.the], index + 1)) != nil {
            for period in periods(at: skip([.the], index + 1)) {
                if let days = period.parts.period { add(index..<period.end, to: &found) { $0.until = days.end - 1 } }
            }
        }
        addCounts(index, to: &found)
        addExceptions(index, to: &found)
        if has(.starting, index), tokens[index].text != "since" { addStarts(index, to: &found) }
        return found
    }

    /// Adds the limit that the words denote.
    private func add(
        _ words: Range<Int>, conditions: PhrasePiece.Conditions = .repeats, bonus: Int = 0,
        to found: inout [PhrasePiece], _ set: (inout PhraseParts) -> Void
    ) {
        var parts = PhraseParts()
        set(&parts)
        found.append(
            PhrasePiece(
                end: words.upperBound, parts: parts, weight: weight(words) + 8 + bonus, conditions: conditions,
                kind: .limit))
    }

    /// `until 31 dec`, `to 31 dec`, `until march`, `fri 7pm at Luigi's until 9pm`.
    private func addUntil(_ index: Int, to found: inout [PhrasePiece]) {
        // `monday to thursday` are days of the repetition itself.
        let isRange = index > 0 && tokens[index].text == "to" && weekday(index - 1) != nil && weekday(index + 1) != nil
        if !isRange, has(.until, index) || has(.ends, index) || tokens[index].text == "to" {
            for day in days(skip([.on, .the], index + 1)) {
                add(index..<day.end, bonus: day.bonus, to: &found) { $0.until = day.date }
            }
            if index + 1 < tokens.count { addVagueUntil(index, to: &found) }
        }
        // `fri 7pm at Luigi's until 9pm`
        if has(.until, index), isLine, index > 0, tokens[index].text != "by" {
            for clock in clocks(index + 1) where !clock.isWeak && !clock.isOpen && clock.conditions.isEmpty {
                add(index..<clock.end, conditions: .afterTime, to: &found) { $0.endTime = clock.seconds }
            }
        }
    }

    /// `until march`, `until next year`: up to its beginning, or its end.
    private func addVagueUntil(_ index: Int, to found: inout [PhrasePiece]) {
        let whole =
            periods(at: index + 1).filter { $0.weight > 0 || isLine }.compactMap { piece in
                piece.parts.period.map { ($0, piece.end) }
            }
        for (period, end) in whole { add(index..<end, to: &found) { $0.vagueUntil = period } }
        if whole.isEmpty, month(index + 1) != nil, let month = monthOf(index + 1) {
            let end = month.first.adding(months: 1)
            add(index..<month.end, to: &found) { $0.vagueUntil = DayPeriod(first: month.first, end: end) }
        }
    }

    /// `weekly x4`, `10 times`, `for 10 times`, `10 sessions`.
    private func addCounts(_ index: Int, to found: inout [PhrasePiece]) {
        // `weekly x4`
        if tokens[index].text == "x", let number = number(index + 1), number > 0,
            isJoined(index + 1) || wordEnd(index + 2) == index + 2 && !isPlainWord(index + 2)
        {
            add(index..<index + 2, to: &found) { $0.count = number }
        }
        let start = has(.for, index) ? index + 1 : index
        if let number = count(start), number > 0, has(.times, start + 1), !has(.a, start) {
            add(index..<start + 2, to: &found) { $0.count = number }
        }
        // `every monday, 10 sessions`
        if let number = number(index), number > 0, isLine, index + 1 < tokens.count,
            PhraseGrammar.sessions.contains(tokens[index + 1].text)
        {
            add(index..<index + 2, to: &found) { $0.count = number }
        }
    }

    /// `except dec 25`, `except mon and tue`, `except weekends`.
    private func addExceptions(_ index: Int, to found: inout [PhrasePiece]) {
        guard has(.except, index) || has(.except, index + 1) && tokens[index].text == "but" else { return }
        let place = skip([.on, .the], has(.except, index) ? index + 1 : index + 2)
        let (days, end, hasRange) = exceptions(place)
        if !days.isEmpty { add(index..<end, to: &found) { ($0.exceptions, $0.hasExceptionRange) = (days, hasRange) } }
        let longest = self.days(place).map(\.end).max() ?? 0
        if let list = weekdayList(place) ?? pluralList(place), longest <= list.end {
            add(index..<list.end, bonus: 3, to: &found) { $0.freeDays = list.days }
        }
        if has(.weekend, place) {
            add(index..<place + 1, bonus: 3, to: &found) { $0.freeDays = [.saturday, .sunday] }
        }
    }

    /// `starting monday`, `from dec 7 to jan 11`, `from january`.
    private func addStarts(_ index: Int, to found: inout [PhrasePiece]) {
        let place = skip([.on, .from, .the], index + 1)
        for day in days(place) {
            add(index..<skipOn(day.end), to: &found) {
                ($0.date, $0.isWeekday, $0.isBeginning) = (day.date, day.isWeekday, true)
            }
            // `every mon from dec 7 to jan 11`
            guard has(.to, day.end) || has(.until, day.end) else { continue }
            for last in days(skip([.on, .the], day.end + 1), after: day.date) where last.date > day.date {
                add(index..<last.end, bonus: 20, to: &found) {
                    ($0.date, $0.until, $0.isBeginning) = (day.date, last.date, true)
                }
            }
        }
        // `from dec 8` is no december at 8.
        guard place < tokens.count, month(place) == nil || !isDayOfMonth(skipDot(place + 1)) else { return }
        for period in periods(at: place) {
            if let first = period.parts.period?.first {
                add(index..<skipOn(period.end), to: &found) { ($0.date, $0.isBeginning) = (first, true) }
            }
        }
    }

    /// Nouns for the occurrences of a repetition.
    private static let sessions: Set<String> = [
        "sessions", "occurrences", "lessons", "classes", "dates", "appointments",
    ]
}
