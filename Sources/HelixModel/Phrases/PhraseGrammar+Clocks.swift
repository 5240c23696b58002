/// A time of day that some tokens name.
struct ClockMatch {
    var start: Int
    var end: Int
    /// Seconds after midnight, up to 24:00.
    var seconds: Int
    /// Whether nothing says which half of the day an hour up to 12 lies in.
    var isOpen = false
    /// Whether the hour stands alone.
    var isBare = false
    var isMidnight = false
    var isAfternoon: Bool?
    var part: DayPart?
    /// Whether the number may be that of a house.
    var isDoubtful = false
    /// The zone of an offset that is written behind it: `17:00Z`, `10:00+02:00`.
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
    /// The times of day that are named from the token on.
    ///
    /// - Parameters:
    ///   - isAfterAt: whether `at` stands before it, behind which a number alone is an hour.
    ///   - isInRange: whether a number alone is an hour because it is one end of a range.
    func clocks(_ index: Int, isAfterAt: Bool = false, isInRange: Bool = false) -> [ClockMatch] {
        guard index < tokens.count else { return [] }
        var found: [ClockMatch] = []
        // `12 noon`
        if number(index) == 12, has(.noon, index + 1) || has(.midnight, index + 1) {
            let isNoon = has(.noon, index + 1)
            return [ClockMatch(start: index, end: index + 2, seconds: isNoon ? 43_200 : 0, isMidnight: !isNoon)]
        }
        if has(.noon, index) { found.append(ClockMatch(start: index, end: index + 1, seconds: 12 * 3600)) }
        if has(.midnight, index) {
            found.append(ClockMatch(start: index, end: index + 1, seconds: 0, isMidnight: true))
        }
        found += spoken(index, isAfterAt: isAfterAt, isInRange: isInRange)
        if number(index) != nil { found += written(index, isAfterAt: isAfterAt, isInRange: isInRange) }
        for position in found.indices { addPart(to: &found[position]) }
        return found
    }

    /// `in the evening`, `at night`, `tonight` behind a time.
    private func addPart(to match: inout ClockMatch) {
        guard match.isOpen else { return }
        let start = skip([.in, .the, .at, .of], match.end)
        guard start > match.end, let part = part(start), wordEnd(start + 1) != nil else { return }
        (match.part, match.end) = (part, start + 1)
    }

    /// `half past 5`, `quarter to 9`, `ten past 8`, `halb neun`.
    private func spoken(_ index: Int, isAfterAt: Bool, isInRange: Bool) -> [ClockMatch] {
        let isA = has(.a, index)
        let start = isA ? index + 1 : index
        var minutes: Int?
        var next = start + 1
        if has(.half, start) {
            minutes = 30
        } else if has(.quarter, start) {
            minutes = 15
        } else if let number = count(start), number < 30, [5, 10, 20, 25].contains(number) || unit(next) == .minute {
            // `nine to eleven` is a range.
            minutes = number
            if unit(next) == .minute { next += 1 }
        }
        if let minutes, has(.past, next) || has(.beforeHour, next), let hour = hour(next + 1) {
            let isPast = has(.past, next)
            guard isPast || minutes < 30 else { return [] }
            let seconds = hour.value * 3600 + (isPast ? minutes * 60 : -minutes * 60)
            return [
                ClockMatch(
                    start: index, end: hour.end, seconds: (seconds + 86_400) % 86_400,
                    isOpen: hour.value <= 12 && hour.isAfternoon == nil, isBare: hour.isAfternoon == nil,
                    isAfternoon: hour.isAfternoon)
            ]
        }
        if let hour = first(index, { if case .hour(let hour) = $0 { hour } else { nil } }) {
            return [ClockMatch(start: index, end: index + 1, seconds: hour * 3600, isOpen: true, isBare: true)]
        }
        if let found = hourAndMinutes(index) { return [found] }
        if let found = inWords(index, isAfterAt: isAfterAt, isInRange: isInRange) { return [found] }
        if has(.halfBefore, index), let hour = hour(index + 1), hour.value > 0 {
            return [
                ClockMatch(
                    start: index, end: hour.end, seconds: hour.value * 3600 - 1800,
                    isOpen: hour.value <= 12 && hour.isAfternoon == nil, isBare: hour.isAfternoon == nil)
            ]
        }
        if number(index) == nil, let hour = count(index), !isA, (1...23).contains(hour), has(.oclock, index + 1) {
            return [
                ClockMatch(start: index, end: index + 2, seconds: hour * 3600, isOpen: hour <= 12, isBare: hour <= 12)
            ]
        }
        // `a las nueve`, behind a word that means `at`.
        let isOne = parser.vocabulary.hasOthers && unit(index + 1) == nil && !isPlainWord(index + 1)
        // `at Seven` is a place.
        let isName = line[tokens[index].range].first?.isUppercase ?? false
        if !isName, number(index) == nil, let hour = count(index), !isA || isOne, (1...12).contains(hour), isAfterAt {
            return [ClockMatch(start: index, end: index + 1, seconds: hour * 3600, isOpen: true, isBare: true)]
        }
        return []
    }

