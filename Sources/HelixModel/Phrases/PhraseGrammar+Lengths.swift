/// A length of time found in tokens.
struct LengthMatch {
    var end: Int
    /// The seconds; of months and years the nominal ones.
    var seconds: Int
    /// The number and unit, for units of days or longer.
    var span: PhraseSpan?
}

extension PhraseGrammar {
    /// `45m`, `1h30m`, `1h30`, `1.5h`, `1,5 h`, `90 minutes`, `1 hour and 30 min`, `half an hour`, `an hour and a half`.
    func length(_ index: Int) -> LengthMatch? {
        if let hyphenated = hyphenated(index) { return hyphenated }
        let own = skip([.a], index)
        if let seconds = first(own, { if case .length(let seconds) = $0 { seconds } else { nil } }) {
            let isMore = has(.and, own + 1) && has(.half, own + 2)
            return LengthMatch(end: isMore ? own + 3 : own + 1, seconds: seconds + (isMore ? 1800 : 0))
        }
        // `eine halbe Stunde`
        if own == index + 1, has(.half, own), let unit = unit(own + 1), unit <= .day {
            return LengthMatch(end: own + 2, seconds: unit.seconds / 2)
        }
        if has(.half, index) {
            let start = skip([.a], index + 1)
            // Half a day hardly means twelve hours.
            guard let unit = unit(start), unit <= .hour else { return nil }
            return LengthMatch(end: start + 1, seconds: unit.seconds / 2)
        }
        return spokenLength(index) ?? sumOfTerms(index)
    }

    /// `a fortnight`, `quarter of an hour`, `three quarters of an hour`, `one and a half hours`.
    private func spokenLength(_ index: Int) -> LengthMatch? {
        if has(.fortnight, index) || has(.a, index) && has(.fortnight, index + 1) {
            return LengthMatch(
                end: has(.fortnight, index) ? index + 1 : index + 2, seconds: 14 * 86_400,
                span: PhraseSpan(number: 2, unit: .week))
        }
        if has(.quarter, index), has(.of, index + 1) {
            let start = skip([.a], index + 2)
            if unit(start) == .hour { return LengthMatch(end: start + 1, seconds: 900) }
        }
        // `three quarters of an hour`
        if let number = count(index), (1...3).contains(number), unit(index + 1) == .quarter, has(.of, index + 2) {
            let start = skip([.a], index + 3)
            if unit(start) == .hour { return LengthMatch(end: start + 1, seconds: 900 * number) }
        }
        // `one and a half hours`
        if let number = count(index), has(.and, index + 1), has(.a, index + 2), has(.half, index + 3),
            let unit = unit(index + 4), unit <= .hour
        {
            return LengthMatch(end: index + 5, seconds: number * unit.seconds + unit.seconds / 2)
        }
        return nil
    }

    /// `45m`, `1h30m`, `1h30`, `1 hour and 30 min`, `an hour and a half`.
    private func sumOfTerms(_ index: Int) -> LengthMatch? {
        var total = 0.0
        var place = index
        var last: PhraseUnit?
        var span: PhraseSpan?
        var terms = 0
        while let term = term(place), last.map({ term.unit < $0 }) ?? true {
            total += term.number * Double(term.unit.seconds)
            terms += 1
            span =
                terms == 1 && term.unit >= .day && term.number == term.number.rounded()
                ? PhraseSpan(number: Int(term.number), unit: term.unit) : nil
            (last, place) = (term.unit, term.end)
            if term.unit == .hour, let minutes = minutesOfHour(place, isFirst: terms == 1) {
                return LengthMatch(end: place + 1, seconds: Int(total.rounded()) + minutes * 60)
            }
            if has(.and, place) {
                let half = skip([.a], place + 1)
                if has(.half, half), half > place + 1 || parser.vocabulary.hasOthers {
                    total += Double(term.unit.seconds) / 2
                    place = half + 1
                    span = nil
                    break
                }
                if self.term(place + 1) != nil { place += 1 }
            }
        }
        if terms > 0, has(.long, place) { place += 1 }
        guard terms > 0, total > 0 || !isLine, total < 400_000_000 else { return nil }
        return LengthMatch(end: place, seconds: Int(total.rounded()), span: span)
    }

