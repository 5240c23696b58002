/// The words of a line that answers a question of a key, as a shell would pass them.
///
/// Quotes and apostrophes in the text are characters of the text, as in `Luigi's`; the commands themselves know what double
/// quotes mean. From the first option on, the line is read as a shell reads it: `Dinner fri --note "at Ana's"`.
enum PromptWords {
    static func split(_ line: String) -> [String] {
        let words = line.split { $0 == " " || $0 == "\t" }
        guard let option = words.firstIndex(where: isOption) else { return words.map(String.init) }
        let text = words[..<option].map(String.init)
        let rest = line[words[option].startIndex...]
        let options = ShellWords.parse(String(rest))
        return text + (options.isClosed ? options.words : words[option...].map(String.init))
    }

    private static func isOption(_ word: Substring) -> Bool {
        let name = word.drop { $0 == "-" }
        let dashes = word.count - name.count
        return (1...2).contains(dashes) && (name.first?.isLetter ?? false) && name.first?.isASCII == true
    }
}
