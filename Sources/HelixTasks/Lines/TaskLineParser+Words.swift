import HelixModel

// Splitting a line into words.
extension TaskLineParser {
    /// The error for an ambiguous recurrence; nil for all others.
    static func ambiguity(of text: String, _ dates: DatePhraseParser) -> HelixError? {
        do {
            _ = try TaskSeries.recurrence(text, first: dates.today, dates: dates)
            return nil
        } catch let error as HelixError {
            return error.message.contains("has two meanings") ? error : nil
        } catch {
            return nil
        }
    }

    struct Word {
        var text: String
        /// True if the word is quoted from its first character: it is plain text, whatever its form.
        var isQuoted: Bool
        var hasQuotes: Bool
        /// The characters after the closing quote of a word that is quoted from its first character: the comma of `"hi",`.
        var tail = 0

        /// A word that is quoted from its first character, with its quotes.
        var written: String { "\"\(text.dropLast(tail))\"\(text.suffix(tail))" }
    }

    /// True if a single quote is closed at the end of a word: in `note:'tis it` it is not.
    private static func closes(_ line: String, after index: String.Index) -> Bool {
        let rest = line[line.index(after: index)...]
        return rest.indices.contains { place in
            guard rest[place] == "'" else { return false }
            let next = rest.index(after: place)
            return next == rest.endIndex || rest[next].isWhitespace
        }
    }

    /// Splits a line at whitespace, except between double quotes that begin a word or follow a colon, and between single quotes
    /// that follow a colon.
    static func words(_ line: String) -> [Word] {
        var words: [Word] = []
        var text = ""
        var isQuoted = false
        var hasQuotes = false
        var isOpen: Character?
        var closed: Int?
        func end() {
            if !text.isEmpty || hasQuotes {
                let tail = isQuoted ? text.count - (closed ?? text.count) : 0
                words.append(Word(text: text, isQuoted: isQuoted, hasQuotes: hasQuotes, tail: tail))
            }
            (text, isQuoted, hasQuotes, closed) = ("", false, false, nil)
        }
        for (index, character) in zip(line.indices, line) {
            if character == isOpen {
                isOpen = nil
                if closed == nil { closed = text.count }
            } else if isOpen == nil, character == "'", text.last == ":", closes(line, after: index) {
                (hasQuotes, isOpen) = (true, character)
            } else if character == "\"", text.isEmpty || text.last == ":",
                line[line.index(after: index)...].contains("\"")
            {
                if text.isEmpty { isQuoted = true }
                (hasQuotes, isOpen) = (true, character)
            } else if character.isWhitespace, isOpen == nil {
                end()
            } else {
                text.append(character)
            }
        }
        end()
        return words
    }
}
