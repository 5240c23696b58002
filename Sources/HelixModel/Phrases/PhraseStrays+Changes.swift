/// Words beside times that change their meaning: unknown words for ends and exceptions, corrections, alternatives, and
/// amounts and versions that look like hours.
extension PhraseStrays {
    func changes() -> [Range<Int>] {
        let used = reading.usedTokens
        var found = unknownLimits(used) + corrections(used) + amounts(used) + turnsOfUnits() + minutesBefore()
        found += grammar.tokens.indices.filter {
            isMove($0, used) || isBeginningOfWeek($0, used) || isHourOfPlace($0, used)
        }
        .map { $0..<$0 + 1 }
        if reading.parts.date == nil, reading.parts.repetition == nil {
            // `Zug 14:05 Köln Fr Gleis 3`
            found += grammar.tokens.indices.filter { index in
                // `do kino 20 uhr`
                let isFirst = index == 0 && grammar.isTwoLetterDay(0) && reading.parts.time != nil
                return (isFirst || isCapitalShortDay(index)) && !used.contains(index)
            }.map { $0..<$0 + 1 }
        }
        return found + listedDays(used) + unknownWords(used) + secondHours(used) + lostHours(used)
            + datesOfWeekdays(used)
            + minutesOrPeople(used)
    }

    /// A day after a repetition with an unknown word before it, which may begin, end or exclude it:
    /// `every mon 7am apart from 7 dec`, `finishing 21 dec`, `(not 7 dec)`, `- 21 dec`.
    private func unknownLimits(_ used: Set<Int>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        let first = reading.spans.first { $0.piece.parts.repetition != nil }?.start
        for span in reading.spans where span.piece.parts.date != nil || span.piece.parts.period != nil {
            let before = span.start - 1
            guard before >= 0, !used.contains(before) else { continue }
            // `Sport Mi 18 Uhr außer 2.12.`
            if grammar.has(.except, before) {
                found.append(before..<span.start)
            } else if let first, span.start > first, !span.piece.parts.isBeginning, !grammar.sign(",", before),
                !grammar.sign(".", before), !grammar.sign(":", before)
            {
                found.append(before..<span.start)
            } else if grammar.has(.for, before), isWholeMonth(span) {
                // `timesheet for oct`
                found.append(before..<span.start)
            }
        }
        return found
    }

    private func isWholeMonth(_ span: PhraseReading.Span) -> Bool {
        guard let period = span.piece.parts.period else { return false }
        return grammar.month(span.start) != nil && period.end - period.first >= 28
    }

    /// `Do statt Mi 15 Uhr`, `Mo oder Mi`, `the 15th and end of month`
    private func corrections(_ used: Set<Int>) -> [Range<Int>] {
        grammar.tokens.indices.filter { index in
            guard !used.contains(index), grammar.tokens[index].kind == .word || grammar.tokens[index].text == "&" else {
                return false
            }
            let next = grammar.skip([.on, .of, .the], index + 1)
            if PhraseStrays.corrections.contains(grammar.tokens[index].text) {
                return used.contains(next) || used.contains(index - 1)
            }
            let isJoint = PhraseStrays.joints.contains(grammar.tokens[index].text) || grammar.has(.and, index)
            return isJoint && used.contains(index - 1) && used.contains(index + 1)
                || isJoint && used.contains(index + 1) && isCapitalShortDay(index - 1)
        }.map { $0..<$0 + 1 }
    }

    /// Hours with a dot that are probably money or a version: `Pay 15.50 to Max tomorrow`, `Install Ubuntu 22.04 saturday`.
    private func amounts(_ used: Set<Int>) -> [Range<Int>] {
        let isAmount = grammar.tokens.indices.contains {
            !used.contains($0) && PhraseStrays.amounts.contains(grammar.tokens[$0].text)
        }
        guard isAmount else { return [] }
        return reading.spans.compactMap { span in
            guard span.piece.parts.time != nil, grammar.number(span.start, digits: 1...2) != nil,
                grammar.sign(".", span.start + 1), grammar.isJoined(span.start + 2),
                grammar.number(span.start + 2, digits: 2...2) != nil, span.piece.end == span.start + 3
            else { return nil }
            return span.start..<span.piece.end
        }
    }

