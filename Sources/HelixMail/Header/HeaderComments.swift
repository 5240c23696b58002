/// Comments of structured headers: `(like this (and this))` (RFC 5322 §3.2.2).
enum HeaderComments {
    /// The value without comments; quoted strings are kept.
    static func removed(_ value: String) -> String {
        var out: [UInt8] = []
        var depth = 0
        var isInQuotes = false
        var isEscaped = false
        for byte in value.utf8 {
            if isEscaped {
                isEscaped = false
                if depth == 0 { out.append(byte) }
                continue
            }
            switch byte {
            case UInt8(ascii: "\\"):
                isEscaped = true
                if depth == 0 { out.append(byte) }
            case UInt8(ascii: "\"") where depth == 0:
                isInQuotes.toggle()
                out.append(byte)
            case UInt8(ascii: "(") where !isInQuotes: depth += 1
            case UInt8(ascii: ")") where depth > 0: depth -= 1
            default: if depth == 0 { out.append(byte) }
            }
        }
        return String(decoding: out, as: UTF8.self).trimmed
    }
}
