/// A time in digits while it is parsed.
private struct WrittenClock {
    /// The number at its beginning.
    let value: Int
    /// Whether `at` precedes.
    let isAfterAt: Bool
    /// Whether it is one end of a range.
    let isInRange: Bool
    /// The hour on the 24-hour clock.
    var hour: Int
    var minutes = 0
    var seconds = 0
    /// Whether minutes are written, or a sign that shows the number to be an hour.
    var hasMinutes = false
    /// The match so far; its end is the first token that is not parsed yet.
    var match: ClockMatch

    init(_ index: Int, _ value: Int, isAfterAt: Bool, isInRange: Bool) {
        (self.value, self.isAfterAt, self.isInRange, hour) = (value, isAfterAt, isInRange, value)
        match = ClockMatch(start: index, end: index + 1, seconds: 0)
    }

    /// Sets the minutes, which end before the token.
    mutating func setMinutes(_ minutes: Int, end: Int) {
        (self.minutes, match.end, hasMinutes) = (minutes, end, true)
    }

    /// Whether a day has the time; it ends at 24:00.
    var isValid: Bool { hour < 24 || hour == 24 && minutes == 0 && seconds == 0 }
}

// Times of day in digits.
extension PhraseGrammar {
    /// `9:30`, `9.30`, `17h30`, `9am`, `1730`, `20261201T100000`.
    func written(_ index: Int, isAfterAt: Bool, isInRange: Bool) -> [ClockMatch] {
        if let basic = basicClock(index) { return [basic] }
        guard let value = number(index, digits: 1...4) else { return [] }
        if tokens[index].length >= 3 { return compact(index, value, isAfterAt: isAfterAt, isInRange: isInRange) }
        if isLine, isDayOfMonth(index) { return [] }
        var clock = WrittenClock(index, value, isAfterAt: isAfterAt, isInRange: isInRange)
        guard parseMinutes(of: &clock) else { return [] }
        skipHourWords(after: &clock)
        guard parseHalf(of: &clock), clock.isValid else { return [] }
        if clock.hasMinutes, let (zone, past) = writtenZone(clock.match.end, hasSeconds: clock.match.end >= index + 5) {
            (clock.match.zone, clock.match.isOpen, clock.match.end) = (zone, false, past)
        }
        let end = clock.match.end
        if !isJoined(end), tokens.indices.contains(end), tokens[end].text == "sharp" { clock.match.end += 1 }
        clock.match.seconds = clock.hour * 3600 + clock.minutes * 60 + clock.seconds
        return [clock.match]
    }

    /// `20261201T100000`: the time of the basic format.
    private func basicClock(_ index: Int) -> ClockMatch? {
        guard tokens[index].length == 6, isJoined(index), index > 0, tokens[index - 1].text == "t",
            let value = number(index, digits: 6...6),
            value / 10_000 < 24, value / 100 % 100 < 60
        else { return nil }
        let seconds = value / 10_000 * 3600 + value / 100 % 100 * 60 + min(59, value % 100)
        return ClockMatch(start: index, end: index + 1, seconds: seconds)
    }

    /// Two digits below 60, joined to the token before.
    private func sixtieth(_ index: Int) -> Int? { isJoined(index) ? spacedSixtieth(index) : nil }

    /// Two digits below 60.
    private func spacedSixtieth(_ index: Int) -> Int? {
        number(index, digits: 2...2).flatMap { $0 < 60 ? $0 : nil }
    }

    // MARK: Minutes

    /// Parses the minutes and seconds after an hour; false if the number is no hour.
    private func parseMinutes(of clock: inout WrittenClock) -> Bool {
        let end = clock.match.end
        // `tomorrow 9: dentist`
        if sign(":", end), isJoined(end), isJoined(end + 1) { return parseColon(of: &clock) }
        if sign(".", end) {
            if hasNumberedNoun(clock.match.start) { return false }
            guard isJoined(end), let minutes = sixtieth(end + 1), !(sign(".", end + 2) && isJoined(end + 3)) else {
                return true
            }
            return parseDot(of: &clock, minutes)
        }
        guard isHourSign(end) else { return true }
        return parseHourSign(of: &clock)
    }

    /// `9:30`, `9:30:15`.
    private func parseColon(of clock: inout WrittenClock) -> Bool {
        guard let minutes = sixtieth(clock.match.end + 1) else { return false }
        clock.setMinutes(minutes, end: clock.match.end + 2)
        let end = clock.match.end
        if sign(":", end), isJoined(end), isJoined(end + 1) {
            guard let seconds = sixtieth(end + 1) else { return false }
            (clock.seconds, clock.match.end) = (seconds, end + 2)
        }
        return true
    }

    /// `9.30`, unless it is an amount or a day.
    private func parseDot(of clock: inout WrittenClock, _ minutes: Int) -> Bool {
        let (index, end) = (clock.match.start, clock.match.end)
        // `run 10.15 km`
        if isLine, tokens.indices.contains(end + 2), PhraseGrammar.measures.contains(tokens[end + 2].text) {
            return false
        }
        // `fri 5.12` is more likely a day, even if that is not a Friday.
        if isLine, !clock.isAfterAt, index > 0, weekday(index - 1) != nil, (1...12).contains(minutes), minutes % 5 > 0,
            halfOfDay(end + 2) == nil
        {
            return false
        }
        clock.setMinutes(minutes, end: end + 2)
        // `24.12.` is a day.
        return !(sign(".", end + 2) && isJoined(end + 2) && clock.value > 0 && (1...12).contains(minutes))
    }

