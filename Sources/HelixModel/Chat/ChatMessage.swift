/// Something that was said in a conversation.
public struct ChatMessage: Hashable, Sendable {
    /// Whose words they are.
    public enum Role: String, Sendable, CaseIterable {
        /// A person's.
        case user
        /// The assistant's.
        case assistant
        /// Nobody's: the conversation's own, such as who came and went.
        case system
    }

    /// How far it has come.
    public enum State: String, Sendable, CaseIterable {
        /// It waits to leave this machine.
        case pending
        /// The gateway has it; or it stays here, and is where it belongs.
        case sent
        /// It has come to the devices of all others.
        case delivered
        /// All others have read it.
        case read
        /// It did not leave, and is not tried again by itself.
        case failed
    }

    /// The identity, by which the gateway also knows it: what is sent twice is there once.
    public var id: EntityID
    /// The conversation.
    public var conversation: EntityID
    /// Its number in the conversation; nil until it has one.
    public var number: Int64?
    /// Who said it.
    public var sender: String
    /// Whether it is one's own.
    public var isMine: Bool
    /// Whose words they are.
    public var role: Role
    /// The words; empty for what was deleted.
    public var content: String
    /// When it was said.
    public var sentAt: Instant
    /// How far it has come.
    public var state: State
    /// Why it did not leave.
    public var problem: String?
    /// The message that it answers.
    public var replyTo: EntityID?
    /// When it was changed last.
    public var editedAt: Instant?
    /// Whether it was deleted.
    public var isDeleted: Bool
    /// Whether it names oneself.
    public var isMention: Bool
    /// What came with it.
    public var attachments: [ChatAttachment]

    /// Such a message.
    public init(
        id: EntityID, conversation: EntityID, number: Int64? = nil, sender: String, isMine: Bool, role: Role = .user,
        content: String, sentAt: Instant, state: State = .sent, problem: String? = nil, replyTo: EntityID? = nil,
        editedAt: Instant? = nil, isDeleted: Bool = false, isMention: Bool = false, attachments: [ChatAttachment] = []
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
    }

    /// Its first words, as the title of something that is made of it.
    public var title: String {
        let line = content.split(whereSeparator: \.isNewline).map { String($0).trimmingBlanks() }.first { !$0.isEmpty }
        guard let line else { return attachments.first?.name ?? "(no words)" }
        return line.count <= 200 ? line : line.prefix(199) + "…"
    }

    /// The bytes that the words of one message may have.
    public static let largestContent = 64 << 10

    /// As much of a text as one message may have.
    public static func fitting(_ text: String) -> String {
        guard text.utf8.count > largestContent else { return text }
        var bytes = 0
        let kept = text.unicodeScalars.prefix { scalar in
            bytes += UTF8.width(scalar)
            return bytes <= largestContent
        }
        return String(kept)
    }

    /// Whether words name somebody: `@ana`, and nothing that only begins so.
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

/// A file that came with a message.
public struct ChatAttachment: Hashable, Sendable {
    /// The identity.
    public var id: EntityID
    /// The file's name.
    public var name: String
    /// What it is: `image/png`.
    public var type: String
    /// The number of its bytes.
    public var size: Int
    /// The SHA-256 of its bytes, in hexadecimal digits.
    public var sha256: String

    /// No file that goes with a message has more bytes.
    public static let largest = 64 << 20

    /// Such a file.
    public init(id: EntityID, name: String, type: String, size: Int, sha256: String) {
        self.id = id
        self.name = name
        self.type = type
        self.size = size
        self.sha256 = sha256
    }
}
