/// A message in the outbox.
public struct OutgoingMessage: Hashable, Sendable {
    /// The state of a queued message.
    public enum State: String, Sendable, CaseIterable {
        /// Queued for sending.
        case queued
        /// Held by the user.
        case held
        /// Being sent. After an interruption it is unknown whether it was sent.
        case leaving
        /// Refused; ``OutgoingMessage/problem`` has the reason.
        case parked
    }

    /// The kind of a message.
    public enum Kind: String, Sendable, CaseIterable {
        /// A mail message.
        case mail = "outgoing"
        /// A chat message.
        case chat = "chat_message"
    }

    /// The kind.
    public var kind = Kind.mail
    /// The identity.
    public var id: EntityID
    /// The identity of the sending account.
    public var account: EntityID
    /// The state.
    public var state: State
    /// The time at which it was queued.
    public var madeAt: Instant
    /// The time from which it may be sent.
    public var leavesAt: Instant
    /// The number of attempts.
    public var tries: Int
    /// The reason why it was not sent.
    public var problem: String?
    /// Message-ID without brackets: it identifies a second copy.
    public var messageID: String
    /// The sender, `Name <address>`.
    public var sender: String
    /// All recipients, `Name <address>`.
    public var recipients: [String]
    /// Subject.
    public var subject: String
    /// The SHA-256 of the bytes.
    public var sha256: String
    /// The size in bytes.
    public var size: Int
    /// The agent that wrote it; nil for a person.
    public var author: String?
    /// The time at which its sender is told if nobody has answered; nil for never.
    public var followUp: Instant?

    /// Creates a message.
    public init(
        id: EntityID, account: EntityID, state: State, madeAt: Instant, leavesAt: Instant, tries: Int = 0,
        problem: String? = nil, messageID: String, sender: String, recipients: [String], subject: String,
        sha256: String, size: Int, author: String? = nil
    ) {
        self.id = id
        self.account = account
        self.state = state
        self.madeAt = madeAt
        self.leavesAt = leavesAt
        self.tries = tries
        self.problem = problem
        self.messageID = messageID
        self.sender = sender
        self.recipients = recipients
        self.subject = subject
        self.sha256 = sha256
        self.size = size
        self.author = author
    }
}
