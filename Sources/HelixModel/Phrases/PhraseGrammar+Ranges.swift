/// Ranges of time with a start and an end.
extension PhraseGrammar {
    /// A day, a time or both, in any order.
    struct Point {
        var end: Int
        var day: DayMatch?
        var clock: ClockMatch?
        /// A moment with its offset.
        var instant: Instant?
        /// Whether the day precedes the time.
        var isDayFirst = true
        var bonus = 0
    }

    /// `fri 18:00 to sun 12:00`, `10-12`, `dec 1-3`, `from 3 to 4pm`, `mon - wed next week`, `2026-12-01 10:00 11:00`.
    func ranges(at index: Int) -> [PhrasePiece] {
        var found: [PhrasePiece] = []
        let isBetween = has(.between, index)
        let start = isBetween ? index + 1 : skip([.from, .on, .at], index)
        guard start < tokens.count, start <= index + 2 else { return [] }
        found += dayRanges(index, start, isBetween)
        // `since 8:00`, for work that goes on until now
        if isLine, parser.direction == .back, tokens[index].text == "since" {
            for left in points(skip([.on, .at], index + 1), isInRange: false)
            where left.instant == nil && left.day?.isWeak != true {
                guard let clock = left.clock, !clock.isWeak else { continue }
                var parts = PhraseParts()
                parts.set(clock)
                (parts.date, parts.endInstant) = (left.day?.date ?? parser.today, parser.now)
                found.append(
                    PhrasePiece(end: left.end, parts: parts, weight: weight(index..<left.end) + 9, kind: .times))
            }
        }
        for left in points(start, isInRange: true) {
            let separator = left.end
            // `2026-12-25T03:00-05:00`: an offset.
            if let day = left.day, left.clock != nil, isJoined(day.end), tokens[day.end].text == "t",
                isJoined(separator)
            {
                continue
            }
            // `le 15 à 10h`: a word that means both `to` and `at` separates hours only after `from`.
            if has(.at, separator), !has(.from, start - 1), !(index..<start).contains(where: { has(.from, $0) }),
                left.clock.map({ $0.end == $0.start + 1 || sign(".", $0.start + 1) }) ?? false
            {
                continue
            }
            if let next = self.separator(separator, isBetween: isBetween) {
                let place = skip([.on, .at, .the], next)
                // `9-now`
                if has(.now, place), let clock = left.clock, parser.direction == .back, left.instant == nil {
                    var parts = PhraseParts()
                    parts.set(clock)
                    (parts.date, parts.endInstant) = (left.day?.date ?? parser.today, parser.now)
                    (parts.isOpen, parts.isBare) = (false, false)
                    found.append(
                        PhrasePiece(end: place + 1, parts: parts, weight: weight(index..<place + 1) + 9, kind: .times))
                }
                for right in points(place, after: left.day?.date, isInRange: true) {
                    if let piece = joined(left, right, index, separator: separator) { found.append(piece) }
                }
            } else if let piece = adjacent(left, index) {
                found.append(piece)
            }
        }
        return found
    }

    /// The token after the word between start and end.
    func separator(_ index: Int, isBetween: Bool) -> Int? {
        if isBetween, has(.and, index) { return index + 1 }
        guard has(.to, index) else { return nil }
        // A dash joined to one side only is not a separator, `-3d`, except for hours with am or pm: `10am -11am`.
        if sign("-", index), !isJoined(index), isJoined(index + 1),
            !clocks(index + 1, isInRange: true).contains(where: { $0.isAfternoon != nil })
        {
            return nil
        }
        return index + 1
    }

