import HelixModel

/// The conversations of a gateway's users, with their members and messages.
public protocol GatewayChatStore {
    /// Creates a conversation. An existing one is returned unchanged: the request is idempotent.
    ///
    /// - Parameter others: the names of further members.
    /// - Throws: ``HelixError``: `notFound` for an unknown name, `conflict` for an identity that belongs to another user.
    func beginConversation(
        _ id: EntityID, _ kind: Conversation.Kind, name: String, others: [String], by user: EntityID, now: Instant
    ) throws -> GatewayConversation

    /// A conversation as a user sees it.
    /// - Throws: ``HelixError`` of code `notFound`.
    func conversation(_ id: EntityID, of user: EntityID) throws -> GatewayConversation

    /// A conversation as the user last saw it through this store, if it is remembered: marks and members may have changed since.
    func recentConversation(_ id: EntityID, of user: EntityID) -> GatewayConversation?

    /// A user's conversations with their last messages, the one with the latest message first.
    /// - Parameters:
    ///   - filter: only those that match it.
    ///   - limit: the maximum number to read; the rest is counted.
    /// - Throws: ``HelixError``.
    func conversations(
        of user: EntityID, matching filter: ConversationFilter, limit: Int
    ) throws -> (list: [(conversation: GatewayConversation, last: GatewayMessage?)], total: Int)

    /// A user's main conversation with the assistant, which needs no creation; nil if it has no messages yet.
    /// - Throws: ``HelixError``.
    func mainConversation(of user: EntityID) throws -> GatewayConversation?

    /// The main conversation, created if there is none. The gateway's store records which one it is: other users cannot have
    /// created it before.
    /// - Parameter former: its identity at gateways of earlier versions, derived from the user's; used only if the conversation
    ///   is this user's own.
    /// - Throws: ``HelixError``.
    func makeMainConversation(of user: EntityID, former: EntityID, now: Instant) throws -> GatewayConversation

    /// Records the key that a client of the family chose for its conversation, so that lists have it on other connections.
    /// - Throws: ``HelixError``.
    func setSessionKey(_ key: String, of conversation: EntityID, by user: EntityID) throws

    /// Changes a conversation: a user's own settings, or, for an owner or admin, its name.
    /// - Throws: ``HelixError``: `notFound`, `notAllowed`.
    /// - Returns: the conversation, and the other members who are to be notified.
    func changeConversation(
        _ id: EntityID, by user: EntityID, _ change: ConversationChange, now: Instant
    ) throws -> (conversation: GatewayConversation, notified: ChangeAudience)

    /// Adds a member to a group.
    /// - Parameter seesAll: whether earlier messages are visible to them.
    /// - Throws: ``HelixError``: `notFound`, `notAllowed`.
    func invite(
        _ name: String, to id: EntityID, as role: ChatMember.Role, seesAll: Bool, by user: EntityID, now: Instant
    ) throws -> GatewayConversation

    /// Changes the role of a member of a group.
    /// - Throws: ``HelixError``: `notFound`, `notAllowed`; `conflict` if no owner would be left.
    func setRole(
        _ role: ChatMember.Role, of other: EntityID, in id: EntityID, by user: EntityID
    ) throws -> GatewayConversation

    /// Removes a member from a group, or leaves it.
    /// - Throws: ``HelixError``: `notFound`, `notAllowed`.
    /// - Returns: the conversation as it was before, with everybody who is to be told.
    func remove(_ other: EntityID, from id: EntityID, by user: EntityID, now: Instant) throws -> GatewayConversation

    /// Deletes a conversation for one user: other members keep it, and it reappears with the next message.
    /// - Throws: ``HelixError`` of code `notFound`.
    func forgetConversation(_ id: EntityID, by user: EntityID, now: Instant) throws

    /// Hides all present messages of a conversation from a user, for good: it starts anew.
    /// - Throws: ``HelixError`` of code `notFound`.
    func clearConversation(_ id: EntityID, by user: EntityID) throws -> GatewayConversation