    /// The minutes after the hours of a length, without their unit: `1h30`, `1 hour 30`.
    private func minutesOfHour(_ place: Int, isFirst: Bool) -> Int? {
        guard let minutes = number(place, digits: 1...2), minutes < 60,
            isJoined(place)
                || isFirst && wordEnd(place + 1) == place + 1
                    && unit(place + 1) == nil && (place + 1 == tokens.count),
            !isJoined(place + 1) || wordEnd(place + 1) != nil
        else { return nil }
        return minutes
    }

    /// `15-minute`, `one-hour`, `3-day`: the length before its noun.
    private func hyphenated(_ index: Int) -> LengthMatch? {
        // `half-hour chat`
        if has(.half, index) || has(.quarter, index), sign("-", index + 1), isJoined(index + 1), isJoined(index + 2),
            unit(index + 2) == .hour, !isJoined(index + 3)
        {
            return LengthMatch(end: index + 3, seconds: has(.half, index) ? 1800 : 900)
        }
        guard let number = count(index), !has(.a, index), number > 0, sign("-", index + 1), isJoined(index + 1),
            isJoined(index + 2), let unit = unit(index + 2), tokens[index + 2].length > 2, !isJoined(index + 3)
        else { return nil }
        return LengthMatch(end: index + 3, seconds: number * unit.seconds)
    }

    /// A number with its unit: `1.5 hours`, `90m`, `an hour`.
    private func term(_ index: Int) -> (number: Double, unit: PhraseUnit, end: Int)? {
        var end = index + 1
        var value: Double
        if let whole = number(index) {
            value = Double(whole)
            if (sign(".", end) || sign(",", end)) && isJoined(end) && isJoined(end + 1), let part = number(end + 1) {
                var scale = 1.0
                for _ in 0..<tokens[end + 1].length { scale *= 10 }
                value += Double(part) / scale
                end += 2
            }
            // `1½`, `1 1/2`
            if let part = PhraseGrammar.fractions[tokens.indices.contains(end) ? tokens[end].text : ""] {
                value += part
                end += 1
            } else if let above = number(end, digits: 1...1), sign("/", end + 1), isJoined(end + 1), isJoined(end + 2),
                let below = number(end + 2, digits: 1...1), below > 1, above < below, !isJoined(end)
            {
                value += Double(above) / Double(below)
                end += 3
            }
        } else if has(.oneAndHalf, index) {
            value = 1.5
        } else if let count = count(index) {
            guard unit(end).map({ _ in tokens[end].length > 2 }) ?? false else { return nil }
            value = Double(count)
        } else {
            return nil
        }
        guard let unit = unit(end), value < 10_000_000 else { return nil }
        // `swim 400m`: metres
        if isLine, unit == .minute, tokens[end].text == "m", value >= 240, !has(.for, index - 1) { return nil }
        return (value, unit, skipDot(end + 1))
    }

    private static let fractions: [String: Double] = ["½": 0.5, "¼": 0.25, "¾": 0.75]

    /// A length, after `for` or directly after a time; in a field anywhere.
    func lengths(at index: Int) -> [PhrasePiece] {
        let isMarked = has(.for, index)
        var start = isMarked ? skip([.the], index + 1) : index
        var found: [PhrasePiece] = []
        // `for the last 2 hours`, `for the last hour`
        let last = isMarked ? start : skip([.the], start)
        if isLine, parser.direction == .back,
            shift(last) == .last || tokens.indices.contains(last) && tokens[last].text == "past"
        {
            start = last + 1
            if let unit = unit(start), unit <= .hour, tokens[start].length > 2 {
                var parts = PhraseParts()
                parts.duration = unit.seconds
                found.append(
                    PhrasePiece(end: start + 1, parts: parts, weight: weight(index..<start + 1), kind: .length))
            }
        }
        if let match = length(start) {
            addUnits(match, index, start, to: &found)
        } else if isMarked {
            addBareNumbers(start, to: &found)
        }
        return found
    }

