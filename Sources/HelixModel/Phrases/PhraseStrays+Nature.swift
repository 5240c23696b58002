// Roles of words in a phrase about time.
extension PhraseStrays {
    /// The possible role of a word.
    enum Nature {
        case number
        case time
        case zone
        /// Only directly beside a time: `in 1:30`.
        case edge
        /// Between date words: `to`, `and`, `of`.
        case link
        case plain
    }

    /// The possible role of a word in a phrase about time.
    func nature(_ index: Int, _ end: Int) -> Nature {
        switch grammar.tokens[index].kind {
        case .quoted: .plain
        case .number: natureOfNumber(index, end)
        case .sign: natureOfSign(index, end)
        case .word: natureOfWord(index, end)
        }
    }

    private func natureOfNumber(_ index: Int, _ end: Int) -> Nature {
        let token = grammar.tokens[index]
        // `party of 6`, `part 2 of 3`
        if index > 1, grammar.has(.of, index - 1), end == index + 1,
            grammar.isPlainWord(index - 2) || grammar.number(index - 2) != nil
        {
            return .plain
        }
        // `swim 400m`
        if token.value >= 240, end == index + 2, grammar.tokens[index + 1].text == "m" { return .plain }
        // A telephone number or another long one.
        if token.length >= 5, token.length != 8, end == index + 1 { return .plain }
        // `24/7 support`, `9/11 memorial`
        let text = grammar.line[grammar.place(index..<end)]
        if reading.parts.date != nil, text == "24/7" || text == "9/11" { return .plain }
        // `3D`, `2nd`, `9ish`, `4-12-2026`
        if let quantity = grammar.quantity(index, end), quantity == .sure || !grammar.isCapital(end) {
            return .plain
        }
        return grammar.dayNumber(index)?.isOrdinal == true && end > index + 1 ? .time : .number
    }

    private func natureOfSign(_ index: Int, _ end: Int) -> Nature {
        // `PR #482`, `$20`
        if PhraseStrays.numberSigns.contains(grammar.tokens[index].text) { return .plain }
        return end > index + 1 && grammar.number(index + 1) != nil ? .number : .link
    }

    private func natureOfWord(_ index: Int, _ end: Int) -> Nature {
        let token = grammar.tokens[index]
        let word = token.text
        if isAboutTimeBeforeMark(index, end) { return .time }
        // `Silvester 31.12.`, `Christmas dinner 20 dec`
        if reading.parts.date != nil, grammar.isFeast(index) { return .plain }
        if ["m-f", "mo-fr", "m-th"].contains(grammar.line[grammar.place(index..<end)].lowercased()) { return .time }
        // `10am NYC time`
        if grammar.has(.zone, end), grammar.line[token.range].first?.isUppercase == true { return .zone }
        // `10 times`
        if grammar.has(.times, index), index > 0, grammar.number(index - 1) != nil, word != "x" { return .time }
        if end > index + 1, grammar.isJoined(index + 1) { return natureOfCompound(index, end) }
        if PhraseStrays.words.contains(word) { return .time }
        // `first thing monday`
        if word == "thing", index > 0, grammar.tokens[index - 1].text == "first" { return .time }
        if PhraseStrays.zones.contains(word) { return .zone }
        // `dinner for two`
        if index > 0, grammar.has(.for, index - 1), grammar.first(index, { $0.number }) != nil { return .number }
        if PhraseStrays.owners.contains(word), grammar.has(.zone, index + 1) { return .zone }
        if isWeekdaysOwn(word) { return .time }
        if ZoneAbbreviation.ambiguous.contains(String(grammar.line[token.range])) { return .zone }
        // `9:00 to Lisbon`, `from Berlin`
        let isWay = grammar.has(.to, index) || grammar.has(.from, index)
        if isWay, grammar.isCapital(end), grammar.isPlainWord(end) { return .plain }
        return isAboutTime(index)
            ? .time
            : isLink(index)
                ? .link
                : grammar.has(.in, index) || isShortDay(index) ? .edge : .plain
    }

    /// Whether a word with a mark after it is about time: `mornings:`.
    private func isAboutTimeBeforeMark(_ index: Int, _ end: Int) -> Bool {
        var last = end
        while last > index + 1, grammar.tokens[last - 1].kind == .sign,
            [",", ".", ":", ";", "!", "?", ")"].contains(grammar.tokens[last - 1].text)
        {
            last -= 1
        }
        return last < end && last == index + 1
            && (PhraseStrays.words.contains(grammar.tokens[index].text) || isAboutTime(index))
    }

