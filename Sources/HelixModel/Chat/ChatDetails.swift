/// The data of a chat message beside its text, as the apps of the gateway's family know it.
public struct ChatDetails: Hashable, Sendable {
    /// Texts by name that the sending client added, such as a place or a reference of its own.
    public var metadata: [String: String]
    /// The platform of the device that sent it: `linux`, `ios`.
    public var platform: String?
    /// The device that sent it.
    public var device: String?
    /// The assistant's reasoning before its answer.
    public var thinking: String?
    /// The time at which the gateway stored it; nil before.
    public var syncedAt: Instant?
    /// The reactions of members, in the order of the first of each.
    public var reactions: [ChatReaction] = []
    /// The time at which it was pinned; nil if it is not.
    public var pinnedAt: Instant?
    /// The name of the owner or admin who removed it; nil if its sender did.
    public var removedBy: String?

    /// Creates details.
    public init(
        metadata: [String: String] = [:], platform: String? = nil, device: String? = nil, thinking: String? = nil,
        syncedAt: Instant? = nil
    ) {
        self.metadata = metadata
        self.platform = platform
        self.device = device
        self.thinking = thinking
        self.syncedAt = syncedAt
    }

    /// The maximum number of texts in ``metadata``.
    public static let mostMetadata = 64
    /// The maximum size of the names and texts in ``metadata`` in bytes.
    public static let largestMetadata = 16 << 10

    /// Whether texts fit into the metadata of a message.
    public static func fits(_ metadata: [String: String]) -> Bool {
        metadata.count <= mostMetadata
            && metadata.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } <= largestMetadata
            && !metadata.keys.contains("")
    }

    /// The metadata, by name.
    public var texts: [(name: String, text: String)] {
        metadata.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The metadata as a JSON object, by name; nil if there is none.
    public var metadataJSON: JSONText? {
        metadata.isEmpty ? nil : .object(texts.map { JSONText.Field(name: $0.name, value: .string($0.text)) })
    }

    /// Parses the metadata of a message, as text.
    public static func metadata(stored text: String?) -> [String: String] {
        guard let text, let json = try? JSONText(Array(text.utf8)) else { return [:] }
        return metadata(json)
    }

    /// The texts of a JSON object; numbers and truth values as they are written.
    public static func metadata(_ json: JSONText?) -> [String: String] {
        var texts: [String: String] = [:]
        for field in json?.fields ?? [] {
            switch field.value {
            case .string(let text): texts[field.name] = text
            case .number(let digits): texts[field.name] = digits
            case .bool(let bool): texts[field.name] = bool ? "true" : "false"
            case .null, .array, .object: continue
            }
        }
        return texts
    }

    /// The fields of a message's JSON at a gateway (docs/gateway.md, "Chat").
    /// - Parameter time: parses a time.
    public init(wire json: JSONText, time: (String) -> Instant?) {
        self.init(
            metadata: ChatDetails.metadata(json["metadata"]), platform: json["platform"]?.text,
            device: json["device_id"]?.text, thinking: json["thinking"]?.text,
            syncedAt: json["synced_at"]?.text.flatMap(time))
        reactions = ChatReaction.list(json["reactions"])
        pinnedAt = json["pinned_at"]?.text.flatMap(time)
        removedBy = json["removed_by"]?.text
    }
}

/// A reaction to a chat message, with those who chose it.
public struct ChatReaction: Hashable, Sendable {
    /// One emoji.
    public var emoji: String
    /// The names of the users.
    public var users: [String]

    /// Creates a reaction.
    public init(emoji: String, users: [String]) {
        self.emoji = emoji
        self.users = users
    }

    /// The maximum number of different reactions of one user to a message.
    public static let mostOfUser = 20

    /// Whether a text is one emoji: a single character as users see it, which is no letter, digit, blank or control sign.
    public static func isEmoji(_ text: String) -> Bool {
        guard text.count == 1, text.utf8.count <= 64, let first = text.unicodeScalars.first else { return false }
        return first.properties.isEmoji && (first.value > 0x7F || text.unicodeScalars.contains { $0.value == 0x20E3 })
            || first.properties.generalCategory == .otherSymbol
    }

    /// Parses the reactions of a message.
    public static func list(_ json: JSONText?) -> [ChatReaction] {
        (json?.elements ?? []).compactMap { element in
            guard let emoji = element["emoji"]?.text, isEmoji(emoji), let users = element["users"]?.strings else {
                return nil
            }
            return ChatReaction(emoji: emoji, users: users)
        }
    }

    /// Parses reactions as stored.
    public static func list(stored text: String?) -> [ChatReaction] {
        list(text.flatMap { try? JSONText(Array($0.utf8)) })
    }

    /// Reactions as JSON; nil for none.
    public static func json(_ list: [ChatReaction]) -> JSONText? {
        if list.isEmpty { return nil }
        return .array(list.map { ["emoji": .string($0.emoji), "users": .array($0.users.map { .string($0) })] })
    }
}