    /// Hours in words with minutes or a half of the day: `seven pm`, `seven thirty`, `nine thirty am`; in a range also alone.
    private func inWords(_ index: Int, isAfterAt: Bool, isInRange: Bool) -> ClockMatch? {
        guard number(index) == nil, !has(.a, index), let hour = count(index), (1...12).contains(hour),
            unit(index + 1) == nil
        else { return nil }
        // `at Seven` is a place.
        guard line[tokens[index].range].first?.isUppercase != true else { return nil }
        var end = index + 1
        var minutes = 0
        if number(end) == nil, let found = count(end), [5, 10, 15, 20, 30, 40, 50].contains(found), unit(end + 1) == nil
        {
            (minutes, end) = (found, end + 1)
        }
        if let half = halfOfDay(end) {
            let seconds = hour % 12 * 3600 + minutes * 60 + (half.isAfternoon ? 43_200 : 0)
            return ClockMatch(start: index, end: half.end, seconds: seconds, isAfternoon: half.isAfternoon)
        }
        guard
            minutes > 0 && isAfterAt || minutes >= 15 && isInRange || isInRange && minutes == 0 && isRangeOfWords(index)
        else { return nil }
        return ClockMatch(
            start: index, end: end, seconds: hour * 3600 + minutes * 60, isOpen: true, isBare: minutes == 0)
    }

    /// Whether an hour in words is one end of a range: `from nine to eleven`, `one to two pm`.
    private func isRangeOfWords(_ index: Int) -> Bool {
        func isHour(_ place: Int) -> Bool {
            number(place) == nil && count(place).map { (1...12).contains($0) } ?? false && unit(place + 1) == nil
        }
        let isStart = has(.to, index + 1) && isHour(index + 2) || has(.and, index + 1) && isHour(index + 2)
        let isEnd = index > 1 && (has(.to, index - 1) || has(.and, index - 1)) && isHour(index - 2)
        let isLast = isStart ? index + 3 : index + 1
        let hasHalf = halfOfDay(isLast) != nil
        let first = isStart ? index : index - 2
        let isMarked = first > 0 && (has(.from, first - 1) || has(.between, first - 1))
        let next = isStart ? index + 3 : index + 1
        return (isStart || isEnd) && (hasHalf || isMarked || next >= tokens.count || !isPlainWord(next))
    }

    /// The hour and then its minutes: `9 heures et demie`, `las ocho y cuarto`, `nove meno un quarto`.
    private func hourAndMinutes(_ index: Int) -> ClockMatch? {
        let isNoon = has(.noon, index) || has(.midnight, index)
        let value = has(.noon, index) ? 12 : has(.midnight, index) ? 0 : has(.a, index) ? nil : count(index)
        guard parser.vocabulary.hasOthers, let value, value < 24 else { return nil }
        var next = index + 1
        if has(.oclock, next) || isHourSign(next) { next += 1 }
        guard has(.and, next) || has(.minus, next) else { return nil }
        let isLess = has(.minus, next)
        let place = next + 1
        let minutes: Int
        if has(.half, place), !isLess { minutes = 30 } else if has(.quarter, place) { minutes = 15 } else { return nil }
        guard unit(place + 1) == nil else { return nil }
        let seconds = value * 3600 + (isLess ? -minutes : minutes) * 60
        return ClockMatch(
            start: index, end: place + 1, seconds: (seconds + 86_400) % 86_400,
            isOpen: value > 0 && value <= 12 && !isNoon, isBare: !isNoon)
    }

