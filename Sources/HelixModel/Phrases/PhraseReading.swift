/// A reading of a whole phrase: the pieces that are about time, and the words that are not.
struct PhraseReading {
    /// A piece and its tokens.
    struct Span {
        var start: Int
        var piece: PhrasePiece
    }

    var spans: [Span] = []
    var parts = PhraseParts()
    var score = 0
    /// Tokens that look like time and were not used, as ranges.
    var leftovers: [Range<Int>] = []
    /// Parts of the day that may belong to a title, if a time is known: `Midnight mass`.
    var partsOfTitle: [Range<Int>] = []
    /// Weekends that may belong to a title, if a date is known: `festival weekend aug 6-8`.
    var weekendsOfTitle: [Range<Int>] = []
    /// The end of the last piece.
    var end = -1
}

/// Finds the readings of a phrase: covers of its tokens by compatible pieces.
struct PhraseReader {
    let grammar: PhraseGrammar
    /// The limit of readings continued from one place; further ones hardly differ.
    private static let breadth = 40
    /// The limit of tokens in a phrase.
    static let mostTokens = 20_000
    /// The penalty for an unused date word, more than any reading can gain.
    private static let leftoverCost = 10_000

    /// The readings, the best one first. There is at least one.
    func readings() -> [PhraseReading] {
        let count = grammar.tokens.count
        var states: [[PhraseReading]] = Array(repeating: [], count: count + 1)
        states[0] = [PhraseReading()]
        for index in 0..<count {
            guard !states[index].isEmpty else { continue }
            let here = pruned(states[index])
            states[index] = []
            let next = wordEnd(after: index, count)
            let pieces = grammar.pieces(at: index).filter { $0.end <= count }
            for state in here {
                // No time has this many parts; the rest is left over.
                for piece in pieces where state.spans.count < PhraseReader.breadth {
                    if piece.conditions.contains(.afterPiece), state.end != index { continue }
                    if piece.end == index + 1, piece.kind == .part || piece.kind == .day, isTitle(index, state) {
                        continue
                    }
                    if endsInTitle(piece, index, state) { continue }
                    guard let parts = state.parts.merging(piece.parts) else { continue }
                    var reading = state
                    reading.parts = parts
                    reading.score += piece.weight
                    reading.spans.append(.init(start: index, piece: piece))
                    reading.end = piece.end
                    states[piece.end].append(reading)
                }
                var reading = state
                leave(index..<next, pieces, &reading)
                states[next].append(reading)
            }
        }
        let done = states[count].map(checked).sorted { $0.score > $1.score }
        return done
    }

    /// Assigns a word to the title; words that look like time are noted.
    private func leave(_ word: Range<Int>, _ pieces: [PhrasePiece], _ reading: inout PhraseReading) {
        // A part of the day or a weekday after a time that adds nothing begins the title: `14:00 Afternoon tea`.
        if isTitle(word.lowerBound, reading) { return }
        let isBeside = word.lowerBound == 0 || reading.end == word.lowerBound
        if isBeside, grammar.mayBeHours(word) { note(word, &reading.partsOfTitle) }
        let strong = pieces.filter { !$0.isWeak && !grammar.isQuantity(word.lowerBound, $0.end) }
        if !strong.isEmpty {
            // `Weekend planning fri 10:00`, `festival weekend aug 6-8`
            if grammar.has(.weekend, word.lowerBound), word.count == 1 {
                note(word, &reading.weekendsOfTitle)
            } else if strong.allSatisfy({ $0.kind == .part }) || isNamedTime(word.lowerBound) {
                note(word, &reading.partsOfTitle)
            } else if strong.contains(where: { !isGuess($0) }) {
                note(word, &reading.leftovers)
            }
            return
        }
        if looksLikeTime(word) { note(word, &reading.leftovers) }
    }

    /// Adds a word to a list, up to a limit: each reading has its own list.
    private func note(_ word: Range<Int>, _ list: inout [Range<Int>]) {
        if list.count < PhraseReader.breadth { list.append(word) }
    }

