/// Finds web addresses, and marks them as clickable links for terminals (OSC 8).
public enum WebLinks {
    /// The web addresses in a text; one that was cut is none.
    public static func addresses(in text: String) -> [String] {
        var found: [String] = []
        _ = marked(text) { found.append(String($0)) }
        return found
    }

    /// Returns the text with its addresses marked. A truncated address is not marked.
    static func marked(_ text: String, each: (Substring) -> Void = { _ in }) -> String {
        var out = ""
        var rest = Substring(text)
        while let mark = rest.firstRange(of: "://") {
            let head = rest[..<mark.lowerBound]
            guard let scheme = ["https", "http"].first(where: { head.lowercased().hasSuffix($0) }) else {
                out += rest[..<mark.upperBound]
                rest = rest[mark.upperBound...]
                continue
            }
            let start = rest.index(mark.lowerBound, offsetBy: -scheme.count)
            let end = rest[mark.upperBound...].firstIndex { !isPart($0) } ?? rest.endIndex
            let isCut = end < rest.endIndex && rest[end] == "…"
            let address = trimmed(rest[start..<end])
            out += rest[..<start]
            let isAddress = !isCut && address.count > scheme.count + 3
            if isAddress { each(address) }
            out += isAddress ? "\u{1B}]8;;\(address)\u{1B}\\\(address)\u{1B}]8;;\u{1B}\\" : String(address)
            rest = rest[rest.index(start, offsetBy: address.count)...]
        }
        return out + rest
    }

    /// Whether a character is allowed in an address (RFC 3986 §2).
    private static func isPart(_ character: Character) -> Bool {
        character.isASCII && !character.isWhitespace && !"<>\"{}|\\^`".contains(character)
    }

    /// Removes the punctuation of a sentence, and a bracket that was opened before the address.
    private static func trimmed(_ address: Substring) -> Substring {
        var address = address
        while let last = address.last {
            let opens = ["(": ")", "[": "]"].first { $0.value == String(last) }?.key
            let isOpened = opens.map { open in
                address.filter { String($0) == open }.count >= address.filter { $0 == last }.count
            }
            guard ".,;:!?'*_".contains(last) || isOpened == false else { break }
            address.removeLast()
        }
        return address
    }
}