    /// Adds the length; after `for`, units of days or longer may also limit a repetition.
    private func add(
        _ match: LengthMatch, weight: Int, _ conditions: PhrasePiece.Conditions, isMarked: Bool,
        to found: inout [PhrasePiece]
    ) {
        var parts = PhraseParts()
        parts.duration = match.seconds
        if let span = match.span, span.unit >= .month { parts.months = span }
        found.append(
            PhrasePiece(
                end: match.end, parts: parts, weight: weight, conditions: conditions, isWeak: false, kind: .length))
        guard let span = match.span, isMarked else { return }
        // `every week for 3 months`
        var limit = PhraseParts()
        limit.span = span
        found.append(
            PhrasePiece(end: match.end, parts: limit, weight: weight + 5, conditions: .repeats, kind: .limit))
    }

    /// Adds a length with its units, which begins at `start`, after `for` at `index` if that precedes.
    private func addUnits(_ match: LengthMatch, _ index: Int, _ start: Int, to found: inout [PhrasePiece]) {
        let isMarked = has(.for, index)
        let isBack = parser.direction == .back
        // `14h30` after a day is rather the time.
        let isClock = !isMarked && match.seconds >= 8 * 3600 && clocks(start).contains { $0.end == match.end }
        let own = weight(index..<match.end) - (isClock ? 6 : 0)
        // `15-minute call tomorrow 10:00`, but a `3-day trip` that is planned is a title.
        if !isMarked, isLine, hyphenated(start) != nil {
            // `a two-week trip`
            let isFirst = index == 0 || index == 1 && has(.a, 0)
            if isFirst, isPlainWord(match.end) { add(match, weight: own, [], isMarked: isMarked, to: &found) }
            return
        }
        // `30 min call tomorrow 10:00`
        let isLeading =
            isLine && index == 0 && match.seconds <= 8 * 3600 && isPlainWord(match.end) && !isJoined(match.end)
            && (isBack || !["m", "s"].contains(tokens[match.end - 1].text))
        // `review wed 16:30 with Tom, 30m`, `workshop (3h) dec 9 14:00`
        let isLast = sign(",", index - 1) && match.end == tokens.count
        let isApart = isLast || sign("(", index - 1) && sign(")", match.end)
        let isDays = isLast && (match.span?.unit ?? .hour) >= .day
        let isFree = isLeading && !isBack || isLine && isApart
        let isAnywhere =
            isMarked || !isLine || isDays || isLeading && isBack || isBeforeTime(match, index, start)
        add(
            match, weight: own, isAnywhere ? [] : isFree ? .afterTime : .afterPiece, isMarked: isMarked, to: &found)
    }

    /// Whether a length precedes its day or time, or ends a line of past work.
    private func isBeforeTime(_ match: LengthMatch, _ index: Int, _ start: Int) -> Bool {
        let isBack = parser.direction == .back
        // `2 hours tomorrow 14:00`
        return match.seconds < 86_400 && clocks(start).isEmpty
            && (!days(skip([.on], match.end)).isEmpty || clocks(skip([.at], match.end)).contains { !$0.isWeak })
            // `2 weeks starting dec 21`
            || has(.starting, match.end) && !has(.from, match.end) && !days(match.end + 1).isEmpty
            // `Mail 45 minutes`, the last ones
            || isLine && isBack && (match.end == tokens.count || start > index && !has(.for, index))
    }

    /// `for 1:30`, `for 45`: a length without units after `for`.
    private func addBareNumbers(_ start: Int, to found: inout [PhrasePiece]) {
        // `for 1:30`
        if let hours = number(start, digits: 1...2), hours < 10, sign(":", start + 1), isJoined(start + 1),
            let minutes = number(start + 2, digits: 2...2), minutes < 60, wordEnd(start + 3) != nil
        {
            let match = LengthMatch(end: start + 3, seconds: hours * 3600 + minutes * 60)
            add(match, weight: 20, .afterTime, isMarked: true, to: &found)
            return
        }
        // `9:15 for 45`: 45 hours are too long for a meeting. A table is for 10 or 12.
        if let minutes = number(start, digits: 1...3), minutes >= 15, minutes % 5 == 0, !isJoined(start + 1),
            start + 1 == tokens.count || !isPlainWord(start + 1)
        {
            let match = LengthMatch(end: start + 1, seconds: minutes * 60)
            add(match, weight: 15, [.afterTime, .afterPiece], isMarked: true, to: &found)
        }
    }

    func isPlainWord(_ index: Int) -> Bool {
        tokens.indices.contains(index) && tokens[index].kind == .word && tokens[index].meanings.isEmpty
    }
}
