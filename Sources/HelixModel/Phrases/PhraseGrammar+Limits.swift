/// Limits of a repetition.
extension PhraseGrammar {
    /// `until 31 dec`, `10 times`, `except dec 25`, `starting monday`, `for 10 times`.
    func limits(_ index: Int) -> [PhrasePiece] {
        var found: [PhrasePiece] = []
        func add(
            _ end: Int, conditions: PhrasePiece.Conditions = .repeats, bonus: Int = 0,
            _ set: (inout PhraseParts) -> Void
        ) {
            var parts = PhraseParts()
            set(&parts)
            found.append(
                PhrasePiece(
                    end: end, parts: parts, weight: weight(index..<end) + 8 + bonus, conditions: conditions,
                    kind: .limit))
        }
        // `monday to thursday` are days of the repetition itself.
        let isRange = index > 0 && tokens[index].text == "to" && weekday(index - 1) != nil && weekday(index + 1) != nil
        if !isRange, has(.until, index) || has(.ends, index) || tokens[index].text == "to" {
            for day in days(skip([.on, .the], index + 1)) { add(day.end, bonus: day.bonus) { $0.until = day.date } }
            // `until march`, `until next year`: up to its beginning, or its end
            if index + 1 < tokens.count {
                let whole =
                    periods(at: index + 1).filter { $0.weight > 0 || isLine }.compactMap { piece in
                        piece.parts.period.map { ($0, piece.end) }
                    }
                for (period, end) in whole { add(end) { $0.vagueUntil = period } }
                if whole.isEmpty, month(index + 1) != nil, let month = monthOf(index + 1) {
                    let end = month.first.adding(months: 1)
                    add(month.end) { $0.vagueUntil = DayPeriod(first: month.first, end: end) }
                }
            }
        }
        // `fri 7pm at Luigi's until 9pm`
        if has(.until, index), isLine, index > 0, tokens[index].text != "by" {
            for clock in clocks(index + 1) where !clock.isWeak && !clock.isOpen && clock.conditions.isEmpty {
                add(clock.end, conditions: .afterTime) { $0.endTime = clock.seconds }
            }
        }
        // `for the next 4 weeks`
        if has(.for, index) {
            let place = skip([.the], index + 1)
            if shift(place) != nil {
                for period in periods(at: place) {
                    if let days = period.parts.period { add(period.end) { $0.until = days.end - 1 } }
                }
            }
        }
        // `weekly x4`
        if tokens[index].text == "x", let number = number(index + 1), number > 0,
            isJoined(index + 1) || wordEnd(index + 2) == index + 2 && !isPlainWord(index + 2)
        {
            add(index + 2) { $0.count = number }
        }
        let start = has(.for, index) ? index + 1 : index
        if let number = count(start), number > 0, has(.times, start + 1), !has(.a, start) {
            add(start + 2) { $0.count = number }
        }
        // `every monday, 10 sessions`
        if let number = number(index), number > 0, isLine, index + 1 < tokens.count,
            PhraseGrammar.sessions.contains(tokens[index + 1].text)
        {
            add(index + 2) { $0.count = number }
        }
        if has(.except, index) || has(.except, index + 1) && tokens[index].text == "but" {
            let (days, end, hasRange) = exceptions(skip([.on, .the], has(.except, index) ? index + 1 : index + 2))
            if !days.isEmpty { add(end) { ($0.exceptions, $0.hasExceptionRange) = (days, hasRange) } }
            let place = skip([.on, .the], has(.except, index) ? index + 1 : index + 2)
            let longest = self.days(place).map(\.end).max() ?? 0
            if let list = weekdayList(place) ?? pluralList(place), longest <= list.end {
                add(list.end, bonus: 3) { $0.freeDays = list.days }
            }
            if has(.weekend, place) { add(place + 1, bonus: 3) { $0.freeDays = [.saturday, .sunday] } }
        }
        if has(.starting, index), tokens[index].text != "since" {
            for day in days(skip([.on, .from, .the], index + 1)) {
                add(skipOn(day.end)) { ($0.date, $0.isWeekday, $0.isBeginning) = (day.date, day.isWeekday, true) }
                // `every mon from dec 7 to jan 11`
                guard has(.to, day.end) || has(.until, day.end) else { continue }
                for last in days(skip([.on, .the], day.end + 1), after: day.date) where last.date > day.date {
                    add(last.end, bonus: 20) {
                        ($0.date, $0.until, $0.isBeginning) = (day.date, last.date, true)
                    }
                }
            }
            let place = skip([.on, .from, .the], index + 1)
            // `from dec 8` is no december at 8.
            if place < tokens.count, month(place) == nil || !isDayOfMonth(skipDot(place + 1)) {
                for period in periods(at: place) {
                    if let first = period.parts.period?.first {
                        add(skipOn(period.end)) { ($0.date, $0.isBeginning) = (first, true) }
                    }
                }
            }
        }
        return found
    }

    /// Nouns for the occurrences of a repetition.
    private static let sessions: Set<String> = [
        "sessions", "occurrences", "lessons", "classes", "dates", "appointments",
    ]
}
