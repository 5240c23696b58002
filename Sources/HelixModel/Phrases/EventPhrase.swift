/// An event as one line says it: `Lunch with Ana tomorrow 12:30 for 45m at Cafe Roma`.
public struct EventPhrase: Hashable, Sendable {
    /// The words that are left after time and place.
    public var title: String
    /// The place, after `at` or `@`.
    public var location: String?
    /// The times, as far as said.
    public var when: PhraseParts
    /// Whether the title is of something that takes place in the evening, so that `at 7` is hardly 7:00.
    fileprivate var saysEvening: Bool {
        EventPhrase.words(of: title).contains { EventPhrase.evening.contains($0) }
    }

    /// Whether the title names the night, in which nothing takes place from four in the morning to noon.
    fileprivate var saysNight: Bool {
        EventPhrase.words(of: title).contains { EventPhrase.night.contains($0) }
    }

    private static func words(of title: String) -> [Substring] {
        DateVocabulary.folded(title[...]).split { !$0.isLetter && $0 != "'" }
    }

    private static let night: Set<Substring> = ["night", "nacht", "noche", "notte"]
    private static let evening: Set<Substring> = [
        "dinner", "supper", "drinks", "party", "concert", "cinema", "movie", "movies", "theatre", "theater", "opera",
        "gig", "film", "films", "quiz", "choir", "rehearsal", "ballet", "disco", "karaoke", "pub", "band",
        "parents", "parents'", "nightclub", "evening", "night", "abend", "nacht", "soir", "noche", "notte", "sera",
        "abendessen", "konzert", "kino", "diner", "soiree", "concierto", "cena",
        "cine", "concerto",
    ]

    /// Signs that stand between title and time.
    fileprivate static let dividers: Set<String> = ["-", "–", "—", "/", "|", "→", "·", "•", "->", "=>"]
    /// Words behind a place that belong to the title: `at Luigi's with Tom`.
    fileprivate static let endsOfPlaces: Set<String> = ["with", "before", "after", "without"]
    /// Words that make a name with the place behind them: `Night at the opera`.
    fileprivate static let namesWithPlace: Set<String> = ["look", "night", "day", "evening", "morning", "afternoon"]

    /// A word that is nearly one of time, such as `firday`, and that word.
    public var nearMiss: NearMiss?

    /// An event of that title, without a time.
    public init(title: String, location: String? = nil, when: PhraseParts = PhraseParts()) {
        (self.title, self.location, self.when) = (title, location, when)
    }

    /// A word with a slip in it.
    public struct NearMiss: Hashable, Sendable {
        /// The word as it was typed.
        public var typed: String
        /// The word that it is nearly.
        public var meant: String

        /// The error that asks for one of the two.
        public var error: HelixError {
            HelixError(
                .usage, "'\(typed)' is nearly '\(meant)'",
                hint: "Write \(meant), or put it in double quotes if it belongs to the title.")
        }
    }
}

