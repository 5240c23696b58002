import HelixModel

/// A message that is being written.
public struct MessageDraft: Hashable, Sendable {
    /// Who writes; nil until somebody says.
    public var from: MailAddress?
    /// To.
    public var to: [MailAddress] = []
    /// Cc.
    public var cc: [MailAddress] = []
    /// Bcc. It stands in the draft, and in no message that leaves.
    public var bcc: [MailAddress] = []
    /// Where answers shall go, if not to the sender.
    public var replyTo: [MailAddress] = []
    /// Subject.
    public var subject = ""
    /// The Message-ID of what it answers, without brackets.
    public var inReplyTo: String?
    /// The Message-IDs of the conversation so far, the nearest last.
    public var references: [String] = []
    /// The Message-ID of what it sends on, without brackets.
    public var forwarded: String?
    /// Its own Message-ID, without brackets; the same from the first draft on.
    public var messageID: String?
    /// The text, lines ended by LF.
    public var body = ""
    /// Whether the text is Markdown, and is sent as HTML, too.
    public var isMarkdown = false
    /// What it tells a calendar (RFC 6047), beside its text.
    public var calendar: DraftCalendar?
    /// What comes with it.
    public var attachments: [DraftAttachment] = []

    /// An empty one.
    public init() {}

    /// All whom it goes to, each once.
    public var recipients: [MailAddress] {
        var known: Set<String> = []
        return (to + cc + bcc).filter { known.insert($0.address.lowercased()).inserted }
    }

    /// All whom it goes to as servers take them: `Name <address>`, domains in ASCII.
    public var envelope: [String] { recipients.map { ((try? $0.deliverable()) ?? $0).text } }

    /// What keeps it from being sent, if anything does.
    public var problem: HelixError? {
        if from == nil {
            return HelixError(
                .configuration, "no sender address is set",
                hint: "helix config set user.email you@example.org, or --from.")
        }
        if recipients.isEmpty {
            return HelixError(.usage, "the message goes to nobody", hint: "Name somebody with --to.")
        }
        return nil
    }

    /// A new Message-ID (RFC 5322 §3.6.4) under the domain of the sender: nobody else has to know the machine's name.
    public static func newMessageID(for sender: MailAddress?) -> String {
        let ascii = sender.map { (try? $0.deliverable()) ?? $0 }
        let domain = ascii?.address.split(separator: "@").last.map(String.init) ?? ""
        let isPlain = domain.contains(".") && domain.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return "\(EntityID().text).\(EntityID().text)@\(isPlain ? domain : "helix.invalid")"
    }
}

/// Something that is sent with a message.
public struct DraftAttachment: Hashable, Sendable {
    /// Where its bytes are.
    public enum Source: Hashable, Sendable {
        /// In a file.
        case file(String)
        /// In a part of a message that lies in a file; parts are counted from 0.
        case part(file: String, index: Int)
        /// They are a message themselves, which lies in a file.
        case message(String)
    }

    /// Its name, without folders.
    public var name: String
    /// `application/pdf`.
    public var type: String
    /// Its bytes, as far as that is known.
    public var size: Int
    /// The character set of a text, if it is known.
    public var charset: String?
    /// What a calendar asks for (RFC 6047 §2.4).
    public var method: String?
    /// Where they are.
    public var source: Source

    /// Such an attachment.
    public init(
        name: String, type: String, size: Int, charset: String? = nil, method: String? = nil, source: Source
    ) {
        self.charset = charset
        self.method = method
        self.name = name
        self.type = type
        self.size = size
        self.source = source
    }
}

/// What a message tells a calendar.
public struct DraftCalendar: Hashable, Sendable {
    /// `REPLY`, `REQUEST`, `CANCEL` (RFC 5546).
    public var method: String
    /// iCalendar.
    public var text: String

    /// Such a thing.
    public init(method: String, text: String) {
        self.method = method
        self.text = text
    }
}