    /// The points in time that begin at the token.
    func points(_ index: Int, after: CivilDate? = nil, isInRange: Bool) -> [Point] {
        guard index < tokens.count else { return [] }
        var found: [Point] = []
        if let (instant, end) = timestamp(index) { found.append(Point(end: end, instant: instant)) }
        for day in days(index, after: after) {
            found.append(Point(end: day.end, day: day, bonus: day.bonus))
            // `2026-12-01T10:00`
            let isT = isJoined(day.end) && tokens[day.end].text == "t"
            let comma = sign(",", day.end) ? day.end + 1 : day.end
            let place = isT ? day.end + 1 : skip([.at, .from], comma)
            for clock in clocks(place, isAfterAt: place > comma && !isT, isInRange: isInRange)
            where !clock.conditions.contains(.afterDate) || isInRange {
                found.append(Point(end: clock.end, day: day, clock: clock, bonus: day.bonus + clock.bonus))
            }
        }
        for clock in clocks(index, isInRange: isInRange) {
            found.append(Point(end: clock.end, clock: clock, bonus: clock.bonus))
            let place = skip([.on], clock.end)
            for day in days(place, after: after) {
                found.append(
                    Point(
                        end: day.end, day: day, clock: clock, isDayFirst: false, bonus: day.bonus + clock.bonus))
            }
        }
        return found
    }

    /// The piece of a start and an end, or nil if they do not fit.
    private func joined(_ left: Point, _ right: Point, _ index: Int, separator: Int) -> PhrasePiece? {
        // `12/20 to 1/3`: both ends use the same order.
        if let day = left.day.flatMap(isMonthFirst), let last = right.day.flatMap(isMonthFirst), day != last {
            return nil
        }
        // `1-1 with Kim`
        if let clock = left.clock, let last = right.clock, clock.isBare, last.isBare, clock.seconds == last.seconds,
            left.day == nil, right.day == nil, isJoined(separator)
        {
            return nil
        }
        var parts = PhraseParts()
        var bonus = left.bonus + right.bonus + 6
        if let instant = left.instant {
            guard let end = right.instant else { return nil }
            (parts.instant, parts.endInstant) = (instant, end)
        } else if right.instant != nil {
            return nil
        } else if let clock = left.clock, let last = right.clock {
            parts.set(clock)
            (parts.endTime, parts.isEndOpen) = (last.seconds, last.isOpen)
            if let zone = last.zone, parts.zone == nil { parts.zone = zone }
            share(clock, last, &parts)
            // `14:00-2h`
            if isHourSign(last.end - 1), !isHourSign(clock.start + 1), last.seconds <= clock.seconds { return nil }
            // `yesterday 15-16 Friday retro`: that Friday is no end.
            if left.day != nil, right.day != nil, !right.isDayFirst, isJoined(separator) { return nil }
            switch (left.day, right.day) {
            case (let day?, let lastDay):
                (parts.date, parts.isWeekday, parts.lastDate) = (day.date, day.isWeekday, lastDay?.date)
            case (nil, let day?) where !right.isDayFirst:
                (parts.date, parts.isWeekday) = (day.date, day.isWeekday)
            case (nil, let day?):
                parts.lastDate = day.date
                bonus -= 3
            case (nil, nil): break
            }
        } else if let day = left.day, let last = right.day, left.clock == nil, right.clock == nil {
            guard last.date >= day.date else { return nil }
            // `dec 3 to dec 1` does not span a year.
            let hasYear = (last.start..<last.end).contains { tokens[$0].length >= 4 && tokens[$0].kind == .number }
            guard last.date - day.date <= 330 || hasYear else { return nil }
            (parts.date, parts.lastDate) = (day.date, last.date)
        } else {
            return nil
        }
        var conditions: PhrasePiece.Conditions = []
        if let first = left.clock, let last = right.clock, let quantity = quantity(first.start, last.end) {
            // `tomorrow 9-12 Emails`: hours directly after a day, and a capitalized title. A line of past work has hours.
            let isBack = parser.direction == .back
            guard quantity == .guess, isBack || isCapital(last.end) else { return nil }
            if !isBack || index > 0 { conditions = .afterPiece }
        }
        return PhrasePiece(
            end: right.end, parts: parts, weight: weight(index..<right.end) + bonus, conditions: conditions,
            kind: left.clock == nil && left.instant == nil ? .days : .times)
    }

