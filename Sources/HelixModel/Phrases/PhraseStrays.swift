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
        var words: [Range<Int>] = []
        var index = gap.lowerBound
        while index < gap.upperBound {
            let end = min(grammar.wordAfter(index), gap.upperBound)
            words.append(index..<end)
            index = end
        }
        var isBehindOf = grammar.has(.of, gap.upperBound)
        // `dentist not tomorrow`
        if let last = words.last, grammar.tokens[last.lowerBound].text == "not" { return last }
        // `after lunch tomorrow`
        if hasNoTime, words.count > 1, let last = words.last,
            PhraseStrays.meals.contains(grammar.tokens[last.lowerBound].text),
            grammar.has(.after, words[words.count - 2].lowerBound)
                || grammar.has(.before, words[words.count - 2].lowerBound)
        {
            return words[words.count - 2].lowerBound..<last.upperBound
        }
        // `festival weekend aug 6-8`
        if let last = words.last, grammar.has(.weekend, last.lowerBound), reading.parts.date != nil, words.count > 1 {
            return nil
        }
        for (place, word) in words.enumerated().reversed() {
            // `room 12 tomorrow`, `happy hour fri`: a noun precedes.
            // `pizza for 4 tomorrow`
            let noun = place > 1 && grammar.has(.for, words[place - 1].lowerBound) ? place - 2 : place - 1
            // `room 9a tue 10:00`, `Release 4.2 thu 17:00`
            if grammar.number(word.lowerBound) != nil, grammar.hasNumberedNoun(word.lowerBound) { return nil }
            let hasNoun = noun >= 0 && nature(words[noun].lowerBound, words[noun].upperBound) == .plain
            switch nature(word.lowerBound, word.upperBound) {
            // `Math 7b every monday`
            case .number where piece.kind == .repetition && place == words.count - 1 && word.count == 1: return word
            // `Python 3.12 wed 10:00`
            case .number where isVersion(word) && hasNoun: return nil
            // `Umzug vom 1. auf den 2. Dezember`
            case .number
            where word.count == 2 && grammar.sign(".", word.lowerBound + 1) && word.lowerBound > 0
                && grammar.has(.from, word.lowerBound - 1):
                return word
            // `Drinks 2. 17:00`
            case .number
            where place == words.count - 1 && word.count == 2 && grammar.sign(".", word.lowerBound + 1)
                && reading.parts.date == nil:
                return word
            case .number:
                let isNoun = hasNoun && !isBehindOf && !isJoinedNumber(word.lowerBound, word.upperBound)
                return isNoun && !isBareHour(word, piece, isLast: place == words.count - 1) ? nil : word
            case .time:
                // `Friday prayers fri 13:15`
                if let day = grammar.weekday(word.lowerBound), word.count == 1, reading.parts.date?.weekday == day,
                    grammar.isPlainWord(word.upperBound)
                {
                    return nil
                }
                // `Weekly report every friday 16:00`
                let isAdverb = grammar.first(word.lowerBound) { if case .adverb = $0 { true } else { nil } } == true
                if isAdverb, reading.parts.repetition != nil, grammar.isPlainWord(word.upperBound) { return nil }
                let isNoun = grammar.unit(word.lowerBound) != nil || grammar.part(word.lowerBound) != nil
                return hasNoun && isNoun && !isBehindOf && word.count == 1 && !isPlural(word.lowerBound) ? nil : word
            case .edge: if piece.kind == .time || piece.kind == .times, place == words.count - 1 { return word }
            case .link:
                let isJoint = grammar.tokens[word.lowerBound].text == "or" || grammar.has(.and, word.lowerBound)
                isBehindOf = isBehindOf || isJoint || grammar.has(.of, word.lowerBound)
            case .zone, .plain: return nil
            }
        }
        return nil
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

    private enum Nature {
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
    private func nature(_ index: Int, _ end: Int) -> Nature {
        let token = grammar.tokens[index]
        switch token.kind {
        case .quoted: return .plain
        case .number:
            // `party of 6`, `part 2 of 3`
            if index > 1, grammar.has(.of, index - 1), end == index + 1,
                grammar.isPlainWord(index - 2) || grammar.number(index - 2) != nil
            {
                return .plain
            }
            // `swim 400m`
            if grammar.tokens[index].value >= 240, end == index + 2, grammar.tokens[index + 1].text == "m" {
                return .plain
            }
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
        case .sign:
            // `PR #482`, `$20`
            if PhraseStrays.numberSigns.contains(token.text) { return .plain }
            return end > index + 1 && grammar.number(index + 1) != nil ? .number : .link
        case .word: break
        }
        // `mornings:` is the word with a mark after it.
        var last = end
        while last > index + 1, grammar.tokens[last - 1].kind == .sign,
            [",", ".", ":", ";", "!", "?", ")"].contains(grammar.tokens[last - 1].text)
        {
            last -= 1
        }
        if last < end, last == index + 1, PhraseStrays.words.contains(token.text) || isAboutTime(index) { return .time }
        let word = token.text
        // `Silvester 31.12.`, `Christmas dinner 20 dec`
        if reading.parts.date != nil, grammar.isFeast(index) { return .plain }
        if ["m-f", "mo-fr", "m-th"].contains(grammar.line[grammar.place(index..<end)].lowercased()) { return .time }
        // `10am NYC time`
        if grammar.has(.zone, end), grammar.line[token.range].first?.isUppercase == true { return .zone }
        // `10 times`
        if grammar.has(.times, index), index > 0, grammar.number(index - 1) != nil, word != "x" { return .time }
        if end > index + 1, grammar.isJoined(index + 1) {
            // `mid-january`, `7pm->9pm`; in a name with a dash, all parts are unknown words.
            let parts = (index..<end).filter { grammar.tokens[$0].kind == .word }
            if PhraseStrays.words.contains(word), parts.count > 1, parts.dropFirst().contains(where: isAboutTime) {
                return .time
            }
            if ["utc", "gmt"].contains(word) { return .time }
            // `thu a.m.`
            if ["a", "p"].contains(word), grammar.sign(".", index + 1), grammar.tokens[parts.last ?? index].text == "m"
            {
                return .time
            }
            // `W50-2`
            if word == "q", grammar.isCapital(index), end == index + 2 { return .plain }
            if ["w", "kw", "q", "ww"].contains(word), grammar.number(index + 1) != nil { return .time }
            let isAll = parts.allSatisfy { isAboutTime($0) || PhraseStrays.words.contains(grammar.tokens[$0].text) }
            return isAll && parts.count > 1 ? .time : .plain
        }
        if PhraseStrays.words.contains(word) { return .time }
        // `first thing monday`
        if word == "thing", index > 0, grammar.tokens[index - 1].text == "first" { return .time }
        if PhraseStrays.zones.contains(word) { return .zone }
        // `dinner for two`
        if index > 0, grammar.has(.for, index - 1), grammar.first(index, { $0.number }) != nil { return .number }
        if PhraseStrays.owners.contains(word), grammar.has(.zone, index + 1) { return .zone }
        if word.hasSuffix("'s") || word.hasSuffix("’s") {
            let stem = DateVocabulary.folded(String(word.dropLast(2))[...])
            if grammar.parser.vocabulary.meanings(of: stem).contains(where: { $0.namesWeekday != nil }) { return .time }
        }
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

    /// Whether a word is a short weekday of another language; Sam, Dom and Gio are people.
    private func isShortDay(_ index: Int) -> Bool {
        let word = grammar.tokens[index].text
        guard PhraseStrays.shortDays.contains(word) else { return false }
        let isCapital = grammar.line[grammar.tokens[index].range].first?.isUppercase == true
        return !(isCapital && ["sam", "dom", "gio"].contains(word))
    }

    /// Whether a word alone is about time.
    private func isAboutTime(_ index: Int) -> Bool {
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

    /// Function words that are about time wherever they are.
    private static let markers: Set<DateMarker> = [
        .ago, .agoBefore, .fromNow, .every, .other, .starting, .oclock, .past, .beforeHour, .quarter, .half,
        .oneAndHalf, .halfBefore, .am, .pm, .beginning, .end, .weekdays, .weekend, .fortnight, .after, .before,
        .between, .repeats,
    ]

    /// Words after a repetition that introduce exceptions.
    private static let negations: Set<String> = ["no", "not", "never", "none"]
    private static let meals: Set<String> = ["lunch", "dinner", "breakfast", "work", "school", "supper", "tea"]
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
