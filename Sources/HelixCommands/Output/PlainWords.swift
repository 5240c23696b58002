import HelixModel

extension HelixError {
    /// Both the words and an option say a title.
    static func twoTitles(_ words: String, _ given: String) -> HelixError {
        HelixError(
            .usage, "two titles: the line says '\(words)', and '\(given)' stands apart from it",
            hint: "Say the title in one place: in the line, with --title, or after --.")
    }
}

/// The words of an argument that takes unknown options for words, such as `-draft` in a query.
extension [String] {
    /// The words without the first `--`, after which nothing is an option.
    /// - Parameter command: the command, for the hint.
    /// - Throws: ``HelixError`` of code `usage` for a long option before it, which is a mistyped one.
    func plainWords(of command: String) throws -> [String] {
        let end = firstIndex(of: "--") ?? endIndex
        if let unknown = self[..<end].first(where: { $0.hasPrefix("--") }) {
            let type = HelixProgram.leafType(command.split(separator: " ").map(String.init))?.type ?? Helix.self
            let error = DeclaredOption.unknown(unknown, of: type, command: command)
            throw HelixError(
                error.code, error.message, hint: "\(error.hint ?? "") Words that begin so go after '--'.")
        }
        return Array(self[..<end]) + Array(self[end...].dropFirst())
    }

    /// The words of a line, and those of a title behind the first `--`.
    /// - Parameter command: the command, for the hint.
    /// - Throws: ``HelixError`` of code `usage` for a long option before it, which is a mistyped one.
    func lineAndTitle(of command: String) throws -> (line: [String], title: [String]) {
        let end = firstIndex(of: "--") ?? endIndex
        return (try Array(self[..<end]).plainWords(of: command), Array(self[end...].dropFirst()))
    }
}
