import HelixModel

/// The documents that the functions of the database return.
extension JSONText {
    fileprivate func string(_ name: String) -> String { self[name]?.text ?? "" }
    fileprivate func number(_ name: String) -> Int64 { self[name]?.integer ?? 0 }
    fileprivate func flag(_ name: String) -> Bool { number(name) != 0 }
    fileprivate func instant(_ name: String) -> Instant? { self[name]?.integer.map { Instant($0) } }
    fileprivate func identity(_ name: String) -> EntityID? { self[name]?.text.map { EntityID(stored: $0) } }
}

extension GatewayConversation {
    /// Reads a document of `conversation_json`.
    init(postgres json: JSONText) {
        self.init(
            id: json.identity("id") ?? EntityID(stored: ""),
            kind: Conversation.Kind(rawValue: json.string("kind")) ?? .group, name: json.string("name"),
            description: json.string("description"), sessionKey: json["session_key"]?.text,
            createdAt: json.instant("created_at") ?? Instant(0), last: json.number("last"),
            own: Member(postgres: json["own"] ?? .null),
            members: (json["members"]?.elements ?? []).map { Member(postgres: $0) })
    }
}

extension GatewayConversation.Member {
    /// Reads an array of `member_json`.
    init(postgres json: JSONText) {
        let parts = json.elements ?? []
        func part(_ place: Int) -> JSONText { parts.indices.contains(place) ? parts[place] : .null }
        self.init(
            user: EntityID(stored: part(0).text ?? ""), name: part(1).text ?? "",
            role: part(2).text.flatMap { ChatMember.Role(rawValue: $0) }, first: part(3).integer ?? 1,
            delivered: part(4).integer ?? 0, read: part(5).integer ?? 0, isArchived: part(6).integer == 1,
            isMuted: part(7).integer == 1, displayName: part(8).text ?? "")
    }
}

extension GatewayMessage {
    /// Reads a document of `message_json`.
    init(postgres json: JSONText) {
        let isDeleted = json.flag("is_deleted")
        var details = ChatDetails(
            metadata: ChatDetails.metadata(stored: json["metadata"]?.text), platform: json["platform"]?.text,
            device: json["device"]?.text, thinking: json["thinking"]?.text, syncedAt: json.instant("stored_at"))
        (details.pinnedAt, details.removedBy) = (json.instant("pinned_at"), json["removed_by"]?.text)
        for pair in json["reactions"]?.elements ?? [] {
            guard let words = pair.strings, words.count == 2 else { continue }
            if let place = details.reactions.firstIndex(where: { $0.emoji == words[0] }) {
                details.reactions[place].users.append(words[1])
            } else {
                details.reactions.append(ChatReaction(emoji: words[0], users: [words[1]]))
            }
        }
        self.init(
            id: json.identity("id") ?? EntityID(stored: ""),
            conversation: json.identity("conversation") ?? EntityID(stored: ""), number: json.number("number"),
            sender: json.identity("sender"), senderName: json.string("sender_name"),
            role: ChatMessage.Role(rawValue: json.string("role")) ?? .user, content: json.string("content"),
            sentAt: json.instant("sent_at") ?? Instant(0), replyTo: json.identity("reply_to"),
            editedAt: isDeleted ? nil : json.instant("edited_at"), isDeleted: isDeleted,
            files: (json["files"]?.elements ?? []).compactMap { ChatAttachment(postgres: $0) }, details: details,
            version: json.number("version"))
    }
}

extension ChatAttachment {
    /// Reads an array of a message's `files`.
    fileprivate init?(postgres json: JSONText) {
        guard let parts = json.elements, parts.count == 5 else { return nil }
        self.init(
            id: EntityID(stored: parts[0].text ?? ""), name: parts[1].text ?? "", type: parts[2].text ?? "",
            size: Int(parts[3].integer ?? 0), sha256: parts[4].text ?? "")
    }
}

extension GatewayInvitation {
    /// Reads a document of `invitation_json`.
    init(postgres json: JSONText) {
        self.init(
            id: json.identity("id") ?? EntityID(stored: ""),
            conversation: json.identity("conversation") ?? EntityID(stored: ""), madeBy: json.string("made_by"),
            madeAt: json.instant("made_at") ?? Instant(0), expiresAt: json.instant("expires_at") ?? Instant(0),
            usesLeft: Int(json.number("uses_left")), seesAll: json.flag("sees_all"))
    }
}
