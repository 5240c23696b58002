/// A text with OpenPGP armor in it (RFC 9580 §6.2 and §7), cut into its pieces.
public enum ArmoredText {
    /// A piece of a text.
    public enum Piece: Hashable, Sendable {
        /// Text without protection.
        case plain(String)
        /// A text with its signature.
        case signed(String)
        /// An encrypted text.
        case encrypted(String)
    }

    private static let signedBegin = "-----BEGIN PGP SIGNED MESSAGE-----"
    private static let signatureEnd = "-----END PGP SIGNATURE-----"
    private static let messageBegin = "-----BEGIN PGP MESSAGE-----"
    private static let messageEnd = "-----END PGP MESSAGE-----"

    /// The bytes of a text as characters of ISO 8859-1, with LF line ends: signatures cover the bytes in the character set of the
    /// message.
    public static func characters(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for (place, byte) in bytes.enumerated() {
            if byte == 0x0D, place + 1 < bytes.count, bytes[place + 1] == 0x0A { continue }
            text.append(Unicode.Scalar(byte))
        }
        return String(text)
    }

    /// The bytes of characters of ISO 8859-1.
    public static func bytes(_ characters: String) -> [UInt8] {
        characters.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    /// Whether a text may have armor in it: a quick look for its first words.
    public static func isLikely(_ bytes: [UInt8]) -> Bool {
        let mark = Array("-----BEGIN PGP ".utf8)
        return bytes.count >= mark.count && bytes.firstRange(of: mark) != nil
    }

    /// The pieces of a text; nil if it has no complete armor at the beginning of a line. Quoted armor does not count.
    public static func pieces(_ text: String) -> [Piece]? {
        var pieces: [Piece] = []
        var plain: [Substring] = []
        var block: [Substring] = []
        var ending: String?
        func flush() {
            let text = plain.joined(separator: "\n")
            if !text.allSatisfy(\.isWhitespace) { pieces.append(.plain(text + "\n")) }
            plain = []
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            // Blanks at the end of a line are lost on the way.
            let word = String(line).trimmingBlanksAtEnd
            if let end = ending {
                block.append(line)
                guard word == end else { continue }
                flush()
                let armor = block.joined(separator: "\n") + "\n"
                pieces.append(end == messageEnd ? .encrypted(armor) : .signed(armor))
                (block, ending) = ([], nil)
            } else if word == signedBegin || word == messageBegin {
                ending = word == messageBegin ? messageEnd : signatureEnd
                block = [line]
            } else {
                plain.append(line)
            }
        }
        // An armor without an end is text.
        plain += block
        flush()
        let isPlain = pieces.allSatisfy { if case .plain = $0 { true } else { false } }
        return isPlain ? nil : pieces
    }
}

extension String {
    fileprivate var trimmingBlanksAtEnd: String {
        var text = Substring(self)
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
