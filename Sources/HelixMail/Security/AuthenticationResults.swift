/// The results of checks that a mail server made of a message's sender (RFC 8601).
public struct AuthenticationResults: Hashable, Sendable {
    /// A result of one method.
    public struct Result: Hashable, Sendable {
        /// `dkim`, `spf`, `dmarc`.
        public var method: String
        /// `pass`, `fail`, `none` and so on.
        public var result: String
        /// The domain that was checked; empty if unknown.
        public var domain: String
    }

    /// The name of the server that made the checks.
    public var server: String
    /// The results, in order.
    public var results: [Result] = []

    /// Reads the value of a header; nil if it is malformed.
    public init?(_ value: [UInt8]) {
        let text = HeaderComments.removed(String(decoding: value, as: UTF8.self))
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { String($0).trimmed }
        guard let server = parts.first?.split(whereSeparator: \.isWhitespace).first else { return nil }
        self.server = server.lowercased()
        for part in parts.dropFirst() {
            let words = part.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let first = words.first, let equals = first.firstIndex(of: "=") else { continue }
            // A version may follow the method: dkim/1=pass.
            let method = first[..<equals].prefix { $0 != "/" }.lowercased()
            let result = first[first.index(after: equals)...].lowercased()
            guard !result.isEmpty else { continue }
            var properties: [String: String] = [:]
            for word in words.dropFirst() {
                guard let equals = word.firstIndex(of: "=") else { continue }
                let name = word[..<equals].lowercased()
                if properties[name] == nil {
                    properties[name] = word[word.index(after: equals)...].filter { $0 != "\"" }
                }
            }
            let domain =
                properties["header.d"] ?? properties["header.i"] ?? properties["header.from"]
                ?? properties["smtp.mailfrom"] ?? properties["smtp.helo"] ?? ""
            results.append(
                Result(
                    method: method, result: result, domain: String(domain.split(separator: "@").last ?? "").lowercased()
                ))
        }
    }

    /// The results of the user's own servers.
    ///
    /// Only headers above the message's own are theirs: after the first run of them, a header of the same name below another
    /// server's Received may be the sender's (RFC 8601 §5).
    public init?(of headers: [MIMEMessage.Header], servers: Set<String>) {
        var found: AuthenticationResults?
        for header in headers {
            let name = header.name.lowercased()
            if name == "received", found != nil { break }
            guard name == "authentication-results", let one = AuthenticationResults(header.raw),
                servers.contains(one.server)
            else { continue }
            if found == nil { found = one } else { found?.results += one.results }
        }
        guard let found else { return nil }
        self = found
    }

    /// The name of the server in the topmost header; nil if there is none.
    public static func topmostServer(of headers: [MIMEMessage.Header]) -> String? {
        headers.first { $0.name.lowercased() == "authentication-results" }.flatMap { AuthenticationResults($0.raw) }?
            .server
    }

    /// The result for the author: pass or fail if the checks say so; nil if they say nothing of the domain in From.
    ///
    /// - Parameter domain: the domain of the address in From, in lower case.
    public func passes(_ domain: String) -> Bool? {
        if let dmarc = results.first(where: { $0.method == "dmarc" && ["pass", "fail"].contains($0.result) }) {
            return dmarc.result == "pass"
        }
        func isAligned(_ other: String) -> Bool {
            !other.isEmpty && (other == domain || domain.hasSuffix("." + other) || other.hasSuffix("." + domain))
        }
        if results.contains(where: {
            ["dkim", "spf"].contains($0.method) && $0.result == "pass" && isAligned($0.domain)
        }) {
            return true
        }
        if results.contains(where: {
            $0.method == "dkim" && ["fail", "permerror"].contains($0.result) && isAligned($0.domain)
        }) {
            return false
        }
        return nil
    }
}
