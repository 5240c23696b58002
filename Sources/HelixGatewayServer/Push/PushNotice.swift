import HelixGatewayStore
import HelixModel

/// The news of a message, as push services show it while a device is away.
struct PushNotice: Sendable {
    /// The conversation.
    var conversation: EntityID
    /// The message; nil for a test.
    var message: EntityID?
    /// The user that sent it; nil for an assistant, or a test.
    var sender: EntityID?
    /// The title: the sender, and the name of a group.
    var title: String
    /// The text of the message.
    var text: String
    /// The time at which it arrived.
    var sentAt: Instant

    /// The maximum length of the text in a notification, in characters.
    private static let longestText = 240

    /// A text in one line, without control characters.
    private static func line(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    // Joiners belong to emoji and scripts; other formats, such as bidirectional ones, change how a text looks.
                    let isFormat =
                        scalar.properties.generalCategory == .format && ![0x200C, 0x200D].contains(scalar.value)
                    return isFormat || scalar.properties.generalCategory == .control ? " " : scalar
                })
        ).trimmingBlanks()
    }

    /// The notice of a message in a conversation.
    init(_ message: GatewayMessage, in conversation: GatewayConversation) {
        self.conversation = conversation.id
        (self.message, sender, sentAt) = (message.id, message.sender, message.sentAt)
        let member = conversation.members.first { $0.user == message.sender }
        let shown = member.map { $0.displayName.isEmpty ? $0.name : $0.displayName } ?? message.senderName
        let name = message.sender == nil ? "Assistant" : shown
        title = Self.line(conversation.kind == .group ? "\(name) in \(conversation.name)" : name)
        let content = Self.line(message.content)
        let files = message.files.map(\.name).joined(separator: ", ")
        let whole = content.isEmpty ? files : content
        text =
            whole.count > PushNotice.longestText ? whole.prefix(PushNotice.longestText - 1) + "…" : whole
    }

    /// A test notice to a user.
    init(testAt now: Instant) {
        (conversation, title, text, sentAt) = (EntityID(), "helix", "Notifications work.", now)
    }

    /// The text for services that can read it.
    func visible(_ content: PushContent) -> (title: String, text: String) {
        switch content {
        case .text: (title, text)
        case .names: (title, message == nil ? text : "New message")
        case .none: ("helix", message == nil ? text : "New message")
        }
    }

    /// The link that opens the conversation.
    var link: String { "helix://chat/\(conversation.text)" }
}

/// The content of notifications that services of others can read. Encrypted ones contain the text.
public enum PushContent: String, Sendable, CaseIterable {
    /// Only that there is a message.
    case none
    /// The sender, and the name of a group.
    case names
    /// The sender and the beginning of the text, too.
    case text
}
