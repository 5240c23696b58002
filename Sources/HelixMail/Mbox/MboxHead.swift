/// The headers of a message that determine where it ends in a mailbox.
struct MboxHead {
    /// The length of the text in bytes, if declared.
    private(set) var length: Int?
    /// The boundary of its parts, without the two dashes, if it has parts.
    private(set) var boundary: String?

    /// - Parameter head: the header lines, up to the empty one.
    init(_ head: [UInt8]) {
        var rest = head[...]
        while !rest.isEmpty {
            // A header continues in lines that begin with a blank (RFC 5322, 2.2.3).
            var end = rest.startIndex
            repeat {
                end = rest[end...].firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            } while end < rest.endIndex && (rest[end] == 0x20 || rest[end] == 0x09)
            // A quick check that rules out most headers.
            if rest.count > 14, rest[rest.startIndex + 7] == UInt8(ascii: "-") { take(rest[..<end]) }
            rest = rest[end...]
        }
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return }
        let value = String(decoding: bytes[(colon + 1)...], as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        switch String(decoding: bytes[..<colon], as: UTF8.self).lowercased() {
        case "content-length": if value.allSatisfy({ $0.isASCII && $0.isNumber }) { length = Int(value) }
        case "content-type": if value.lowercased().hasPrefix("multipart/") { boundary = Self.boundary(value) }
        default: break
        }
    }

    /// `boundary=…` or `boundary="…"` of a Content-Type (RFC 2045, 5.1).
    private static func boundary(_ value: String) -> String? {
        for part in value.split(separator: ";").dropFirst() {
            let sides = part.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, sides[0].filter({ $0 != " " }).lowercased() == "boundary" else { continue }
            let text = sides[1].drop { $0 == " " }
            let mark = text.first == "\"" ? text.dropFirst().prefix { $0 != "\"" } : text.prefix { $0 != " " }
            return mark.isEmpty ? nil : String(mark)
        }
        return nil
    }
}
