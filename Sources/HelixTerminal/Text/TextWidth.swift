import CTerminal

/// The width of texts in terminal columns: East Asian wide characters and emoji take two, combining marks none.
public enum TextWidth {
    /// The width of `text`, which must not contain control characters.
    public static func of<Text: StringProtocol>(_ text: Text) -> Int {
        let plain = text.utf8.withContiguousStorageIfAvailable { ofSingleColumns($0) }
        if let plain, let width = plain { return width }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The width of UTF-8 text in which every scalar is a character of one column, as in most European texts and in helix's own
    /// drawings; nil if it contains any other, or a control character. It is called for every cell, and iterating characters
    /// costs fifty times as much.
    static func ofSingleColumns(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var width = 0
        var place = 0
        while place < bytes.count {
            let length = singleColumn(bytes, place)
            if length == 0 { return nil }
            place += length
            width += 1
        }
        return width
    }

    /// The number of bytes of the first `columns` columns of such a text; nil if other characters are among them or right after.
    static func bytes(of columns: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var place = 0
        for _ in 0..<columns {
            guard place < bytes.count else { return nil }
            let length = singleColumn(bytes, place)
            if length == 0 { return nil }
            place += length
        }
        // The next scalar could combine with the last one, as an accent does.
        return place < bytes.count && singleColumn(bytes, place) == 0 ? nil : place
    }

    /// The length of the scalar at a place, if it is certainly a character of one column; else 0.
    private static func singleColumn(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
        let byte = bytes[place]
        if byte < 0x80 { return byte >= 0x20 && byte < 0x7F ? 1 : 0 }
        if byte >= 0xC3, byte <= 0xCB, place + 1 < bytes.count { return 2 }  // U+00C0 to U+02FF
        guard byte == 0xE2, place + 2 < bytes.count else { return 0 }
        let scalar = UInt32(bytes[place + 1] & 0x3F) << 6 | UInt32(bytes[place + 2] & 0x3F)
        switch scalar {
        // U+2000 and up: dashes, quotes, bullets; arrows; lines and blocks.
        case 0x010...0x026, 0x030...0x05E, 0x190...0x1FF, 0x500...0x59F: return 3
        default: return 0
        }
    }

    /// Whether all terminals give a text the same width.
    static func isCertain(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { ofSingleColumns($0) }.flatMap { $0 } != nil
    }

    /// The width of one user-perceived character.
    public static func of(_ character: Character) -> Int {
        if character.isASCII { return 1 }
        let scalars = character.unicodeScalars
        // An emoji of several scalars, a flag, or a symbol with an emoji variation selector.
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
    /// The text cut to `width` columns, with `…` in the last one if it was cut.
    public func fitted(_ width: Int) -> String {
        if TextWidth.of(self) <= width { return self }
        guard width > 0 else { return "" }
        let head = utf8.withContiguousStorageIfAvailable { TextWidth.bytes(of: width - 1, $0) }
        if let head, var count = head {
            let bytes = Array(utf8.prefix(count))
            while count > 0, bytes[count - 1] == 0x20 { count -= 1 }
            return String(decoding: bytes[..<count], as: UTF8.self) + "…"
        }
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

    /// The text cut or padded to exactly `width` columns.
    public func padded(_ width: Int, right: Bool = false) -> String {
        let text = fitted(width)
        let blanks = String(repeating: " ", count: max(0, width - TextWidth.of(text)))
        return right ? blanks + text : text + blanks
    }

    /// The text in lines of at most `width` columns, wrapped between words if possible.
    ///
    /// - Parameter keepsAddresses: whether a web address longer than that is kept whole.
    public func wrapped(_ width: Int, keepsAddresses: Bool = false) -> [String] {
        guard width > 0 else { return [self] }
        var lines: [String] = []
        for paragraph in split(separator: "\n", omittingEmptySubsequences: false) {
            // Layout made with blanks is preserved where it fits.
            let indent = paragraph.prefix { $0 == " " }
            if !indent.isEmpty, indent.count <= width / 2, indent.count < paragraph.count {
                let rest = String(paragraph.dropFirst(indent.count))
                lines += rest.wrapped(width - indent.count, keepsAddresses: keepsAddresses).map { indent + $0 }
                continue
            }
            if TextWidth.of(paragraph) <= width {
                lines.append(String(paragraph))
                continue
            }
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
                if length <= width || keepsAddresses && word.contains("://") {
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