    /// Whether a piece reads the first word of the title as a weekday that is given already: `yesterday 9-10 Sunday service`.
    private func endsInTitle(_ piece: PhrasePiece, _ index: Int, _ state: PhraseReading) -> Bool {
        let last = piece.end - 1
        return piece.kind == .times && last > index && grammar.weekday(last) != nil && !grammar.isJoined(last)
            && state.parts.date != nil && grammar.isPlainWord(piece.end) && !grammar.isJoined(piece.end)
    }

    /// Whether a part of the day or a weekday directly after a time begins the title, because it adds nothing:
    /// `tomorrow 14:00 Afternoon tea`, `yesterday 9-10 Sunday service`.
    private func isTitle(_ index: Int, _ state: PhraseReading) -> Bool {
        guard state.end == index, state.parts.time != nil, grammar.wordAfter(index) == index + 1 else { return false }
        let hasNoun = grammar.isPlainWord(index + 1)
        if let day = grammar.weekday(index) { return hasNoun && state.parts.date?.weekday == day }
        guard let part = grammar.part(index), !grammar.namesDay(index) else { return false }
        // `sun 22:00 - mon 03:00 Night`
        let isWhole = state.spans.reduce(0) { $0 + $1.piece.end - $1.start } == index
        guard hasNoun || index + 1 == grammar.tokens.count && isWhole && grammar.isCapital(index) else { return false }
        var named = PhraseParts()
        named.part = part
        guard let with = try? state.parts.merging(named)?.settled(grammar.parser) else { return true }
        guard let without = try? state.parts.settled(grammar.parser) else { return false }
        return with.time == without.time && with.endTime == without.endTime
    }

    /// Whether a word without a reading looks like time all the same: `2026-02-30`, `25:00`, `31.2.`, `mid-january`.
    private func looksLikeTime(_ word: Range<Int>) -> Bool {
        let tokens = grammar.tokens
        guard word.count > 1, !grammar.isQuantity(word.lowerBound, word.upperBound) else { return false }
        let first = word.lowerBound
        if tokens[first].kind == .number, tokens[first].length <= 2, word.count == 2,
            grammar.has(.am, first + 1) || grammar.has(.pm, first + 1)
        {
            return true
        }
        if tokens[first].kind == .number, [4, 8].contains(tokens[first].length), word.count > 2 {
            let next = tokens[first + 1].text == "-" ? first + 2 : first + 1
            if ["w", "t"].contains(tokens[next].text) { return true }
        }
        if ZoneAbbreviation.areas.contains(tokens[first].text), tokens[first + 1].text == "/" { return true }
        for index in word where index == word.lowerBound || tokens[index - 1].kind == .sign {
            if tokens[index].kind == .word {
                let isAlone = index + 1 >= word.upperBound || tokens[index + 1].kind == .sign
                if isAlone,
                    grammar.weekday(index) != nil || index > first && grammar.namesDay(index)
                        || grammar.month(index) != nil && tokens[index].length > 2
                {
                    return true
                }
                continue
            }
            guard tokens[index].kind == .number, index + 2 < word.upperBound, tokens[index + 2].kind == .number else {
                continue
            }
            let (first, second) = (tokens[index].length, tokens[index + 2].length)
            let isEnd = index + 3 >= word.upperBound
            switch tokens[index + 1].text {
            case ":": if first <= 2, second == 2 { return true }
            case "-": if first == 4, second <= 2 { return true }
            case "/": if first <= 2, second <= 2, !isEnd, tokens[index + 3].text == "/" { return true }
            case ".":
                let hasDot = !isEnd && tokens[index + 3].text == "."
                let year = index + 4 < word.upperBound ? tokens[index + 4].length : 0
                if first <= 2, second <= 2, hasDot, [0, 2, 4].contains(year), index + 5 >= word.upperBound {
                    return true
                }
            default: continue
            }
        }
        return false
    }

    /// `noon` and `midnight` may also be parts of names.
    private func isNamedTime(_ index: Int) -> Bool { grammar.has(.noon, index) || grammar.has(.midnight, index) }

    /// Whether the piece is used outside of the places in which it is allowed.
    private func isGuess(_ piece: PhrasePiece) -> Bool {
        piece.conditions.contains(.repeats) || piece.conditions.contains(.afterTime)
            || piece.conditions.contains(.afterPiece) && piece.kind == .part
    }

    private func wordEnd(after index: Int, _ count: Int) -> Int {
        var end = index + 1
        while end < count, grammar.isJoined(end) { end += 1 }
        return end
    }