    /// A count per unit: `3x daily`, `2 times a week`.
    private func turnsOfUnits() -> [Range<Int>] {
        // `Meds 3x daily`
        let used = reading.usedTokens
        let joined = reading.spans.compactMap { span -> Range<Int>? in
            let start = span.start - 2
            guard span.piece.parts.repetition != nil, start >= 0, grammar.number(start, digits: 1...2) != nil,
                grammar.tokens[start + 1].text == "x", !used.contains(start)
            else { return nil }
            return start..<span.piece.end
        }
        return joined
            + zip(reading.spans, reading.spans.dropFirst()).compactMap { count, unit in
                guard count.piece.kind == .limit, count.piece.parts.count != nil, count.piece.end == unit.start,
                    unit.piece.parts.repetition?.weekdays.isEmpty == true, !grammar.sign(",", unit.start - 1)
                else { return nil }
                return count.start..<unit.piece.end
            }
    }

    /// `meet at 10 to 4`: ten minutes before, or from ten.
    private func minutesBefore() -> [Range<Int>] {
        reading.spans.compactMap { span in
            guard span.piece.kind == .times || span.piece.kind == .time else { return nil }
            let isAt = ["at", "@"].contains(grammar.tokens[span.start].text)
            let start = isAt ? span.start + 1 : span.start
            guard let minutes = grammar.number(start, digits: 1...2), [5, 10, 20, 25].contains(minutes),
                grammar.tokens.indices.contains(start + 2), grammar.tokens[start + 1].text == "to",
                let hour = grammar.number(start + 2, digits: 1...2),
                (1...12).contains(hour), grammar.halfOfDay(start + 3) == nil, !grammar.isJoined(start + 3),
                span.piece.kind == .time
                    ? isAt && hour > minutes : isAt || minutes > 12 || hour <= minutes && hour > 6
            else { return nil }
            return start..<start + 3
        }
    }

    /// `Meeting moved from 3pm to 4pm`: the old and the new time.
    private func isMove(_ index: Int, _ used: Set<Int>) -> Bool {
        !used.contains(index) && PhraseStrays.moves.contains(grammar.tokens[index].text)
            && (reading.parts.endTime != nil || reading.parts.lastDate != nil || reading.parts.endInstant != nil)
    }

    /// `On call w/c 7 Dec`
    private func isBeginningOfWeek(_ index: Int, _ used: Set<Int>) -> Bool {
        guard !used.contains(index), ["w", "wk"].contains(grammar.tokens[index].text), grammar.sign("/", index + 1),
            grammar.tokens.indices.contains(index + 2)
        else { return false }
        return ["c", "b", "e"].contains(grammar.tokens[index + 2].text) && used.contains(index + 3)
    }

    /// `Call at 5, maybe 6pm tomorrow`: an hour replaced by another one is not a place.
    private func isHourOfPlace(_ index: Int, _ used: Set<Int>) -> Bool {
        guard !used.contains(index), ["at", "@"].contains(grammar.tokens[index].text), !used.contains(index + 1),
            let hour = grammar.number(index + 1, digits: 1...2), (1...24).contains(hour)
        else { return false }
        return grammar.sign(",", index + 2) || grammar.sign(";", index + 2) || index + 2 >= grammar.tokens.count
    }

    /// `Mo`, `Do`: a capitalized weekday of two letters.
    private func isCapitalShortDay(_ index: Int) -> Bool {
        grammar.isTwoLetterDay(index) && grammar.isCapital(index)
    }

    /// Words that replace a day or time by the following one.
    private static let corrections: Set<String> = [
        "statt", "anstatt", "sondern", "instead", "rather", "versus", "vs", "lieu", "invece", "oder",
    ]
    private static let joints: Set<String> = ["&", "or", "oder", "ou", "o"]
    private static let moves: Set<String> = [
        "moved", "changed", "pushed", "delayed", "rescheduled", "shifted", "postponed", "verschoben", "verlegt",
        "deplace", "reporte", "aplazado", "spostato", "rinviato", "switched", "bumped",
    ]
    /// Words that make a number with a dot money or a version.
    private static let amounts: Set<String> = [
        "pay", "pays", "paid", "owe", "owes", "cost", "costs", "bill", "refund", "deposit", "split", "spend", "spent",
        "price", "fee", "tip", "donate", "topup", "zahle", "zahlen", "zahlung", "kostet", "uberweisen", "rechnung",
        "cash", "euros", "quid", "bucks", "dollars", "pounds", "install", "upgrade", "update", "release", "version",
        "deploy", "patch", "firmware", "kernel", "beta", "ubuntu", "debian", "macos", "ios", "ipados", "node",
        "postgres", "postgresql", "python", "xcode", "shares", "invoice",
    ]
}

extension PhraseGrammar {
    /// Whether the token is a weekday of two letters: `Mo`.
    func isTwoLetterDay(_ index: Int) -> Bool {
        tokens.indices.contains(index) && tokens[index].length == 2
            && meanings(index).contains { if case .shortWeekday = $0 { true } else { false } }
    }
}
