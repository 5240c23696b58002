/// A conversation: notes to oneself, a chat between people, or a chat with an assistant.
public struct Conversation: Hashable, Sendable {
    /// The kind of a conversation, by its participants.
    public enum Kind: String, Sendable, CaseIterable {
        /// One user alone: notes.
        case own = "self"
        /// Two users.
        case direct
        /// Several users, who have roles.
        case group
        /// A user with a program that answers.
        case assistant
    }

    /// The identity.
    public var id: EntityID
    /// The kind.
    public var kind: Kind
    /// The name.
    public var name: String
    /// The description; empty for none.
    public var description: String
    /// The identity of its gateway account; nil for a local conversation.
    public var account: EntityID?
    /// The gateway's id of the conversation; nil until it is known there.
    public var remote: String?
    /// The time of creation.
    public var createdAt: Instant
    /// Whether lists hide it.
    public var isArchived: Bool
    /// Whether its unread messages are not counted.
    public var isMuted: Bool
    /// The user's role; nil after leaving.
    public var role: ChatMember.Role?
    /// The number of the last message read.
    public var readUpTo: Int64

    /// Creates a conversation.
    public init(
        id: EntityID, kind: Kind, name: String, account: EntityID?, remote: String? = nil, createdAt: Instant,
        isArchived: Bool = false, isMuted: Bool = false, role: ChatMember.Role? = .owner, readUpTo: Int64 = 0,
        description: String = ""
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.account = account
        self.remote = remote
        self.createdAt = createdAt
        self.isArchived = isArchived
        self.isMuted = isMuted
        self.role = role
        self.readUpTo = readUpTo
        self.description = description
    }

    /// The maximum size of a description in bytes.
    public static let largestDescription = 2000

    /// Whether a text is a valid description: at most ``largestDescription`` bytes, in lines without control characters.
    public static func isDescription(_ text: String) -> Bool {
        text.utf8.count <= largestDescription
            && !text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) }
    }

    /// Whether a word is a valid name of a conversation.
    public static func isName(_ name: String) -> Bool {
        let signs = name.unicodeScalars
        return (1...200).contains(signs.count) && !signs.contains { $0.value < 0x20 || $0.value == 0x7F }
            && signs.contains { !$0.properties.isWhitespace }
    }
}

/// A member of a conversation.
public struct ChatMember: Hashable, Sendable {
    /// The role of a member.
    public enum Role: String, Sendable, CaseIterable {
        /// May do everything; a group has at least one owner.
        case owner
        /// May rename the conversation, invite members and remove them.
        case admin
        /// May send messages.
        case member

        /// Whether the role may invite others.
        public var isInCharge: Bool { self != .member }
    }

    /// A pending change of a member, not yet sent to the gateway.
    public enum PendingChange: String, Sendable {
        /// Invite the user.
        case invite
        /// Remove the member.
        case remove
        /// Change the role to ``ChatMember/role``.
        case role
    }

    /// The gateway's id of the user; the name, if the user was invited and is not known yet.
    public var user: String
    /// The name.
    public var name: String
    /// The name that the user wants to be shown by; empty for none.
    public var displayName = ""
    /// The role.
    public var role: Role
    /// The number of the last message delivered to one of the member's devices.
    public var deliveredUpTo: Int64
    /// The number of the last message that the member has read.
    public var readUpTo: Int64
    /// Whether the member is the user.
    public var isMe: Bool
    /// The pending change to send to the gateway.
    public var pending: PendingChange?
    /// Whether an invited member sees earlier messages.
    public var seesAll: Bool
    /// The reason why the gateway refused the change.
    public var problem: String?

    /// Creates a member.
    public init(
        user: String, name: String, role: Role, deliveredUpTo: Int64 = 0, readUpTo: Int64 = 0, isMe: Bool = false,
        pending: PendingChange? = nil, seesAll: Bool = false, problem: String? = nil
    ) {
        self.user = user
        self.name = name
        self.role = role
        self.deliveredUpTo = deliveredUpTo
        self.readUpTo = readUpTo
        self.isMe = isMe
        self.pending = pending
        self.seesAll = seesAll
        self.problem = problem
    }
}