    /// The best distinct readings.
    private func pruned(_ readings: [PhraseReading]) -> [PhraseReading] {
        guard readings.count > 1 else { return readings }
        var seen: Set<Key> = []
        var kept: [PhraseReading] = []
        for reading in readings.sorted(by: { cost($0) < cost($1) }) {
            guard seen.insert(Key(parts: reading.parts, isTouching: reading.end)).inserted else { continue }
            kept.append(reading)
            if kept.count == PhraseReader.breadth { break }
        }
        return kept
    }

    private struct Key: Hashable {
        var parts: PhraseParts
        var isTouching: Int
    }

    private func cost(_ reading: PhraseReading) -> Int {
        reading.leftovers.count * PhraseReader.leftoverCost - reading.score
    }

    /// Words that alone are no time, but beside date words show that those are not fully understood: `first` of
    /// `first tuesday`, `every` of `every night`, `except`.
    private func strays(_ reading: PhraseReading) -> [Range<Int>] {
        guard !reading.spans.isEmpty else { return [] }
        let hasAnd = grammar.tokens.indices.contains { grammar.has(.and, $0) }
        var found: [Range<Int>] = []
        var next = 0
        for span in reading.spans + [.init(start: grammar.tokens.count, piece: .nothing)] {
            for index in next..<max(next, span.start) where !grammar.isJoined(index) {
                let end = grammar.wordAfter(index)
                let isOrdinal =
                    grammar.ordinal(index)?.end == end
                    || grammar.dayNumber(index).map { $0.isOrdinal && $0.end == end } ?? false
                let touches = end == span.start && span.piece.kind == .day || index == next && index > 0
                let isEvery =
                    grammar.has(.every, index)
                    && (end == span.start || end >= grammar.tokens.count || grammar.mayBeTime(end)
                        || grammar.tokens[end].kind == .quoted
                        // `every school day`, `every second school week`
                        || end + 1 < grammar.tokens.count && grammar.mayBeTime(end + 1)
                            && grammar.number(end + 1) == nil)
                let isBehind = index == next && index > 0
                let isLimit =
                    reading.parts.repetition != nil && (grammar.has(.except, index) || grammar.has(.until, index))
                    && (isBehind || grammar.tokens[index].text != "skip")
                let isBetween =
                    (grammar.has(.until, index) || grammar.has(.between, index) && hasAnd)
                    && (isBehind || end == span.start)
                    || (grammar.has(.after, index) || grammar.has(.before, index)) && isBehind
                    || grammar.shift(index) != nil && (isBehind || end == span.start)
                let isNumber =
                    grammar.number(index, digits: 1...2) != nil && end == span.start && span.piece.parts.period != nil
                // `tomorrow noon at 12`
                let isNamed =
                    isNamedTime(index) && end == index + 1 && isBehind && span.start > index
                    && reading.spans.contains { $0.piece.end == index && $0.piece.kind == .day }
                let isZone =
                    isBehind && ZoneAbbreviation.ambiguous.contains(String(grammar.line[grammar.tokens[index].range]))
                if isOrdinal && touches && !grammar.hasNumberedNoun(index) || isEvery || isLimit || isBetween
                    || isNumber || isZone || isNamed
                {
                    found.append(index..<end)
                }
            }
            next = span.piece.end
        }
        return found
    }

    /// The index of a weekday that belongs to the title because its date is given elsewhere: `Tuesday club 24 nov 19:00`.
    private func weekdayOfTitle(_ reading: PhraseReading) -> Int? {
        guard reading.parts.lastDate == nil, reading.parts.repetition == nil, !reading.parts.isWeekday else {
            return nil
        }
        let days = reading.spans.indices.filter { reading.spans[$0].piece.kind == .day }
        guard days.count == 2 else { return nil }
        let (first, second) = (reading.spans[days[0]], reading.spans[days[1]])
        let hasNoun = (first.piece.end..<max(first.piece.end, second.start)).contains { index in
            grammar.isPlainWord(index) && !reading.spans.contains { ($0.start..<$0.piece.end).contains(index) }
        }
        guard hasNoun else { return nil }
        return days.first { place in
            let span = reading.spans[place]
            return span.piece.parts.isWeekday && span.piece.end == span.start + 1
        }
    }

