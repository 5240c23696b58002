/// A possible reading of some tokens.
struct PhrasePiece {
    /// Conditions under which a piece may be used.
    struct Conditions: OptionSet, Hashable {
        let rawValue: Int
        /// The piece directly follows another one.
        static let afterPiece = Conditions(rawValue: 1)
        /// The reading has a day.
        static let afterDate = Conditions(rawValue: 2)
        /// The reading has a time.
        static let afterTime = Conditions(rawValue: 4)
        /// The reading has a repetition.
        static let repeats = Conditions(rawValue: 8)
    }

    /// The first token after the piece.
    var end: Int
    var parts: PhraseParts
    /// The confidence in the reading; 10 for each word that it explains.
    var weight = 0
    var conditions: Conditions = []
    /// Whether the words may also mean no time at all.
    var isWeak = false
    /// The kind of piece.
    var kind: Kind

    /// The empty piece, after the last one.
    static let nothing = PhrasePiece(end: 0, parts: PhraseParts(), kind: .nothing)

    /// The kind of a piece.
    enum Kind: Sendable {
        case day
        case days
        case time
        case times
        case part
        case length
        case repetition
        case limit
        case zone
        case allDay
        case nothing
    }
}

/// Finds all possible pieces of tokens, place by place.
struct PhraseGrammar {
    let line: String
    let tokens: [PhraseToken]
    let parser: DatePhraseParser
    /// Whether the tokens are a sentence, in which bare numbers mean nothing, or the value of a field.
    let isLine: Bool

    init(_ text: String, parser: DatePhraseParser, isLine: Bool) {
        line = text
        tokens = PhraseLexer(line: text).tokens(parser.vocabulary)
        self.parser = parser
        self.isLine = isLine
    }

    // MARK: Tokens

    func meanings(_ index: Int) -> [DateWord] { tokens.indices.contains(index) ? tokens[index].meanings : [] }

    /// Whether the token is a function word of its own, rather than a sign inside a word.
    func has(_ marker: DateMarker, _ index: Int) -> Bool {
        tokens.indices.contains(index) && tokens[index].meanings.contains(.marker(marker))
    }

    func sign(_ text: String, _ index: Int) -> Bool {
        tokens.indices.contains(index) && tokens[index].kind == .sign && tokens[index].text == text
    }

    /// Whether no blank precedes the token.
    func isJoined(_ index: Int) -> Bool { tokens.indices.contains(index) && tokens[index].isJoined }

    /// The number at a token.
    func number(_ index: Int, digits: ClosedRange<Int> = 1...9) -> Int? {
        guard tokens.indices.contains(index), tokens[index].kind == .number, digits.contains(tokens[index].length),
            tokens[index].value >= 0
        else { return nil }
        return tokens[index].value
    }

    func first<Value>(_ index: Int, _ pick: (DateWord) -> Value?) -> Value? {
        for meaning in meanings(index) {
            if let value = pick(meaning) { return value }
        }
        return nil
    }

    func weekday(_ index: Int) -> Weekday? {
        if isLine, index > 0, tokens.indices.contains(index),
            PhraseGrammar.weekdayNames.contains(tokens[index - 1].text)
        {
            return nil
        }
        return first(index) { meaning in
            switch meaning {
            case .weekday(let day): day
            case .shortWeekday(let day): isShortWeekday(index) || isPlacedShortWeekday(index) ? day : nil
            default: nil
            }
        }
    }

    /// Words that form a name with the following weekday: `Ash Wednesday`, `Cyber Monday`.
    private static let weekdayNames: Set<String> = [
        "ash", "palm", "black", "cyber", "shrove", "maundy", "casual", "pancake", "bowl", "fat", "holy", "giving",
        "bloody", "taco", "manic",
    ]

    /// Whether an ambiguous abbreviation denotes a day: with a dot, beside a time, or in a field.
    private func isShortWeekday(_ index: Int) -> Bool {
        if !isLine { return true }
        let next = index + 1
        if index > 0, has(.every, index - 1) { return true }
        if index > 1, sign(",", index - 1), first(index - 2, { $0.namesWeekday }) != nil { return true }
        if sign(".", next), isJoined(next), !isJoined(next + 1), next + 1 < tokens.count { return true }
        let place = skip([.at, .from, .the, .on], sign(",", next) ? next + 1 : next)
        if number(place) != nil { return isPlainWord(place + 1) ? isJoined(place + 1) : true }
        if has(.noon, place) || has(.halfBefore, place) { return true }
        if sign("-", next) || has(.to, next) || has(.and, next), first(next + 1, { $0.namesWeekday }) != nil {
            return true
        }
        // `Mo-Fr`
        if index > 1, sign("-", index - 1) || has(.to, index - 1) || has(.and, index - 1),
            first(index - 2, { $0.namesWeekday }) != nil
        {
            return true
        }
        guard next >= tokens.count, index > 0 else { return false }
        return number(index - 1) != nil || has(.oclock, index - 1) || has(.on, index - 1) || has(.every, index - 1)
    }

