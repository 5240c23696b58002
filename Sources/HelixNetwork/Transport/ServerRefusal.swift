/// Something that a server did not do, in the words of the server.
public struct ServerRefusal: Error, Hashable, Sendable {
    /// The name of what was asked for.
    public var command: String
    /// The reason as a code of IMAP (RFC 5530): `TRYCREATE`, `OVERQUOTA`, `NOPERM`; empty if there is none. Errors of JMAP have
    /// the one that means the same.
    public var code: String
    /// The reason for people.
    public var text: String

    /// Whether the same may be done later, because the reason passes or somebody can do away with it.
    public var isPassing: Bool {
        ["UNAVAILABLE", "INUSE", "LIMIT", "OVERQUOTA", "SERVERBUG", "EXPIRED"].contains(code)
    }

    /// A refusal in a server's words, without the end of its sentence and how long it took to find them.
    public init(command: String, code: String, text: String) {
        (self.command, self.code) = (command, code)
        var words = text
        if words.hasSuffix(" secs)."), let start = words.lastIndex(of: "(") { words = String(words[..<start]) }
        while let last = words.last, last == "." || last == " " { words.removeLast() }
        self.text = words
    }
}
