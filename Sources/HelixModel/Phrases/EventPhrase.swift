/// An event as one line says it: `Lunch with Ana tomorrow 12:30 for 45m at Cafe Roma`.
public struct EventPhrase: Hashable, Sendable {
    /// What is left after time and place.
    public var title: String
    /// Where, after `at` or `@`.
    public var location: String?
    /// When, as far as said.
    public var when: PhraseParts
}

extension DatePhraseParser {
    /// The stretch of time that a sentence says; nil if it says none.
    /// - Throws: ``HelixError`` of code `usage`.
    public func range(of phrase: EventPhrase) throws -> PhraseRange? {
        phrase.when.isEmpty ? nil : try range(phrase.when, phrase.title)
    }

    /// What `sentence` says. Words that are not about time or place are the title, in their order.
    ///
    /// Of two dates the later one in the sentence counts, and the other stays in the title: `Prepare Friday demo mon 9am`.
    public func event(_ sentence: String) -> EventPhrase {
        let matcher = PhraseMatcher(sentence, parser: self)
        var pieces: [(range: Range<Int>, parts: PhraseParts)] = []
        var index = 0
        while index < matcher.words.count {
            var parts = pieces.last.map(\.parts) ?? PhraseParts()
            let before = parts
            if let used = matcher.take(at: index, into: &parts, isSentence: true), parts != before || used > 1 {
                // Only what this place says is kept apart, so that an earlier date can go back into the title.
                pieces.append((index..<index + used, parts))
                index += used
            } else {
                index += 1
            }
        }
        // A first date that a later one replaces belongs to the title.
        var taken = Set(pieces.flatMap { Array($0.range) })
        var when = PhraseParts()
        var dates: [Range<Int>] = []
        for piece in pieces {
            var own = when
            _ = matcher.take(at: piece.range.lowerBound, into: &own, isSentence: true)
            if own.lastDate == nil, own.date != when.date || own.period?.first != when.period?.first {
                dates.append(piece.range)
            }
            when = own
        }
        for range in dates.dropLast() { taken.subtract(range) }
        var title: [String] = []
        var location: [String] = []
        var isInLocation = false
        for (index, word) in matcher.originals.enumerated() {
            if taken.contains(index) {
                if !location.isEmpty { isInLocation = false }
                continue
            }
            let startsPlace = matcher.words[index] == "at" || matcher.words[index] == "@"
            if startsPlace, location.isEmpty, index + 1 < matcher.words.count, !taken.contains(index + 1) {
                isInLocation = true
            } else if word.hasPrefix("@"), word.count > 1, location.isEmpty, !word.dropFirst().contains("@") {
                isInLocation = true
                location.append(String(word.dropFirst()))
            } else if isInLocation {
                location.append(word)
            } else {
                title.append(word)
            }
        }
        return EventPhrase(
            title: title.joined(separator: " "), location: location.isEmpty ? nil : location.joined(separator: " "),
            when: when)
    }
}
