extension DatePhraseParser {
    /// Parses the day of a view of a unit: `next`, `+1`, `50` for a week, `jan` for a month, or any date.
    ///
    /// Bare numbers count in the unit: ISO 8601 weeks of this year, months of this year.
    /// - Throws: ``HelixError`` of code `usage`.
    public func day(_ text: String, of unit: PhraseUnit) throws -> CivilDate {
        // A week of the year is the one that contains its Monday, whatever day weeks begin on.
        if let first = counted(text, unit) { return first }
        let day = try date(text)
        // A time that has no effect would be taken for one that has.
        if let said = try? when(text), said.time != nil, !said.isPartOnly {
            throw HelixError(
                .usage, "'\(text)' has a time, but a day is expected",
                hint: "Name the day alone, like \(ISO8601.text(day)).")
        }
        return day
    }

    /// Parses a range of time, as ``range(_:)``, which must not be a single moment: nothing would be in it.
    /// - Throws: ``HelixError`` of code `usage`.
    public func span(_ text: String) throws -> PhraseRange {
        let range = try range(text)
        let start = range.start.instant(in: zone)
        guard start == range.end.instant(in: zone) else { return range }
        throw HelixError(
            .usage, "'\(text)' is a moment, but a range of time is expected",
            hint: "Name its end as well, like '\(text) for 2h', or a day alone.")
    }

    /// The range of a unit counted from now, or numbered: `prev`, `-2`, `50` for a week; nil for other words.
    public func period(_ text: String, of unit: PhraseUnit) -> PhraseRange? {
        guard let first = counted(text, unit) else { return nil }
        return PhraseRange(start: .date(first), end: .date(PhraseGrammar.adding(1, unit, first)))
    }

    private func counted(_ text: String, _ unit: PhraseUnit) -> CivilDate? {
        let grammar = PhraseGrammar(text, parser: self, isLine: false)
        let count = grammar.tokens.count
        let first = grammar.start(of: unit, today)
        if count == 1, let shift = grammar.shift(0) {
            return PhraseGrammar.adding(PhraseGrammar.step(shift), unit, first)
        }
        if count == 2, grammar.sign("+", 0) || grammar.sign("-", 0), let number = grammar.number(1, digits: 1...4) {
            return PhraseGrammar.adding(grammar.sign("-", 0) ? -number : number, unit, first)
        }
        if count == 1, let number = grammar.number(0, digits: 1...2) {
            switch unit {
            case .week:
                if let monday = grammar.isoWeek(today.week().year, number) { return monday }
            case .month:
                if (1...12).contains(number) { return CivilDate(year: today.year, month: number, day: 1) }
            case .day:
                if let date = grammar.resolved(day: number, nil) { return date }
            default: break
            }
        }
        return nil
    }
}
