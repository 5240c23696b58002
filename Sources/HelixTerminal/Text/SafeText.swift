import FoundationEssentials

/// Sanitizes text from outside: replaces control characters, bidirectional overrides and anything else that steers a terminal.
public enum SafeText {
    /// Returns `text` on one line: line ends and tabs become blanks, other controls the replacement character.
    public static func line(_ text: some StringProtocol) -> String {
        if text.utf8.withContiguousStorageIfAvailable(isHarmless) == true { return String(text) }
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: safe.append(" ")
            case _ where isHarmful(scalar): safe.append("\u{FFFD}")
            default: safe.append(scalar)
            }
        }
        return String(safe)
    }

    /// Whether UTF-8 bytes need no closer check: they have no control character, and no scalar from the rows that contain
    /// harmful ones.
    private static func isHarmless(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for (place, byte) in bytes.enumerated() {
            switch byte {
            case 0x20...0x7E, 0x80...0xC1, 0xC3...0xD7, 0xD9...0xE1, 0xE3...0xEE, 0xF0...0xF2: continue
            // U+2000 to U+2FFF: marks of direction are in the rows U+2000 and U+2040.
            case 0xE2:
                guard place + 2 < bytes.count else { return false }
                let third = bytes[place + 2]
                if bytes[place + 1] == 0x80, third == 0x8E || third == 0x8F || third >= 0xA8 { return false }
                if bytes[place + 1] == 0x81, third >= 0xA0 { return false }
            default: return false
            }
        }
        return true
    }

    /// Returns `text` on as many lines as it has.
    public static func lines(_ text: String) -> [String] {
        text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
            .map { line($0) }
    }

    /// Whether a scalar can steer a terminal or reorder text: C0, DEL, C1, bidirectional embeddings,
    /// overrides and isolates, and invisible tags.
    public static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB,
            0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// Returns `text` in ASCII, column for column: drawing characters are replaced, accents removed, all else is `?`.
    public static func ascii(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var out = ""
        for character in text {
            if let byte = character.asciiValue {
                out.unicodeScalars.append(Unicode.Scalar(byte))
            } else if let replacement = standIns[character] {
                out.append(replacement)
            } else {
                if let plain = plainLetter(character) {
                    out.unicodeScalars.append(plain)
                } else {
                    out += String(repeating: "?", count: TextWidth.of(character))
                }
            }
        }
        return out
    }

    /// The ASCII letter of a Latin letter with marks, by its name: `LATIN SMALL LETTER E WITH ACUTE`.
    private static func plainLetter(_ character: Character) -> Unicode.Scalar? {
        guard let first = character.unicodeScalars.first else { return nil }
        if first.isASCII { return first }
        let words = first.properties.name?.split(separator: " ") ?? []
        guard words.count >= 4, words[0] == "LATIN", words[2] == "LETTER", words[3].utf8.count == 1,
            words.count == 4 || words[4] == "WITH", let letter = words[3].unicodeScalars.first
        else { return nil }
        return words[1] == "SMALL" ? Unicode.Scalar(letter.value | 0x20) : letter
    }

    private static let standIns: [Character: Character] = [
        "─": "-", "━": "=", "│": "|", "┃": "|", "┌": "+", "┐": "+", "└": "`", "┘": "+", "├": "+", "┤": "+", "┬": "+",
        "┴": "+", "┼": "+", "╌": "-", "▌": "|", "▎": "|", "▏": "|", "▐": "|", "█": "#", "▓": "%", "▒": "=", "░": "-",
        "▉": "#",
        "·": ".", "•": "*", "…": "~", "–": "-", "—": "-", "→": ">", "←": "<", "▶": ">", "◀": "<", "▸": ">", "◂": "<",
        "“": "\"", "”": "\"", "‘": "'", "’": "'", "✓": "v", "✗": "x", "×": "x", "↻": "&", "■": "#", "□": ".", "●": "*",
        "○": "o", "⊘": "/", "↓": "<", "↑": ">", "☑": "v", "☐": "_", "‼": "!", "⚠": "!", "▁": "_", "\u{FFFD}": "?",
        "╭": "+",
        "╮": "+", "╰": "+", "╯": "+", "ß": "s", "€": "E", "⎙": "#",
        "★": "!", "↩": "r", "✎": "d", "⎘": "@", "◷": "c", "⚿": "k", "↔": "=", "▪": "*",
    ]
}
