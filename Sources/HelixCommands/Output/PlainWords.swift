import HelixModel

extension HelixError {
    /// The error for a title both in the words and in an option.
    static func twoTitles(_ words: String, _ given: String) -> HelixError {
        HelixError(
            .usage, "two titles: '\(words)' in the line, and '\(given)' apart from it",
            hint: "Set the title only once: in the line, with --title, or after --.")
    }
}

/// The words of an argument that accepts unknown options as words, such as `-draft` in a query.
extension [String] {
    /// The words without the first `--`, which ends the options.
    /// - Parameter command: the command, for the hint.
    /// - Throws: ``HelixError`` of code `usage` for a long option before it, which is mistyped.
    func plainWords(of command: String) throws -> [String] {
        let end = firstIndex(of: "--") ?? endIndex
        if let unknown = self[..<end].first(where: { $0.hasPrefix("--") }) {
            let type = HelixProgram.leafType(command.split(separator: " ").map(String.init))?.type ?? Helix.self
            let error = DeclaredOption.unknown(unknown, of: type, command: command)
            throw HelixError(
                error.code, error.message, hint: "\(error.hint ?? "") Put words that begin with '--' after '--'.")
        }
        return Array(self[..<end]) + Array(self[end...].dropFirst())
    }

    /// The words of a line, and those of a title after the first `--`.
    ///
    /// - Parameters:
    ///   - command: the command, for the hint.
    ///   - takesShort: whether a word like `-x` before it has a meaning, as the removal of a tag has.
    /// - Throws: ``HelixError`` of code `usage` for an option before it, which is mistyped.
    func lineAndTitle(of command: String, takesShort: Bool) throws -> (line: [String], title: [String]) {
        let end = firstIndex(of: "--") ?? endIndex
        let isShort: (String) -> Bool = { word in
            word.first == "-" && word.dropFirst().first?.isLetter == true && !word.contains(where: \.isWhitespace)
        }
        if !takesShort, let unknown = self[..<end].first(where: isShort) {
            throw HelixError(
                .usage, "unknown option '\(unknown)'",
                hint: "'helix \(command) --help' lists them. Put words of the title that begin with '-' after '--'.")
        }
        return (try Array(self[..<end]).plainWords(of: command), Array(self[end...].dropFirst()))
    }
}
