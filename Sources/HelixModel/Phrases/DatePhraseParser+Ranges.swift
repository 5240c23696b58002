extension DatePhraseParser {
    /// Parses ranges that only occur alone: `since friday`, `week`, `all`, and looking back `7d`, `last 24 hours`.
    func openRange(_ text: String) throws -> PhraseRange? {
        let lower = text.lowercased()
        let grammar = PhraseGrammar(text, parser: self, isLine: false)
        if grammar.tokens.count == 1 {
            if lower == "all" {
                return PhraseRange(
                    start: .date(CivilDate(year: 1000, month: 1, day: 1)), end: .date(CivilDate.lastRead))
            }
            if lower == "ytd" {
                return PhraseRange(start: .date(CivilDate(year: today.year, month: 1, day: 1)), end: .date(today + 1))
            }
            if let unit = grammar.unit(0), unit >= .week, grammar.tokens[0].length > 3 {
                return try range("this " + text)
            }
        }
        if direction != .back, grammar.tokens.count > 1, ["since", "from"].contains(grammar.tokens[0].text) {
            let rest = String(text[grammar.tokens[1].range.lowerBound...])
            let past = looking(.back)
            if grammar.tokens[0].text == "since", let moment = try? past.moment(rest), moment.instant(in: zone) <= now {
                return PhraseRange(start: moment, end: .date(today + 1))
            }
            if let moment = try? moment(rest) {
                throw HelixError(
                    .usage, "'\(text)' has a start, but no end",
                    hint:
                        "Write both: '\(rest) to DAY', or '\(rest)' for that day alone (\(DateWords.text(moment.date(in: zone))))."
                )
            }
        }
        guard direction == .back else { return nil }
        if grammar.tokens.count > 1, ["since", "from"].contains(grammar.tokens[0].text) {
            let rest = String(text[grammar.tokens[1].range.lowerBound...])
            if let moment = try? moment(rest) { return PhraseRange(start: moment, end: .date(today + 1)) }
        }
        // The last days, today included; the last hours.
        let start = grammar.shift(0) == .last ? 1 : 0
        if let amount = grammar.amount(start), amount.end == grammar.tokens.count {
            if amount.unit.isDays {
                let first = amount.shift.negated.applied(to: CivilDateTime(today)).date
                return PhraseRange(start: .date(first + 1), end: .date(today + 1))
            }
            if start == 1 || amount.unit == .hour {
                return PhraseRange(start: .instant(now - abs(amount.shift.seconds)), end: .instant(now))
            }
        }
        return nil
    }

    /// Whether a phrase denotes the end of a month: `eom`, `end of month`, `last day of the month`.
    public func saysMonthEnd(_ text: String) -> Bool {
        let grammar = PhraseGrammar(text, parser: self, isLine: false)
        return grammar.tokens.indices.contains { index in
            let isNamed = grammar.meanings(index).contains(.named(.end(.month)))
            let isEnd = grammar.has(.end, index) && grammar.monthOf(index + 1) != nil
            let isLast = grammar.ordinal(index)?.ordinal == -1 && grammar.unit(index + 1) == .day
            return isNamed || isEnd || isLast
        }
    }

    /// Whether a word has the shape of a zone's name: `Europe/Berln`.
    public static func isZonePath(_ word: String) -> Bool {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count > 1 && ZoneAbbreviation.areas.contains(parts[0].lowercased())
            && parts[0].first?.isUppercase == true
    }

    /// Whether a word alone is about time: `noon`, `15`, `monday`, `weeks`, `17:00`.
    public func isTimeWord(_ word: String) -> Bool {
        let grammar = PhraseGrammar(word, parser: self, isLine: false)
        guard let first = grammar.tokens.first, first.kind != .quoted else { return false }
        if first.kind == .number { return grammar.tokens.count == 1 || (try? parts(word)) != nil }
        guard grammar.tokens.count == 1 else { return (try? parts(word)) != nil }
        return first.length > 2
            && first.meanings.contains { meaning in
                switch meaning {
                case .weekday, .weekdays, .unit, .part, .dayPart, .day, .named, .adverb, .month: true
                case .marker(let marker):
                    [.noon, .midnight, .times, .weekdays, .weekend].contains(marker) && word != "x"
                default: false
                }
            }
    }
}
