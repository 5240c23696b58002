/// Date words left over by a reading, although none reads them as time alone: `mid` of `mid january`, `first` of
/// `first half of december`, `4` of `fri 4 10:00`.
///
/// Words beside a piece are checked one by one, away from it, until one is not a date word.
struct PhraseStrays {
    let grammar: PhraseGrammar
    let reading: PhraseReading

    /// Returns the words, each with its place.
    func found() -> [Range<Int>] {
        guard !reading.spans.isEmpty else { return [] }
        var found: [Range<Int>] = []
        var next = 0
        for (number, span) in (reading.spans + [.init(start: grammar.tokens.count, piece: .nothing)]).enumerated() {
            let gap = next..<max(next, span.start)
            if !gap.isEmpty {
                if number > 0, let stray = behind(gap, reading.spans[number - 1].piece) { found.append(stray) }
                if number < reading.spans.count, let stray = before(gap, span.piece) { found.append(stray) }
            }
            next = span.piece.end
        }
        if hasNoTime {
            // `tomorrow at 10 or 11`
            for index in grammar.tokens.indices where grammar.tokens[index].text == "or" {
                let numbers = [index - 1, index + 1].map { grammar.number($0, digits: 1...2) }
                let isHours = numbers.allSatisfy { $0.map { (0...24).contains($0) } ?? false }
                if isHours, !grammar.isQuantity(index + 1, index + 2) { found.append(index - 1..<index + 2) }
            }
        }
        if let count = countBehind() { found.append(count) }
        found += dayLetters() + foreignClocks() + changes()
        if hasNoTime { found += looseClocks() }
        // `3-day workshop jan 12 9:00`: it may end on the 14th or the 15th.
        if reading.parts.time != nil, let days = reading.parts.duration, days >= 2 * 86_400 {
            found += reading.spans.filter { $0.piece.kind == .length && grammar.sign("-", $0.start + 1) }
                .map { $0.start..<$0.piece.end }
        }
        if let clock = compactClock(), !found.contains(clock) { found.append(clock) }
        return found
    }

    /// The first word after a piece, if it is a date word.
    private func behind(_ gap: Range<Int>, _ piece: PhrasePiece) -> Range<Int>? {
        var index = gap.lowerBound
        // `9:00 - late`
        var hasSeparator = false
        while index < gap.upperBound {
            let end = min(grammar.wordAfter(index), gap.upperBound)
            defer { hasSeparator = hasSeparator || grammar.has(.to, gap.lowerBound) }
            if PhraseStrays.leading.contains(grammar.tokens[index].text), end == index + 1 {
                // `tomorrow late`, `every monday twice`; `10:00 Late` and `tomorrow Early` are titles.
                let isLast = end == grammar.tokens.count && !grammar.isCapital(index)
                let isCount = reading.parts.repetition != nil && ["once", "twice"].contains(grammar.tokens[index].text)
                if isLast, piece.kind != .time && piece.kind != .times || hasSeparator || isCount { return index..<end }
                index = end
                continue
            }
            // `every monday 18:00 no choir on 7 dec`
            if reading.parts.repetition != nil, PhraseStrays.negations.contains(grammar.tokens[index].text) {
                return index..<end
            }
            if reading.parts.time != nil, isForeignTime(index) { return index..<end }
            switch nature(index, end) {
            case .number where piece.kind == .repetition || piece.kind == .limit: return index..<end
            // `5 jan 27 Flight`
            case .number
            where [.day, .times].contains(piece.kind) && grammar.month(piece.end - 1) != nil && end == index + 1
                && grammar.number(index, digits: 2...2) != nil && index == piece.end:
                return index..<end
            // `Freitag der 13. Party`
            case .number where piece.kind == .day && end == index + 2 && grammar.sign(".", index + 1) && isDay(index):
                return index..<end
            case .number:
                // `tomorrow 3 people`: a number is followed by its noun. `wed 10 Lessons`: an hour and a title.
                // `Thu: 9 dentist`
                let isBehindMark = index == piece.end && [":", ","].contains(grammar.tokens[index - 1].text)
                let isHour =
                    hasNoTime && piece.kind == .day && (grammar.isCapital(end) || isBehindMark) && isHour(index..<end)
                return isCounting(end) && !isJoinedNumber(index, end) && !isHour ? nil : index..<end
            case .time:
                // `yesterday 9-10 Sunday service`, `14:00 afternoon tea`
                if piece.kind == .times || piece.kind == .time, grammar.isPlainWord(end), end == index + 1 {
                    if let day = grammar.weekday(index), reading.parts.date?.weekday == day { return nil }
                    if grammar.part(index) != nil, !grammar.namesDay(index) { return nil }
                }
                return index..<end
            // `10am pacific`, `10am their time`
            case .zone: return piece.kind == .time || piece.kind == .times ? index..<end : nil
            case .link: break
            case .edge, .plain: return nil
            }
            index = end
        }
        return nil
    }

