import Foundation

/// The table of docs/gateway.md with the calls of the family's clients. The tests that make these calls prove it.
public enum ClientTable {
    /// The methods with a word in the column of a client.
    /// - Throws: an error if the page cannot be read.
    public static func methods(of client: String, _ word: String) throws -> Set<String> {
        let page = Corpora.packageDirectory.appendingPathComponent("docs/gateway.md")
        let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
        guard let start = lines.firstIndex(where: { $0.hasPrefix("| call |") }) else { return [] }
        let rows = lines[start...].prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        guard let column = rows[0].firstIndex(of: client) else { return [] }
        return Set(
            rows.dropFirst(2).filter { $0.count > column && $0[column] == word }
                .map { $0[0].trimmingCharacters(in: CharacterSet(charactersIn: "`")) })
    }
}
