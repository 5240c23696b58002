/// Date words apart from the pieces, anywhere in the line.
extension PhraseStrays {
    /// A number of occurrences after the rest: `swim class Sat 9:00 x8`, `Chemo every 3 weeks, 6 cycles`.
    func countBehind() -> Range<Int>? {
        guard reading.parts.date != nil || reading.parts.repetition != nil,
            reading.parts.count == nil, reading.parts.until == nil, reading.parts.span == nil
        else { return nil }
        let used = reading.usedTokens
        let first = reading.spans.map(\.start).min() ?? 0
        return grammar.tokens.indices.first { index in
            guard index > first, !used.contains(index), !used.contains(index + 1) else { return false }
            if grammar.tokens[index].text == "x", grammar.isJoined(index + 1), !grammar.isJoined(index) {
                return grammar.number(index + 1, digits: 1...3) != nil
            }
            return grammar.count(index).map { $0 > 1 } == true && grammar.tokens.indices.contains(index + 1)
                && PhraseStrays.turns.contains(grammar.tokens[index + 1].text)
                && grammar.wordAfter(index + 1) >= grammar.tokens.count
        }.map { $0..<$0 + 2 }
    }

    /// Unknown abbreviations of weekdays: `MoWe 8-10`, `TuThu`, `yoga We 18:00`.
    func dayLetters() -> [Range<Int>] {
        let used = reading.usedTokens
        return grammar.tokens.indices.filter { index in
            guard !used.contains(index), grammar.tokens[index].kind == .word else { return false }
            let text = grammar.line[grammar.tokens[index].range]
            if text == "We" {
                return index > 0 && reading.parts.date == nil && reading.parts.repetition == nil
                    && reading.spans.contains { $0.start == index + 1 && $0.piece.parts.time != nil }
            }
            // `gym 18-19:30 mo, mi`
            if ["mo", "mi", "fr", "di", "sa"].contains(text) {
                return reading.parts.date == nil && reading.parts.repetition == nil && reading.parts.time != nil
                    && used.contains(index - 1)
            }
            var (rest, count) = (text, 0)
            while let name = PhraseStrays.dayLetters.first(where: { rest.hasPrefix($0) }) {
                rest = rest.dropFirst(name.count)
                count += 1
            }
            return rest.isEmpty && count > 1
        }.map { $0..<$0 + 1 }
    }

    /// Words that name a zone, where none was read: `15 Uhr Ortszeit New York`, `15:00 (New York)`.
    func foreignClocks() -> [Range<Int>] {
        guard let time = reading.parts.time, time > 0, reading.parts.zone == nil else { return [] }
        let used = reading.usedTokens
        return grammar.tokens.indices.compactMap { index in
            guard !used.contains(index), grammar.tokens[index].kind == .word else { return nil }
            let text = grammar.tokens[index].text
            let isBehind = used.contains(index - 1) || grammar.sign("(", index - 1) && used.contains(index - 2)
            if ["ortszeit", "lokalzeit"].contains(text) || text.hasSuffix("zeit") && isBehind && text.count > 4 {
                return index..<index + 1
            }
            // `heure de New York`, `New Yorker Zeit`
            let isOf = ["heure", "hora", "ora"].contains(text) && isBehind
            let isZone = text == "zeit" && index > 0 && grammar.isCapital(index - 1)
            if isOf || isZone { return index..<index + 1 }
            guard grammar.sign("(", index - 1), isBehind, grammar.isCapital(index) else { return nil }
            return [index + 2, index + 1].first { end in
                end < grammar.tokens.count && grammar.sign(")", end)
                    && ZoneDatabase.zone(typed: String(grammar.line[grammar.place(index..<end)])) != nil
            }.map { index..<$0 }
        }
    }

    /// Whether words after a time name a zone that is not known: `their time`,
    /// `San Francisco time`.
    func isForeignTime(_ index: Int) -> Bool {
        if grammar.sign("(", index), grammar.isJoined(index + 1) { return isForeignTime(index + 1) }
        guard grammar.tokens.indices.contains(index) else { return false }
        // `3pm local`
        if grammar.tokens[index].text == "local", index + 1 == grammar.tokens.count { return true }
        if PhraseStrays.owners.contains(grammar.tokens[index].text) { return grammar.has(.zone, index + 1) }
        return (1...3).contains { count in
            grammar.has(.zone, index + count)
                && (index..<index + count).allSatisfy { grammar.isCapital($0) && grammar.isPlainWord($0) }
        }
    }

