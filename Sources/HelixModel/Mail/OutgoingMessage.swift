/// Something that waits to leave this machine.
public struct OutgoingMessage: Hashable, Sendable {
    /// What keeps it, or does not.
    public enum State: String, Sendable, CaseIterable {
        /// It leaves as soon as it may and can.
        case queued
        /// Somebody holds it back.
        case held
        /// It is leaving just now. Where that was broken off, nobody knows whether it left.
        case leaving
        /// It was refused; the reason stands with it.
        case parked
    }

    /// What it is.
    public enum Kind: String, Sendable, CaseIterable {
        /// A message by mail.
        case mail = "outgoing"
        /// Something that was said in a conversation.
        case chat = "chat_message"
    }

    /// What it is.
    public var kind = Kind.mail
    /// Its identity.
    public var id: EntityID
    /// The identity of the account that it was written in.
    public var account: EntityID
    /// What keeps it.
    public var state: State
    /// When it was put there.
    public var madeAt: Instant
    /// When it may leave.
    public var leavesAt: Instant
    /// How often it was tried.
    public var tries: Int
    /// Why it did not leave.
    public var problem: String?
    /// Message-ID without brackets: by it a second copy would be known.
    public var messageID: String
    /// Who sends it, `Name <address>`.
    public var sender: String
    /// All whom it goes to, `Name <address>`.
    public var recipients: [String]
    /// Subject.
    public var subject: String
    /// The SHA-256 of its bytes.
    public var sha256: String
    /// How many bytes there are.
    public var size: Int

    /// Such a message.
    public init(
        id: EntityID, account: EntityID, state: State, madeAt: Instant, leavesAt: Instant, tries: Int = 0,
        problem: String? = nil, messageID: String, sender: String, recipients: [String], subject: String,
        sha256: String,
        size: Int
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
    }
}
