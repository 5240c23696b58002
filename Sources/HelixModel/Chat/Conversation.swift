/// A place where people talk: with themselves, with each other, or with an assistant.
public struct Conversation: Hashable, Sendable {
    /// Who talks in it.
    public enum Kind: String, Sendable, CaseIterable {
        /// Somebody with themselves: notes.
        case own = "self"
        /// Two people.
        case direct
        /// Several people, who have roles.
        case group
        /// Somebody with a program that answers.
        case assistant
    }

    /// The identity.
    public var id: EntityID
    /// Who talks in it.
    public var kind: Kind
    /// The name that it is called by.
    public var name: String
    /// The identity of the gateway's account that it is in; nil for one that stays on this machine.
    public var account: EntityID?
    /// What the gateway calls it; nil until it knows it.
    public var remote: String?
    /// Since when there is such a conversation.
    public var createdAt: Instant
    /// Whether it is out of sight in lists.
    public var isArchived: Bool
    /// Whether what is new in it is not counted.
    public var isMuted: Bool
    /// What one may do in it; nil for somebody who left.
    public var role: ChatMember.Role?
    /// The number of the last message that was read.
    public var readUpTo: Int64

    /// Such a conversation.
    public init(
        id: EntityID, kind: Kind, name: String, account: EntityID?, remote: String? = nil, createdAt: Instant,
        isArchived: Bool = false, isMuted: Bool = false, role: ChatMember.Role? = .owner, readUpTo: Int64 = 0
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
    }

    /// Whether a word can be the name of a conversation.
    public static func isName(_ name: String) -> Bool {
        let signs = name.unicodeScalars
        return (1...200).contains(signs.count) && !signs.contains { $0.value < 0x20 || $0.value == 0x7F }
            && signs.contains { !$0.properties.isWhitespace }
    }
}

/// Somebody who is in a conversation.
public struct ChatMember: Hashable, Sendable {
    /// What a member may do.
    public enum Role: String, Sendable, CaseIterable {
        /// All, and there is one at least.
        case owner
        /// To name the conversation, and to let people in and send them away.
        case admin
        /// To talk.
        case member

        /// Whether such a member lets others in.
        public var isInCharge: Bool { self != .member }
    }

    /// What is to become of a member, which the gateway has not been told yet.
    public enum Wish: String, Sendable {
        /// To be let in.
        case invite
        /// To be sent away.
        case remove
        /// To get the role that stands here.
        case role
    }

    /// The gateway's identity of the user; their name, for those who were invited and are not known yet.
    public var user: String
    /// The name.
    public var name: String
    /// What they may do.
    public var role: Role
    /// The number of the last message that has come to one of their devices.
    public var deliveredUpTo: Int64
    /// The number of the last message that they have read.
    public var readUpTo: Int64
    /// Whether it is oneself.
    public var isMe: Bool
    /// What the gateway is still to be told.
    public var wish: Wish?
    /// Whether one who is invited sees what was said before.
    public var seesAll: Bool
    /// Why the gateway would not have it.
    public var problem: String?

    /// Such a member.
    public init(
        user: String, name: String, role: Role, deliveredUpTo: Int64 = 0, readUpTo: Int64 = 0, isMe: Bool = false,
        wish: Wish? = nil, seesAll: Bool = false, problem: String? = nil
    ) {
        self.user = user
        self.name = name
        self.role = role
        self.deliveredUpTo = deliveredUpTo
        self.readUpTo = readUpTo
        self.isMe = isMe
        self.wish = wish
        self.seesAll = seesAll
        self.problem = problem
    }
}
