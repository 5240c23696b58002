import HelixModel

/// A conversation as one of its members sees it.
public struct ChatRoom: Hashable, Sendable {
    /// The identity.
    public var id: EntityID
    /// Who talks in it.
    public var kind: Conversation.Kind
    /// The name that it is called by.
    public var name: String
    /// When it was begun.
    public var createdAt: Instant
    /// The number of the last message.
    public var last: Int64
    /// One's own place in it.
    public var own: Occupant
    /// All who are in it.
    public var occupants: [Occupant]

    /// Somebody's place in a conversation.
    public struct Occupant: Hashable, Sendable {
        /// The user.
        public var user: EntityID
        /// The user's name.
        public var name: String
        /// What they may do; nil for somebody who left.
        public var role: ChatMember.Role?
        /// The number of the first message that they see.
        public var first: Int64
        /// The number of the last message that came to one of their devices.
        public var delivered: Int64
        /// The number of the last message that they have read.
        public var read: Int64
        /// Whether it is out of their sight.
        public var isArchived: Bool
        /// Whether they do not want to be told of it.
        public var isMuted: Bool
    }

    /// Those who are in it now.
    public var users: [EntityID] { occupants.filter { $0.role != nil }.map(\.user) }
}

/// A message as the gateway keeps it.
public struct ChatLine: Hashable, Sendable {
    /// The identity that its sender chose.
    public var id: EntityID
    /// The conversation.
    public var room: EntityID
    /// Its number in the conversation, from 1.
    public var number: Int64
    /// Who sent it; nil for an assistant and for what the conversation itself says.
    public var sender: EntityID?
    /// The sender's name; empty where there is none.
    public var senderName: String
    /// Whose words they are.
    public var role: ChatMessage.Role
    /// The words; empty for what was deleted.
    public var content: String
    /// When it came here.
    public var sentAt: Instant
    /// The message that it answers.
    public var replyTo: EntityID?
    /// When it was changed last.
    public var editedAt: Instant?
    /// Whether it was deleted.
    public var isDeleted: Bool
    /// What came with it.
    public var files: [ChatAttachment]
    /// The count of changes when it was changed last.
    public var version: Int64
}

/// A count of the changes of all conversations, as clients are given it.
public struct ChatCursor: Hashable, Sendable {
    /// So many changes.
    let count: Int64
    /// The number of chance that the last of them has; nil for one that is older than those.
    let chance: Int64?

    init(_ count: Int64, chance: Int64?) { (self.count, self.chance) = (count, chance) }

    /// One as clients give it back: `120.3735928559`. Nil for what none can be.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let count = Int64(parts[0]), count >= 0 else { return nil }
        let chance = parts.count == 2 ? Int64(parts[1]) : nil
        if parts.count == 2, chance == nil { return nil }
        self.init(count, chance: chance)
    }

    /// As clients are given it.
    public var text: String { chance.map { "\(count).\($0)" } ?? "\(count)" }
}

/// What is new in a user's conversations.
public struct ChatPage: Sendable {
    /// The conversations of which anything is new: who is in them, say, or up to where they have read.
    public var rooms: [ChatRoom]
    /// Those that the user deleted.
    public var forgotten: [EntityID]
    /// The messages that are new or were changed, in the order in which that happened.
    public var lines: [ChatLine]
    /// Up to where that is.
    public var cursor: ChatCursor
    /// Whether the cursor that was named is none of this store: then all is told from the beginning.
    public var isReset: Bool
    /// Whether there is more.
    public var hasMore: Bool
}
