/// Date words beside others of their kind that the reading has not used with them.
extension PhraseStrays {
    /// Weekdays in a list of which only one was read: `Training Mo, Mi 18 Uhr`, `lun + mer`, `class M/W/F 6pm`.
    func listedDays(_ used: Set<Int>) -> [Range<Int>] {
        func names(_ index: Int) -> Bool {
            grammar.tokens.indices.contains(index)
                && grammar.meanings(index).contains { $0.namesWeekday != nil }
        }
        func isJoint(_ index: Int) -> Bool {
            grammar.tokens.indices.contains(index)
                && ([",", "+", "/", "&"].contains(grammar.tokens[index].text) || grammar.has(.and, index))
        }
        var found = grammar.tokens.indices.filter { index in
            guard !used.contains(index), names(index), grammar.tokens[index].text.count > 1 else { return false }
            let next = isJoint(index + 1) ? index + 2 : index + 1
            let last = isJoint(index - 1) ? index - 2 : index - 1
            let isBeside = used.contains(next) && names(next) || used.contains(last) && names(last)
            // `do` and `so` in lower case are other words.
            return isBeside
                && (isJoint(index + 1) || isJoint(index - 1)
                    || grammar.isTwoLetterDay(index) && grammar.isCapital(index))
        }.map { $0..<$0 + 1 }
        if reading.parts.repetition == nil {
            // `M/W/F`, `T/Th`
            found += grammar.tokens.indices.filter { index in
                guard !used.contains(index), PhraseStrays.letters.contains(grammar.tokens[index].text) else {
                    return false
                }
                return grammar.sign("/", index + 1) && grammar.isJoined(index + 2)
                    && grammar.tokens.indices.contains(index + 2)
                    && PhraseStrays.letters.contains(grammar.tokens[index + 2].text)
            }.map { $0..<$0 + 3 }
        }
        return found
    }

    private static let letters: Set<String> = ["m", "t", "w", "th", "f", "tu", "mo", "we", "fr"]

    /// Unknown words and phrases about time, wherever they are.
    func unknownWords(_ used: Set<Int>) -> [Range<Int>] {
        let tokens = grammar.tokens
        let hasOthers = grammar.parser.vocabulary.hasOthers
        return tokens.indices.compactMap { index in
            guard tokens[index].kind == .word else { return nil }
            if !used.contains(index), hasOthers, PhraseStrays.unknown.contains(tokens[index].text) {
                return index..<index + 1
            }
            // `quarter of five`, `8h moins 10`
            if grammar.has(.quarter, index), !used.contains(index), tokens.indices.contains(index + 2),
                tokens[index + 1].text == "of", grammar.count(index + 2) != nil
            {
                return index..<index + 3
            }
            if grammar.has(.minus, index), !used.contains(index), used.contains(index - 1) { return index..<index + 1 }
            guard hasOthers else { return nil }
            for words in PhraseStrays.sequences where index + words.count <= tokens.count {
                let texts = tokens[index..<index + words.count].map(\.text)
                if zip(texts, words).allSatisfy({ $0 == $1 }) { return index..<index + words.count }
            }
            return nil
        }
    }

    private static let unknown: Set<String> = [
        "domattina", "posdomani", "mattinata", "serata", "giornalmente", "quotidianamente", "quindicinale",
        "quindicinali", "settimanalmente", "mensilmente", "annualmente", "alterni", "alterne", "dispari",
        "alternos", "alternas", "quincenalmente", "quincenal", "semanalmente", "mensualmente", "anualmente",
        "semanales", "mensuales", "impaires", "paires", "midis", "quotidiennement", "mensuellement",
        "hebdomadairement", "quartalsweise", "halbjahrlich", "adventssonntag", "adventssonntagen", "feiertags",
        "monatliche", "monatliches", "wochentliche", "wochentliches", "wochentlicher",
    ]
    /// Idioms: in a week, every other one, N times per unit.
    private static let sequences = [
        ["en", "huit"], ["en", "quinze"], ["en", "ocho"], ["en", "quince"], ["a", "otto"], ["a", "quindici"],
        ["sur", "2"], ["sur", "deux"], ["su", "due"], ["su", "2"], ["si", "y", "otro"], ["si", "y", "otra"],
        ["si", "e", "uno"], ["si", "e", "una"], ["um", "den", "anderen"], ["par", "semaine"], ["par", "jour"],
        ["par", "mois"], ["por", "semana"], ["al", "giorno"], ["a", "settimana"], ["alla", "settimana"],
        ["pro", "woche"], ["pro", "tag"], ["pro", "monat"], ["kurz", "nach"], ["kurz", "vor"],
    ]