extension DatePhraseParser {
    /// The event that `sentence` says. Words that are not about time or place are the title, in their order.
    ///
    /// - Throws: ``HelixError`` of code `usage` if a word that looks like time has no part in the reading, or if there
    ///   are two readings.
    ///
    /// - Parameter readsPlaces: whether words behind `at` or `@` are the place; otherwise they belong to the title.
    public func event(_ sentence: String, readsPlaces: Bool = true) throws -> EventPhrase {
        let grammar = PhraseGrammar(sentence, parser: self, isLine: true)
        let problem = PhraseProblem(line: sentence, parser: self)
        guard grammar.tokens.count <= PhraseReader.mostTokens else {
            throw HelixError(
                .usage, "the line has over \(PhraseReader.mostTokens) words", hint: "Put the text into notes.")
        }
        let readings = PhraseReader(grammar: grammar).readings()
        guard let best = readings.first else {
            return EventPhrase(title: sentence.trimmingBlanks(), when: PhraseParts())
        }
        try refuseForeignWords(best, grammar)
        if let open = grammar.unclosedQuote {
            throw problem.unclosed(grammar.place(open..<open + 1))
        }
        if let leftover = best.leftovers.min(by: { $0.lowerBound < $1.lowerBound }) {
            let isDay = grammar.pieces(at: leftover.lowerBound).contains { $0.kind == .day }
            let used =
                !isDay ? nil : best.spans.first { $0.piece.kind == .day && !leftover.overlaps($0.start..<$0.piece.end) }
            let error = problem.leftover(
                grammar.place(leftover), understood: best.parts, isLine: true,
                other: used.map { grammar.place($0.start..<$0.piece.end) })
            guard let days = grammar.severalWeekdays, best.parts.repetition == nil,
                !grammar.has(.to, leftover.lowerBound)
            else { throw error }
            throw HelixError(error.code, error.message, hint: "To repeat it: '\(days)'. " + (error.hint ?? ""))
        }
        var when = PhraseParts()
        if !best.spans.isEmpty {
            when = try settled(best, among: readings.filter(\.leftovers.isEmpty), problem)
        }
        if let time = when.time, when.zone == nil, let city = grammar.cityBehind(best, on: when.date ?? today) {
            throw problem.doubt(.placeOrZone(city, time))
        }
        var phrase = EventPhrase(title: "", when: when)
        write(&phrase, best, grammar, readsPlaces)
        let isMorning = best.parts.isBare || phrase.saysNight ? 4 * 3600..<12 * 3600 : 4 * 3600..<9 * 3600
        if direction == .ahead, let time = when.time, best.parts.isOpen, best.parts.part == nil,
            when.endTime == nil || best.parts.isEndOpen, isMorning.contains(time), phrase.saysEvening
        {
            throw problem.doubt(.halfOfDay(time))
        }
        return phrase
    }

    /// Refuses words of time in languages that are switched off.
    private func refuseForeignWords(_ reading: PhraseReading, _ grammar: PhraseGrammar) throws {
        let used = reading.usedTokens
        let places = grammar.tokens.indices.filter { !used.contains($0) && grammar.tokens[$0].kind == .word }
        guard !places.isEmpty else { return }
        let words = ForeignDateWords(without: vocabulary.languages, among: Set(grammar.tokens.map { $0.text[...] }))
        guard let (index, code) = words.first(grammar, at: places) else { return }
        throw words.error(grammar, index, code)
    }

    /// The event that arguments of the shell say.
    ///
    /// One argument of several words stays together if its words of time contradict the rest: `"Friday retro" mon 9:00`.
    /// - Throws: ``HelixError`` of code `usage`.
    public func event(arguments: [String], readsPlaces: Bool = true) throws -> EventPhrase {
        let arguments = arguments.map { ArgumentQuoting.quoted($0, isField: Self.fields.contains) }
        do { return try event(arguments.joined(separator: " "), readsPlaces: readsPlaces) } catch {
            let isWhole = arguments.map { argument in
                argument.contains(where: \.isWhitespace) && (try? parts(argument)) == nil
            }
            guard arguments.count > 1, isWhole.contains(true), isWhole.contains(false) else { throw error }
            let quoted = zip(arguments, isWhole).map { argument, isWhole in
                isWhole ? "\(PhraseLexer.open)\(argument)\(PhraseLexer.close)" : argument
            }
            guard let phrase = try? event(quoted.joined(separator: " "), readsPlaces: readsPlaces),
                !phrase.when.saysNoTime
            else { throw error }
            return phrase
        }
    }

    /// Fields that lines of time entries have beside their title.
    private static let fields: Set<String> = ["project", "proj", "pro", "note", "notes", "tag", "tags", "title"]

