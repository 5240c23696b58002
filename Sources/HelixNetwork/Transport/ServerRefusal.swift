/// A refusal by a server, with the server's text.
public struct ServerRefusal: Error, Hashable, Sendable {
    /// The name of the refused request.
    public var command: String
    /// The reason as an IMAP response code (RFC 5530): `TRYCREATE`, `OVERQUOTA`, `NOPERM`; empty if there is none. Errors of JMAP
    /// have the equivalent code.
    public var code: String
    /// The reason as text.
    public var text: String

    /// Whether a retry may succeed, because the reason is temporary or can be fixed.
    public var isPassing: Bool {
        ["UNAVAILABLE", "INUSE", "LIMIT", "OVERQUOTA", "SERVERBUG", "EXPIRED"].contains(code)
    }

    /// Creates a refusal with a server's text, without the final period and the server's timing.
    public init(command: String, code: String, text: String) {
        (self.command, self.code) = (command, code)
        var words = text
        if words.hasSuffix(" secs)."), let start = words.lastIndex(of: "(") { words = String(words[..<start]) }
        while let last = words.last, last == "." || last == " " { words.removeLast() }
        self.text = words
    }
}