    /// Copies the half of the day from one end of a range to the other: `3 to 4pm`, `9-11am`, `10am-1`.
    private func share(_ start: ClockMatch, _ end: ClockMatch, _ parts: inout PhraseParts) {
        if start.isOpen, let isAfternoon = end.isAfternoon {
            let other = start.seconds % 43_200 + (isAfternoon ? 43_200 : 0)
            parts.time = other < end.seconds ? other : start.seconds % 43_200 + (isAfternoon ? 0 : 43_200)
            (parts.isOpen, parts.isBare) = (false, false)
        } else if end.isOpen, let isAfternoon = start.isAfternoon {
            let same = end.seconds % 43_200 + (isAfternoon ? 43_200 : 0)
            parts.endTime = same > start.seconds ? same : same < 43_200 ? same + 43_200 : same - 43_200
            parts.isEndOpen = false
        } else if start.isOpen != end.isOpen {
            // `9-17`: the other hour is on the 24-hour clock.
            (parts.isOpen, parts.isEndOpen) = (false, false)
            if !start.isOpen || end.seconds >= 13 * 3600 || end.isMidnight { parts.isBare = false }
        }
        if end.isMidnight { parts.endTime = 86_400 }
        if end.isAfternoon != nil || start.isAfternoon != nil { parts.isBare = false }
        parts.isMidnight = start.isMidnight && start.part == nil
        parts.part = start.part ?? end.part
    }

    /// khal's form, a start and an end without a separator: `10:00 11:00`.
    private func adjacent(_ left: Point, _ index: Int) -> PhrasePiece? {
        if let day = left.day, left.clock == nil, isWholeDate(day) {
            for right in days(left.end, after: day.date) where isWholeDate(right) && right.date > day.date {
                var parts = PhraseParts()
                (parts.date, parts.lastDate) = (day.date, right.date)
                return PhrasePiece(end: right.end, parts: parts, weight: weight(index..<right.end) + 3, kind: .days)
            }
        }
        guard let clock = left.clock, left.isDayFirst || left.day == nil, isWritten(clock) else { return nil }
        for right in points(left.end, after: left.day?.date, isInRange: false) {
            guard let last = right.clock, isWritten(last), right.isDayFirst || right.day == nil,
                right.day == nil || left.day != nil
            else { continue }
            var parts = PhraseParts()
            parts.set(clock)
            (parts.endTime, parts.isOpen, parts.isEndOpen) = (last.seconds, false, false)
            (parts.date, parts.isWeekday, parts.lastDate) = (
                left.day?.date, left.day?.isWeekday ?? false, right.day?.date
            )
            return PhrasePiece(
                end: right.end, parts: parts, weight: weight(index..<right.end) + 3, kind: .times)
        }
        return nil
    }

    /// Whether the day is written in digits with its year.
    private func isWholeDate(_ day: DayMatch) -> Bool {
        // `24.12. 26.12.`, khal's form
        number(day.start, digits: 4...8) != nil || sign(".", day.start + 1) && day.end >= day.start + 4
    }

    /// Whether a day is written month first, `12/20`; nil for any other form.
    private func isMonthFirst(_ day: DayMatch) -> Bool? {
        guard sign("/", day.start + 1), let first = number(day.start), let second = number(day.start + 2),
            first != second
        else { return nil }
        return first == day.date.month && second == day.date.day
    }

    /// Whether the time has minutes.
    private func isWritten(_ clock: ClockMatch) -> Bool {
        sign(":", clock.start + 1) && clock.end >= clock.start + 3
    }

    // MARK: Quantities

    /// The ways in which numbers may count something.
    enum Quantity {
        /// `chapters 3-5`, `4-6 people`.
        case sure
        /// `10-15 slides`: the next word looks like a plural noun. `9-12 Emails` are hours and a title.
        case guess
    }

    /// Whether numbers count something: `10-15 slides`, `chapters 3-5`.
    func isQuantity(_ start: Int, _ end: Int) -> Bool { quantity(start, end) != nil }

