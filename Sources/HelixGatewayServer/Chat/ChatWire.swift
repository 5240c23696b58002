import HelixGatewayStore
import HelixModel

/// The wire format of conversations and messages (docs/gateway.md, "Chat").
enum ChatWire {
    static func json(_ room: ChatRoom) -> JSONText {
        [
            "id": .string(room.id.text), "kind": .string(room.kind.rawValue), "name": .string(room.name),
            "created_at": time(room.createdAt), "role": room.own.role.map { .string($0.rawValue) } ?? .null,
            "archived": .bool(room.own.isArchived), "muted": .bool(room.own.isMuted), "first": .integer(room.own.first),
            "last": .integer(room.last), "delivered_up_to": .integer(room.own.delivered),
            "read_up_to": .integer(room.own.read),
            "members": .array(
                room.occupants.compactMap { occupant in
                    guard let role = occupant.role else { return nil }
                    return [
                        "user": .string(occupant.user.text), "name": .string(occupant.name),
                        "role": .string(role.rawValue),
                        "delivered_up_to": .integer(occupant.delivered), "read_up_to": .integer(occupant.read),
                    ]
                }),
        ]
    }

    static func json(_ line: ChatLine) -> JSONText {
        [
            "id": .string(line.id.text), "conversation": .string(line.room.text), "number": .integer(line.number),
            "sender": line.sender.map { .string($0.text) }, "sender_name": .string(line.senderName),
            "role": .string(line.role.rawValue), "content": .string(line.content), "sent_at": time(line.sentAt),
            "reply_to": line.replyTo.map { .string($0.text) }, "edited_at": line.editedAt.map(time),
            "deleted": line.isDeleted ? true : nil,
            "attachments": line.files.isEmpty
                ? nil
                : .array(
                    line.files.map { file in
                        [
                            "id": .string(file.id.text), "name": .string(file.name), "type": .string(file.type),
                            "size": .integer(file.size), "sha256": .string(file.sha256),
                        ]
                    }),
        ]
    }

    static func time(_ instant: Instant) -> JSONText { .string(ISO8601.text(instant, in: .utc)) }

    /// The event that announces a message: in the form that all clients of the family know, with the helix message beside it.
    static func event(_ line: ChatLine, key: String? = nil) -> JSONText {
        [
            "runId": .string(line.id.text), "sessionKey": .string(key ?? line.room.text), "seq": 0, "state": "final",
            "message": [
                "role": .string(line.role.rawValue),
                "content": [["type": "text", "text": .string(line.content)]],
                "timestamp": .integer(line.sentAt.seconds * 1000),
            ],
            "entry": json(line),
        ]
    }
}
