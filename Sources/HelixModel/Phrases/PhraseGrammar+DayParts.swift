// Parts of the day: morning, afternoon, evening, night.
extension PhraseGrammar {
    /// `tomorrow morning`, `friday evening at 7`, `in the afternoon`, `this evening`, `tonight`.
    func partsOfTheDay(at index: Int) -> [PhrasePiece] {
        var found: [PhrasePiece] = []
        func add(_ part: DayPart, day: Int?, _ end: Int, conditions: PhrasePiece.Conditions = []) {
            var parts = PhraseParts()
            parts.part = part
            if let day { parts.date = parser.today + day }
            found.append(
                PhrasePiece(
                    end: end, parts: parts, weight: weight(index..<end), conditions: conditions, kind: .part))
        }
        for meaning in meanings(index) {
            if case .dayPart(let day, let part) = meaning { add(part, day: day, index + 1) }
            if case .part(let part) = meaning {
                add(part, day: nil, index + 1, conditions: .afterPiece)
                // `morgen`, `mañana`: the day rather than a part of one.
                let isDay = meanings(index).contains { if case .day = $0 { true } else { false } }
                if isDay { found[found.count - 1].weight -= 3 }
            }
        }
        if shift(index) == .this, let part = part(index + 1) { add(part, day: 0, index + 2) }
        if has(.in, index) || has(.at, index) {
            let start = skip([.the], index + 1)
            if let part = part(start) { add(part, day: nil, start + 1) }
        }
        return found
    }
}