    private func hour(_ index: Int) -> (value: Int, end: Int, isAfternoon: Bool?)? {
        guard let value = count(index), (0...23).contains(value), !has(.a, index) else { return nil }
        if let half = halfOfDay(index + 1) {
            return (1...12).contains(value)
                ? (value % 12 + (half.isAfternoon ? 12 : 0), half.end, half.isAfternoon) : nil
        }
        guard !isJoined(index + 1) || wordEnd(index + 1) != nil else { return nil }
        return (value, has(.oclock, index + 1) ? index + 2 : index + 1, nil)
    }

    /// Times in digits.
    private func written(_ index: Int, isAfterAt: Bool, isInRange: Bool) -> [ClockMatch] {
        let digits = tokens[index].length
        if digits == 6, isJoined(index), index > 0, tokens[index - 1].text == "t",
            let value = number(index, digits: 6...6),
            value / 10_000 < 24, value / 100 % 100 < 60
        {
            // `20261201T100000`
            let seconds = value / 10_000 * 3600 + value / 100 % 100 * 60 + min(59, value % 100)
            return [ClockMatch(start: index, end: index + 1, seconds: seconds)]
        }
        guard let value = number(index, digits: 1...4) else { return [] }
        if digits >= 3 { return compact(index, value, isAfterAt: isAfterAt, isInRange: isInRange) }
        var minutes = 0
        var seconds = 0
        var end = index + 1
        var hasMinutes = false
        var match = ClockMatch(start: index, end: end, seconds: 0)
        func two(_ place: Int) -> Int? {
            isJoined(place) ? number(place, digits: 2...2).flatMap { $0 < 60 ? $0 : nil } : nil
        }
        if sign(":", end), isJoined(end) {
            guard let found = two(end + 1) else { return [] }
            (minutes, end, hasMinutes) = (found, end + 2, true)
            if sign(":", end), isJoined(end), isJoined(end + 1) {
                guard let found = two(end + 1) else { return [] }
                (seconds, end) = (found, end + 2)
            }
        } else if sign(".", end), isJoined(end), let found = two(end + 1), !(sign(".", end + 2) && isJoined(end + 3)) {
            // `fri 5.12` is rather a day, although no Friday.
            if isLine, !isAfterAt, index > 0, weekday(index - 1) != nil, (1...12).contains(found), found % 5 > 0,
                halfOfDay(end + 2) == nil
            {
                return []
            }
            (minutes, end, hasMinutes) = (found, end + 2, true)
            // `24.12.` is a day.
            if sign(".", end), isJoined(end), !isInRange, value > 0, (1...12).contains(minutes) { return [] }
        } else if isHourSign(end) {
            // `14 h 30`
            let isSpaced =
                readsHourSign && !isJoined(end + 1) && number(end + 1, digits: 2...2) != nil && unit(end + 2) == nil
                && !isPlainWord(end + 2) && !has(.times, end + 2)
            if isJoined(end + 1) || isSpaced, tokens.indices.contains(end + 1), tokens[end + 1].kind == .number {
                guard
                    let found = isSpaced
                        ? number(end + 1, digits: 2...2).flatMap({ $0 < 60 ? $0 : nil }) : two(end + 1),
                    !isJoined(end + 2) || wordEnd(end + 2) != nil || isInRange
                else {
                    return []
                }
                // `1h30` is a length; `17h30` a time.
                guard value >= 8 || isAfterAt || readsHourSign else { return [] }
                (minutes, end, hasMinutes) = (found, end + 2, true)
                match.bonus = readsHourSign ? 3 : 0
            } else {
                guard isAfterAt || readsHourSign || isInRange && value >= 7,
                    !isJoined(end + 1) || wordEnd(end + 1) != nil || isInRange
                else {
                    return []
                }
                end += 1
                // `1h` may be a length.
                hasMinutes = value >= 7
                match.bonus = readsHourSign ? 3 : 0
            }
        }
        // `17:00 hrs`
        if hasMinutes, !isJoined(end), tokens.indices.contains(end), ["hrs", "hours"].contains(tokens[end].text) {
            end += 1
        }
        var hour = value
        if let (isAfternoon, past) = halfOfDay(end) {
            guard (1...12).contains(value) else { return [] }
            hour = value % 12 + (isAfternoon ? 12 : 0)
            (match.isAfternoon, end) = (isAfternoon, past)
        } else if has(.oclock, end), !isJoined(end) || tokens[end].kind == .word {
            end += 1
            // `9 Uhr 30`
            let isOther = !["o'clock", "oclock"].contains(tokens[end - 1].text)
            if !hasMinutes, let found = number(end, digits: 2...2), found < 60, isOther,
                !isJoined(end + 1) || wordEnd(end + 1) != nil, unit(end + 1) == nil, !has(.times, end + 1)
            {
                (minutes, end) = (found, end + 1)
            }
            // `7 Uhr` is one of twenty-four; `2 heures` may be a length.
            let isClear = isOther && unit(end - 1) == nil
            (match.isOpen, match.isBare) = ((1...12).contains(value), !isClear && !hasMinutes && minutes == 0)
            match.bonus = 3
        } else {
            let isZeroLed = tokens[index].text.hasPrefix("0")
            match.isOpen = (1...12).contains(value) && !isZeroLed
            match.isBare = !hasMinutes && !isZeroLed
            if !hasMinutes {
                guard !isJoined(end) || wordEnd(end) != nil || isInRange else { return [] }
                if isAfterAt || isZoneName(end) {
                    // `at 5 Main Street` is a place.
                    match.isDoubtful = isPlace(end) && index > 1
                    match.isWeak = true
                } else if parser.readsHours, tokens.count == 1 {
                    match.isWeak = false
                } else if !isInRange {
                    guard isBareHour(index) else { return [] }
                    (match.isWeak, match.conditions) = (true, [.afterPiece, .afterDate])
                }
            }
        }
        guard hour < 24 || hour == 24 && minutes == 0 && seconds == 0 else { return [] }
        if hasMinutes, let (zone, past) = writtenZone(end, hasSeconds: end >= index + 5) {
            (match.zone, match.isOpen, end) = (zone, false, past)
        }
        match.seconds = hour * 3600 + minutes * 60 + seconds
        match.end = end
        return [match]
    }