    /// The role of a word of several parts: `mid-january`, `7pm->9pm`.
    private func natureOfCompound(_ index: Int, _ end: Int) -> Nature {
        let word = grammar.tokens[index].text
        // In a name with a dash, all parts are unknown words.
        let parts = (index..<end).filter { grammar.tokens[$0].kind == .word }
        if PhraseStrays.words.contains(word), parts.count > 1, parts.dropFirst().contains(where: isAboutTime) {
            return .time
        }
        if ["utc", "gmt"].contains(word) { return .time }
        // `thu a.m.`
        if ["a", "p"].contains(word), grammar.sign(".", index + 1), grammar.tokens[parts.last ?? index].text == "m" {
            return .time
        }
        // `W50-2`
        if word == "q", grammar.isCapital(index), end == index + 2 { return .plain }
        if ["w", "kw", "q", "ww"].contains(word), grammar.number(index + 1) != nil { return .time }
        let isAll = parts.allSatisfy { isAboutTime($0) || PhraseStrays.words.contains(grammar.tokens[$0].text) }
        return isAll && parts.count > 1 ? .time : .plain
    }

    /// Whether a word is the possessive of a weekday: `monday's`.
    private func isWeekdaysOwn(_ word: String) -> Bool {
        guard word.hasSuffix("'s") || word.hasSuffix("’s") else { return false }
        let stem = DateVocabulary.folded(String(word.dropLast(2))[...])
        return grammar.parser.vocabulary.meanings(of: stem).contains { $0.namesWeekday != nil }
    }

    /// Whether a word is a short weekday of another language; Sam, Dom and Gio are people.
    private func isShortDay(_ index: Int) -> Bool {
        let word = grammar.tokens[index].text
        guard PhraseStrays.shortDays.contains(word) else { return false }
        let isCapital = grammar.line[grammar.tokens[index].range].first?.isUppercase == true
        return !(isCapital && ["sam", "dom", "gio"].contains(word))
    }

    /// Whether a word alone is about time.
    func isAboutTime(_ index: Int) -> Bool {
        // Tom is a name.
        grammar.tokens[index].text != "tom"
            && grammar.meanings(index).contains { meaning in
                switch meaning {
                case .unit(let unit): grammar.tokens[index].length > 2 || unit == .minute && grammar.isJoined(index)
                case .number, .ordinal, .part, .month, .adverb, .weekdays, .shift, .named: true
                case .day, .dayPart, .namedWeek: true
                case .weekday: grammar.weekday(index) != nil
                case .marker(let marker): PhraseStrays.markers.contains(marker)
                default: false
                }
            } && !isName(index)
    }

    /// `May`, `Will`, `Second Cup`: a capitalized word that has another meaning as well.
    private func isName(_ index: Int) -> Bool {
        let text = grammar.line[grammar.tokens[index].range]
        guard text.first?.isUppercase == true, index > 0 || grammar.part(index) != nil else { return false }
        let isNumber = grammar.first(index) { $0.number } != nil
        return grammar.month(index) != nil && grammar.tokens[index].length <= 5 || grammar.part(index) != nil
            || isNumber
    }

    private func isLink(_ index: Int) -> Bool {
        [.to, .of, .the, .at, .on, .and, .from, .by].contains { (marker: Link) in
            switch marker {
            case .to: grammar.has(.to, index)
            case .of: grammar.has(.of, index)
            case .the: grammar.has(.the, index)
            case .at: grammar.has(.at, index)
            case .on: grammar.has(.on, index)
            case .and: grammar.has(.and, index)
            case .from: grammar.has(.from, index) || grammar.has(.for, index) || grammar.has(.a, index)
            case .by: ["or", "but", "up", "not"].contains(grammar.tokens[index].text)
            }
        }
    }

    private enum Link {
        case to, of, the, at, on, and, from, by
    }

    /// Function words that are about time wherever they are.
    private static let markers: Set<DateMarker> = [
        .ago, .agoBefore, .fromNow, .every, .other, .starting, .oclock, .past, .beforeHour, .quarter, .half,
        .oneAndHalf, .halfBefore, .am, .pm, .beginning, .end, .weekdays, .weekend, .fortnight, .after, .before,
        .between, .repeats,
    ]

    private static let numberSigns: Set<String> = ["#", "$", "€", "£", "№"]

    /// Short weekdays of other languages that are also other words: only directly before a time.
    private static let shortDays: Set<String> = [
        "sa", "mi", "do", "so", "lun", "mer", "jeu", "ven", "sam", "dom", "gio",
    ]

    /// Words for the owner of a clock.
    static let owners: Set<String> = ["their", "your", "our", "my", "local", "her", "his"]
    private static let zones: Set<String> = ["pacific", "eastern", "central", "mountain", "zulu"]
}

extension PhraseGrammar {
    /// Whether the token is the name of a holiday.
    func isFeast(_ index: Int) -> Bool {
        if ["mother's", "father's", "mothers", "fathers"].contains(tokens[index].text) { return true }
        return meanings(index).contains { meaning in
            guard case .named(let day) = meaning else { return false }
            switch day {
            case .feast, .easter, .weekdayOf, .daysAfter, .advent: return true
            case .start, .end, .someday: return false
            }
        }
    }
}
