import FoundationEssentials

extension URL {
    /// An absolute address with a host; nil for any other text.
    ///
    /// The part of Foundation that checks names of hosts needs 40 MB of tables of all languages, which helix leaves out: without
    /// it, `URL` takes any characters for a host.
    public init?(address text: String) {
        guard let url = URL(string: text), url.scheme != nil, let host = url.host, Endpoint.isHost(host) else {
            return nil
        }
        // Brackets are for addresses of IPv6 alone; ``host`` has none.
        let authority = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first ?? ""
        guard !authority.contains("[") || host.contains(":") else { return nil }
        self = url
    }
}

extension Endpoint {
    /// Whether a text can be the name or the address of a host (RFC 1123 §2.1; RFC 5890 for other letters; `_` is common).
    public static func isHost(_ text: String) -> Bool {
        let isLiteral = text.hasPrefix("[") && text.hasSuffix("]")
        let plain = isLiteral ? text.dropFirst().dropLast() : text[...]
        if isLiteral || plain.contains(":") {
            // An address of IPv6, with a zone perhaps (RFC 6874).
            let address = plain.prefix { $0 != "%" }
            return address.contains(":") && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        var labels = plain.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        return plain.utf8.count <= 253 && labels.allSatisfy { !$0.isEmpty && $0.unicodeScalars.allSatisfy(isPart) }
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return scalar == "-" || scalar == "_" || Character(scalar).isLetter || Character(scalar).isNumber
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .privateUse, .surrogate, .unassigned, .spaceSeparator, .lineSeparator,
            .paragraphSeparator:
            // Joiners are a part of words in some scripts (RFC 5892 A.1 and A.2).
            return scalar == "\u{200C}" || scalar == "\u{200D}"
        default: return true
        }
    }
}
