/// A time of day found in tokens.
struct ClockMatch {
    var start: Int
    var end: Int
    /// Seconds after midnight, up to 24:00.
    var seconds: Int
    /// Whether an hour up to 12 may be in either half of the day.
    var isOpen = false
    /// Whether the hour has no minutes.
    var isBare = false
    var isMidnight = false
    var isAfternoon: Bool?
    var part: DayPart?
    /// Whether the number may be a house number.
    var isDoubtful = false
    /// The zone of a following offset: `17:00Z`, `10:00+02:00`.
    var zone: Zone?
    var bonus = 0
    var isWeak = false
    var conditions: PhrasePiece.Conditions = []
}

extension PhraseParts {
    mutating func set(_ match: ClockMatch) {
        (time, isOpen, isBare) = (match.seconds, match.isOpen, match.isBare)
        (isMidnight, part, isDoubtful) = (match.isMidnight, match.part, match.isDoubtful)
        if let zone = match.zone { self.zone = zone }
    }
}

extension PhraseGrammar {
    /// The times of day that begin at the token.
    ///
    /// - Parameters:
    ///   - isAfterAt: whether `at` precedes, after which a number alone is an hour.
    ///   - isInRange: whether a number alone is an hour because it is one end of a range.
    func clocks(_ index: Int, isAfterAt: Bool = false, isInRange: Bool = false) -> [ClockMatch] {
        guard index < tokens.count else { return [] }
        var found: [ClockMatch] = []
        // `12 noon`
        if number(index) == 12, !hasNumberedNoun(index), has(.noon, index + 1) || has(.midnight, index + 1) {
            let isNoon = has(.noon, index + 1)
            return [ClockMatch(start: index, end: index + 2, seconds: isNoon ? 43_200 : 0, isMidnight: !isNoon)]
        }
        if has(.noon, index) {
            found.append(ClockMatch(start: index, end: index + 1, seconds: 12 * 3600, isAfternoon: true))
        }
        if has(.midnight, index) {
            found.append(ClockMatch(start: index, end: index + 1, seconds: 0, isMidnight: true))
        }
        found += spoken(index, isAfterAt: isAfterAt, isInRange: isInRange)
        if number(index) != nil { found += written(index, isAfterAt: isAfterAt, isInRange: isInRange) }
        for position in found.indices { addPart(to: &found[position]) }
        return found
    }

    /// `in the evening`, `at night`, `tonight` after a time.
    private func addPart(to match: inout ClockMatch) {
        guard match.isOpen else { return }
        let start = skip([.in, .the, .at, .of], match.end)
        guard start > match.end, let part = part(start), wordEnd(start + 1) != nil else { return }
        (match.part, match.end) = (part, start + 1)
    }

    /// Whether a number is the day of the month beside it, with no other number in its place: `from dec 8`, `Mon-Fri from 7 dec`.
    func isDayOfMonth(_ index: Int) -> Bool {
        guard number(index, digits: 1...2) != nil, wordEnd(index + 1) == index + 1, !has(.oclock, index + 1) else {
            return false
        }
        if month(index + 1) != nil, !isPlainName(index + 1) { return number(index + 2) == nil }
        let isBehind = index > 0 && month(index - 1) != nil && !isPlainName(index - 1)
        return isBehind && (index < 2 || number(index - 2) == nil) && halfOfDay(index + 1) == nil
    }

    /// Whether the name of a month is also another word: `may`, `march`.
    private func isPlainName(_ index: Int) -> Bool { ["may", "march", "mar", "jan"].contains(tokens[index].text) }
}
