// Times of day, and working days.
extension DatePhraseParser {
    /// Rejects a time that the clock skips: 2:30 in the night in which it goes from 2:00 to 3:00.
    /// - Throws: ``HelixError`` of code `usage`.
    public func refuseSkipped(_ civil: CivilDateTime, in zone: Zone) throws {
        guard zone.skips(civil) else { return }
        let next = zone.civil(zone.instant(civil)).secondOfDay
        throw HelixError(
            .usage,
            "there is no \(clock(civil.secondOfDay)) on \(DateWords.text(civil.date)): the clocks of \(zone.identifier) go forward over it",
            hint: "Write \(clock(next)), or a time before the change.")
    }

    /// Parses hours of a day, in seconds after midnight: `9-17`, `8:30-12`, `22-6`.
    /// - Throws: ``HelixError`` of code `usage`.
    public func hours(_ text: String) throws -> (start: Int, end: Int) {
        let grammar = PhraseGrammar(text, parser: self, isLine: false)
        let ranges = grammar.tokens.isEmpty ? [] : grammar.ranges(at: 0)
        for piece in ranges where piece.end == grammar.tokens.count && piece.parts.date == nil {
            guard let start = piece.parts.time, var end = piece.parts.endTime, start != end else { continue }
            // `9 to 5`
            if end < start, piece.parts.isEndOpen, end + 43_200 > start, end > 0 { end += 43_200 }
            return (start, end)
        }
        throw HelixError(.usage, "'\(text)' is not a range of hours", hint: "Write it like 9-17 or 8:30-12:15.")
    }

    /// Parses days of the week: `mon-fri`, `mon,wed`, `weekdays`, `weekend`.
    /// - Throws: ``HelixError`` of code `usage`.
    public func weekdays(_ text: String) throws -> Set<Weekday> {
        let grammar = PhraseGrammar(text, parser: self, isLine: false)
        var days: Set<Weekday> = []
        var index = 0
        while index < grammar.tokens.count {
            if let list = grammar.weekdayList(index) {
                days.formUnion(list.days)
                index = list.end
            } else if grammar.has(.weekdays, index) {
                days.formUnion(Repetition.workdays.map(\.weekday))
                index += 1
            } else if grammar.has(.weekend, index) {
                days.formUnion([.saturday, .sunday])
                index += 1
            } else if grammar.sign(",", index) || grammar.has(.and, index) {
                index += 1
            } else {
                let word = text[grammar.tokens[index].range]
                throw HelixError(
                    .usage, "'\(word)' is not a day of the week", hint: "Write days like mon-fri or mon,wed.")
            }
        }
        return days
    }
}
