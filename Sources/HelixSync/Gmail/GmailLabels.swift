import HelixMail
import HelixNetwork

/// Labels of Gmail as labels here, which are one word each: `Muy Importante` is `Muy_Importante`.
struct GmailLabels {
    /// The labels that are there, by the words they are here.
    private var known: [String: String] = [:]

    /// Labels that Gmail sets itself and that people see.
    private static let system = ["\\important": "important", "\\muted": "muted"]

    /// Takes the name of a label that is there.
    mutating func add(_ name: String) {
        let word = Self.word(name)
        // Of two that are one word here, the one that is that word stands for both.
        if known[word] == nil || name == word { known[word] = name }
    }

    private static func word(_ name: String) -> String {
        String(name.map { $0.isWhitespace || $0.unicodeScalars.allSatisfy { $0.value < 32 } ? "_" : $0 })
    }

    /// The word for what Gmail writes (modified UTF-7, as names of mailboxes); nil for labels that are a mailbox or a flag here.
    func local(_ written: String) -> String? {
        if written.hasPrefix("\\") { return Self.system[written.lowercased()] }
        return Self.word(ModifiedUTF7.decoded(written))
    }

    /// A label as a command has it.
    func command(_ word: String) -> String {
        if let own = Self.system.first(where: { $0.value == word.lowercased() }) {
            return "\\" + own.key.dropFirst().prefix(1).uppercased() + own.key.dropFirst(2)
        }
        let name = known[word] ?? known.first { $0.key.lowercased() == word.lowercased() }?.value ?? word
        return String(decoding: IMAPCommand.quoted(Array(ModifiedUTF7.encoded(name).utf8)), as: UTF8.self)
    }
}
