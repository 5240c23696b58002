/// A message, with the fields that lists show.
public struct EmailMessage: Hashable, Sendable {
    /// The row number; greater for later messages.
    public var number: Int64
    /// The identity.
    public var id: EntityID
    /// Message-ID without brackets.
    public var messageID: String?
    /// The thread: the first twelve characters of the identity of its first message.
    public var thread: Int64
    /// The name of the account.
    public var account: String
    /// The name of the mailbox.
    public var mailbox: String
    /// The date of the message.
    public var date: Instant
    /// Subject; empty if there is none.
    public var subject: String
    /// Senders, one `Name <address>` per line.
    public var from: String
    /// To.
    public var to: String
    /// Cc.
    public var cc: String
    /// Bcc, for messages of the user.
    public var bcc: String
    /// The standard flags.
    public var flags: MessageFlags
    /// Further traits for lists; the bits of the index.
    public var traits: Int
    /// Labels.
    public var labels: [String]
    /// The names of the attachments.
    public var attachments: [String]
    /// The beginning of the text, or the part that a search matched.
    public var snippet: String
    /// The size of the whole message in bytes.
    public var size: Int

    /// Creates a message.
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
