import HelixGatewayStore
import HelixModel

/// The wire format of conversations and messages (docs/gateway.md, "Chat").
enum ChatWire {
    static func json(_ conversation: GatewayConversation) -> JSONText {
        [
            "id": .string(conversation.id.text), "kind": .string(conversation.kind.rawValue),
            "name": .string(conversation.name),
            "description": conversation.description.isEmpty ? nil : .string(conversation.description),
            "created_at": time(conversation.createdAt),
            "role": conversation.own.role.map { .string($0.rawValue) } ?? .null,
            "archived": .bool(conversation.own.isArchived), "muted": .bool(conversation.own.isMuted),
            "first": .integer(conversation.own.first),
            "last": .integer(conversation.last), "delivered_up_to": .integer(conversation.own.delivered),
            "read_up_to": .integer(conversation.own.read),
            "members": .array(
                conversation.members.compactMap { member in
                    guard let role = member.role else { return nil }
                    return [
                        "user": .string(member.user.text), "name": .string(member.name),
                        "display_name": member.displayName.isEmpty ? nil : .string(member.displayName),
                        "role": .string(role.rawValue),
                        "delivered_up_to": .integer(member.delivered), "read_up_to": .integer(member.read),
                    ]
                }),
        ]
    }

    static func json(_ message: GatewayMessage) -> JSONText {
        [
            "id": .string(message.id.text), "conversation": .string(message.conversation.text),
            "number": .integer(message.number),
            "sender": message.sender.map { .string($0.text) }, "sender_name": .string(message.senderName),
            "role": .string(message.role.rawValue), "content": .string(message.content),
            "sent_at": time(message.sentAt),
            "reply_to": message.replyTo.map { .string($0.text) }, "edited_at": message.editedAt.map(time),
            "deleted": message.isDeleted ? true : nil,
            "metadata": message.details.metadataJSON, "thinking": message.details.thinking.map { .string($0) },
            "platform": message.details.platform.map { .string($0) },
            "device_id": message.details.device.map { .string($0) },
            "synced_at": message.details.syncedAt.map(time),
            "reactions": ChatReaction.json(message.details.reactions),
            "pinned_at": message.details.pinnedAt.map(time),
            "removed_by": message.details.removedBy.map { .string($0) },
            "attachments": message.files.isEmpty
                ? nil
                : .array(
                    message.files.map { file in
                        [
                            "id": .string(file.id.text), "name": .string(file.name), "type": .string(file.type),
                            "size": .integer(file.size), "sha256": .string(file.sha256),
                        ]
                    }),
        ]
    }

    static func time(_ instant: Instant) -> JSONText { .string(ISO8601.text(instant, in: .utc)) }

    /// The event that announces a message: in the form that all clients of the family know, with the helix message beside it.
    static func event(_ message: GatewayMessage, key: String? = nil) -> JSONText {
        [
            "runId": .string(message.id.text), "sessionKey": .string(key ?? message.conversation.text), "seq": 0,
            "state": "final",
            "message": [
                "role": .string(message.role.rawValue),
                "content": [["type": "text", "text": .string(message.content)]],
                "timestamp": .integer(message.sentAt.seconds * 1000),
            ],
            "entry": json(message),
        ]
    }
}
