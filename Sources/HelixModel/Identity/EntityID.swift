/// The identity of an entity: 80 random bits, written as 16 characters of Crockford's base 32 in lower case.
///
/// It never changes and is never reused. Users type the shortest prefix that is unique among live entities.
public struct EntityID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first twelve characters, five bits each, and the last four. Numbers, since views compare and hash thousands.
    private let high: UInt64
    private let low: UInt32

    private static let alphabet: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"
    /// The value of each ASCII letter and digit, or 255.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for value in 0..<32 { values[Int(alphabet.utf8Start[value])] = UInt8(value) }
        return values
    }()

    /// Creates a random identity.
    public init() {
        var generator = PooledRandomNumbers()
        self.init(using: &generator)
    }

    /// Creates an identity from `generator`, for tests that need reproducible ones.
    public init(using generator: inout some RandomNumberGenerator) {
        high = generator.next() >> 4
        low = UInt32(truncatingIfNeeded: generator.next() >> 44)
    }

    /// Creates the identity derived from a digest of at least ten bytes.
    public init(digest: some Sequence<UInt8>) {
        var high: UInt64 = 0
        var low: UInt64 = 0
        for (place, byte) in digest.prefix(10).enumerated() {
            if place < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
        }
        self.high = high >> 4
        self.low = UInt32((high & 15) << 16 | low)
    }

    /// Creates an identity from its first twelve characters, followed by zeros.
    public init(head: Int64) { (high, low) = (UInt64(bitPattern: head), 0) }

    /// The first twelve characters as a number.
    public var head: Int64 { Int64(high) }

    /// Parses the identity `text`; nil if it is not 16 characters of the alphabet.
    public init?(_ text: String) {
        let normal = EntityPrefix.normalized(text)
        guard normal.utf8.count == 16, normal.utf8.allSatisfy({ EntityID.values[Int($0)] < 32 }) else { return nil }
        self.init(stored: normal)
    }

    /// Reads an identity from the store, without validation.
    public init(stored: String) { self.init(bytes: stored.utf8) }

    /// Reads an identity from bytes of the store, without validation.
    public init(stored bytes: UnsafeBufferPointer<UInt8>) { self.init(bytes: bytes) }

    private init(bytes: some Sequence<UInt8>) {
        var high: UInt64 = 0
        var low: UInt32 = 0
        var place = 0
        for byte in bytes {
            let bits = EntityID.values[Int(byte)] & 31
            if place < 12 { high = high << 5 | UInt64(bits) } else { low = low << 5 | UInt32(bits) }
            place += 1
            if place == 16 { break }
        }
        self.high = high
        self.low = low
    }

    /// The 16 characters.
    public var text: String {
        String(unsafeUninitializedCapacity: 16) { buffer in
            for place in 0..<12 {
                buffer[place] = EntityID.alphabet.utf8Start[Int(truncatingIfNeeded: high >> (55 - 5 * place) & 31)]
            }
            for place in 0..<4 {
                buffer[12 + place] = EntityID.alphabet.utf8Start[Int(low >> (15 - 5 * place) & 31)]
            }
            return 16
        }
    }

    /// The 16 characters.
    public var description: String { text }
    /// Orders identities by their texts.
    public static func < (a: EntityID, b: EntityID) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

/// The beginning of an identity, as a user types it.
public struct EntityPrefix: Hashable, Sendable, CustomStringConvertible {
    /// Lower case, with Crockford's look-alikes resolved: `O` is `0`, `I` and `L` are `1`.
    public let text: String
    /// The text as typed.
    public let typed: String

    /// Creates a prefix from `text`; any text is accepted, and looked up as it is.
    public init(_ text: String) {
        typed = text
        self.text = EntityPrefix.normalized(text)
    }

    /// The prefix as typed.
    public var description: String { typed }

    static func normalized(_ text: String) -> String {
        String(
            text.lowercased().map { character in
                switch character {
                case "o": "0"
                case "i", "l": "1"
                default: character
                }
            })
    }
}

/// The kind of an entity. The raw value is written to the store and to JSON.
public enum EntityKind: String, Sendable, CaseIterable, Codable {
    case calendar
    case event
    case task
    case timeEntry = "time_entry"
    case board
    case column
    case project
    case link
    case view
    case material
    case file
    case conversation
    case chatMessage = "chat_message"
    case chatAttachment = "chat_attachment"
    case account
    case message
    case search
    case rule
    case outgoing
    case addressBook = "address_book"
    case contact
    case invoice

    /// `1 task`, `2 time entries`.
    public func counted(_ count: Int) -> String { count == 1 ? "1 \(name)" : "\(count) \(plural)" }

    /// The name of several.
    public var plural: String {
        name.hasSuffix("y") ? name.dropLast() + "ies" : name + (name.hasSuffix("ch") ? "es" : "s")
    }

    /// The name for messages.
    public var name: String {
        switch self {
        case .timeEntry: "time entry"
        case .outgoing: "outgoing message"
        case .chatMessage: "chat message"
        case .chatAttachment: "file of a chat message"
        case .addressBook: "address book"
        case .rule: "rule for mail"
        default: rawValue
        }
    }
}
