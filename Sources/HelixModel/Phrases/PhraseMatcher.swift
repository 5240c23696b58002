/// Finds dates, times and lengths among words.
struct PhraseMatcher {
    /// A value, and how many words it took.
    struct Match<Value> {
        var value: Value
        var used: Int

        init(_ value: Value, _ used: Int) {
            self.value = value
            self.used = used
        }
    }

    static let fillers: Set<String> = ["on", "at", "from", "the", "for", "of", "and", "by", "um", ","]

    /// As typed.
    let originals: [String]
    /// In lower case, a comma at the end dropped.
    let words: [String]
    let parser: DatePhraseParser

    init(_ text: String, parser: DatePhraseParser) {
        originals = text.split(whereSeparator: \.isWhitespace).map(String.init)
        words = originals.map { word in
            let lower = word.lowercased()
            return lower.count > 1 && lower.hasSuffix(",") ? String(lower.dropLast()) : lower
        }
        self.parser = parser
    }

    func word(_ index: Int) -> String { index < words.count ? words[index] : "" }

    /// Takes what stands at `index` into `parts`; the number of words taken, or nil if it is not about time.
    ///
    /// - Parameter isSentence: in a sentence, numbers alone mean nothing.
    func take(at index: Int, into parts: inout PhraseParts, isSentence: Bool) -> Int? {
        if ["for", "lasting"].contains(word(index)), let match = duration(at: index + 1) {
            parts.duration = match.value
            return match.used + 1
        }
        if let match = moment(at: index) {
            parts.instant = match.value
            return match.used
        }
        if let match = period(at: index) {
            parts.period = match.value
            return match.used
        }
        let lead = ["on", "at", "from", "by"].contains(word(index)) ? 1 : 0
        if let match = date(at: index + lead, isSentence: isSentence && parts.date == nil || parts.date != nil) {
            if parts.date != nil, parts.lastDate == nil, index > 0,
                ["to", "until", "till", "-"].contains(word(index - 1))
            {
                parts.lastDate = match.value < parts.date ?? match.value ? match.value + 7 : match.value
            } else {
                parts.date = match.value
                parts.isWeekday = match.used == 1 && DateWords.weekday(word(index + lead)) != nil
            }
            return match.used + lead
        }
        if let match = dateRange(at: index + lead) {
            parts.date = match.value.first
            parts.lastDate = match.value.last
            return match.used + lead
        }
        if let match = hours(at: index + lead),
            !isSentence || lead == 1 || originals[index].contains(where: { !$0.isLetter })
        {
            parts.time = match.value.start
            parts.endTime = match.value.end
            return match.used + lead
        }
        let followsDate =
            isSentence && parts.date != nil && parts.time == nil && index > 0
            && (index + 1 >= words.count || ["for", "at", "@", "to", "-"].contains(word(index + 1)))
            && (date(at: index - 1)?.used == 1 || index > 1 && date(at: index - 2)?.used == 2)
        let isMarked = lead == 1 && word(index) != "on" || followsDate
        if let match = time(at: index + lead, allowsBareHour: isMarked || !isSentence && parts.date != nil) {
            parts.time = match.value
            return match.used + lead
        }
        if ["to", "until", "till", "-"].contains(word(index)) {
            if parts.time != nil, let match = time(at: index + 1, allowsBareHour: true) {
                parts.endTime = match.value
                return match.used + 1
            }
            if let first = parts.date, let match = date(at: index + 1) {
                // `from mon to wed`, said on a Wednesday.
                parts.lastDate = match.value < first ? match.value + 7 : match.value
                return match.used + 1
            }
        }
        if !isSentence, let match = duration(at: index) {
            parts.duration = match.value
            return match.used
        }
        return nil
    }

    // MARK: Days

    /// `fri..sun`, `2026-12-01..2026-12-03`.
    private func dateRange(at index: Int) -> Match<(first: CivilDate, last: CivilDate)>? {
        guard let marker = word(index).ranges(of: "..").first else { return nil }
        let text = word(index)
        let left = PhraseMatcher(String(text[..<marker.lowerBound]), parser: parser)
        guard let first = left.date(at: 0)?.value else { return nil }
        var later = parser
        later.now = max(parser.now, parser.zone.startOfDay(first))
        let right = PhraseMatcher(String(text[marker.upperBound...]), parser: later)
        guard let last = right.date(at: 0)?.value, last >= first else { return nil }
        return Match((first, last), 1)
    }

