/// An event in one line: `Lunch with Ana tomorrow 12:30 for 45m at Cafe Roma`.
public struct EventPhrase: Hashable, Sendable {
    /// The words left after removing time and place.
    public var title: String
    /// The place, after `at` or `@`.
    public var location: String?
    /// The times, as far as given.
    public var when: PhraseParts
    /// Whether the title suggests an evening event, so that `at 7` hardly means 7:00.
    fileprivate var saysEvening: Bool {
        EventPhrase.words(of: title).contains { EventPhrase.evening.contains($0) }
    }

    /// Whether the title names the night, which excludes times from four in the morning to noon.
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

    /// Signs that separate title and time.
    fileprivate static let dividers: Set<String> = ["-", "–", "—", "/", "|", "→", "·", "•", "->", "=>"]
    /// Words after a place that belong to the title: `at Luigi's with Tom`.
    fileprivate static let endsOfPlaces: Set<String> = ["with", "before", "after", "without"]
    /// Words that form a name with the following place: `Night at the opera`.
    fileprivate static let namesWithPlace: Set<String> = ["look", "night", "day", "evening", "morning", "afternoon"]

    /// A probable misspelling of a date word, such as `firday`.
    public var nearMiss: NearMiss?

    /// Creates an event with that title, without a time.
    public init(title: String, location: String? = nil, when: PhraseParts = PhraseParts()) {
        (self.title, self.location, self.when) = (title, location, when)
    }

    /// A probable misspelling of a date word.
    public struct NearMiss: Hashable, Sendable {
        /// The word as typed.
        public var typed: String
        /// The word that was probably meant.
        public var meant: String

        /// The error that asks the user to choose one of the two.
        public var error: HelixError {
            HelixError(
                .usage, "'\(typed)' may be a misspelling of '\(meant)'",
                hint: "Write \(meant), or put it in double quotes if it belongs to the title.")
        }
    }
}

extension DatePhraseParser {
    /// Parses an event. Words that are not about time or place form the title, in their order.
    ///
    /// - Throws: ``HelixError`` of code `usage` if a word that looks like time is not part of the reading, or if there
    ///   are two readings.
    ///
    /// - Parameter readsPlaces: whether words after `at` or `@` are the place; otherwise they belong to the title.
    public func event(_ sentence: String, readsPlaces: Bool = true) throws -> EventPhrase {
        let grammar = PhraseGrammar(sentence, parser: self, isLine: true)
        let problem = PhraseProblem(line: sentence, parser: self)
        guard grammar.tokens.count <= PhraseReader.mostTokens else {
            throw HelixError(
                .usage, "the line has over \(PhraseReader.mostTokens) words", hint: "Move the text to the notes.")
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

    /// Rejects date words of inactive languages.
    private func refuseForeignWords(_ reading: PhraseReading, _ grammar: PhraseGrammar) throws {
        let used = reading.usedTokens
        let places = grammar.tokens.indices.filter { !used.contains($0) && grammar.tokens[$0].kind == .word }
        guard !places.isEmpty else { return }
        let words = ForeignDateWords(without: vocabulary.languages, among: Set(grammar.tokens.map { $0.text[...] }))
        guard let (index, code) = words.first(grammar, at: places) else { return }
        throw words.error(grammar, index, code)
    }

    /// Parses an event from shell arguments.
    ///
    /// One argument of several words stays together if its date words contradict the rest: `"Friday retro" mon 9:00`.
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

    /// Fields that lines of time entries have besides their title.
    private static let fields: Set<String> = ["project", "proj", "pro", "note", "notes", "tag", "tags", "title"]

    /// Appends the words that no piece has used to title and place.
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
            // `Dentist - tomorrow at 10 - bring x-rays`: a sign that separated the title from the time.
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

    /// The title without the commas and dashes that separated it from the time.
    private static func trimmed(_ title: String) -> String {
        var text = title[...]
        while let last = text.last, ",;:-–—".contains(last) || last == " " { text.removeLast() }
        while let first = text.first, ",;:–—".contains(first) || first == " " { text.removeFirst() }
        return String(text)
    }

    /// The words unchanged; quotes around words that may be time are removed, others are kept.
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
