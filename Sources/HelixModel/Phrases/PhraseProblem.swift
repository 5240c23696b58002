/// An error that shows the place in a phrase, the part that was understood, and other ways to say it.
struct PhraseProblem {
    let line: String
    let parser: DatePhraseParser

    /// A word of time that the reading did not use.
    func leftover(_ range: Range<String.Index>, understood: PhraseParts, isLine: Bool) -> HelixError {
        let word = String(line[range].prefix(100))
        if let special = special(word, range, understood) { return special }
        let said = parser.description(of: understood)
        var hint = said.isEmpty ? "" : "Understood so far: \(said). "
        hint +=
            isLine
            ? "Say it another way, or put it in double quotes if it belongs to the title: \"\(word)\"."
            : PhraseProblem.examples
        let message =
            said.isEmpty ? "'\(word)' is not understood as a time" : "'\(word)' does not go together with the rest"
        return HelixError(.usage, message + marked(range), hint: hint)
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

    /// A double quote that begins a word and is not closed.
    func unclosed(_ range: Range<String.Index>) -> HelixError {
        HelixError(.usage, "a double quote is not closed" + marked(range), hint: "Close it, or leave it out.")
    }

    /// A word that is no time, where only time is expected.
    func unknown(_ range: Range<String.Index>) -> HelixError {
        let word = String(line[range].prefix(100))
        let place = line[range] == line.trimmingBlanks()[...] ? "" : marked(range)
        return HelixError(
            .usage, "'\(word)' is no date or time that helix understands" + place, hint: PhraseProblem.examples)
    }

    /// Two readings that are as good as each other.
    func ambiguous(_ first: PhraseParts, _ second: PhraseParts) -> HelixError {
        let (one, other) = (parser.description(of: first), parser.description(of: second))
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
            let hour = time % 3600 == 0 ? "\(time / 3600)" : early
            return HelixError(
                .usage, "'\(text)' could mean \(early) or \(late)",
                hint:
                    "Write \(time % 3600 == 0 ? "\(hour)am" : "\(hour) am"), \(late), or the part of the day: 'in the evening'."
            )
        case .midnight(let date):
            return HelixError(
                .usage, "'\(text)': midnight could be the beginning of \(DateWords.text(date)) or its end",
                hint: "Write 0:00 for its beginning, 24:00 for its end.")
        case .part(let part, let time):
            return HelixError(
                .usage, "'\(text)': \(parser.clock(time)) does not lie in the \(part.rawValue)",
                hint: "Write the time like 20:30 or 8:30pm.")
        case .endWithoutTime:
            return HelixError(
                .usage, "'\(text)': the start has a time, the end has none",
                hint: "Say both like 'fri 18:00 to sun 12:00', or days alone.")
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
        case .dayOfPeriod(let period):
            return HelixError(
                .usage,
                "'\(text)' says a time, but not on which day from \(DateWords.text(period.first)) to \(DateWords.text(period.end - 1))",
                hint: "Say the day: 'wed next week 10:00', 'dec 3 10:00'.")
        case .daysOrHours:
            return HelixError(
                .usage, "'\(text)' could mean these hours of each day, or all the time from the first to the last",
                hint: "Say 'mon 9:00 to fri 17:00' for all the time, or --start, --duration and --repeat for each day.")
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
                hint: "Say 'every week for \(max(1, seconds / 604_800)) weeks', or the end with its day.")
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
