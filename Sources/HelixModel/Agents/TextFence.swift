/// A fence around a text that others wrote, so that an agent can tell it from what helix and its person say.
///
/// Its marks have a random word that no text can contain, since it is made after the text. Characters that a person does not
/// see are removed, and counted in the opening mark; listed links are named by their hosts.
public struct TextFence: Sendable {
    /// The random word of the marks.
    private let word = String(EntityID().text.prefix(12))

    /// Creates a fence, with a random word of its own.
    public init() {}

    /// The text between marks; an empty one stays as it is.
    public func fenced(_ text: String) -> String {
        if text.isEmpty { return text }
        var visible = String.UnicodeScalarView()
        var removed = 0
        for scalar in ListedLinks.byHost(text).unicodeScalars {
            if TextFence.isInvisible(scalar) { removed += 1 } else { visible.append(scalar) }
        }
        let note = removed == 0 ? "" : ", \(removed) invisible character\(removed == 1 ? "" : "s") removed"
        return "[untrusted \(word)\(note)] \(String(visible)) \(end)"
    }

    /// Whether a text of one word is more than a name: long, with blanks, or of several words that are joined by signs or capitals.
    public static func isMoreThanWord(_ text: String) -> Bool {
        if text.utf8.count > 100 || text.contains(where: \.isWhitespace) { return true }
        // The UIDs of helix itself are random.
        if text.hasSuffix("@helix"), text.utf8.count == 22, EntityID(String(text.dropLast(6))) != nil { return false }
        // The host of an address consists of several words.
        let name = text.lastIndex(of: "@").map { text[..<$0] } ?? text[...]
        var (words, length, wasLower) = (0, 0, false)
        for character in name {
            let isNewWord = !character.isLetter || character.isUppercase && wasLower
            if isNewWord {
                if length > 1 { words += 1 }
                length = 0
            }
            if character.isLetter { length += 1 }
            wasLower = character.isLowercase
        }
        return words + (length > 1 ? 1 : 0) > 3
    }

    /// The closing mark.
    public var end: String { "[/untrusted \(word)]" }

    /// Whether a text has the marks of this fence.
    public func isFenced(_ text: String) -> Bool { text.hasSuffix(end) }

    /// Whether a character has no width and no use in a text that is read: marks of direction, joiners of words, tags, fillers.
    /// The joiners of emoji, of Persian and of Indian scripts stay.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B, 0x200E, 0x200F,
            0x202A...0x202E,
            0x2060...0x206F, 0x3164, 0xFE00...0xFE0E, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1D173...0x1D17A,
            0xE0000...0xE0FFF:
            true
        default: scalar.properties.generalCategory == .control && scalar.value != 0x0A && scalar.value != 0x09
        }
    }
}
