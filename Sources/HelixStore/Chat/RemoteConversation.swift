import HelixModel

/// A conversation as reported by a gateway.
public struct RemoteConversation: Hashable, Sendable {
    /// The conversation; its `remote` is its ID on the gateway.
    public var conversation: Conversation
    /// The members, including the user.
    public var members: [ChatMember]
    /// The number of the first message that the user may see.
    public var first: Int64
    /// The number of the last message.
    public var last: Int64

    /// Creates a conversation.
    public init(conversation: Conversation, members: [ChatMember], first: Int64, last: Int64) {
        self.conversation = conversation
        self.members = members
        self.first = first
        self.last = last
    }
}

/// The values of a conversation's editable fields as of the last sync with the gateway.
struct SyncedConversation: Equatable {
    var name: String
    var description: String
    var isArchived: Bool
    var isMuted: Bool
    var readUpTo: Int64

    init(_ conversation: Conversation) {
        name = conversation.name
        description = conversation.description
        isArchived = conversation.isArchived
        isMuted = conversation.isMuted
        readUpTo = conversation.readUpTo
    }

    /// Creates the state of a gateway that received only the name.
    init(named name: String) {
        (self.name, description, isArchived, isMuted, readUpTo) = (name, "", false, false, 0)
    }

    init?(json text: String) {
        guard let json = try? JSONText(Array(text.utf8)), let name = json["name"]?.text else { return nil }
        self.name = name
        description = json["description"]?.text ?? ""
        isArchived = json["archived"]?.bool ?? false
        isMuted = json["muted"]?.bool ?? false
        readUpTo = json["read"]?.integer ?? 0
    }

    var json: String {
        let json: JSONText = [
            "name": .string(name), "description": description.isEmpty ? nil : .string(description),
            "archived": .bool(isArchived), "muted": .bool(isMuted), "read": .integer(readUpTo),
        ]
        return json.compact
    }
}
