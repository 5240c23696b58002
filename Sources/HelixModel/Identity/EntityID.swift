/// The identity of an entity: 80 random bits, written as 16 characters of Crockford's base 32 in lower case.
///
/// It never changes and is never given again. People type the shortest prefix that is unique among live entities.
public struct EntityID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The 16 characters.
    public let text: String

    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// A new random identity.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// A new identity from `generator`, for tests that need the same ones again.
    public init(using generator: inout some RandomNumberGenerator) {
        let low = generator.next()
        let high = generator.next()
        text = String(unsafeUninitializedCapacity: 16) { buffer in
            for index in 0..<16 {
                let bits = index < 12 ? low >> UInt64(index * 5) : high >> UInt64((index - 12) * 5)
                buffer[index] = EntityID.alphabet[Int(bits & 31)]
            }
            return 16
        }
    }

    /// The identity written as `text`, or nil if it is not 16 characters of the alphabet.
    public init?(_ text: String) {
        let normal = EntityPrefix.normalized(text)
        guard normal.utf8.count == 16, normal.utf8.allSatisfy(EntityID.alphabet.contains) else { return nil }
        self.text = normal
    }

    /// The identity that the store wrote as `stored`, which is not looked at again.
    public init(stored: String) { text = stored }

    /// The 16 characters.
    public var description: String { text }
    /// In the order of their texts.
    public static func < (a: EntityID, b: EntityID) -> Bool { a.text < b.text }
}

/// The beginning of an identity, as a person types it.
public struct EntityPrefix: Hashable, Sendable, CustomStringConvertible {
    /// Lower case, with Crockford's look-alikes resolved: `O` is `0`, `I` and `L` are `1`.
    public let text: String

    /// The prefix typed as `text`; anything typed is taken, and looked up as it is.
    public init(_ text: String) { self.text = EntityPrefix.normalized(text) }

    /// The prefix as typed, normalized.
    public var description: String { text }

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

/// What an entity is. The raw value stands in the store and in JSON.
public enum EntityKind: String, Sendable, CaseIterable, Codable {
    case calendar
    case event
}
