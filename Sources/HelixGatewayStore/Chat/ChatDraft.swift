import HelixModel

/// A message to send.
public struct ChatDraft: Sendable {
    /// The identity, chosen by the client.
    public var id: EntityID
    /// The text.
    public var content: String
    /// The role of the author.
    public var role: ChatMessage.Role
    /// The message that it replies to.
    public var replyTo: EntityID?
    /// The attachments.
    public var files: [ChatAttachment]
    /// The time at which it was written, if it was queued on a device.
    public var writtenAt: Instant?
    /// The data beside the text; ``ChatDetails/syncedAt`` is set when it is stored.
    public var details: ChatDetails

    /// Creates a message.
    public init(
        id: EntityID, content: String, role: ChatMessage.Role = .user, replyTo: EntityID? = nil,
        files: [ChatAttachment] = [], writtenAt: Instant? = nil, details: ChatDetails = ChatDetails()
    ) {
        self.id = id
        self.content = content
        self.role = role
        self.replyTo = replyTo
        self.files = files
        self.writtenAt = writtenAt
        self.details = details
    }
}