    /// The zone of an offset behind a time with minutes: `Z`, `+02:00`, ` +0100`. A minus sign divides two times, but behind
    /// seconds, as mail has them: `15:00:00 -0500`.
    private func writtenZone(_ index: Int, hasSeconds: Bool) -> (zone: Zone, end: Int)? {
        guard tokens.indices.contains(index) else { return nil }
        let isZulu = isJoined(index) || line[tokens[index].range] == "Z"
        if tokens[index].text == "z", isZulu, wordEnd(index + 1) != nil { return (.utc, index + 1) }
        guard sign("+", index) || sign("-", index) && hasSeconds && !isJoined(index), isJoined(index + 1),
            tokens[index + 1].length == 4 || sign(":", index + 2) || sign("+", index) && isJoined(index),
            let (seconds, end) = offset(index), wordEnd(end) != nil, unit(end) == nil
        else { return nil }
        return (Zone(fixedOffset: seconds), end)
    }

    /// Whether a number behind a day may be an hour: `fri 17`, at the end of the line or before a length or an end.
    private func isBareHour(_ index: Int) -> Bool {
        let next = index + 1
        guard index > 0 else { return false }
        // `tonight 7 dinner`
        let isBehindPart =
            part(index - 1) != nil || first(index - 1) { if case .dayPart = $0 { true } else { nil } } ?? false
        if isBehindPart, isPlainWord(next), !isJoined(next), !isQuantity(index, next),
            number(index, digits: 1...2).map({ (1...12).contains($0) }) ?? false
        {
            return true
        }
        // `4 in the afternoon`
        let place = skip([.in, .the, .at], next)
        if place > next, part(place) != nil { return true }
        return next >= tokens.count || [.for, .at, .to].contains { has($0, next) }
    }