    /// Whether an abbreviation of two letters apart from the time more likely is a day: at an edge of the line, or beside a part
    /// of the day: `Do Kino 20 Uhr`, `Sport 18 Uhr (Mi)`, `Kino Sa Abend 20 Uhr`.
    func isPlacedShortWeekday(_ index: Int) -> Bool {
        guard isLine, isTwoLetterDay(index), !isShortWeekday(index) else { return false }
        // `so` and `do` are also other words.
        if !isCapital(index), ["so", "do"].contains(tokens[index].text) { return false }
        let next = skipDot(index + 1)
        func isPart(_ place: Int) -> Bool {
            part(place) != nil || has(.allDay, place) || has(.noon, place)
        }
        let isFramed = index > 0 && sign("(", index - 1) && sign(")", index + 1)
        let isBehindDivider = index > 0 && (sign(",", index - 1) || has(.on, index - 1))
        return index == 0 || next >= tokens.count || isFramed || isPart(next) || index > 0 && isPart(index - 1)
            || sign(":", index + 1) || isBehindDivider
    }

    func month(_ index: Int) -> Int? {
        first(index) { if case .month(let month) = $0 { month } else { nil } }
    }

    func unit(_ index: Int) -> PhraseUnit? {
        first(index) { if case .unit(let unit) = $0 { unit } else { nil } }
    }

    func shift(_ index: Int) -> DateShift? {
        // `Grandma's coming sunday`
        if isLine, index > 0, tokens.indices.contains(index), tokens[index].text == "coming", isPlainWord(index - 1) {
            return nil
        }
        return first(index) { if case .shift(let shift) = $0 { shift } else { nil } }
    }

    func shiftBehind(_ index: Int) -> DateShift? {
        first(index) { if case .shiftBehind(let shift) = $0 { shift } else { nil } }
    }

    func part(_ index: Int) -> DayPart? {
        first(index) { if case .part(let part) = $0 { part } else { nil } }
    }

    /// A number in digits or words; `a` is one.
    func count(_ index: Int) -> Int? {
        if let value = number(index, digits: 1...5) { return value }
        if has(.a, index) { return 1 }
        return first(index) { if case .number(let number) = $0 { number } else { nil } }
    }

    /// Whether the word is a unit, a part of the day or another date word.
    func mayBeTime(_ index: Int) -> Bool {
        meanings(index).contains { meaning in
            switch meaning {
            case .unit, .part, .weekday, .weekdays, .month, .ordinal, .adverb: true
            case .marker(let marker): [.weekend, .weekdays, .other, .fortnight, .quarter].contains(marker)
            default: false
            }
        } || number(index) != nil
    }

    /// Skips function words.
    func skip(_ markers: [DateMarker], _ index: Int) -> Int {
        var index = index
        while markers.contains(where: { has($0, index) }) { index += 1 }
        return index
    }

    /// Skips the last word of `from jan 11 on`.
    func skipOn(_ index: Int) -> Int {
        guard tokens.indices.contains(index), ["on", "onward", "onwards"].contains(tokens[index].text),
            index + 1 >= tokens.count || !mayBeTime(index + 1)
        else { return index }
        return index + 1
    }

    /// Skips a dot or comma joined to the word before.
    func skipDot(_ index: Int) -> Int { (sign(".", index) || sign(",", index)) && isJoined(index) ? index + 1 : index }

    private static let marks: Set<String> = [",", ".", ";", "!", "?", ":", ")", "]"]

    /// The end of the word if a piece may end here: only a comma or dot is left of the word.
    func wordEnd(_ index: Int) -> Int? {
        if !isJoined(index) { return index }
        var end = index
        while isJoined(end), tokens[end].kind == .sign, PhraseGrammar.marks.contains(tokens[end].text) { end += 1 }
        return isJoined(end) ? nil : end
    }

    /// An unclosed double quote at the beginning of a word.
    var unclosedQuote: Int? {
        tokens.indices.first {
            tokens[$0].kind == .sign && tokens[$0].text == "\"" && !tokens[$0].isJoined && isJoined($0 + 1)
        }
    }