    /// Stores a message. One that is stored already is returned unchanged.
    ///
    /// - Parameter asAssistant: whether the user's assistant is the author.
    /// - Returns: the message, whether it is new, and the conversation as the user sees it.
    /// - Throws: ``HelixError``: `notFound`, `usage`, `conflict` for an identity that belongs to another message.
    func say(
        _ draft: ChatDraft, in id: EntityID, by user: EntityID, asAssistant: Bool, now: Instant
    ) throws -> (message: GatewayMessage, isNew: Bool, conversation: GatewayConversation)

    /// Edits or deletes a user's own message. Editing a deleted message restores it. Owners and admins of a group delete the
    /// messages of others, too.
    /// - Parameter content: the new text; nil deletes the message.
    /// - Throws: ``HelixError``: `notFound`, also for another user's message.
    func edit(
        _ id: EntityID, content: String?, by user: EntityID, now: Instant
    ) throws -> (message: GatewayMessage, conversation: GatewayConversation)

    /// Adds or removes a user's reaction to a message.
    /// - Throws: ``HelixError``: `notFound`; `usage` for a text that is no emoji; `notAllowed` for too many.
    func react(
        _ emoji: String, isOn: Bool, to id: EntityID, by user: EntityID, now: Instant
    ) throws -> (message: GatewayMessage, conversation: GatewayConversation)

    /// Pins or unpins a message; in a group, owners and admins may.
    /// - Throws: ``HelixError``: `notFound`, `notAllowed`.
    func pin(
        _ isPinned: Bool, _ id: EntityID, by user: EntityID, now: Instant
    ) throws -> (message: GatewayMessage, conversation: GatewayConversation)

    /// The latest messages of a conversation, the oldest first.
    /// - Parameter end: returns only messages with smaller numbers.
    /// - Throws: ``HelixError`` of code `notFound`.
    func messages(of id: EntityID, for user: EntityID, before end: Int64?, limit: Int) throws -> [GatewayMessage]

    /// The changes in a user's conversations since a cursor: all changes up to the page's cursor, and every conversation that a
    /// message of the page belongs to.
    ///
    /// - Parameters:
    ///   - cursor: the cursor of an earlier page; nil for everything.
    ///   - seen: the latest cursor that the client has received.
    ///   - limit: the maximum number of messages.
    /// - Throws: ``HelixError``.
    func chatPage(for user: EntityID, since cursor: ChatCursor?, seen: ChatCursor?, limit: Int) throws -> ChatPage

    /// The current cursor.
    /// - Throws: ``HelixError``.
    func chatCursor() throws -> ChatCursor

    /// Removes what only old cursors need.
    /// - Throws: ``HelixError``.
    func sweepCursors() throws
}

/// The other members who are to be notified of a change in a conversation.
public enum ChangeAudience: Hashable, Sendable {
    /// Nobody: a setting of one member.
    case nobody
    /// The authors of the messages that a member has received or read: to tell everybody would cost an event for each pair of
    /// members.
    case authors(Set<EntityID>)
    /// All members.
    case everybody
}

/// A change of a conversation; nil leaves a property as it is.
public struct ConversationChange: Hashable, Sendable {
    /// The name.
    public var name: String?
    /// The description.
    public var description: String?
    /// Whether the user has archived it.
    public var isArchived: Bool?
    /// Whether the user has muted it.
    public var isMuted: Bool?
    /// The number of the last message that was delivered to one of the user's devices.
    public var delivered: Int64?
    /// The number of the last message that the user has read.
    public var read: Int64?

    /// Creates a change.
    public init(
        name: String? = nil, isArchived: Bool? = nil, isMuted: Bool? = nil, delivered: Int64? = nil,
        read: Int64? = nil, description: String? = nil
    ) {
        self.description = description
        self.name = name
        self.isArchived = isArchived
        self.isMuted = isMuted
        self.delivered = delivered
        self.read = read
    }
}