    /// `17h30`, `14 h 30`, `17h`.
    private func parseHourSign(of clock: inout WrittenClock) -> Bool {
        let end = clock.match.end
        // `14 h 30`
        let isSpaced =
            readsHourSign && !isJoined(end + 1) && number(end + 1, digits: 2...2) != nil && unit(end + 2) == nil
            && !isPlainWord(end + 2) && !has(.times, end + 2)
        if isJoined(end + 1) || isSpaced, tokens.indices.contains(end + 1), tokens[end + 1].kind == .number {
            guard let minutes = isSpaced ? spacedSixtieth(end + 1) : sixtieth(end + 1),
                !isJoined(end + 2) || wordEnd(end + 2) != nil || clock.isInRange
            else { return false }
            // `1h30` is a length; `17h30` a time.
            guard clock.value >= 8 || clock.isAfterAt || readsHourSign else { return false }
            clock.setMinutes(minutes, end: end + 2)
        } else {
            guard clock.isAfterAt || readsHourSign || clock.isInRange && clock.value >= 7,
                !isJoined(end + 1) || wordEnd(end + 1) != nil || clock.isInRange
            else { return false }
            // `1h` may be a length.
            (clock.match.end, clock.hasMinutes) = (end + 1, clock.value >= 7)
        }
        clock.match.bonus = readsHourSign ? 3 : 0
        return true
    }

    /// Skips `h` and `hrs` after minutes.
    private func skipHourWords(after clock: inout WrittenClock) {
        guard clock.hasMinutes else { return }
        // `15:30h`
        let end = clock.match.end
        if isHourSign(end), isJoined(end), wordEnd(end + 1) != nil, !isHourSign(clock.match.start + 1) {
            clock.match.end += 1
        }
        // `17:00 hrs`
        let place = clock.match.end
        if !isJoined(place), tokens.indices.contains(place), ["hrs", "hours"].contains(tokens[place].text) {
            clock.match.end += 1
        }
    }

    // MARK: Halves of the day

    /// Parses the half of the day or `o'clock`; false if the number is no hour.
    private func parseHalf(of clock: inout WrittenClock) -> Bool {
        let end = clock.match.end
        if let (isAfternoon, past) = halfOfDay(end) {
            guard (1...12).contains(clock.value) else { return false }
            clock.hour = clock.value % 12 + (isAfternoon ? 12 : 0)
            (clock.match.isAfternoon, clock.match.end) = (isAfternoon, past)
            return true
        }
        if has(.oclock, end), !isJoined(end) || tokens[end].kind == .word { return parseOclock(of: &clock) }
        let isZeroLed = tokens[clock.match.start].text.hasPrefix("0")
        clock.match.isOpen = (1...12).contains(clock.value) && !isZeroLed
        clock.match.isBare = !clock.hasMinutes && !isZeroLed
        return clock.hasMinutes || isHour(&clock)
    }

    /// `9 o'clock`, `9 Uhr`, `9 Uhr 30`.
    private func parseOclock(of clock: inout WrittenClock) -> Bool {
        let end = clock.match.end + 1
        clock.match.end = end
        // `9 Uhr 30`
        let isOther = !["o'clock", "oclock"].contains(tokens[end - 1].text)
        if !clock.hasMinutes, let minutes = spacedSixtieth(end), isOther,
            !isJoined(end + 1) || wordEnd(end + 1) != nil, unit(end + 1) == nil, !has(.times, end + 1)
        {
            // `8 Uhr 10 mg`: an amount; `8 Uhr 12 Gleis 3` may be both.
            let isAmount =
                tokens.indices.contains(end + 1) && PhraseGrammar.germanAmounts.contains(tokens[end + 1].text)
                || sign(".", end + 1) && isJoined(end + 1)
            if !isAmount {
                guard !isLine || [15, 30, 45].contains(minutes) || !isPlainWord(end + 1) else { return false }
                (clock.minutes, clock.match.end) = (minutes, end + 1)
            }
        }
        // `7 Uhr` is one of twenty-four; `2 heures` may be a length.
        let isClear = isOther && unit(clock.match.end - 1) == nil
        clock.match.isOpen = (1...12).contains(clock.value)
        clock.match.isBare = !isClear && !clock.hasMinutes && clock.minutes == 0
        clock.match.bonus = 3
        return true
    }

    /// Whether a number without minutes may be an hour; sets the conditions under which it is one.
    private func isHour(_ clock: inout WrittenClock) -> Bool {
        let (index, end) = (clock.match.start, clock.match.end)
        guard !isJoined(end) || wordEnd(end) != nil || clock.isInRange else { return false }
        if clock.isAfterAt || isZoneName(end) {
            // `at 5 Main Street` is a place.
            clock.match.isDoubtful = isPlace(end) && index > 1 && isStreet(end)
            clock.match.isWeak = true
        } else if parser.readsHours, tokens.count == 1 {
            clock.match.isWeak = false
        } else if !clock.isInRange {
            guard isBareHour(index) else { return false }
            (clock.match.isWeak, clock.match.conditions) =
                hasPart(end) && (1...12).contains(clock.value) ? (false, []) : (true, [.afterPiece, .afterDate])
        }
        return true
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
