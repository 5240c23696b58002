import HelixModel

/// A message that is being written.
public struct MessageDraft: Hashable, Sendable {
    /// The sender; nil until set.
    public var from: MailAddress?
    /// To recipients.
    public var to: [MailAddress] = []
    /// Cc recipients.
    public var cc: [MailAddress] = []
    /// Bcc recipients. Written to the draft, but not to the message that is sent.
    public var bcc: [MailAddress] = []
    /// The addresses for replies, if not the sender.
    public var replyTo: [MailAddress] = []
    /// Subject.
    public var subject = ""
    /// The Message-ID of the message that it replies to, without brackets.
    public var inReplyTo: String?
    /// The Message-IDs of the conversation so far, the nearest last.
    public var references: [String] = []
    /// The Message-ID of the message that it forwards, without brackets.
    public var forwarded: String?
    /// Its own Message-ID, without brackets; constant from the first draft on.
    public var messageID: String?
    /// The text, lines ended by LF.
    public var body = ""
    /// Whether the text is Markdown, and is sent as HTML, too.
    public var isMarkdown = false
    /// The scheduling message that it carries (RFC 6047).
    public var calendar: DraftCalendar?
    /// The attachments.
    public var attachments: [DraftAttachment] = []
    /// The signature and encryption that it is to have.
    public var seal = MessageSeal()

    /// Creates an empty draft.
    public init() {}

    /// All recipients, without duplicates.
    public var recipients: [MailAddress] {
        var known: Set<String> = []
        return (to + cc + bcc).filter { known.insert($0.address.lowercased()).inserted }
    }

    /// All recipients in the form `Name <address>`, domains in ASCII.
    public var envelope: [String] { recipients.map { ((try? $0.deliverable()) ?? $0).text } }

    /// The error that prevents sending it, if any.
    public var problem: HelixError? {
        if from == nil {
            return HelixError(
                .configuration, "no sender address is set",
                hint: "Run 'helix config set user.email you@example.org', or pass --from.")
        }
        if recipients.isEmpty {
            return HelixError(.usage, "the message has no recipients", hint: "Add one with --to.")
        }
        return nil
    }

    /// Generates a Message-ID (RFC 5322 §3.6.4) with the sender's domain, so as not to reveal the machine's name.
    public static func newMessageID(for sender: MailAddress?) -> String {
        let ascii = sender.map { (try? $0.deliverable()) ?? $0 }
        let domain = ascii?.address.split(separator: "@").last.map(String.init) ?? ""
        let isPlain = domain.contains(".") && domain.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return "\(EntityID().text).\(EntityID().text)@\(isPlain ? domain : "helix.invalid")"
    }
}

/// An attachment of a draft.
public struct DraftAttachment: Hashable, Sendable {
    /// The source of an attachment's bytes.
    public enum Source: Hashable, Sendable {
        /// A file.
        case file(String)
        /// A part of a message file; parts are counted from 0.
        case part(file: String, index: Int)
        /// A message file as a whole.
        case message(String)
        /// Bytes, of a message that was decrypted.
        case content([UInt8])
    }

    /// Its name, without folders.
    public var name: String
    /// `application/pdf`.
    public var type: String
    /// Its size in bytes, as far as known.
    public var size: Int
    /// The character set of a text, if known.
    public var charset: String?
    /// The scheduling method (RFC 6047 §2.4).
    public var method: String?
    /// The source of its bytes.
    public var source: Source

    /// Creates an attachment.
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

/// A scheduling message in a draft.
public struct DraftCalendar: Hashable, Sendable {
    /// `REPLY`, `REQUEST`, `CANCEL` (RFC 5546).
    public var method: String
    /// The iCalendar text.
    public var text: String

    /// Creates a scheduling message.
    public init(method: String, text: String) {
        self.method = method
        self.text = text
    }
}