    /// The last word before a piece, if it is a date word.
    private func before(_ gap: Range<Int>, _ piece: PhrasePiece) -> Range<Int>? {
        let words = words(in: gap)
        if let stray = negationOrMeal(words) { return stray }
        // `festival weekend aug 6-8`
        if let last = words.last, grammar.has(.weekend, last.lowerBound), reading.parts.date != nil, words.count > 1 {
            return nil
        }
        var isBehindOf = grammar.has(.of, gap.upperBound)
        for (place, word) in words.enumerated().reversed() {
            // `room 12 tomorrow`, `happy hour fri`: a noun precedes.
            // `pizza for 4 tomorrow`
            let noun = place > 1 && grammar.has(.for, words[place - 1].lowerBound) ? place - 2 : place - 1
            // `room 9a tue 10:00`, `Release 4.2 thu 17:00`
            if grammar.number(word.lowerBound) != nil, grammar.hasNumberedNoun(word.lowerBound) { return nil }
            let hasNoun = noun >= 0 && nature(words[noun].lowerBound, words[noun].upperBound) == .plain
            let isLast = place == words.count - 1
            switch nature(word.lowerBound, word.upperBound) {
            case .number:
                return isStrayNumber(word, piece, isLast: isLast, hasNoun: hasNoun, isBehindOf: isBehindOf)
                    ? word : nil
            case .time: return isStrayTime(word, hasNoun: hasNoun, isBehindOf: isBehindOf) ? word : nil
            case .edge: if piece.kind == .time || piece.kind == .times, isLast { return word }
            case .link:
                let isJoint = grammar.tokens[word.lowerBound].text == "or" || grammar.has(.and, word.lowerBound)
                isBehindOf = isBehindOf || isJoint || grammar.has(.of, word.lowerBound)
            case .zone, .plain: return nil
            }
        }
        return nil
    }

