/// The list of keywords that Dovecot keeps in a Maildir: `0 work`; the letter `a` in a file's flags stands for keyword 0.
public enum DovecotKeywords {
    /// The number of keywords that letters can stand for.
    public static let most = 26

    /// The keywords by their number.
    public static func read(_ text: String) -> [Int: String] {
        var names: [Int: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let number = Int(parts[0]), (0..<most).contains(number) else { continue }
            names[number] = String(parts[1])
        }
        return names
    }

    /// The list of keywords, the first one with the number 0.
    public static func text(_ names: [String]) -> String {
        names.enumerated().map { "\($0.offset) \($0.element)\n" }.joined()
    }
}
