/// Shifts of something that has a time: `+1d`, `8:00 +1d`, `next week`.
extension DatePhraseParser {
    /// Parses a moment; `+15m` and `1h earlier` are relative to `old`.
    /// - Throws: ``HelixError`` of code `usage`.
    public func moment(_ text: String, from old: Instant, in zone: Zone) throws -> Instant {
        let parts = try move(text)
        guard let shift = parts.shift, parts.time == nil else {
            let former = zone.civil(old)
            // `11:00 -1w`
            if let shift = parts.shift, let time = parts.time, shift.seconds == 0 {
                return (parts.zone ?? zone).instant(CivilDateTime(shift.applied(to: former).date) + time)
            }
            // A time alone applies to the old day, a day alone to the old time.
            if parts.date == nil, parts.instant == nil, parts.period == nil, let time = parts.time, !parts.saysEnd {
                return (parts.zone ?? zone).instant(CivilDateTime(former.date) + time)
            }
            if case .date(let date) = try moment(text) { return zone.instant(CivilDateTime(date) + former.secondOfDay) }
            return try moment(text).instant(in: zone)
        }
        let isExact = shift.days == 0 && shift.months == 0
        return isExact ? old + shift.seconds : zone.instant(shift.applied(to: zone.civil(old)))
    }

    /// Parses `8:00 +1d`: the time of day, and the shift from the present day; nil for anything else.
    private func timeAndMovement(_ text: String, _ grammar: PhraseGrammar) throws -> PhraseParts? {
        for index in grammar.tokens.indices.dropFirst()
        where (grammar.sign("+", index) || grammar.sign("-", index)) && !grammar.isJoined(index) {
            let place = grammar.tokens[index].range.lowerBound
            let rest = PhraseGrammar(String(text[place...]), parser: self, isLine: false)
            guard let (shift, end) = rest.movement(), end == rest.tokens.count,
                var moved = try? parts(String(text[..<place])), moved.time != nil
            else { continue }
            guard moved.date == nil, moved.period == nil, moved.instant == nil else {
                throw HelixError(
                    .usage, "'\(text)' has both a day and a shift from the present one", hint: "Write one of the two.")
            }
            moved.shift = shift
            return moved
        }
        return nil
    }

    /// Parses the new times of something that has a time already: `+1d` and `next week` are relative to that.
    /// - Throws: ``HelixError`` of code `usage`.
    public func move(_ text: String) throws -> PhraseParts {
        let grammar = PhraseGrammar(text, parser: self, isLine: false)
        // `to monday`
        if grammar.tokens.count > 1, grammar.tokens[0].text == "to" {
            return try move(String(text[grammar.tokens[1].range.lowerBound...]))
        }
        guard let (shift, end) = grammar.movement() else { return try timeAndMovement(text, grammar) ?? parts(text) }
        var moved = PhraseParts()
        if end < grammar.tokens.count {
            let rest = String(text[grammar.tokens[end].range.lowerBound...])
            moved = try parts(rest)
            guard moved.date == nil, moved.period == nil, moved.instant == nil else {
                throw HelixError(
                    .usage, "'\(text)' has both a day and a shift from the present one", hint: "Write one of the two.")
            }
        }
        moved.shift = shift
        return moved
    }
}