    /// Approximate hours, in a line without a time: `team drinks, 6ish`, `dreiviertel sechs`.
    func looseClocks() -> [Range<Int>] {
        let used = reading.usedTokens
        return grammar.tokens.indices.compactMap { index in
            guard !used.contains(index) else { return nil }
            let text = grammar.tokens[index].text
            if grammar.number(index, digits: 1...2) != nil, grammar.isJoined(index + 1),
                grammar.tokens.indices.contains(index + 1), grammar.tokens[index + 1].text == "ish"
            {
                return index..<index + 2
            }
            if text.hasSuffix("ish"),
                grammar.parser.vocabulary.meanings(of: String(text.dropLast(3))).contains(where: { $0.number != nil })
            {
                return index..<index + 1
            }
            if text.hasPrefix("halbstundig") { return index..<index + 1 }
            return text == "dreiviertel" && grammar.count(index + 1) != nil ? index..<index + 2 : nil
        }
    }

    /// Four digits that are rather a time than a count, in a line with a day and no time: `Standup 1430 thu`, `thu 0930 run`.
    func compactClock() -> Range<Int>? {
        guard hasNoTime, reading.parts.date != nil || reading.parts.repetition != nil else { return nil }
        let used = reading.usedTokens
        return grammar.tokens.indices.first { index in
            guard !used.contains(index), let value = grammar.number(index, digits: 4...4), !grammar.isJoined(index),
                grammar.wordAfter(index) == index + 1, value / 100 < 24, value % 100 < 60, value % 5 == 0
            else { return false }
            let isBeside = used.contains(index - 1) || used.contains(index + 1)
            // `0615` is not the number of a class, `1930` beside a day hardly a year.
            let isSure = grammar.line[grammar.tokens[index].range].first == "0"
            let isYear = (1900...2100).contains(value) && !isBeside
            let isEdge = index == 0 || index + 1 == grammar.tokens.count || isBeside
            return !isYear && isEdge && (isSure || !grammar.hasNumberedNoun(index))
                && !grammar.isQuantity(index, index + 1)
        }.map { $0..<$0 + 1 }
    }

    /// Unknown words beside a time that qualify it.
    static let words: Set<String> = [
        "early", "late", "mid", "middle", "around", "about", "approx", "approximately", "roughly", "circa", "ca", "ish",
        "odd", "even", "alternate", "alternating", "business", "working",
        "occurrences", "mornings", "evenings", "afternoons", "nights", "nightly", "lunchtime", "dinnertime", "bedtime",
        "teatime", "dusk", "dawn", "sunset", "sunrise", "hrs", "halfway", "mwf", "tth", "mtwtf", "tr",
        "tu", "th", "without", "tomo", "couple", "few", "several", "twice", "thrice", "once", "noonish", "onwards",
        "onward", "ff", "mitte", "mediados", "meta", "kurz", "matins", "soirs", "sere", "mattine", "mananas", "tardes",
        "noches", "weihnachtstag", "dreiviertel", "viertel", "zweimal", "einmal", "dreimal", "tagig", "feriali",
        "sharp", "plus", "cob", "forever", "whole", "entire", "minus", "biannually", "semiannually", "sometime",
        "whenever", "asap", "count", "sessions", "immer", "jeweils", "toujours", "sempre", "siempre", "spatestens",
        "latest", "than",
    ]
    /// Words that qualify only the following time: `10:00 Late` is a title.
    static let leading: Set<String> = [
        "early", "late", "mid", "middle", "around", "about", "approx", "approximately", "roughly", "circa", "ca", "odd",
        "even", "alternate", "alternating", "business", "working", "couple", "few", "several", "mitte", "mediados",
        "meta", "kurz", "once", "twice",
    ]
    private static let dayLetters = ["Mo", "Tu", "We", "Thu", "Th", "Fr", "Sa", "Su"]
    /// Nouns for counted occurrences after the rest of a line.
    private static let turns: Set<String> = [
        "cycles", "doses", "lessons", "treatments", "sessions", "appointments", "installments", "instalments", "rounds",
        "occurrences", "repetitions", "termine", "sitzungen", "stunden", "seances", "cours", "sesiones", "clases",
        "lezioni", "sedute",
    ]
}