    /// The words in a gap.
    private func words(in gap: Range<Int>) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var index = gap.lowerBound
        while index < gap.upperBound {
            let end = min(grammar.wordAfter(index), gap.upperBound)
            words.append(index..<end)
            index = end
        }
        return words
    }

    /// `not` or a meal at the end of the words: `dentist not tomorrow`, `after lunch tomorrow`.
    private func negationOrMeal(_ words: [Range<Int>]) -> Range<Int>? {
        guard let last = words.last else { return nil }
        if grammar.tokens[last.lowerBound].text == "not" { return last }
        guard hasNoTime, words.count > 1, PhraseStrays.meals.contains(grammar.tokens[last.lowerBound].text) else {
            return nil
        }
        let relation = words[words.count - 2].lowerBound
        guard grammar.has(.after, relation) || grammar.has(.before, relation) else { return nil }
        return relation..<last.upperBound
    }

    /// Whether a number before a piece is a day or an hour that was not used, rather than part of the title.
    private func isStrayNumber(
        _ word: Range<Int>, _ piece: PhrasePiece, isLast: Bool, hasNoun: Bool, isBehindOf: Bool
    ) -> Bool {
        // `Math 7b every monday`
        if piece.kind == .repetition, isLast, word.count == 1 { return true }
        // `Python 3.12 wed 10:00`
        if isVersion(word), hasNoun { return false }
        if word.count == 2, grammar.sign(".", word.lowerBound + 1) {
            // `Umzug vom 1. auf den 2. Dezember`
            if word.lowerBound > 0, grammar.has(.from, word.lowerBound - 1) { return true }
            // `Drinks 2. 17:00`
            if isLast, reading.parts.date == nil { return true }
        }
        let isNoun = hasNoun && !isBehindOf && !isJoinedNumber(word.lowerBound, word.upperBound)
        return !isNoun || isBareHour(word, piece, isLast: isLast)
    }

    /// Whether a word about time before a piece was not used, rather than part of the title.
    private func isStrayTime(_ word: Range<Int>, hasNoun: Bool, isBehindOf: Bool) -> Bool {
        // `Friday prayers fri 13:15`
        if let day = grammar.weekday(word.lowerBound), word.count == 1, reading.parts.date?.weekday == day,
            grammar.isPlainWord(word.upperBound)
        {
            return false
        }
        // `Weekly report every friday 16:00`
        let isAdverb = grammar.first(word.lowerBound) { if case .adverb = $0 { true } else { nil } } == true
        if isAdverb, reading.parts.repetition != nil, grammar.isPlainWord(word.upperBound) { return false }
        let isNoun = grammar.unit(word.lowerBound) != nil || grammar.part(word.lowerBound) != nil
        return !(hasNoun && isNoun && !isBehindOf && word.count == 1 && !isPlural(word.lowerBound))
    }

    /// Whether there is no time, or only a part of the day.
    var hasNoTime: Bool {
        (reading.parts.time == nil || reading.parts.isPartOnly) && reading.parts.instant == nil
    }

    /// Whether a word is the number of a version, `3.12`, in a line with day and time elsewhere.
    private func isVersion(_ word: Range<Int>) -> Bool {
        reading.parts.date != nil && reading.parts.time != nil && word.count == 3
            && grammar.sign(".", word.lowerBound + 1) && grammar.number(word.lowerBound + 2) != nil
    }

    private func isDay(_ index: Int) -> Bool {
        grammar.number(index, digits: 1...2).map { (1...31).contains($0) } ?? false
    }

    private func isHour(_ word: Range<Int>) -> Bool {
        word.count == 1 && grammar.number(word.lowerBound, digits: 1...2).map { (1...24).contains($0) } ?? false
    }

    /// Whether a number may be the hour that the line lacks: `Dinner 8 tomorrow`, but not `room 12 tomorrow`.
    private func isBareHour(_ word: Range<Int>, _ piece: PhrasePiece, isLast: Bool) -> Bool {
        let index = word.lowerBound
        return isLast && hasNoTime && [.day, .days, .part].contains(piece.kind) && isHour(word)
            && !grammar.hasNumberedNoun(index) && !(index > 0 && grammar.has(.for, index - 1))
    }

    private func isPlural(_ index: Int) -> Bool { grammar.tokens[index].text.hasSuffix("s") }

    /// Whether a noun follows that the number may count.
    private func isCounting(_ index: Int) -> Bool {
        grammar.isPlainWord(index) && !grammar.isJoined(index)
            && !PhraseStrays.words.contains(grammar.tokens[index].text)
    }

    /// Whether letters or further numbers are joined to the number: `9ish`, `4-12-2026`.
    private func isJoinedNumber(_ index: Int, _ end: Int) -> Bool {
        (index + 1..<max(index + 1, end)).contains { place in
            grammar.tokens[place].kind == .number || PhraseStrays.suffixes.contains(grammar.tokens[place].text)
                || isAboutTime(place)
        }
    }

    /// Letters after a number that make it a time.
    private static let suffixes: Set<String> = [
        "a", "p", "h", "ish", "pmish", "amish", "ff", "morrow", "moro", "mrw", "moz", "nite", "tagig", "'", "’",
    ]

    /// Words after a repetition that introduce exceptions.
    private static let negations: Set<String> = ["no", "not", "never", "none"]
    private static let meals: Set<String> = ["lunch", "dinner", "breakfast", "work", "school", "supper", "tea"]
}
