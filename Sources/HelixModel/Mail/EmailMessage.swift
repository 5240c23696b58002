/// A message as lists show it.
public struct EmailMessage: Hashable, Sendable {
    /// The number of its row; greater for later messages.
    public var number: Int64
    /// Its identity.
    public var id: EntityID
    /// Message-ID without brackets.
    public var messageID: String?
    /// The conversation it belongs to: the first twelve characters of the identity of the message that began it.
    public var thread: Int64
    /// The name of its account.
    public var account: String
    /// The name of its mailbox.
    public var mailbox: String
    /// When it was written.
    public var date: Instant
    /// Subject; empty if there is none.
    public var subject: String
    /// Senders, `Name <address>` on a line each.
    public var from: String
    /// To.
    public var to: String
    /// Cc.
    public var cc: String
    /// Bcc: of what one wrote oneself.
    public var bcc: String
    /// The standard flags.
    public var flags: MessageFlags
    /// What else is to be known at a glance; the bits of the index.
    public var traits: Int
    /// Labels.
    public var labels: [String]
    /// The names of what is attached.
    public var attachments: [String]
    /// The beginning of its text, or what of it a search found.
    public var snippet: String
    /// The bytes of the whole message.
    public var size: Int

    /// Such a message.
    public init(
        number: Int64, id: EntityID, messageID: String?, thread: Int64, account: String, mailbox: String, date: Instant,
        subject: String, from: String, to: String, cc: String, flags: MessageFlags, traits: Int, labels: [String],
        attachments: [String], snippet: String, size: Int, bcc: String = ""
    ) {
        self.bcc = bcc
        self.number = number
        self.id = id
        self.messageID = messageID
        self.thread = thread
        self.account = account
        self.mailbox = mailbox
        self.date = date
        self.subject = subject
        self.from = from
        self.to = to
        self.cc = cc
        self.flags = flags
        self.traits = traits
        self.labels = labels
        self.attachments = attachments
        self.snippet = snippet
        self.size = size
    }
}
