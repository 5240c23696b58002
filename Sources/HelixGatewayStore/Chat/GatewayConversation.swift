import HelixModel

/// A conversation as one of its members sees it.
public struct GatewayConversation: Hashable, Sendable {
    /// The identity.
    public var id: EntityID
    /// The kind.
    public var kind: Conversation.Kind
    /// The displayed name.
    public var name: String
    /// The description; empty for none.
    public var description = ""
    /// The key that a client of the family chose for it; nil for none.
    public var sessionKey: String?
    /// The time of creation.
    public var createdAt: Instant
    /// The number of the last message.
    public var last: Int64
    /// The user's own membership.
    public var own: Member
    /// All members.
    public var members: [Member]

    /// A user's membership in a conversation.
    public struct Member: Hashable, Sendable {
        /// The user.
        public var user: EntityID
        /// The user's name.
        public var name: String
        /// The role; nil for a member who left.
        public var role: ChatMember.Role?
        /// The number of the first message that is visible to them.
        public var first: Int64
        /// The number of the last message delivered to one of their devices.
        public var delivered: Int64
        /// The number of the last message that they have read.
        public var read: Int64
        /// Whether they have archived it.
        public var isArchived: Bool
        /// Whether they have muted it.
        public var isMuted: Bool
        /// The name that they want to be shown by; empty for the user name.
        public var displayName = ""
    }

    /// The current members.
    public var users: [EntityID] { members.filter { $0.role != nil }.map(\.user) }
}

/// A message as the gateway stores it.
public struct GatewayMessage: Hashable, Sendable {
    /// The identity, chosen by its sender.
    public var id: EntityID
    /// The conversation.
    public var conversation: EntityID
    /// Its number in the conversation, from 1.
    public var number: Int64
    /// The sender; nil for an assistant and for system messages.
    public var sender: EntityID?
    /// The sender's name; empty if there is no sender.
    public var senderName: String
    /// The role of the author.
    public var role: ChatMessage.Role
    /// The text; empty for a deleted message.
    public var content: String
    /// The time of arrival at the gateway.
    public var sentAt: Instant
    /// The message that it replies to.
    public var replyTo: EntityID?
    /// The time of the last edit.
    public var editedAt: Instant?
    /// Whether it was deleted.
    public var isDeleted: Bool
    /// The attachments.
    public var files: [ChatAttachment]
    /// The data beside the text.
    public var details = ChatDetails()
    /// The count of changes at its last change.
    public var version: Int64
}

/// A position in the changes of all conversations, as clients receive it. Its form is the store's.
public struct ChatCursor: Hashable, Sendable {
    /// The cursor as it is sent to clients.
    public let text: String

    /// The maximum length of a cursor in bytes.
    public static let longest = 256

    init(stored text: String) { self.text = text }

    /// Parses a cursor from a client. Nil for text that no store makes; a cursor of another store is valid here, and the store
    /// finds that it does not know it.
    public init?(_ text: String) {
        guard (1...ChatCursor.longest).contains(text.utf8.count),
            ChatCursor.isCount(text) || ChatCursor.isSnapshot(text)
        else { return nil }
        self.text = text
    }

    /// Whether it is a count of changes with its random nonce, of SQLite: `120.3735928559`.
    private static func isCount(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { (Int64($0) ?? -1) >= 0 && !$0.hasPrefix("+") }
    }

    /// Whether it has the form of a snapshot, of PostgreSQL: `d0b9e6a0bd9a-2-940-941:941:`.
    private static func isSnapshot(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return (4...7).contains(parts.count) && parts[0].utf8.count == 12 && parts[0].allSatisfy(\.isHexDigit)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || "-:,".utf8.contains(byte)
            }
    }
}

/// A page of changes in a user's conversations.
public struct ChatPage: Sendable {
    /// The conversations with changes: to their members or read marks, for example.
    public var conversations: [GatewayConversation]
    /// The conversations that the user deleted.
    public var forgotten: [EntityID]
    /// The new or changed messages, in the order of their changes.
    public var messages: [GatewayMessage]
    /// The cursor of the end of the page.
    public var cursor: ChatCursor
    /// Whether the given cursor is unknown to this store: then the page starts from the beginning.
    public var isReset: Bool
    /// Whether there are more changes.
    public var hasMore: Bool
}

extension GatewayMessage {
    /// The first messages that fit into a frame in every encoding; at least one.
    static func fitting(_ messages: ArraySlice<GatewayMessage>) -> [GatewayMessage] {
        var bytes = 0
        return Array(
            messages.prefix { message in
                defer { bytes += message.content.utf8.count + 200 }
                return bytes < 1 << 20
            })
    }
}
