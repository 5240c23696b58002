/// The links at the end of a message that was HTML, as an agent reads them: by number and host. A whole address can carry what an
/// agent was tricked into adding to it, and says nothing that the host and the link's words do not.
enum ListedLinks {
    /// The text with each line `[3] https://host/path` as `[3] link to host`; all else stays.
    static func byHost(_ text: String) -> String {
        guard text.contains("://") else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(line).joined(separator: "\n")
    }

    private static func line(_ line: Substring) -> String {
        guard line.first == "[", let close = line.firstIndex(of: "]") else { return String(line) }
        let number = line[line.index(after: line.startIndex)..<close]
        let address = line[line.index(after: close)...].drop { $0 == " " }
        guard !number.isEmpty, number.allSatisfy({ $0.isASCII && $0.isNumber }), let host = host(of: address) else {
            return String(line)
        }
        return "[\(number)] link to \(host)"
    }

    /// The host of a URL of the web or FTP (RFC 3986, section 3.2); nil for another text.
    private static func host(of address: Substring) -> String? {
        let lower = address.lowercased()
        guard let scheme = ["https://", "http://", "ftp://"].first(where: lower.hasPrefix) else { return nil }
        // A backslash ends the authority for browsers.
        let authority = lower.dropFirst(scheme.count).prefix { !"/?#\\ ".contains($0) }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return host.isEmpty ? nil : String(host)
    }
}
