/// Decoding of header values: folded lines are joined, encoded words decoded (RFC 2047), and the set of unencoded
/// bytes guessed.
///
/// GMime's decoder is not used: version 3.2 loses the words after a base64 one that ends in `=`. Words in one character
/// set are joined before they are converted: programs split them in the middle of a character.
public enum EncodedWord {
    /// Decodes a raw value.
    public static func text(_ raw: some Collection<UInt8>) -> String {
        let bytes = unfolded(raw)
        guard contains(bytes) else {
            return bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : Charset.guess(bytes)
        }
        let text = pieces(bytes).map(\.text).joined()
        // A header has one line. Encoded line ends would begin another one in what quotes it.
        return text.utf8.contains { $0 == 0x0A || $0 == 0x0D }
            ? String(text.map { $0.isNewline ? " " : $0 }) : text
    }

    /// A part of a value: decoded words, or the plain text between them.
    struct Piece {
        var text: String
        var isEncoded: Bool
    }

    /// Whether the bytes may contain an encoded word.
    static func contains(_ bytes: [UInt8]) -> Bool {
        var previous: UInt8 = 0
        for byte in bytes {
            if previous == UInt8(ascii: "="), byte == UInt8(ascii: "?") { return true }
            previous = byte
        }
        return false
    }

    /// Joins folded lines, and trims blanks at both ends (RFC 5322 §2.2.3).
    static func unfolded(_ raw: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var isAfterBreak = false
        for byte in raw {
            switch byte {
            case 0x0A, 0x0D: isAfterBreak = true
            // Some programs fold with a tab or many blanks: reduce them to one.
            case 0x20, 0x09:
                if isAfterBreak { if bytes.last != 0x20 { bytes.append(0x20) } } else { bytes.append(byte) }
            case 0: break
            default:
                bytes.append(byte)
                isAfterBreak = false
            }
        }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes.first.map(isBlank) == true ? Array(bytes.drop(while: isBlank)) : bytes
    }

    static func pieces(_ bytes: [UInt8]) -> [Piece] {
        var pieces: [Piece] = []
        var plain: [UInt8] = []
        var pending: (charset: String, bytes: [UInt8])?
        func flush() {
            if let (charset, content) = pending {
                pieces.append(Piece(text: Charset.text(content, charset: charset), isEncoded: true))
            }
            pending = nil
        }
        var place = 0
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "="), let word = Word(bytes, at: place) {
                // Blanks between two encoded words are dropped.
                let isBetween = pending != nil && plain.allSatisfy { $0 == 0x20 || $0 == 0x09 }
                if !isBetween {
                    flush()
                    if !plain.isEmpty { pieces.append(Piece(text: Charset.guess(plain), isEncoded: false)) }
                }
                plain = []
                if let known = pending, known.charset == word.charset {
                    pending = (known.charset, known.bytes + word.content)
                } else {
                    flush()
                    pending = (word.charset, word.content)
                }
                place = word.end
            } else {
                plain.append(bytes[place])
                place += 1
            }
        }
        flush()
        if !plain.isEmpty { pieces.append(Piece(text: Charset.guess(plain), isEncoded: false)) }
        return pieces
    }

    /// An encoded word.
    private struct Word {
        var charset: String
        var content: [UInt8]
        var end: Int

        /// Parses the word at `start`, `=?charset*language?B|Q?text?=`; nil if there is none.
        init?(_ bytes: [UInt8], at start: Int) {
            guard start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "?") else { return nil }
            let question = UInt8(ascii: "?")
            guard let first = bytes[(start + 2)...].prefix(64).firstIndex(of: question), first > start + 2,
                first + 2 < bytes.count, bytes[first + 2] == question
            else { return nil }
            let name = bytes[(start + 2)..<first]
            guard name.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
            let text = first + 3
            var close = text
            while true {
                guard let next = bytes[close...].firstIndex(of: question) else { return nil }
                if next + 1 < bytes.count, bytes[next + 1] == UInt8(ascii: "=") {
                    // '=?=' may be a quoted-printable character before the end: '=3D?='.
                    close = next
                    break
                }
                close = next + 1
            }
            let content = bytes[text..<close]
            charset = String(decoding: name.prefix { $0 != UInt8(ascii: "*") }, as: UTF8.self).lowercased()
            switch bytes[first + 1] | 0x20 {
            case UInt8(ascii: "b"): self.content = Base64.decoded(content)
            case UInt8(ascii: "q"): self.content = QuotedWord.decoded(content)
            default: return nil
            }
            end = close + 2
        }
    }
}

/// A lenient Base64 decoder for headers that skips invalid characters.
enum Base64 {
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    static func decoded(_ text: some Sequence<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in text {
            if byte == UInt8(ascii: "=") {
                // Padding ends a group; another may follow if a program joined two.
                (bits, count) = (0, 0)
                continue
            }
            let value = values[Int(byte)]
            guard value < 64 else { continue }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                out.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return out
    }
}

/// The `Q` encoding of headers, in which `_` is a blank.
enum QuotedWord {
    static func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        var place = text.startIndex
        while place < text.endIndex {
            let byte = text[place]
            if byte == UInt8(ascii: "="),
                let high = text.index(place, offsetBy: 1, limitedBy: text.endIndex), high < text.endIndex,
                let low = text.index(place, offsetBy: 2, limitedBy: text.endIndex), low < text.endIndex,
                let value = hexadecimal(text[high], text[low])
            {
                out.append(value)
                place = text.index(after: low)
                continue
            }
            out.append(byte == UInt8(ascii: "_") ? 0x20 : byte)
            place = text.index(after: place)
        }
        return out
    }
}

/// The value of two hexadecimal digits.
func hexadecimal(_ high: UInt8, _ low: UInt8) -> UInt8? {
    func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
    guard let high = digit(high), let low = digit(low) else { return nil }
    return high << 4 | low
}
