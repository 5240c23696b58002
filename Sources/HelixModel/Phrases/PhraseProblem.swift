/// Creates errors that mark the place in a phrase, the part that was understood, and valid forms.
struct PhraseProblem {
    let line: String
    let parser: DatePhraseParser

    /// Returns the error for a date word that the reading did not use.
    ///
    /// - Parameter other: the words of a day that it used instead.
    func leftover(
        _ range: Range<String.Index>, understood: PhraseParts, isLine: Bool, other: Range<String.Index>? = nil
    ) -> HelixError {
        var word = String(line[range].prefix(100))
        if word.count > 1, let first = word.first, "([".contains(first) { word.removeFirst() }
        while let last = word.last, word.count > 1, ",;)".contains(last) { word.removeLast() }
        if let special = special(word, range, understood) { return special }
        if isLine, let other, (try? parser.when(word))?.date != nil {
            let second = line[other].prefix(100)
            return HelixError(
                .usage, "'\(word)' and '\(second)' are two days" + marked(range),
                hint:
                    "Omit one of the two, or put what belongs to the title in double quotes: \"\(word)\" or \"\(second)\"."
            )
        }
        let said = parser.description(of: understood)
        var hint = said.isEmpty ? "" : "Understood so far: \(said). "
        hint +=
            isLine
            ? (otherWay(word) ?? "Rephrase it")
                + ", or put what belongs to the title in double quotes: \"\(word)\""
                + (other.map { " or \"\(line[$0].prefix(100))\"" } ?? "") + "."
            : PhraseProblem.examples
        let message =
            said.isEmpty ? "cannot read '\(word)' as a time" : "cannot interpret '\(word)' here"
        return HelixError(.usage, message + marked(range), hint: hint)
    }

    /// The hint for a time that was not used; nil for words that are hardly a time.
    private func otherWay(_ word: String) -> String? {
        guard let parts = try? parser.when(word) else { return nil }
        if let length = parts.duration, length > 0, parts.time == nil {
            return "Write the length like 'for \(DateWords.text(duration: length))', directly after the time"
        }
        if parts.time != nil || parts.instant != nil { return "Write one time, or both ends like '9:00 to 10:30'" }
        return nil
    }

    /// Returns an error more specific than one for an unused word.
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
                .usage, "'\(word)' could be the day, or only part of the title" + marked(range),
                hint:
                    "Add the day: '\(date.day) \(DateWords.name(month: date.month).lowercased())', or 'today'.")
        }
        if tokens.count == 1, let weekday = grammar.weekday(0), let date = understood.date, !understood.isWeekday,
            date.weekday != weekday
        {
            return HelixError(
                .usage, "\(DateWords.text(date)) is not a \(DateWords.fullName(weekday))" + marked(range),
                hint: "Omit one of the two, or put '\(word)' in double quotes if it belongs to the title.")
        }
        let isClock = tokens.count == 3 && grammar.sign(":", 1) && grammar.number(0) != nil && grammar.number(2) != nil
        let isHalf = tokens.count == 2 && grammar.number(0) != nil && (grammar.has(.am, 1) || grammar.has(.pm, 1))
        if isClock || isHalf, grammar.clocks(0).isEmpty {
            return HelixError(
                .usage, "'\(word)' is not a time of day" + marked(range), hint: "Write it like 14:30 or 2:30pm.")
        }
        return nil
    }

    /// Returns the error for a day that its month does not have: `31 nov`, `feb 30`, `2026-02-30`.
    private func impossibleDay() -> HelixError? {
        let grammar = PhraseGrammar(line, parser: parser, isLine: true)
        let tokens = grammar.tokens
        func problem(_ day: Int, _ month: Int, _ year: Int?, _ place: Range<Int>) -> HelixError? {
            guard (0...99).contains(day), year.map({ (1...9999).contains($0) }) ?? true else { return nil }
            let range = grammar.place(place)
            if let year, !(1...12).contains(month) {
                return HelixError(
                    .usage, "no month \(month)" + marked(range), hint: "Write it like \(year)-12-01: year, month, day.")
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

    /// Returns the error for an unclosed double quote at the beginning of a word.
    func unclosed(_ range: Range<String.Index>) -> HelixError {
        HelixError(.usage, "unclosed double quote" + marked(range), hint: "Close it, or omit it.")
    }

    /// Returns the error for a word that is not a time, where only time is expected.
    func unknown(_ range: Range<String.Index>) -> HelixError {
        let word = String(line[range].prefix(100))
        let place = line[range] == line.trimmingBlanks()[...] ? "" : marked(range)
        return HelixError(
            .usage, "cannot read '\(word)' as a date or time" + place, hint: PhraseProblem.examples)
    }

    /// Returns the error for two equally good readings.
    func ambiguous(_ first: PhraseParts, _ second: PhraseParts) -> HelixError {
        let (one, other) = (parser.description(of: first), parser.description(of: second))
        if first.repetition != nil, second.repetition != nil {
            return HelixError(
                .usage, "'\(line.trimmingBlanks().prefix(200))' has two meanings: \(one), or \(other)",
                hint: "Write it like 'every 2 weeks on tue', or 'every month on the 2nd tue'.")
        }
        return HelixError(
            .usage, "'\(line.trimmingBlanks().prefix(200))' has two meanings: \(one), or \(other)",
            hint: "Write the day as year-month-day, and times like 9:30 or 5pm.")
    }

    /// The line with `^` below the place, on separate lines.
    private func marked(_ range: Range<String.Index>) -> String {
        guard !line.contains(where: \.isNewline), line.count <= 200 else { return " in '\(line.prefix(200))'" }
        let before = line[..<range.lowerBound].count
        let marks = String(repeating: "^", count: max(1, line[range].count))
        return "\n  \(line)\n  \(String(repeating: " ", count: before))\(marks)"
    }

    private static let examples =
        "Write it like 2026-12-01, fri 14:30, 'next tue 9am', 'in 2 weeks', eom, mon..fri or 'this week'."
}
