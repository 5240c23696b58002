/// An error that shows the place in a phrase, the part that was understood, and other ways to say it.
struct PhraseProblem {
    let line: String
    let parser: DatePhraseParser

    /// A word of time that the reading did not use.
    ///
    /// - Parameter other: the words of a day that it used instead.
    func leftover(
        _ range: Range<String.Index>, understood: PhraseParts, isLine: Bool, other: Range<String.Index>? = nil
    ) -> HelixError {
        var word = String(line[range].prefix(100))
        if word.count > 1, let first = word.first, "([".contains(first) { word.removeFirst() }
        while let last = word.last, word.count > 1, ",;)".contains(last) { word.removeLast() }
        if let special = special(word, range, understood) { return special }
        let said = parser.description(of: understood)
        var hint = said.isEmpty ? "" : "Understood so far: \(said). "
        hint +=
            isLine
            ? (otherWay(word) ?? "Say it another way")
                + ", or put what belongs to the title in double quotes: \"\(word)\""
                + (other.map { " or \"\(line[$0].prefix(100))\"" } ?? "") + "."
            : PhraseProblem.examples
        let message =
            said.isEmpty ? "'\(word)' is not understood as a time" : "'\(word)' does not go together with the rest"
        return HelixError(.usage, message + marked(range), hint: hint)
    }

    /// The way in which a time that was not used can be said so that it is; nil for words that are hardly one.
    private func otherWay(_ word: String) -> String? {
        guard let parts = try? parser.when(word) else { return nil }
        if let length = parts.duration, parts.time == nil {
            return "Say the length like 'for \(DateWords.text(duration: length))', right behind the time"
        }
        if parts.time != nil || parts.instant != nil { return "Say one time, or both ends like '9:00 to 10:30'" }
        return nil
    }

    /// The errors that can say more than that a word is left over.
    private func special(_ word: String, _ range: Range<String.Index>, _ understood: PhraseParts) -> HelixError? {
        if ZoneAbbreviation.ambiguous.contains(word) {
            return HelixError(
                .usage, "'\(word)' is the name of several zones" + marked(range),
                hint: "Name the place or the offset: 'Kolkata time', Asia/Kolkata, UTC+5:30.")
        }
        let grammar = PhraseGrammar(word, parser: parser, isLine: true)
        let tokens = grammar.tokens
        if let error = impossibleDay() { return error }
        if tokens.count == 1, grammar.isFeast(0), let date = grammar.days(0).first?.date {
            return HelixError(
                .usage, "'\(word)' could be the day, or belong to the title alone" + marked(range),
                hint:
                    "Say the day as well: '\(date.day) \(DateWords.name(month: date.month).lowercased())', or 'today'.")
        }
        if tokens.count == 1, let weekday = grammar.weekday(0), let date = understood.date, !understood.isWeekday,
            date.weekday != weekday
        {
            return HelixError(
                .usage, "\(DateWords.text(date)) is no \(DateWords.fullName(weekday))" + marked(range),
                hint: "Leave one of the two out, or put '\(word)' in double quotes if it belongs to the title.")
        }
        let isClock = tokens.count == 3 && grammar.sign(":", 1) && grammar.number(0) != nil && grammar.number(2) != nil
        let isHalf = tokens.count == 2 && grammar.number(0) != nil && (grammar.has(.am, 1) || grammar.has(.pm, 1))
        if isClock || isHalf, grammar.clocks(0).isEmpty {
            return HelixError(
                .usage, "'\(word)' is no time of day" + marked(range), hint: "Write it like 14:30 or 2:30pm.")
        }
        return nil
    }

