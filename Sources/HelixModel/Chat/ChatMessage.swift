/// A message of a conversation.
public struct ChatMessage: Hashable, Sendable {
    /// The kind of author.
    public enum Role: String, Sendable, CaseIterable {
        /// A person.
        case user
        /// The assistant.
        case assistant
        /// The conversation itself, such as a notice that a member joined or left.
        case system
    }

    /// The delivery state of a message.
    public enum State: String, Sendable, CaseIterable {
        /// Queued for sending.
        case pending
        /// Stored by the gateway; or local, where nothing is to be sent.
        case sent
        /// Delivered to devices of all other members.
        case delivered
        /// Read by all other members.
        case read
        /// Not sent, and not retried automatically.
        case failed
    }

    /// The identity, known to the gateway as well, so that a message sent twice is stored once.
    public var id: EntityID
    /// The conversation.
    public var conversation: EntityID
    /// The number in the conversation; nil until the gateway assigns one.
    public var number: Int64?
    /// The sender.
    public var sender: String
    /// Whether the user sent it.
    public var isMine: Bool
    /// The kind of author.
    public var role: Role
    /// The text; empty for a deleted message.
    public var content: String
    /// The time of sending.
    public var sentAt: Instant
    /// The delivery state.
    public var state: State
    /// The reason why it was not sent.
    public var problem: String?
    /// The message to which it replies.
    public var replyTo: EntityID?
    /// The time of the last edit.
    public var editedAt: Instant?
    /// Whether it was deleted.
    public var isDeleted: Bool
    /// Whether it mentions the user.
    public var isMention: Bool
    /// The attachments.
    public var attachments: [ChatAttachment]
    /// The data beside the text.
    public var details: ChatDetails

    /// Creates a message.
    public init(
        id: EntityID, conversation: EntityID, number: Int64? = nil, sender: String, isMine: Bool, role: Role = .user,
        content: String, sentAt: Instant, state: State = .sent, problem: String? = nil, replyTo: EntityID? = nil,
        editedAt: Instant? = nil, isDeleted: Bool = false, isMention: Bool = false, attachments: [ChatAttachment] = [],
        details: ChatDetails = ChatDetails()
    ) {
        self.id = id
        self.conversation = conversation
        self.number = number
        self.sender = sender
        self.isMine = isMine
        self.role = role
        self.content = content
        self.sentAt = sentAt
        self.state = state
        self.problem = problem
        self.replyTo = replyTo
        self.editedAt = editedAt
        self.isDeleted = isDeleted
        self.isMention = isMention
        self.attachments = attachments
        self.details = details
    }

    /// The first words, as the title of something made from the message.
    public var title: String {
        let line = content.split(whereSeparator: \.isNewline).map { String($0).trimmingBlanks() }.first { !$0.isEmpty }
        guard let line else { return attachments.first?.name ?? "(no words)" }
        return line.count <= 200 ? line : line.prefix(199) + "…"
    }

    /// The size limit of the text of one message in bytes.
    public static let largestContent = 64 << 10

    /// The part of a text that fits into one message.
    public static func fitting(_ text: String) -> String {
        guard text.utf8.count > largestContent else { return text }
        var bytes = 0
        let kept = text.unicodeScalars.prefix { scalar in
            bytes += UTF8.width(scalar)
            return bytes <= largestContent
        }
        return String(kept)
    }

    /// Whether a text mentions a name: `@ana`, but not as the prefix of a longer name.
    public static func mentions(_ name: String, in text: String) -> Bool {
        guard !name.isEmpty else { return false }
        let (words, sign) = (text.lowercased(), "@" + name.lowercased())
        var rest = words[...]
        while let found = rest.firstRange(of: sign) {
            let before = found.lowerBound > words.startIndex ? words[words.index(before: found.lowerBound)] : " "
            let after = found.upperBound < words.endIndex ? words[found.upperBound] : " "
            if !before.isLetter, !before.isNumber, !after.isLetter, !after.isNumber { return true }
            rest = words[found.upperBound...]
        }
        return false
    }
}

/// A file attached to a message.
public struct ChatAttachment: Hashable, Sendable {
    /// The identity.
    public var id: EntityID
    /// The file name.
    public var name: String
    /// The media type: `image/png`.
    public var type: String
    /// The size in bytes.
    public var size: Int
    /// The SHA-256 of the bytes, in hexadecimal digits.
    public var sha256: String

    /// The size limit of an attachment in bytes.
    public static let largest = 64 << 20

    /// Whether a text is a SHA-256 in lower-case hexadecimal digits.
    public static func isHash(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Creates an attachment.
    public init(id: EntityID, name: String, type: String, size: Int, sha256: String) {
        self.id = id
        self.name = name
        self.type = type
        self.size = size
        self.sha256 = sha256
    }
}
