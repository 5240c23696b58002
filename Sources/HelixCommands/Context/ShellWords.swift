/// Splits a command line into words, as a shell does: quotes and backslashes keep blanks in a word.
enum ShellWords {
    /// The words of a line; an open quote ends at the end of the line.
    static func split(_ line: String) -> [String] { parse(line).words }

    /// The words of a line, and whether all quotes are closed.
    static func parse(_ line: String) -> (words: [String], isClosed: Bool) {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for (place, character) in zip(line.indices, line) {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'", word?.last?.isLetter == true, isLetter(after: place, in: line) {
                // An apostrophe: `Ana's`.
                word?.append(character)
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == " " || character == "\t" {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return (words, quote == nil)
    }

    private static func isLetter(after place: String.Index, in line: String) -> Bool {
        line[place...].dropFirst().first?.isLetter ?? false
    }

    /// A line that ``split(_:)`` reads as these words.
    static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    /// A word in quotes, if it needs any.
    static func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "_-+@.,:/=*%^".contains($0) }
        if isPlain, !word.isEmpty { return word }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
