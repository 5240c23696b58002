import CTerminal

/// How many columns texts take on a terminal: East Asian wide characters and emoji two, combining marks none.
public enum TextWidth {
    /// The columns of `text`, which has no control characters.
    public static func of<Text: StringProtocol>(_ text: Text) -> Int {
        let plain = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.allSatisfy { $0 < 0x80 } ? bytes.count : nil
        }
        if let plain, let width = plain { return width }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The columns of one character as people count them.
    public static func of(_ character: Character) -> Int {
        if character.isASCII { return 1 }
        let scalars = character.unicodeScalars
        // An emoji made of several, a flag, or a sign that is asked to look like an emoji.
        if scalars.count > 1, scalars.contains(where: { $0.value == 0xFE0F || $0.value == 0x200D }) { return 2 }
        if let first = scalars.first, (0x1F1E6...0x1F1FF).contains(first.value) { return scalars.count > 1 ? 2 : 1 }
        return min(2, scalars.reduce(0) { $0 + of($1) })
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        let width = helix_column_width(scalar.value)
        return width < 0 ? 1 : Int(width)
    }
}

extension String {
    /// The text cut to `width` columns, with `…` in the last one if anything was cut.
    public func fitted(_ width: Int) -> String {
        if TextWidth.of(self) <= width { return self }
        guard width > 0 else { return "" }
        var kept = ""
        var used = 0
        for character in self {
            let next = TextWidth.of(character)
            if used + next > width - 1 { break }
            kept.append(character)
            used += next
        }
        while kept.last == " " { kept.removeLast() }
        return kept + "…"
    }

    /// The text cut or filled with blanks to exactly `width` columns.
    public func padded(_ width: Int, right: Bool = false) -> String {
        let text = fitted(width)
        let blanks = String(repeating: " ", count: max(0, width - TextWidth.of(text)))
        return right ? blanks + text : text + blanks
    }

    /// The text in lines of at most `width` columns, broken between words where that is possible.
    public func wrapped(_ width: Int) -> [String] {
        guard width > 0 else { return [self] }
        var lines: [String] = []
        for paragraph in split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            var used = 0
            for word in paragraph.split(separator: " ", omittingEmptySubsequences: true) {
                let length = TextWidth.of(word)
                if used > 0, used + 1 + length <= width {
                    line += " " + word
                    used += 1 + length
                    continue
                }
                if used > 0 { lines.append(line) }
                (line, used) = ("", 0)
                if length <= width {
                    (line, used) = (String(word), length)
                    continue
                }
                for character in word {
                    let next = TextWidth.of(character)
                    if used + next > width {
                        lines.append(line)
                        (line, used) = ("", 0)
                    }
                    line.append(character)
                    used += next
                }
            }
            lines.append(line)
        }
        return lines
    }
}
