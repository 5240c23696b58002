/// The reading of a phrase, piece by piece, to explain its meaning to the user.
public struct PhraseExplanation: Hashable, Sendable {
    /// Words of the phrase, with their part in it.
    public struct Row: Hashable, Sendable {
        /// The words, unchanged.
        public var text: String
        /// The kind of piece: `day`, `time`, `length`, `repetition` …; `words` if they are not about time.
        public var kind: String
        /// The meaning in words; empty if they are not about time.
        public var meaning: String
    }

    /// The pieces, in the order of the phrase.
    public var rows: [Row]
    /// The times from all pieces.
    public var when: PhraseParts
    /// The words left for the title.
    public var title: String
}

extension DatePhraseParser {
    /// Explains the reading of an event line.
    /// - Throws: ``HelixError`` of code `usage`, as ``event(_:readsPlaces:)`` does.
    public func explanation(of line: String) throws -> PhraseExplanation {
        let phrase = try event(line, readsPlaces: false)
        if let miss = phrase.nearMiss { throw miss.error }
        let grammar = PhraseGrammar(line, parser: self, isLine: true)
        var rows: [PhraseExplanation.Row] = []
        var next = 0
        func words(_ range: Range<Int>) -> String { range.isEmpty ? "" : String(line[grammar.place(range)]) }
        for span in PhraseReader(grammar: grammar).readings().first?.spans ?? [] {
            if span.start > next { rows.append(.init(text: words(next..<span.start), kind: "words", meaning: "")) }
            var meaning = description(of: span.piece.parts)
            if let limit = limit(span.piece.parts) { meaning = limit }
            rows.append(
                .init(text: words(span.start..<span.piece.end), kind: "\(span.piece.kind)", meaning: meaning))
            next = span.piece.end
        }
        let count = grammar.tokens.count
        if next < count { rows.append(.init(text: words(next..<count), kind: "words", meaning: "")) }
        return PhraseExplanation(rows: rows, when: phrase.when, title: phrase.title)
    }

    /// Explains the reading of a value that must be only about time.
    /// - Throws: ``HelixError`` of code `usage`.
    public func explanation(ofValue text: String) throws -> PhraseExplanation {
        let parts = try parts(text)
        return PhraseExplanation(
            rows: [.init(text: text, kind: "value", meaning: description(of: parts))], when: parts, title: "")
    }

    /// Describes the limit of a repetition.
    private func limit(_ parts: PhraseParts) -> String? {
        if let until = parts.until { return "until \(DateWords.text(until))" }
        if let count = parts.count { return "\(count) times" }
        if !parts.exceptions.isEmpty {
            return "except " + parts.exceptions.map { DateWords.text($0) }.joined(separator: ", ")
        }
        if !parts.freeDays.isEmpty { return "except " + parts.freeDays.map(DateWords.name).joined(separator: ", ") }
        if let span = parts.span { return "for \(span.number) \(span.unit)\(span.number == 1 ? "" : "s")" }
        return nil
    }
}