    /// The error of a day that its month does not have: `31 nov`, `feb 30`, `2026-02-30`.
    private func impossibleDay() -> HelixError? {
        let grammar = PhraseGrammar(line, parser: parser, isLine: true)
        let tokens = grammar.tokens
        func problem(_ day: Int, _ month: Int, _ year: Int?, _ place: Range<Int>) -> HelixError? {
            guard (0...99).contains(day), year.map({ (1...9999).contains($0) }) ?? true else { return nil }
            let range = grammar.place(place)
            if let year, !(1...12).contains(month) {
                return HelixError(
                    .usage, "there is no month \(month)" + marked(range), hint: "Like \(year)-12-01: year, month, day.")
            }
            guard (1...12).contains(month), CivilDate(validYear: year ?? 2024, month: month, day: day) == nil else {
                return nil
            }
            let first = CivilDate(year: year ?? 2024, month: month, day: 1)
            let count = first.adding(months: 1) - first
            let name = DateWords.fullName(month: month) + (year.map { " \($0)" } ?? "")
            return HelixError(
                .usage, "\(name) has no day \(day)" + marked(range),
                hint: "It has \(count) days\(month == 2 && year == nil ? " at most" : "").")
        }
        for index in tokens.indices {
            if let year = grammar.number(index, digits: 4...4), grammar.sign("-", index + 1),
                grammar.sign("-", index + 3),
                let month = grammar.number(index + 2, digits: 2...2),
                let day = grammar.number(index + 4, digits: 2...2),
                let error = problem(day, month, year, index..<index + 5)
            {
                return error
            }
            guard tokens[index].kind == .word, tokens[index].length > 2, let month = grammar.month(index) else {
                continue
            }
            let year = grammar.number(index + 1, digits: 4...4)
            if let day = grammar.number(index - 1, digits: 1...2), !grammar.sign(":", index - 2),
                let error = problem(day, month, year, index - 1..<(year == nil ? index + 1 : index + 2))
            {
                return error
            }
            if let day = grammar.number(index + 1, digits: 1...2), !grammar.sign(":", index + 2),
                grammar.number(index - 1) == nil,
                let error = problem(day, month, nil, index..<index + 2)
            {
                return error
            }
        }
        return nil
    }

    /// A double quote that begins a word and is not closed.
    func unclosed(_ range: Range<String.Index>) -> HelixError {
        HelixError(.usage, "a double quote is not closed" + marked(range), hint: "Close it, or leave it out.")
    }

    /// A word that is no time, where only time is expected.
    func unknown(_ range: Range<String.Index>) -> HelixError {
        let word = String(line[range].prefix(100))
        let place = line[range] == line.trimmingBlanks()[...] ? "" : marked(range)
        return HelixError(
            .usage, "cannot read '\(word)' as a date or time" + place, hint: PhraseProblem.examples)
    }

    /// Two readings that are as good as each other.
    func ambiguous(_ first: PhraseParts, _ second: PhraseParts) -> HelixError {
        let (one, other) = (parser.description(of: first), parser.description(of: second))
        if first.repetition != nil, second.repetition != nil {
            return HelixError(
                .usage, "'\(line.trimmingBlanks().prefix(200))' has two meanings: \(one), or \(other)",
                hint: "Say it like 'every 2 weeks on tue', or 'every month on the 2nd tue'.")
        }
        return HelixError(
            .usage, "'\(line.trimmingBlanks().prefix(200))' has two meanings: \(one), or \(other)",
            hint: "Write the day as year-month-day, and times like 9:30 or 5pm.")
    }