    /// Whether the name of a zone stands behind a number, which is an hour then: `10 EST`.
    private func isZoneName(_ index: Int) -> Bool {
        guard tokens.indices.contains(index), tokens[index].kind == .word, !isJoined(index) else { return false }
        let typed = String(line[tokens[index].range])
        return typed == "UTC" || typed == "GMT" || ZoneAbbreviation.all[typed] != nil && typed.utf8.count > 2
    }

    private func isPlace(_ index: Int) -> Bool {
        guard index < tokens.count, tokens[index].kind == .word, tokens[index].meanings.isEmpty, !isJoined(index) else {
            return false
        }
        return true
    }

    /// `1730`, `0900`; four digits are a time behind `at` or a day.
    private func compact(_ index: Int, _ value: Int, isAfterAt: Bool, isInRange: Bool) -> [ClockMatch] {
        let (hour, minute) = (value / 100, value % 100)
        guard hour < 24, minute < 60,
            !isJoined(index + 1) || wordEnd(index + 1) != nil || isInRange
                || halfOfDay(index + 1) != nil
        else { return [] }
        var match = ClockMatch(start: index, end: index + 1, seconds: value / 100 * 3600 + minute * 60)
        if let (isAfternoon, end) = halfOfDay(index + 1) {
            guard (1...12).contains(hour) else { return [] }
            match.seconds = (hour % 12 + (isAfternoon ? 12 : 0)) * 3600 + minute * 60
            (match.end, match.isAfternoon) = (end, isAfternoon)
            return [match]
        }
        if isInRange, sign("-", index + 1), isJoined(index + 1), number(index + 2, digits: 3...4) == nil { return [] }
        if isAfterAt, !isPlace(index + 1) { return [match] }
        if !isLine, tokens[index].length == 4, !(1900...2100).contains(value) { return [match] }
        // `2026-1123` is a number.
        if isInRange, abs(value - parser.today.year) <= 5, sign("-", index + 1), isJoined(index + 1) { return [] }
        // `fri 1730`; a year is no time, and neither are 300 pages.
        guard tokens[index].length == 4, !(1900...2100).contains(value) || isInRange else { return [] }
        match.isOpen = false
        if isInRange { return [match] }
        guard !isPlace(index + 1) else { return [] }
        match.conditions = [.afterPiece, .afterDate]
        match.isWeak = true
        return [match]
    }

    /// `am`, `p.m.`, behind a number: whether it is the afternoon.
    private func halfOfDay(_ index: Int) -> (isAfternoon: Bool, end: Int)? {
        // `um 9 am Montag`
        let isOn = has(.on, index) && !isJoined(index)
        if has(.am, index), !isOn || days(index + 1).isEmpty { return (false, index + 1) }
        if has(.pm, index) { return (true, index + 1) }
        guard index < tokens.count, ["a", "p"].contains(tokens[index].text), sign(".", index + 1), isJoined(index + 1),
            tokens.indices.contains(index + 2), tokens[index + 2].text == "m", isJoined(index + 2)
        else { return nil }
        let end = sign(".", index + 3) && isJoined(index + 3) ? index + 4 : index + 3
        return (tokens[index].text == "p", end)
    }

    func isHourSign(_ index: Int) -> Bool {
        tokens.indices.contains(index) && tokens[index].text == "h" && (isJoined(index) || readsHourSign)
    }

    /// Whether `14h` is a time in one of the languages.
    private var readsHourSign: Bool { !parser.vocabulary.languages.allSatisfy { ["en", "de"].contains($0) } }
}