    /// - Parameter isSentence: whether `10-12` more likely means hours.
    func date(at index: Int, isSentence: Bool = false) -> Match<CivilDate>? {
        let today = parser.today
        let first = word(index)
        switch first {
        case "today", "tod", "tonight": return Match(today, 1)
        case "tomorrow", "tom", "tmr": return Match(today + 1, 1)
        case "yesterday": return Match(today - 1, 1)
        case "som": return Match(today.startOfMonth, 1)
        case "eom": return Match(today.startOfMonth.adding(months: 1) - 1, 1)
        case "sow": return Match(today.startOfWeek(on: parser.firstWeekday), 1)
        case "eow": return Match(today.startOfWeek(on: parser.firstWeekday) + 6, 1)
        case "soy": return Match(CivilDate(year: today.year, month: 1, day: 1), 1)
        case "eoy": return Match(CivilDate(year: today.year, month: 12, day: 31), 1)
        case "soq", "eoq":
            let start = CivilDate(year: today.year, month: (today.month - 1) / 3 * 3 + 1, day: 1)
            return Match(first == "soq" ? start : start.adding(months: 3) - 1, 1)
        case "day" where word(index + 1) == "after" && word(index + 2) == "tomorrow": return Match(today + 2, 3)
        case "next", "this", "last", "coming":
            guard let weekday = DateWords.weekday(word(index + 1)) else { return nil }
            let monday = today.startOfWeek(on: parser.firstWeekday)
            let here = monday + weekday.index(inWeekStartingOn: parser.firstWeekday)
            switch first {
            case "next": return Match(here + 7, 2)
            case "last": return Match(here < today ? here : here - 7, 2)
            case "coming": return Match(here > today ? here : here + 7, 2)
            default: return Match(here, 2)
            }
        default: break
        }
        if let weekday = DateWords.weekday(first) {
            return Match(today + weekday.index(inWeekStartingOn: today.weekday), 1)
        }
        return written(at: index, isSentence: isSentence) ?? monthAndDay(at: index) ?? relativeDate(at: index)
    }

    /// `2026-12-01`, `20261201`, `2026/12/1`, `12-01`, `1.12.2026`, `1.12.`.
    private func written(at index: Int, isSentence: Bool = false) -> Match<CivilDate>? {
        let text = word(index)
        func numbers(_ separator: Character) -> [Int]? {
            let sides = text.split(separator: separator, omittingEmptySubsequences: false)
            let values = sides.compactMap { side in side.allSatisfy { $0.isASCII && $0.isNumber } ? Int(side) : nil }
            return values.count == sides.count ? values : nil
        }
        if text.utf8.count == 8, let number = Int(text), text.allSatisfy(\.isNumber) {
            return CivilDate(validYear: number / 10_000, month: number / 100 % 100, day: number % 100).map {
                Match($0, 1)
            }
        }
        for separator in ["-", "/"] as [Character] {
            guard let values = numbers(separator) else { continue }
            if values.count == 3, text.prefix(4).allSatisfy(\.isNumber) {
                return CivilDate(validYear: values[0], month: values[1], day: values[2]).map { Match($0, 1) }
            }
            // `12-01` and `12-24` are days, `9-17` are hours; `10-12` are hours in a sentence, or after a day.
            let hasZero = text.split(separator: "-").contains { $0.hasPrefix("0") }
            if separator == "-", values.count == 2, text.utf8.count == 5, !isSentence || hasZero || values[1] > 20 {
                return upcoming(month: values[0], day: values[1]).map { Match($0, 1) }
            }
        }
        if text.contains(".") {
            let sides = text.split(separator: ".").compactMap { Int($0) }
            if sides.count == 3, let day = CivilDate(validYear: sides[2], month: sides[1], day: sides[0]) {
                return Match(day, 1)
            }
            if sides.count == 2, text.hasSuffix(".") {
                return upcoming(month: sides[1], day: sides[0]).map { Match($0, 1) }
            }
        }
        return nil
    }

    /// `dec 1`, `1 december 2027`, `1st of december`.
    private func monthAndDay(at index: Int) -> Match<CivilDate>? {
        func day(_ text: String) -> Int? {
            var digits = Substring(text)
            for suffix in ["st", "nd", "rd", "th", "."] where digits.hasSuffix(suffix) {
                digits = digits.dropLast(suffix.count)
            }
            guard digits.count <= 2, let number = Int(digits), (1...31).contains(number) else { return nil }
            return number
        }
        func year(_ text: String) -> Int? {
            text.count == 4 ? Int(text).flatMap { (1000...9999).contains($0) ? $0 : nil } : nil
        }
        var month: Int?
        var number: Int?
        var used = 2
        if let found = DateWords.month(word(index)) {
            month = found
            number = day(word(index + 1))
        } else if let found = day(word(index)) {
            number = found
            if word(index + 1) == "of" { used = 3 }
            month = DateWords.month(word(index + used - 1))
        }
        guard let month, let number else { return nil }
        if let year = year(word(index + used)) {
            return CivilDate(validYear: year, month: month, day: number).map { Match($0, used + 1) }
        }
        return upcoming(month: month, day: number).map { Match($0, used) }
    }

    /// The next day of that month and number, today included.
    private func upcoming(month: Int, day: Int) -> CivilDate? {
        let year = parser.today.year
        for candidate in year...(year + 8) {
            if let date = CivilDate(validYear: candidate, month: month, day: day), date >= parser.today { return date }
        }
        return nil
    }

