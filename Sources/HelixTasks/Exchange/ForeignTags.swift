import HelixModel

/// The tags of a file of another program as those of helix, which are one word each.
public struct ForeignTags {
    /// The tags of several words, with the numbers of their uses.
    private var joined: [String: Int] = [:]

    /// Creates an empty collection.
    public init() {}

    /// A tag as one word: `two words` is `two-words`.
    public static func word(_ text: String) -> String {
        // Most tags have no whitespace, which a scan of the bytes shows.
        if text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) { return text }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: "-")
    }

    /// The tags of an item, each once, without empty ones.
    public mutating func words(_ texts: [String]) -> [String] {
        var words: [String] = []
        for text in texts {
            let word = Self.word(text)
            if word != text, word != text.trimmingBlanks() { joined[text, default: 0] += 1 }
            if !word.isEmpty, !words.contains(word) { words.append(word) }
        }
        return words
    }

    /// A remark for each tag that is written otherwise here.
    public var defects: [ForeignDefect] {
        joined.sorted { $0.key < $1.key }.map { text, count in
            let uses = count == 1 ? "" : ", \(count) times"
            return ForeignDefect(
                "tag '\(text)'", "tags are single words; imported as '\(Self.word(text))'\(uses)", isPartial: true)
        }
    }
}
