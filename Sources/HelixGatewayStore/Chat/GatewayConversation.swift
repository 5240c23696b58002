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

/// A position in the sequence of all conversations' changes, as clients receive it.
public struct ChatCursor: Hashable, Sendable {
    /// The number of changes.
    let count: Int64
    /// The random nonce of the last change; nil for a cursor older than nonces.
    let nonce: Int64?

    init(_ count: Int64, nonce: Int64?) { (self.count, self.nonce) = (count, nonce) }

    /// Parses a cursor from a client: `120.3735928559`. Nil for invalid text.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let count = Int64(parts[0]), count >= 0 else { return nil }
        let nonce = parts.count == 2 ? Int64(parts[1]) : nil
        if parts.count == 2, nonce == nil { return nil }
        self.init(count, nonce: nonce)
    }

    /// The cursor as it is sent to clients.
    public var text: String { nonce.map { "\(count).\($0)" } ?? "\(count)" }
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
