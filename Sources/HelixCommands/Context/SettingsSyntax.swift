import HelixModel

/// A check before the TOML library, which ends the process at a table name that does not begin as a key does, and nests
/// tables as deep as a dotted key is long, until the stack overflows.
enum SettingsSyntax {
    /// The maximum size of a settings file, in bytes.
    static let sizeLimit = 1 << 20
    /// The maximum number of parts of a dotted key.
    private static let depthLimit = 32

    /// Whether a key, bare or quoted, can begin with a byte.
    private static func beginsName(_ byte: UInt8) -> Bool {
        switch UnicodeScalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "\"", "'": true
        default: false
        }
    }

    /// The first problem that the library must not see, or nil.
    ///
    /// Strings and comments are skipped as defined in TOML 1.0; other errors are left to the library.
    static func problem(_ text: String) -> (line: Int, reason: String)? {
        var reader = Reader(bytes: Array(text.utf8))
        return reader.problem()
    }

    /// The name of the section in a header like `[user] # mine`, its parts joined by dots.
    static func section(_ line: String) -> String {
        let inner = line.drop { $0 == " " || $0 == "\t" || $0 == "[" }.prefix { $0 != "]" && $0 != "#" }
        return plain(inner)
    }

    /// The name before the equals sign of a line, its parts joined by dots; nil for a comment and an empty line.
    static func key(_ line: String) -> String? {
        let line = line.trimmingBlanks()
        guard !line.hasPrefix("#"), let end = line.firstIndex(of: "=") else { return nil }
        return plain(line[..<end])
    }

    /// The parts of a name without quotes and blanks, joined by dots.
    private static func plain(_ name: Substring) -> String {
        name.split(separator: ".").map { String($0.filter { !"\"'".contains($0) }).trimmingBlanks() }.joined(
            separator: ".")
    }

    /// The comment after the value of a line; nil if there is none.
    static func comment(behind line: String) -> String? {
        var quote: Character?
        var isEscaped = false
        for place in line.indices {
            let sign = line[place]
            if let open = quote {
                if isEscaped {
                    isEscaped = false
                } else if sign == "\\", open == "\"" {
                    isEscaped = true
                } else if sign == open {
                    quote = nil
                }
            } else if sign == "\"" || sign == "'" {
                quote = sign
            } else if sign == "#" {
                return String(line[place...])
            }
        }
        return nil
    }

    private struct Reader {
        let bytes: [UInt8]
        var place = 0
        var line = 1

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func problem() -> (line: Int, reason: String)? {
            var isAtStart = true
            var dots = 0
            while place < bytes.count {
                let byte = bytes[place]
                switch byte {
                case UInt8(ascii: "\n"):
                    line += 1
                    place += 1
                    (isAtStart, dots) = (true, 0)
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): place += 1
                case UInt8(ascii: "#"): skipComment()
                case UInt8(ascii: "\""), UInt8(ascii: "'"):
                    skipString(byte)
                    isAtStart = false
                case UInt8(ascii: "[") where isAtStart:
                    place += 1
                    if place < bytes.count, bytes[place] == UInt8(ascii: "[") { place += 1 }
                    while place < bytes.count, [0x20, 0x09].contains(bytes[place]) { place += 1 }
                    guard place < bytes.count, SettingsSyntax.beginsName(bytes[place]) else {
                        return (line, "missing or invalid name of a section")
                    }
                    isAtStart = false
                case UInt8(ascii: "."):
                    dots += 1
                    if dots > SettingsSyntax.depthLimit { return (line, "a name has too many parts") }
                    place += 1
                    isAtStart = false
                default:
                    place += 1
                    isAtStart = false
                }
            }
            return nil
        }

        private mutating func skipComment() {
            while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
        }

        /// Skips a string; escapes apply within `"`, and three quotation marks enclose several lines.
        private mutating func skipString(_ quote: UInt8) {
            let isLong = bytes[place...].starts(with: [quote, quote, quote])
            place += isLong ? 3 : 1
            while place < bytes.count {
                let byte = bytes[place]
                if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                    if place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "\n") { line += 1 }
                    place += 2
                    continue
                }
                if byte == UInt8(ascii: "\n") {
                    if !isLong { return }
                    line += 1
                }
                if byte == quote, !isLong || bytes[place...].starts(with: [quote, quote, quote]) {
                    place += isLong ? 3 : 1
                    return
                }
                place += 1
            }
        }
    }
}
