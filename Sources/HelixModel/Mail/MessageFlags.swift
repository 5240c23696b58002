/// The standard flags of a message (RFC 9051 §2.3.2; the letters of Maildir).
public struct MessageFlags: OptionSet, Hashable, Sendable {
    /// The bits, as stored.
    public let rawValue: Int
    /// Creates flags from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Read.
    public static let seen = MessageFlags(rawValue: 1)
    /// Answered.
    public static let answered = MessageFlags(rawValue: 2)
    /// Starred.
    public static let flagged = MessageFlags(rawValue: 4)
    /// A draft.
    public static let draft = MessageFlags(rawValue: 8)
    /// Marked for deletion.
    public static let deleted = MessageFlags(rawValue: 16)
    /// Forwarded.
    public static let passed = MessageFlags(rawValue: 32)

    private static let letters: [(flag: MessageFlags, letter: UInt8, name: String)] = [
        (.draft, UInt8(ascii: "D"), "draft"), (.flagged, UInt8(ascii: "F"), "starred"),
        (.passed, UInt8(ascii: "P"), "forwarded"), (.answered, UInt8(ascii: "R"), "answered"),
        (.seen, UInt8(ascii: "S"), "read"), (.deleted, UInt8(ascii: "T"), "deleted"),
    ]

    /// Parses the letters after `:2,` of a Maildir name; unknown ones are ignored.
    public init(maildir: some Sequence<UInt8>) {
        self = maildir.reduce(into: []) { $0.insert(MessageFlags(letter: $1)) }
    }

    /// Parses letters from bytes in memory: a scan of a mailbox does so for each of its files.
    public init(maildir: UnsafeBufferPointer<UInt8>) {
        var flags: MessageFlags = []
        for letter in maildir { flags.insert(MessageFlags(letter: letter)) }
        self = flags
    }

    private init(letter: UInt8) {
        switch letter {
        case UInt8(ascii: "D"): self = .draft
        case UInt8(ascii: "F"): self = .flagged
        case UInt8(ascii: "P"): self = .passed
        case UInt8(ascii: "R"): self = .answered
        case UInt8(ascii: "S"): self = .seen
        case UInt8(ascii: "T"): self = .deleted
        default: self = []
        }
    }

    /// The letters, in ASCII order as the convention requires, merged with `others` of other programs.
    public func maildir(with others: String = "") -> String {
        let own = Self.letters.filter { contains($0.flag) }.map(\.letter)
        let foreign = others.utf8.filter { letter in !Self.letters.contains { $0.letter == letter } }
        return String(decoding: (own + foreign).sorted(), as: UTF8.self)
    }

    /// The names, as in JSON.
    public var names: [String] { Self.letters.filter { contains($0.flag) }.map(\.name) }
}
