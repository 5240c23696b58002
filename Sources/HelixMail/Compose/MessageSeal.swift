import HelixModel

/// The signature and encryption that a draft is to have.
public struct MessageSeal: Hashable, Sendable {
    /// Whether it is to be signed.
    public var signs = false
    /// Whether it is to be encrypted.
    public var encrypts = false
    /// The standard; nil to take the one for which there are keys.
    public var standard: SecurityStandard?
    /// Whether somebody has decided that it stays readable, whatever the settings say.
    public var isDeclined = false

    /// Creates no seal.
    public init() {}

    /// Reads the words of a draft's header; unknown ones are left out.
    init(text: String) { for word in Self.words(text) { _ = take(word) } }

    /// Whether anything protects the message.
    public var isSealed: Bool { signs || encrypts }

    /// Its words: `sign, encrypt`.
    public var text: String {
        if !isSealed, isDeclined { return "none" }
        return [signs ? "sign" : nil, encrypts ? "encrypt" : nil, standard?.rawValue].compactMap { $0 }
            .joined(separator: ", ")
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init)
    }

    private mutating func take(_ word: String) -> Bool {
        switch word {
        case "sign": signs = true
        case "encrypt": (encrypts, isDeclined) = (true, false)
        case "none": (signs, encrypts, isDeclined) = (false, false, true)
        default:
            guard let named = SecurityStandard(rawValue: word) else { return false }
            standard = named
        }
        return true
    }

    /// Takes the words that a person wrote.
    /// - Throws: ``HelixError`` of code `badInput` for a word that is unknown.
    mutating func apply(_ text: String) throws {
        for word in Self.words(text) where !take(word) {
            throw HelixError(
                .badInput, "Security takes sign, encrypt, openpgp, smime or none, not '\(word)'")
        }
    }
}