    /// The repetition that a line with several weekdays may mean, in words; nil otherwise.
    var severalWeekdays: String? {
        var days: [Weekday] = []
        var end: Int?
        for index in tokens.indices {
            guard let day = weekday(index) else { continue }
            // Consecutive: `mon wed fri`, `tue, thu and sat`.
            guard end.map({ skip([.and], skipDot($0)) == index || sign("/", $0) && $0 + 1 == index }) ?? true else {
                return nil
            }
            if !days.contains(day) { days.append(day) }
            end = index + 1
        }
        guard days.count > 1 else { return nil }
        let names = days.map { DateWords.name($0).lowercased() }
        return "every " + names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    // MARK: Pieces

    /// All pieces that begin at the token, including words such as `on` and `at` before them.
    func pieces(at index: Int) -> [PhrasePiece] {
        var found: [PhrasePiece] = []
        if isPlainWord(index), !mayBeZone(index), !saysWhole(index), isLine || tokens[index].text != "q" {
            return found
        }
        collect(at: index, into: &found)
        if sign("(", index) || sign("[", index), isJoined(index + 1) { return pieces(at: index + 1) }
        // `starting at 7pm`, `around 5pm`
        let begin = has(.around, index) || has(.starting, index) || has(.repeats, index) ? index + 1 : index
        let lead = skip([.on, .at, .the, .from, .in, .of], begin)
        if lead > index, lead < index + 4, lead < tokens.count {
            let isBack = parser.direction == .back
            let isAt = (index..<lead).contains {
                has(.at, $0) || isBack && ["since", "from"].contains(tokens[$0].text)
            }
            var own: [PhrasePiece] = []
            collect(at: lead, isAfterAt: isAt, into: &own)
            // `das morgen` is no day and `in 2` no hour; `on tomorrow` and `at 2` are.
            if meanings(lead).contains(where: { if case .day = $0 { true } else { false } }),
                !(index..<lead).contains(where: { has(.on, $0) || has(.from, $0) })
            {
                own.removeAll { $0.kind == .day && $0.end == lead + 1 }
            }
            if (index..<lead).contains(where: { has(.in, $0) }), !isAt { own.removeAll { $0.kind == .time } }
            // `from dec 8` does not mean December at 8.
            own.removeAll {
                $0.kind == .days && $0.end == lead + 1 && month(lead) != nil && isDayOfMonth(skipDot(lead + 1))
            }
            // `check in dec 2`, `move in on dec 1`: a day is not preceded by `in`.
            if tokens[index].text == "in", !isAt { own.removeAll { $0.kind == .day && !$0.parts.isBeginning } }
            if has(.around, index) { own.removeAll { $0.kind != .time && $0.kind != .times || $0.isWeak } }
            if has(.repeats, index) { own.removeAll { $0.kind != .repetition } }
            // `Movie night at 8`
            if isAt, index > 0, let part = part(index - 1), !namesDay(index - 1), !isLine || index > 1 {
                for piece in own where piece.parts.isOpen && piece.parts.part == nil && piece.kind == .time {
                    var piece = piece
                    piece.parts.part = part
                    piece.weight += 1
                    own.append(piece)
                }
            }
            let isFrom = (index..<lead).contains { has(.from, $0) || has(.starting, $0) }
            for piece in own where piece.kind != .length {
                var piece = piece
                piece.weight += 10 * (lead - index)
                if isFrom, piece.kind == .day { piece.end = skipOn(piece.end) }
                found.append(piece)
            }
        }
        return found.compactMap { piece in
            wordEnd(piece.end).map { end in
                var piece = piece
                piece.end = end
                return piece
            }
        }
    }

    private func collect(at index: Int, isAfterAt: Bool = false, into found: inout [PhrasePiece]) {
        guard index < tokens.count, tokens[index].kind != .quoted else { return }
        found += ranges(at: index)
        for match in days(index) { found.append(piece(match)) }
        found += periods(at: index)
        found += moments(at: index)
        for match in clocks(index, isAfterAt: isAfterAt) { found.append(piece(match)) }
        found += partsOfTheDay(at: index)
        found += lengths(at: index)
        found += repetitions(at: index)
        found += zones(at: index)
        found += wholePeriods(at: index)
        if has(.allDay, index) {
            var parts = PhraseParts()
            parts.isAllDay = true
            found.append(PhrasePiece(end: index + 1, parts: parts, weight: 20, kind: .allDay))
        }
    }

    /// The weight of the words between two tokens.
    func weight(_ range: Range<Int>) -> Int {
        var words = 0
        for index in range where index == range.lowerBound || !isJoined(index) { words += 10 }
        return words
    }

    private func piece(_ match: DayMatch) -> PhrasePiece {
        var parts = PhraseParts()
        (parts.date, parts.isWeekday) = (match.date, match.isWeekday)
        return PhrasePiece(
            end: match.end, parts: parts, weight: weight(match.start..<match.end) + match.bonus, isWeak: match.isWeak,
            kind: .day)
    }

    private func piece(_ match: ClockMatch) -> PhrasePiece {
        var parts = PhraseParts()
        parts.set(match)
        return PhrasePiece(
            end: match.end, parts: parts, weight: weight(match.start..<match.end) + match.bonus,
            conditions: match.conditions, isWeak: match.isWeak, kind: .time)
    }
}