    /// A reading that leaves something open.
    func doubt(_ doubt: PhraseDoubt) -> HelixError {
        let text = String(line.trimmingBlanks().prefix(200))
        switch doubt {
        case .halfOfDay(let time):
            let (early, late) = (parser.clock(time), parser.clock(time + 43_200))
            let first = time % 3600 == 0 ? "\(time / 3600)am" : time < 6 * 3600 ? early : "\(early) am"
            let part = time < 6 * 3600 ? "afternoon" : "evening"
            return HelixError(
                .usage, "'\(text)' could mean \(early) or \(late)",
                hint:
                    "Write \(first), \(late), or the part of the day: 'in the \(part)'."
            )
        case .midnight(let date):
            return HelixError(
                .usage, "'\(text)': midnight could be the beginning of \(DateWords.text(date)) or its end",
                hint: "Write 0:00 for its beginning, 24:00 for its end.")
        case .part(let part, let time):
            return HelixError(
                .usage, "'\(text)': \(parser.clock(time)) does not lie in the \(part.rawValue)",
                hint: "Write the time like 20:30 or 8:30pm.")
        case .timeOfDays(let first, let last, let time):
            let (one, other) = (days(first, last))
            return HelixError(
                .usage, "'\(text)' says one time for the days from \(DateWords.text(first)) to \(DateWords.text(last))",
                hint: "Each day: 'every day at \(parser.clock(time)) from \(one) to \(other)'. "
                    + "Without a break: '\(one) \(parser.clock(time)) to \(other) 17:00'.")
        case .startWithoutTime:
            return HelixError(
                .usage, "'\(text)': the end has a time, the start has none",
                hint: "Say both like 'fri 18:00 to sun 12:00', or days alone.")
        case .startWithoutDay:
            return HelixError(
                .usage, "'\(text)': the end has a day, the start has none",
                hint: "Say both like 'fri 18:00 to sun 12:00'.")
        case .endBeforeStart:
            return HelixError(
                .usage, "'\(text)' would end before it starts",
                hint: "Say the end with its day: 'fri 9:00 to sat 8:00'.")
        case .zone(let zone, let date):
            let now = zone.state(at: zone.startOfDay(date)).abbreviation
            return HelixError(
                .usage,
                "'\(text)': on \(DateWords.text(date)) the clocks of \(zone.identifier) show \(now), which is another time",
                hint: "Name the place or the offset: 'New York time', Europe/Berlin, UTC-5.")
        case .placeOrTime(let time):
            return HelixError(
                .usage, "'\(text)': \(time / 3600) could be the time or the number of a house",
                hint: "Write the time like \(parser.clock(time)), or put the place in double quotes.")
        case .zoneWithoutTime(let zone):
            return HelixError(
                .usage, "'\(text)' says the zone \(zone.identifier), but no time",
                hint: "Whole days have no zone. Say the time: '9:00 \(zone.identifier)'.")
        case .placeOrZone(let city, let time):
            return HelixError(
                .usage, "'\(text)': \(parser.clock(time)) could be the time there or here",
                hint: "Write '\(parser.clock(time)) \(city) time' for the clocks there, "
                    + "or put the place in double quotes: \"in \(city)\".")
        case .dayOfPeriod(let period):
            return HelixError(
                .usage,
                "'\(text)' says a time, but not on which day from \(DateWords.text(period.first)) to \(DateWords.text(period.end - 1))",
                hint: "Say the day: 'wed next week 10:00', 'dec 3 10:00'.")
        case .daysOrHours:
            return HelixError(
                .usage, "'\(text)' could mean these hours of each day, or all the time from the first to the last",
                hint: "All the time: 'mon 9:00 to fri 17:00'. "
                    + "Each day: 'every mon-fri 9:00-17:00', and 'until 4 dec' if it ends.")
        case .weekdayOfMonth(let day):
            let name = DateWords.fullName(day)
            return HelixError(
                .usage, "'\(text)' does not say which \(name) of the month",
                hint: "Say it like 'every first \(name.lowercased())', or 'every week on \(name.lowercased())'.")
        case .past(let date):
            return HelixError(
                .usage, "'\(text)' would repeat from \(DateWords.text(date)) on, which is over",
                hint: "Say the day to begin with: 'starting monday'.")
        case .noDay:
            return HelixError(
                .usage, "'\(text)' names a month of each year, but no day in it",
                hint: "Say it like 'every 5 december'."
            )
        case .overlapsItself:
            return HelixError(
                .usage, "'\(text)': each time would last longer than until the next one",
                hint: "Say when one begins and how long it is: 'every day 9:00 for 1h'.")
        case .exception(let date):
            return HelixError(
                .usage, "'\(text)': it does not take place on \(DateWords.text(date)) anyway",
                hint: "Say the day with its month: 'except dec 28'.")
        case .long(let seconds):
            return HelixError(
                .usage,
                "'\(text)' could last \(DateWords.text(duration: seconds)) without a break, or come again for so long",
                hint: "Say 'every week for \(max(2, seconds / 604_800)) weeks', or the end with its day.")
        case .vagueEnd(let period):
            func short(_ day: CivilDate) -> String {
                "\(day.day) \(DateWords.name(month: day.month).lowercased()) \(day.year)"
            }
            return HelixError(
                .usage,
                "'\(text)': nothing says whether the time up to \(DateWords.text(period.end - 1)) is meant as well",
                hint: "Write 'until \(short(period.first - 1))' or 'until \(short(period.end - 1))'.")
        case .freeDays:
            return HelixError(
                .usage, "'\(text)': these weekdays cannot be left out of the repetition",
                hint: "Say the weekdays on which it takes place: 'every mon, tue and thu'.")
        case .weekday(let date):
            return HelixError(
                .usage, "'\(text)': it does not repeat on \(DateWords.fullName(date.weekday))s, but is to begin on one",
                hint: "Leave one of the two out.")
        }
    }

    /// The two days in short: by their weekdays if that is enough.
    private func days(_ first: CivilDate, _ last: CivilDate) -> (String, String) {
        let isNear = first >= parser.today && last - parser.today < 7
        func text(_ date: CivilDate) -> String {
            isNear
                ? DateWords.name(date.weekday).lowercased()
                : "\(date.day) \(DateWords.name(month: date.month).lowercased())"
        }
        return (text(first), text(last))
    }

    /// The line with `^` below the place, on lines of their own.
    private func marked(_ range: Range<String.Index>) -> String {
        guard !line.contains(where: \.isNewline), line.count <= 200 else { return " in '\(line.prefix(200))'" }
        let before = line[..<range.lowerBound].count
        let marks = String(repeating: "^", count: max(1, line[range].count))
        return "\n  \(line)\n  \(String(repeating: " ", count: before))\(marks)"
    }

    private static let examples =
        "Say it like 2026-12-01, fri 14:30, 'next tue 9am', 'in 2 weeks', eom, mon..fri or 'this week'."
}