    /// The index of a weekday that belongs to the title because it is repeated: `Sunday roast sunday 1pm`.
    private func sameDayOfTitle(_ reading: PhraseReading) -> Int? {
        guard reading.parts.lastDate == nil, reading.parts.repetition == nil else { return nil }
        let days = reading.spans.indices.filter { reading.spans[$0].piece.parts.date != nil }
        guard days.count == 2, reading.spans[days[0]].piece.kind == .day else { return nil }
        let (first, second) = (reading.spans[days[0]], reading.spans[days[1]])
        let isSame = first.piece.parts.isWeekday && first.piece.parts.date == second.piece.parts.date
        return isSame && first.piece.end < second.start && grammar.isPlainWord(first.piece.end) ? days[0] : nil
    }

    /// The index of a holiday that belongs to the title because its date is given as well: `Good Friday in Seville march 26`.
    private func feastOfTitle(_ reading: PhraseReading) -> Int? {
        let days = reading.spans.indices.filter { reading.spans[$0].piece.parts.date != nil }
        guard days.count == 2 else { return nil }
        let feasts = days.filter { place in
            let span = reading.spans[place]
            return span.piece.end == span.start + 1 && grammar.isFeast(span.start)
        }
        return feasts.count == 1 ? feasts[0] : nil
    }

    /// A weekday that occurs twice, separated by words of the title: `Wed thing wed 25 nov 10:00`.
    private func repeatedWeekdays(_ reading: PhraseReading) -> [Range<Int>] {
        guard reading.parts.lastDate == nil, reading.parts.repetition == nil else { return [] }
        let named = reading.spans.filter { span in
            span.piece.kind == .day
                && (span.start..<span.piece.end).contains {
                    grammar.tokens[$0].kind == .word && grammar.weekday($0) != nil
                }
        }
        guard named.count == 2, named[0].piece.end < named[1].start else { return [] }
        let between = (named[0].piece.end..<named[1].start).contains { index in
            grammar.isPlainWord(index) && !reading.spans.contains { ($0.start..<$0.piece.end).contains(index) }
        }
        // `Sunday roast sunday 1pm` repeats it, `Monday club tuesday` has two days.
        let isSame = named[0].piece.parts.date == named[1].piece.parts.date
        return between && !isSame ? [named[0].start..<named[0].piece.end] : []
    }

    /// Returns the reading without the words that its pieces may not use, with its final score.
    private func checked(_ reading: PhraseReading) -> PhraseReading {
        var reading = reading
        for span in reading.spans {
            let conditions = span.piece.conditions
            let isMet =
                (!conditions.contains(.repeats) || reading.parts.repetition != nil)
                && (!conditions.contains(.afterDate) || reading.parts.date != nil || reading.parts.period != nil)
                && (!conditions.contains(.afterTime) || reading.parts.time != nil || reading.parts.instant != nil)
            if !isMet { reading.leftovers.append(span.start..<span.piece.end) }
        }
        // `Christmas dinner 13:00` is not a dinner today.
        if reading.parts.date == nil, reading.parts.period == nil, reading.parts.repetition == nil,
            reading.parts.time != nil
        {
            let used = reading.usedTokens
            for index in grammar.tokens.indices where !used.contains(index) && grammar.isFeast(index) {
                reading.leftovers.append(index..<index + 1)
            }
        }
        reading.leftovers += repeatedWeekdays(reading)
        if let name = weekdayOfTitle(reading) ?? sameDayOfTitle(reading) ?? feastOfTitle(reading) {
            reading.spans.remove(at: name)
        }
        reading.leftovers += strays(reading) + PhraseStrays(grammar: grammar, reading: reading).found()
        if reading.parts.time == nil, reading.parts.instant == nil, !reading.spans.isEmpty {
            reading.leftovers += reading.partsOfTitle
        }
        if reading.parts.date == nil { reading.leftovers += reading.weekendsOfTitle }
        reading.score -= reading.leftovers.count * PhraseReader.leftoverCost
        return reading
    }
}

extension PhraseReading {
    /// The tokens used by pieces.
    var usedTokens: Set<Int> {
        spans.reduce(into: []) { $0.formUnion($1.start..<$1.piece.end) }
    }
}