    /// Writes the words that no piece has used into title and place.
    private func write(
        _ phrase: inout EventPhrase, _ reading: PhraseReading, _ grammar: PhraseGrammar, _ readsPlaces: Bool
    ) {
        let used = reading.usedTokens
        let days = Set(reading.spans.filter { $0.piece.parts.date != nil }.map(\.start))
        var title: [String] = []
        var location: [String] = []
        var isInLocation = false
        var isBehindUse = false
        var index = 0
        while index < grammar.tokens.count {
            let end = grammar.wordAfter(index)
            defer { index = end }
            if used.contains(index) {
                if !location.isEmpty { isInLocation = false }
                isBehindUse = true
                continue
            }
            defer { isBehindUse = false }
            let word = text(index..<end, grammar)
            // `Dentist - tomorrow at 10 - bring x-rays`: a sign that divided the title from the time.
            if EventPhrase.dividers.contains(word), used.contains(end) || isBehindUse && title.isEmpty { continue }
            // `Finish slides for monday`
            if grammar.has(.for, index), end == index + 1, days.contains(end) { continue }
            // `at Luigi's with Tom`
            if isInLocation, !location.isEmpty, EventPhrase.endsOfPlaces.contains(grammar.tokens[index].text) {
                isInLocation = false
            }
            let isMarker =
                readsPlaces && end == index + 1
                && (grammar.has(.at, index) && ["at", "@"].contains(grammar.tokens[index].text))
            let isName = title.count == 1 && EventPhrase.namesWithPlace.contains(title[0].lowercased())
            if isMarker, location.isEmpty, end < grammar.tokens.count, !used.contains(end), !isName {
                isInLocation = true
            } else if readsPlaces, grammar.sign("@", index), end > index + 1, location.isEmpty,
                !grammar.tokens[(index + 1)..<end].contains(where: { $0.text == "@" })
            {
                isInLocation = true
                let isQuoted = end == index + 2 && grammar.tokens[index + 1].kind == .quoted
                location.append(isQuoted ? grammar.tokens[index + 1].text : text(index + 1..<end, grammar))
            } else if isInLocation {
                location.append(word)
            } else {
                title.append(word)
                if phrase.nearMiss == nil, grammar.tokens[index].kind == .word, end == index + 1 {
                    phrase.nearMiss = vocabulary.nearMiss(grammar.tokens[index].text).map {
                        EventPhrase.NearMiss(typed: word, meant: $0)
                    }
                }
            }
        }
        phrase.title = DatePhraseParser.trimmed(title.joined(separator: " "))
        phrase.location = location.isEmpty ? nil : DatePhraseParser.trimmed(location.joined(separator: " "))
    }

    /// Without the commas and dashes that divided the title from the time.
    private static func trimmed(_ title: String) -> String {
        var text = title[...]
        while let last = text.last, ",;:-–—".contains(last) || last == " " { text.removeLast() }
        while let first = text.first, ",;:–—".contains(first) || first == " " { text.removeFirst() }
        return String(text)
    }

    /// The words as they stand; quotes around words that may be time are left out, others stay.
    private func text(_ range: Range<Int>, _ grammar: PhraseGrammar) -> String {
        guard grammar.tokens[range.lowerBound].kind == .quoted else {
            return String(grammar.line[grammar.place(range)])
        }
        let inside = grammar.tokens[range.lowerBound].text
        if grammar.line[grammar.tokens[range.lowerBound].range.lowerBound] == PhraseLexer.open { return inside }
        let rest = grammar.line[grammar.tokens[range.lowerBound].range.upperBound..<grammar.place(range).upperBound]
        let inner = PhraseGrammar(inside, parser: self, isLine: true)
        let isNeeded =
            inner.tokens.allSatisfy { $0.kind == .number || $0.kind == .sign || !$0.meanings.isEmpty }
            || inner.tokens.indices.contains { place in
                inner.tokens[place].kind == .number || inner.mayBeTime(place) || inner.has(.at, place)
                    || inner.tokens[place].meanings.contains { $0.namesWeekday != nil }
                    || !inner.isJoined(place) && inner.pieces(at: place).contains { !$0.isWeak || $0.kind == .part }
            }
        return isNeeded ? inside + rest : String(grammar.line[grammar.place(range)])
    }
}
