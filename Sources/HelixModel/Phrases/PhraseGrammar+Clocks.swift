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
        if isLine, isDayOfMonth(index) { return [] }
        var minutes = 0
        var seconds = 0
        var end = index + 1
        var hasMinutes = false
        var match = ClockMatch(start: index, end: end, seconds: 0)
        func two(_ place: Int) -> Int? {
            isJoined(place) ? number(place, digits: 2...2).flatMap { $0 < 60 ? $0 : nil } : nil
        }
        // `tomorrow 9: dentist`
        if sign(":", end), isJoined(end), isJoined(end + 1) {
            guard let found = two(end + 1) else { return [] }
            (minutes, end, hasMinutes) = (found, end + 2, true)
            if sign(":", end), isJoined(end), isJoined(end + 1) {
                guard let found = two(end + 1) else { return [] }
                (seconds, end) = (found, end + 2)
            }
        } else if sign(".", end), hasNumberedNoun(index) {
            return []
        } else if sign(".", end), isJoined(end), let found = two(end + 1), !(sign(".", end + 2) && isJoined(end + 3)) {
            // `run 10.15 km`
            if isLine, tokens.indices.contains(end + 2), PhraseGrammar.measures.contains(tokens[end + 2].text) {
                return []
            }
            // `fri 5.12` is more likely a day, even if that is not a Friday.
            if isLine, !isAfterAt, index > 0, weekday(index - 1) != nil, (1...12).contains(found), found % 5 > 0,
                halfOfDay(end + 2) == nil
            {
                return []
            }
            (minutes, end, hasMinutes) = (found, end + 2, true)
            // `24.12.` is a day.
            if sign(".", end), isJoined(end), value > 0, (1...12).contains(minutes) { return [] }
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
        // `15:30h`
        if hasMinutes, isHourSign(end), isJoined(end), wordEnd(end + 1) != nil, !isHourSign(index + 1) { end += 1 }
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
                // `8 Uhr 10 mg`: an amount; `8 Uhr 12 Gleis 3` may be both.
                let isAmount =
                    tokens.indices.contains(end + 1) && PhraseGrammar.germanAmounts.contains(tokens[end + 1].text)
                    || sign(".", end + 1) && isJoined(end + 1)
                if !isAmount {
                    guard !isLine || [15, 30, 45].contains(found) || !isPlainWord(end + 1) else { return [] }
                    (minutes, end) = (found, end + 1)
                }
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
                    match.isDoubtful = isPlace(end) && index > 1 && isStreet(end)
                    match.isWeak = true
                } else if parser.readsHours, tokens.count == 1 {
                    match.isWeak = false
                } else if !isInRange {
                    guard isBareHour(index) else { return [] }
                    (match.isWeak, match.conditions) =
                        hasPart(end) && (1...12).contains(value) ? (false, []) : (true, [.afterPiece, .afterDate])
                }
            }
        }
        guard hour < 24 || hour == 24 && minutes == 0 && seconds == 0 else { return [] }
        if hasMinutes, let (zone, past) = writtenZone(end, hasSeconds: end >= index + 5) {
            (match.zone, match.isOpen, end) = (zone, false, past)
        }
        if !isJoined(end), tokens.indices.contains(end), tokens[end].text == "sharp" { end += 1 }
        match.seconds = hour * 3600 + minutes * 60 + seconds
        match.end = end
        return [match]
    }

    /// The zone of an offset after a time with minutes: `Z`, `+02:00`, ` +0100`. A minus sign separates two times, except after
    /// seconds, as in mail: `15:00:00 -0500`.
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

    /// Whether a number after a day may be an hour: `fri 17`, at the end of the line or before a length or an end.
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
        if hasPart(next) { return number(index).map { (1...12).contains($0) } ?? false }
        let isBeforeColon = sign(":", next) && isJoined(next) && !isJoined(next + 1)
        return next >= tokens.count || isBeforeColon || [.for, .at, .to].contains { has($0, next) }
    }

    /// Whether an hour is followed by a part of the day: `4 in the afternoon`.
    private func hasPart(_ index: Int) -> Bool {
        let place = skip([.in, .the, .at], index)
        return place > index && part(place) != nil
    }

    /// Whether the name of a zone follows a number, which makes it an hour: `10 EST`.
    private func isZoneName(_ index: Int) -> Bool {
        guard tokens.indices.contains(index), tokens[index].kind == .word, !isJoined(index) else { return false }
        let typed = String(line[tokens[index].range])
        return typed == "UTC" || typed == "GMT" || ZoneAbbreviation.all[typed] != nil && typed.utf8.count > 2
    }

    /// Whether a word may be the name of a street: `at 5 Main Street`, but not `at 10 team meeting`.
    private func isStreet(_ index: Int) -> Bool {
        isCapital(index) || tokens[index...].prefix(3).contains { PhraseGrammar.streets.contains($0.text) }
    }

    /// Things counted or measured, in German.
    private static let germanAmounts: Set<String> = [
        "mg", "ml", "g", "kg", "cm", "km", "stuck", "personen", "gaste", "leute", "kinder", "tropfen", "tabletten",
        "einheiten", "kisten", "flaschen", "platze", "euro", "teilnehmer", "pers", "eier", "liter", "seiten", "kapseln",
    ]

    private static let measures: Set<String> = [
        "km", "mile", "miles", "mi", "m", "cm", "mm", "kg", "g", "l", "ml", "litre", "litres", "liter", "liters", "lb",
        "lbs", "oz", "c", "°", "%", "gb", "mb", "tb", "eur", "euro", "euros", "usd", "gbp", "chf", "quid", "bucks",
        "dollars", "pounds", "€", "$", "£", "shares", "meter", "metres", "meters",
    ]

    private static let streets: Set<String> = [
        "street", "st", "road", "rd", "avenue", "ave", "lane", "square", "court", "drive", "way", "boulevard", "rue",
        "via",
        "calle", "place", "plaza", "platz", "weg", "allee",
    ]

    private func isPlace(_ index: Int) -> Bool {
        guard index < tokens.count, tokens[index].kind == .word, tokens[index].meanings.isEmpty, !isJoined(index) else {
            return false
        }
        return true
    }

    /// `1730`, `0900`; four digits are a time after `at` or a day.
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
        // `18:00 until 2027` is hardly half past eight.
        if isInRange, index > 0, has(.until, index - 1), (0...20).contains(value - parser.today.year) { return [] }
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

    /// `am`, `p.m.`, after a number: whether it is the afternoon.
    func halfOfDay(_ index: Int) -> (isAfternoon: Bool, end: Int)? {
        // `um 9 am Montag`
        let isOn = has(.on, index) && !isJoined(index)
        if has(.am, index), !isOn || days(index + 1).isEmpty { return (false, index + 1) }
        if has(.pm, index) { return (true, index + 1) }
        // `3:30p`
        if index < tokens.count, ["a", "p"].contains(tokens[index].text), isJoined(index),
            tokens[index - 1].kind == .number, !hasNumberedNoun(index - 1),
            wordEnd(index + 1) != nil || sign("-", index + 1)
        {
            return (tokens[index].text == "p", index + 1)
        }
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
