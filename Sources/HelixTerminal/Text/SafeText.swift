import Foundation

/// Makes text from outside harmless: no control characters, no bidirectional overrides, nothing that steers a terminal.
public enum SafeText {
    /// `text` on one line: line ends and tabs become blanks, other controls the replacement character.
    public static func line(_ text: some StringProtocol) -> String {
        let isPlain = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        }
        if isPlain == true { return String(text) }
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

    /// `text` on as many lines as it has.
    public static func lines(_ text: String) -> [String] {
        text.replacingOccurrences(of: "\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
            .map { line($0) }
    }

    /// Whether a scalar can steer a terminal or turn the order of text around: C0, DEL, C1, bidirectional embeddings,
    /// overrides and isolates, and invisible tags.
    public static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB,
            0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// `text` in ASCII, column for column: drawing characters get stand-ins, accents go, all else is `?`.
    public static func ascii(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var out = ""
        for character in text {
            if let byte = character.asciiValue {
                out.unicodeScalars.append(Unicode.Scalar(byte))
            } else if let replacement = standIns[character] {
                out.append(replacement)
            } else {
                let plain = String(character).decomposedStringWithCanonicalMapping.unicodeScalars.first
                if let plain, plain.isASCII {
                    out.unicodeScalars.append(plain)
                } else {
                    out += String(repeating: "?", count: TextWidth.of(character))
                }
            }
        }
        return out
    }

    private static let standIns: [Character: Character] = [
        "─": "-", "━": "=", "│": "|", "┃": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┬": "+",
        "┴": "+", "┼": "+", "╌": "-", "▌": "|", "▎": "|", "▏": "|", "▐": "|", "█": "#", "▓": "%", "▒": "=", "░": "-",
        "▉": "#",
        "·": ".", "•": "*", "…": "~", "–": "-", "—": "-", "→": ">", "←": "<", "▶": ">", "◀": "<", "▸": ">", "◂": "<",
        "“": "\"", "”": "\"", "‘": "'", "’": "'", "✓": "v", "✗": "x", "×": "x", "↻": "&", "■": "#", "□": ".", "●": "*",
        "○": "o", "⊘": "/", "↓": "v", "☑": "v", "☐": "_", "‼": "!", "⚠": "!", "▁": "_", "\u{FFFD}": "?", "╭": "+",
        "╮": "+", "╰": "+", "╯": "+", "ß": "s", "€": "E", "⎙": "#",
    ]
}