    /// `in 2 weeks`, `3 days ago`, `+3d`, `-3d`, where the unit is days or more.
    private func relativeDate(at index: Int) -> Match<CivilDate>? {
        guard let amount = amount(at: index), amount.unit.isDays else { return nil }
        let today = parser.today
        switch amount.unit {
        case .months: return Match(today.adding(months: amount.number), amount.used)
        case .years: return Match(today.adding(months: amount.number * 12), amount.used)
        case .weeks: return Match(today + amount.number * 7, amount.used)
        default: return Match(today + amount.number, amount.used)
        }
    }

    /// `now`, `in 45m`, `10 min ago`, `2026-12-01T14:30:00Z`.
    private func moment(at index: Int) -> Match<Instant>? {
        if word(index) == "now" { return Match(parser.now, 1) }
        if let amount = amount(at: index), !amount.unit.isDays {
            return Match(parser.now + amount.number * amount.unit.seconds, amount.used)
        }
        return timestamp(originals.indices.contains(index) ? originals[index] : "").map { Match($0, 1) }
    }

    private func timestamp(_ text: String) -> Instant? {
        guard let mark = text.firstIndex(where: { $0 == "T" || $0 == "t" }) else { return nil }
        let day = PhraseMatcher(String(text[..<mark]), parser: parser)
        guard text[..<mark].first?.isNumber == true, let date = day.written(at: 0)?.value else { return nil }
        var rest = text[text.index(after: mark)...]
        var offset: Int?
        if rest.hasSuffix("Z") || rest.hasSuffix("z") {
            offset = 0
            rest = rest.dropLast()
        } else if let sign = rest.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            let digits = rest[sign...].dropFirst().filter { $0 != ":" }
            guard digits.count == 4 || digits.count == 2, let number = Int(digits) else { return nil }
            let seconds = digits.count == 2 ? number * 3600 : (number / 100 * 60 + number % 100) * 60
            offset = rest[sign] == "-" ? -seconds : seconds
            rest = rest[..<sign]
        }
        var clock = rest.split(separator: ":").map(String.init)
        if clock.count == 1, [4, 6].contains(rest.count) {
            clock = stride(from: 0, to: rest.count, by: 2).map { String(rest.dropFirst($0).prefix(2)) }
        }
        let numbers = clock.compactMap { Int($0.prefix { $0 != "." }) }
        guard numbers.count == clock.count, (2...3).contains(numbers.count), numbers[0] < 24, numbers[1] < 60 else {
            return nil
        }
        let civil = CivilDateTime(
            date, hour: numbers[0], minute: numbers[1], second: numbers.count > 2 ? min(59, numbers[2]) : 0)
        return offset.map { Instant(civil.seconds - Int64($0)) } ?? parser.zone.instant(civil)
    }

    /// `this week`, `next month`, `last year`, `2026-12`, `2026-W48`, `2026`, `december`.
    private func period(at index: Int) -> Match<(first: CivilDate, end: CivilDate)>? {
        let today = parser.today
        let text = word(index)
        if let shift = ["this": 0, "next": 1, "last": -1][text] {
            switch word(index + 1) {
            case "week":
                let monday = today.startOfWeek(on: parser.firstWeekday) + shift * 7
                return Match((monday, monday + 7), 2)
            case "month":
                let first = today.startOfMonth.adding(months: shift)
                return Match((first, first.adding(months: 1)), 2)
            case "year":
                let first = CivilDate(year: today.year + shift, month: 1, day: 1)
                return Match((first, first.adding(months: 12)), 2)
            case "quarter":
                let first = CivilDate(year: today.year, month: (today.month - 1) / 3 * 3 + 1, day: 1).adding(
                    months: shift * 3)
                return Match((first, first.adding(months: 3)), 2)
            case "weekend":
                let saturday = today.startOfWeek() + 5 + shift * 7
                return Match((saturday, saturday + 2), 2)
            default: return nil
            }
        }
        let sides = text.split(separator: "-").map(String.init)
        if sides.count == 2, sides[0].utf8.count == 4, let year = Int(sides[0]) {
            if sides[1].hasPrefix("w"), let week = Int(sides[1].dropFirst()), (1...53).contains(week) {
                let first = CivilDate(year: year, month: 1, day: 4).startOfWeek() + (week - 1) * 7
                return first.week().year == year ? Match((first, first + 7), 1) : nil
            }
            if sides[1].utf8.count == 2, let month = Int(sides[1]),
                let first = CivilDate(validYear: year, month: month, day: 1)
            {
                return Match((first, first.adding(months: 1)), 1)
            }
        }
        if text.utf8.count == 4, let year = Int(text), (1000...9999).contains(year) {
            let first = CivilDate(year: year, month: 1, day: 1)
            return Match((first, first.adding(months: 12)), 1)
        }
        if let month = DateWords.month(text), monthAndDay(at: index) == nil, words.count <= 2 {
            if let year = Int(word(index + 1)), (1000...9999).contains(year) {
                let first = CivilDate(year: year, month: month, day: 1)
                return Match((first, first.adding(months: 1)), 2)
            }
            let year = today.year + (month < today.month ? 1 : 0)
            let first = CivilDate(year: year, month: month, day: 1)
            return words.count == 1 ? Match((first, first.adding(months: 1)), 1) : nil
        }
        return nil
    }
}
