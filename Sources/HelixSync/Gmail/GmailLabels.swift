import HelixMail
import HelixNetwork

/// Converts Gmail's labels to local labels, which are one word each: `Muy Importante` is `Muy_Importante`.
struct GmailLabels {
    /// Gmail's labels by their local words.
    private var known: [String: String] = [:]

    /// Labels that Gmail sets itself and shows to users.
    private static let system = ["\\important": "important", "\\muted": "muted"]

    /// Adds the name of one of Gmail's labels.
    mutating func add(_ name: String) {
        let word = Self.word(name)
        // If two labels have one local word, the label equal to that word is used.
        if known[word] == nil || name == word { known[word] = name }
    }

    private static func word(_ name: String) -> String {
        String(name.map { $0.isWhitespace || $0.unicodeScalars.allSatisfy { $0.value < 32 } ? "_" : $0 })
    }

    /// The local label for a name in Gmail's encoding (modified UTF-7, like mailbox names); nil for mailboxes and flags.
    func local(_ written: String) -> String? {
        if written.hasPrefix("\\") { return Self.system[written.lowercased()] }
        return Self.word(ModifiedUTF7.decoded(written))
    }

    /// A label in the syntax of a command.
    func command(_ word: String) -> String {
        if let own = Self.system.first(where: { $0.value == word.lowercased() }) {
            return "\\" + own.key.dropFirst().prefix(1).uppercased() + own.key.dropFirst(2)
        }
        let name = known[word] ?? known.first { $0.key.lowercased() == word.lowercased() }?.value ?? word
        return String(decoding: IMAPCommand.quoted(Array(ModifiedUTF7.encoded(name).utf8)), as: UTF8.self)
    }
}
