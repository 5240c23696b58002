import HelixModel
import HelixStore

/// Parses conversations and messages of helix gateways (docs/gateway.md, "Chat").
struct ChatWireReader {
    let account: EntityID
    /// The user's id at the gateway.
    let user: String
    /// The gateway's name in errors.
    let label: String

    /// The maximum number of messages in a conversation.
    private static let most = Int64(1) << 53

    private func broken(_ what: String) -> HelixError {
        HelixError(.protocol, "cannot read \(what) from \(label)", hint: "Update helix.")
    }

    /// Parses a conversation. Its id is the gateway's; the local one may differ.
    /// - Throws: ``HelixError`` of code `protocol`.
    func conversation(_ json: JSONText) throws -> RemoteConversation {
        guard let remote = json["id"]?.text, let id = EntityID(remote), let name = json["name"]?.text,
            let kind = json["kind"]?.text.flatMap(Conversation.Kind.init), let last = json["last"]?.integer,
            (0...ChatWireReader.most).contains(last),
            let created = json["created_at"]?.text.flatMap(ISO8601Reader.instant)
        else { throw broken("a conversation") }
        let members = try (json["members"]?.elements ?? []).map { member in
            guard let id = member["user"]?.text, let name = member["name"]?.text,
                let role = member["role"]?.text.flatMap(ChatMember.Role.init)
            else { throw broken("a member") }
            var found = ChatMember(
                user: id, name: name, role: role, deliveredUpTo: member["delivered_up_to"]?.integer ?? 0,
                readUpTo: member["read_up_to"]?.integer ?? 0, isMe: id == user)
            found.displayName = member["display_name"]?.text ?? ""
            return found
        }
        return RemoteConversation(
            conversation: Conversation(
                id: id, kind: kind, name: name, account: account, remote: remote, createdAt: created,
                isArchived: json["archived"]?.bool ?? false, isMuted: json["muted"]?.bool ?? false,
                role: json["role"]?.text.flatMap(ChatMember.Role.init), readUpTo: json["read_up_to"]?.integer ?? 0,
                description: json["description"]?.text ?? ""),
            members: members, first: json["first"]?.integer ?? 1, last: last)
    }

    /// Parses a message; its conversation is the gateway's id.
    /// - Throws: ``HelixError`` of code `protocol`.
    func message(_ json: JSONText) throws -> ChatMessage {
        guard let id = json["id"]?.text.flatMap({ EntityID($0) }),
            let conversation = json["conversation"]?.text.flatMap({ EntityID($0) }),
            let number = json["number"]?.integer, (1...ChatWireReader.most).contains(number),
            let content = json["content"]?.text,
            let role = json["role"]?.text.flatMap(ChatMessage.Role.init),
            let sentAt = json["sent_at"]?.text.flatMap(ISO8601Reader.instant)
        else { throw broken("a message") }
        let files = try (json["attachments"]?.elements ?? []).map { file in
            guard let id = file["id"]?.text.flatMap({ EntityID($0) }), let name = file["name"]?.text,
                let size = file["size"]?.integer, let hash = file["sha256"]?.text, hash.utf8.count == 64,
                hash.allSatisfy(\.isHexDigit)
            else { throw broken("a file") }
            return ChatAttachment(
                id: id, name: name, type: file["type"]?.text ?? "application/octet-stream", size: Int(clamping: size),
                sha256: hash)
        }
        let sender = json["sender_name"]?.text ?? ""
        return ChatMessage(
            id: id, conversation: conversation, number: number,
            sender: sender.isEmpty ? (role == .assistant ? "assistant" : "") : sender,
            isMine: role == .user && json["sender"]?.text == user, role: role, content: content, sentAt: sentAt,
            replyTo: json["reply_to"]?.text.flatMap { EntityID($0) },
            editedAt: json["edited_at"]?.text.flatMap(ISO8601Reader.instant), isDeleted: json["deleted"]?.bool ?? false,
            attachments: files,
            details: ChatDetails(wire: json, time: ISO8601Reader.instant))
    }
}
