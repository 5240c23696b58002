/// A token of a phrase: a number, a word, a sign, or quoted words.
struct PhraseToken: Sendable {
    /// The character class of a token.
    enum Kind: Sendable {
        case number
        case word
        case sign
        case quoted
    }

    var kind: Kind
    /// The text in lower case without accents, as in the language tables.
    var text: String
    /// The place in the line.
    var range: Range<String.Index>
    /// The value of a number of up to nine digits; -1 otherwise.
    var value = -1
    /// The number of digits or letters.
    var length: Int
    /// Whether no blank precedes it.
    var isJoined: Bool
    /// The meanings in the active languages.
    var meanings: [DateWord] = []
}

/// Splits a line into tokens: `fri 9:30-10am` is `fri`, `9`, `:`, `30`, `-`, `10`, `am`.
struct PhraseLexer {
    let line: String

    /// The tokens of the line, with their meanings.
    func tokens(_ vocabulary: DateVocabulary) -> [PhraseToken] {
        var tokens: [PhraseToken] = []
        var index = line.startIndex
        var isJoined = false
        while index < line.endIndex {
            let character = line[index]
            if character.isWhitespace {
                index = line.index(after: index)
                isJoined = false
                continue
            }
            var token = next(at: index, isJoined: isJoined)
            if token.kind == .word || token.kind == .sign { token.meanings = vocabulary.meanings(of: token.text) }
            // `Grupo A mañana`: a letter.
            if token.text == "a", !tokens.isEmpty, line[token.range].first == "A" { token.meanings = [] }
            // Eve is a name; the second word of a holiday has its meaning through both.
            if token.text == "eve", line[token.range].first == "E" { token.meanings = [] }
            if token.kind == .word, token.meanings.isEmpty, vocabulary.hasOthers {
                // `l'ultimo`
                if token.text.hasPrefix("l'") || token.text.hasPrefix("l’") {
                    token.meanings = vocabulary.meanings(of: String(token.text.dropFirst(2)))
                } else if let both = compound(token, vocabulary) {
                    tokens.append(both.0)
                    token = both.1
                }
            }
            tokens.append(token)
            index = token.range.upperBound
            isJoined = true
        }
        return vocabulary.hasPhrases ? joiningPhrases(tokens, vocabulary) : tokens
    }

    /// The two words of a compound: `Dienstagabend`.
    private func compound(_ token: PhraseToken, _ vocabulary: DateVocabulary) -> (PhraseToken, PhraseToken)? {
        let characters = line[token.range]
        guard token.length >= 9, characters.count == token.text.count else { return nil }
        for length in 6..<(token.length - 2) {
            let day = vocabulary.meanings(of: String(token.text.prefix(length)))
            let part = vocabulary.meanings(of: String(token.text.dropFirst(length)))
            guard day.contains(where: { if case .weekday = $0 { true } else { false } }),
                part.contains(where: { if case .part = $0 { true } else { false } })
            else { continue }
            let middle = line.index(token.range.lowerBound, offsetBy: length)
            var (first, second) = (token, token)
            (first.text, first.range, first.length) = (
                String(token.text.prefix(length)), token.range.lowerBound..<middle, length
            )
            (second.text, second.range) = (String(token.text.dropFirst(length)), middle..<token.range.upperBound)
            (second.length, second.isJoined) = (token.length - length, false)
            (first.meanings, second.meanings) = (day, part.filter { if case .part = $0 { true } else { false } })
            return (first, second)
        }
        return nil
    }

    private func next(at start: String.Index, isJoined: Bool) -> PhraseToken {
        let first = line[start]
        var end = line.index(after: start)
        // `project:"big house"` as well.
        let mayQuote = !isJoined || start > line.startIndex && ":=@".contains(line[line.index(before: start)])
        if mayQuote, let close = PhraseLexer.quotes[first], let last = line[end...].firstIndex(of: close), last > end {
            return PhraseToken(
                kind: .quoted, text: String(line[end..<last]), range: start..<line.index(after: last), length: 0,
                isJoined: isJoined)
        }
        if first.isDigit {
            while end < line.endIndex, line[end].isDigit { end = line.index(after: end) }
            let digits = line[start..<end]
            return PhraseToken(
                kind: .number, text: String(digits), range: start..<end,
                value: digits.utf8.count <= 9 ? Int(digits) ?? -1 : -1, length: digits.utf8.count, isJoined: isJoined)
        }
        if first.isLetter {
            while end < line.endIndex, line[end].isLetter || PhraseLexer.isApostrophe(line, end) {
                end = line.index(after: end)
            }
            let text = DateVocabulary.folded(line[start..<end])
            return PhraseToken(
                kind: .word, text: text, range: start..<end, length: text.utf8.count, isJoined: isJoined)
        }
        var text = PhraseLexer.dashes.contains(first) ? "-" : String(first)
        if first == "." {
            while end < line.endIndex, line[end] == "." { end = line.index(after: end) }
            if line.index(after: start) < end { text = ".." }
        } else if first == "…" {
            text = ".."
        }
        return PhraseToken(kind: .sign, text: text, range: start..<end, length: 1, isJoined: isJoined)
    }

    /// Marks around a shell argument that stays together; from the private use area, so that no line contains them.
    static let open: Character = "\u{E000}"
    static let close: Character = "\u{E001}"
    private static let quotes: [Character: Character] = [
        "\"": "\"", "“": "”", "«": "»", "„": "“", open: close,
    ]
    private static let dashes: Set<Character> = ["-", "–", "—", "−", "‑"]

    /// `o'clock` and `aujourd'hui` are words.
    private static func isApostrophe(_ line: String, _ index: String.Index) -> Bool {
        guard line[index] == "'" || line[index] == "’" else { return false }
        let next = line.index(after: index)
        return next < line.endIndex && line[next].isLetter
    }

    /// Joins words that have a meaning together into one token: `day after tomorrow`.
    private func joiningPhrases(_ tokens: [PhraseToken], _ vocabulary: DateVocabulary) -> [PhraseToken] {
        var result: [PhraseToken] = []
        result.reserveCapacity(tokens.count)
        var index = 0
        while index < tokens.count {
            // `1. Advent` begins with a number.
            if tokens[index].kind == .word || tokens[index].kind == .number,
                let match = vocabulary.phrase(in: tokens[index...])
            {
                var token = tokens[index]
                token.kind = .word
                token.range = token.range.lowerBound..<tokens[index + match.count - 1].range.upperBound
                token.meanings = match.meanings
                result.append(token)
                index += match.count
            } else {
                result.append(tokens[index])
                index += 1
            }
        }
        return result
    }
}

extension Character {
    /// Whether the character is one of `0` to `9`.
    var isDigit: Bool { self >= "0" && self <= "9" && utf8.count == 1 }
}
