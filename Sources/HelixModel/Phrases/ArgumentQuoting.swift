/// Restores the quotes that the shell removed: `project:"big house"` arrives as `project:big house`.
public enum ArgumentQuoting {
    /// Joins the arguments into one line, in which a value of several words keeps its blanks.
    ///
    /// An argument with more than one field is a line of its own: `project:house due<fri`.
    /// - Parameter isField: whether a name is that of a field; by default every word before a sign.
    /// - Parameter isWhole: whether a value of several words may be one value of a field; by default a time that can be parsed.
    public static func line(
        _ arguments: [String], isField: (String) -> Bool = { _ in true },
        isWhole: (_ name: String, _ value: String) -> Bool = { _, _ in true }
    ) -> String {
        arguments.map { quoted($0, isField: isField, isWhole: isWhole) }.joined(separator: " ")
    }

    /// Returns one argument, with quotes around its value if that has blanks.
    static func quoted(
        _ argument: String, isField: (String) -> Bool, isWhole: (String, String) -> Bool = { _, _ in true }
    ) -> String {
        guard argument.contains(where: \.isWhitespace), !argument.contains("\""), let sign = sign(in: argument) else {
            return argument
        }
        let name = argument[..<sign].drop { $0 == "-" || $0 == "!" }
        var value = argument.index(after: sign)
        while value < argument.endIndex, signs.contains(argument[value]) { value = argument.index(after: value) }
        guard isField(name.lowercased()), value < argument.endIndex, !argument[value].isWhitespace,
            !argument[value...].split(whereSeparator: \.isWhitespace).dropFirst().contains(where: isPartOfLine)
        else { return argument }
        let plain = name.prefix { $0.isLetter || $0 == "_" || $0 == "-" }.lowercased()
        guard isWhole(plain, String(argument[value...])) else { return argument }
        return argument[..<value] + "\"" + argument[value...] + "\""
    }

    private static let signs: Set<Character> = [":", "=", "<", ">"]

    /// The sign after a name at the beginning.
    private static func sign(in word: some StringProtocol) -> String.Index? {
        guard let sign = word.firstIndex(where: { signs.contains($0) || $0 == "!" && $0 != word.first }),
            sign > word.startIndex, word[..<sign].contains(where: \.isLetter),
            word[..<sign].allSatisfy({ $0.isLetter || "._-!".contains($0) })
        else { return nil }
        return sign
    }

    /// Whether a word shows that the argument is a line: another field, a tag, a joining word.
    private static func isPartOfLine(_ word: Substring) -> Bool {
        if ["and", "or", "not"].contains(word.lowercased()) || word.hasPrefix("(") || word.hasSuffix(")") {
            return true
        }
        if let first = word.first, "+-@!".contains(first), word.dropFirst().first?.isLetter == true { return true }
        return sign(in: word) != nil
    }
}
