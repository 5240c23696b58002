/// The text of a document in Microsoft's Rich Text Format (specification 1.9.1).
enum RichText {
    /// Destinations whose text is not that of the document.
    private static let hidden: Set<String> = [
        "fonttbl", "colortbl", "stylesheet", "info", "listtable", "listoverridetable", "rsidtbl", "generator", "pict",
        "themedata",
        "datastore", "latentstyles", "xmlnstbl", "objdata", "fldinst", "colorschememapping", "filetbl", "revtbl",
    ]

    /// - Returns: nil if the bytes are no such document.
    static func text(_ bytes: [UInt8], limit: Int) -> String? {
        guard bytes.starts(with: Array("{\\rtf".utf8)) else { return nil }
        var reader = Reader(bytes: bytes, limit: limit)
        reader.read()
        return reader.text
    }

    /// Destinations whose text stands apart from the text around them.
    private static let apart: Set<String> = [
        "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf", "footnote", "annotation",
        "shptxt",
    ]

    private struct Group {
        var isHidden = false
        /// Whether its text stands apart, such as that of a footnote.
        var isApart = false
        /// The number of characters after a Unicode one that stand for it in older programs.
        var fallback = 1
    }

    private struct Reader {
        let bytes: [UInt8]
        let limit: Int
        var text = ""
        /// Characters of the code page that were not decoded yet.
        private var waiting: [UInt8] = []
        private var place = 0
        private var groups = [Group()]
        private var codePage = "windows-1252"
        /// The number of characters still to be left out.
        private var skipped = 0
        private var surrogate: UInt16?

        init(bytes: [UInt8], limit: Int) { (self.bytes, self.limit) = (bytes, limit) }

        private var group: Group {
            get { groups[groups.count - 1] }
            set { groups[groups.count - 1] = newValue }
        }

        mutating func read() {
            while place < bytes.count, text.utf8.count < limit {
                let byte = bytes[place]
                place += 1
                switch byte {
                case UInt8(ascii: "{"):
                    flush()
                    if groups.count < 10_000 {
                        groups.append(group)
                        group.isApart = false
                    }
                case UInt8(ascii: "}"):
                    if group.isApart { append("\n") }
                    flush()
                    if groups.count > 1 { groups.removeLast() }
                case UInt8(ascii: "\\"): readControl()
                case 0x0A, 0x0D: break
                default: add(byte)
                }
            }
            flush()
        }

        private mutating func readControl() {
            guard place < bytes.count else { return }
            let byte = bytes[place]
            guard byte.isLetter else {
                place += 1
                switch byte {
                case UInt8(ascii: "'"):
                    let digits = String(decoding: bytes[place..<min(bytes.count, place + 2)], as: UTF8.self)
                    place = min(bytes.count, place + 2)
                    if let value = UInt8(digits, radix: 16) { add(value) }
                case UInt8(ascii: "*"): group.isHidden = true
                case UInt8(ascii: "~"): add(0x20)
                case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"): add(byte)
                case 0x0A, 0x0D: append("\n")
                default: break
                }
                return
            }
            let start = place
            while place < bytes.count, bytes[place].isLetter { place += 1 }
            let word = String(decoding: bytes[start..<place], as: UTF8.self)
            let digits = place
            if place < bytes.count, bytes[place] == UInt8(ascii: "-") { place += 1 }
            while place < bytes.count, bytes[place].isDigit { place += 1 }
            let number = Int(String(decoding: bytes[digits..<place], as: UTF8.self))
            if place < bytes.count, bytes[place] == 0x20 { place += 1 }
            perform(word, number)
        }

        private mutating func perform(_ word: String, _ number: Int?) {
            switch word {
            case "par", "line", "row", "sect", "page": append("\n")
            case "tab", "cell": append(" ")
            case "ansicpg": if let number { codePage = "windows-\(number)" }
            case "uc": group.fallback = min(100, max(0, number ?? 1))
            case "u": if let number { addUnicode(UInt16(truncatingIfNeeded: number)) }
            case "bin": place += min(bytes.count - place, max(0, number ?? 0))
            case "emdash": append("—")
            case "endash": append("–")
            case "lquote", "rquote": append("'")
            case "ldblquote", "rdblquote": append("\"")
            case "bullet": append("•")
            case _ where RichText.apart.contains(word):
                append("\n")
                group.isApart = true
            default: if RichText.hidden.contains(word) { group.isHidden = true }
            }
        }

        private mutating func addUnicode(_ unit: UInt16) {
            skipped = group.fallback
            if (0xD800..<0xDC00).contains(unit) {
                surrogate = unit
                return
            }
            let units = (surrogate.map { [$0] } ?? []) + [unit]
            surrogate = nil
            append(String(decoding: units, as: UTF16.self), keepsSkipping: true)
        }

        private mutating func add(_ byte: UInt8) {
            if skipped > 0 {
                skipped -= 1
                return
            }
            if !group.isHidden { waiting.append(byte) }
        }

        private mutating func append(_ piece: String, keepsSkipping: Bool = false) {
            flush()
            if !keepsSkipping { skipped = 0 }
            if !group.isHidden { text += piece }
        }

        private mutating func flush() {
            if waiting.isEmpty { return }
            text += Charset.text(waiting, charset: codePage)
            waiting = []
        }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