    /// The way in which numbers count something; nil if they cannot.
    func quantity(_ start: Int, _ end: Int) -> Quantity? {
        guard number(start) != nil, tokens[start..<end].allSatisfy({ $0.kind == .number || $0.text == "-" }) else {
            return nil
        }
        // A class has no number 0615.
        let isClock = end == start + 1 && tokens[start].length == 4 && line[tokens[start].range].first == "0"
        if hasNumberedNoun(start), !isClock { return .sure }
        guard isPlainWord(end), !isJoined(end), !isSecondRange(start, end) else { return nil }
        let word = tokens[end].text
        if PhraseStrays.words.contains(word) { return nil }
        let isCounted = PhraseGrammar.counted.contains(word)
        if isCounted, !isCapital(end) { return .sure }
        let isPlural = word.hasSuffix("s") && word.utf8.count > 3 && !word.contains { "'’".contains($0) }
        return isCounted || isPlural ? .guess : nil
    }

    /// Whether a range of numbers continues another one: `9-12 and 13-17 meetings`.
    private func isSecondRange(_ start: Int, _ end: Int) -> Bool {
        guard end == start + 3, sign("-", start + 1) else { return false }
        let isBehindJoint =
            start > 0 && (has(.and, start - 1) || [",", "/", "+", "&", ";"].contains(tokens[start - 1].text))
        let last = isBehindJoint ? start - 2 : start - 1
        return last > 1 && number(last) != nil && (sign("-", last - 1) || sign(":", last - 1))
    }

    /// Whether a numbered noun precedes the token: `room 12`.
    func hasNumberedNoun(_ index: Int) -> Bool {
        // `Ch. 3-4`
        let place = index > 1 && sign(".", index - 1) && isJoined(index - 1) ? index - 2 : index - 1
        return place >= 0 && PhraseGrammar.numbered.contains(tokens[place].text)
    }

    /// Whether a word is a range of numbers that may be hours or a count: `9-12 interviews`.
    func mayBeHours(_ word: Range<Int>) -> Bool {
        guard word.count == 3, sign("-", word.lowerBound + 1), let first = number(word.lowerBound, digits: 1...2),
            let last = number(word.lowerBound + 2, digits: 1...2), first <= 24, last <= 24
        else { return false }
        return quantity(word.lowerBound, word.upperBound) == .guess
    }

    /// Whether the token denotes a day, such as `morgen`.
    func namesDay(_ index: Int) -> Bool { meanings(index).contains { if case .day = $0 { true } else { false } } }

    /// Whether a word is capitalized.
    func isCapital(_ index: Int) -> Bool {
        tokens.indices.contains(index) && line[tokens[index].range].first?.isUppercase == true
    }

    /// Nouns that are followed by a number.
    private static let numbered: Set<String> = [
        "chapter", "chapters", "page", "pages", "room", "rooms", "section", "sections", "step", "steps", "version",
        "floor", "gate", "platform", "line", "lines", "bus", "train", "flight", "track", "seat", "seats", "ticket",
        "issue", "item", "items", "question", "questions", "exercise", "exercises", "number", "numbers", "no", "nr",
        "level", "grade", "class", "phase", "sprint", "act", "episode", "episodes", "lesson", "lessons", "lecture",
        "verse", "verses", "psalm", "apartment", "apt", "suite", "table", "terminal", "building", "unit", "units",
        "figure", "size", "score", "group", "groups", "team", "part", "parts", "volume", "kapitel", "seite", "seiten",
        "raum", "gleis", "salle", "sala", "aula", "ages", "aged", "age", "slides", "slide", "grades", "pp", "problems",
        "problem", "tasks", "articles", "invoice", "contract", "po", "order", "ref", "case", "claim", "rechnung", "ch",
        "fig", "vol", "sec", "p", "facture", "factura", "fattura", "vertrag", "exercises", "weeks", "verses", "tables",
        "bugs", "bug", "pr", "release", "v",
    ]
    /// Countable nouns without a plural ending.
    private static let counted: Set<String> = [
        "people", "persons", "children", "kids", "men", "women", "kg", "km", "percent", "eur", "euro", "usd",
    ]
}