    /// A second hour after the first: `a las 8 y a las 20`.
    func secondHours(_ used: Set<Int>) -> [Range<Int>] {
        grammar.tokens.indices.filter { index in
            guard grammar.has(.and, index), !used.contains(index), used.contains(index - 1) else { return false }
            let place = grammar.skip([.at, .the], index + 1)
            guard place > index + 1, let hour = grammar.count(place), (0...24).contains(hour) else { return false }
            let isAt = (index + 1..<place).contains { grammar.has(.at, $0) }
            return !used.contains(place) && (isAt || !grammar.isPlainWord(place + 1))
        }.map { $0..<$0 + 1 }
    }

    /// Minutes apart from the time, which may be people: `call for 45 tomorrow 10:00`, `dinner for 30 saturday 7pm`.
    func minutesOrPeople(_ used: Set<Int>) -> [Range<Int>] {
        guard reading.parts.time != nil, reading.parts.duration == nil, reading.parts.endTime == nil else { return [] }
        return grammar.tokens.indices.filter { index in
            guard grammar.has(.for, index), !used.contains(index), !used.contains(index + 1),
                let minutes = grammar.number(index + 1, digits: 2...3), minutes >= 15, minutes % 5 == 0
            else { return false }
            return !grammar.isPlainWord(index + 2) && !grammar.isJoined(index + 2)
                || used.contains(index - 1)
                    && !grammar.isQuantity(index + 1, index + 2)
        }.map { $0..<$0 + 2 }
    }

    /// An hour after an unknown word, in a line that has a day and no time: `domingo sobre las 11`, `entro le 14`.
    func lostHours(_ used: Set<Int>) -> [Range<Int>] {
        guard hasNoTime, reading.parts.date != nil || reading.parts.repetition != nil else { return [] }
        return grammar.tokens.indices.filter { index in
            guard index > 0, !used.contains(index), let hour = grammar.number(index, digits: 1...2),
                (1...24).contains(hour), PhraseStrays.articles.contains(grammar.tokens[index - 1].text)
            else { return false }
            return !grammar.isPlainWord(index + 1) || grammar.tokens[index - 1].text == "h"
        }.map { $0 - 1..<$0 + 1 }
    }

    private static let articles: Set<String> = [
        "las", "le", "les", "alle", "sulle", "dalle", "h", "nach", "vor", "gegen", "vers", "verso", "after", "before",
        "past", "towards", "um",
    ]

    /// A day of the month after its weekday that is not the next such day: `Wednesday 2 dentist 10am`.
    func datesOfWeekdays(_ used: Set<Int>) -> [Range<Int>] {
        guard reading.parts.time != nil, reading.parts.isWeekday, let date = reading.parts.date else { return [] }
        return reading.spans.compactMap { span in
            let index = span.piece.end
            guard span.piece.kind == .day, grammar.weekday(index - 1) != nil, !used.contains(index),
                let number = grammar.number(index, digits: 1...2), (1...31).contains(number), number != date.day,
                grammar.isPlainWord(index + 1), !grammar.isJoined(index + 1), !grammar.isQuantity(index, index + 1)
            else { return nil }
            let isSoon = (1...6).contains { week in (date + 7 * week).day == number }
            return isSoon || number > 12 ? index..<index + 1 : nil
        }
    }
}
