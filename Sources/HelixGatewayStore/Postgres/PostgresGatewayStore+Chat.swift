import HelixModel
import HelixPostgres
import HelixSQLite

/// A conversation as its last message found it.
struct RecentConversation {
    /// A conversation as one user sees it.
    struct Key: Hashable {
        let (conversation, user): (EntityID, EntityID)

        init(conversation: EntityID, user: EntityID) { (self.conversation, self.user) = (conversation, user) }
    }

    var conversation: GatewayConversation
    /// Changes with the members, their roles and names.
    var membersVersion: Int64

    /// The maximum number that a store remembers.
    static let most = 2_000
}

/// Conversations: each method is one function of the database.
extension PostgresGatewayStore {
    /// The maximum number of members that the conversations of a page name, and of bytes of its messages.
    private static let (mostNamed, mostBytes) = (4_000, 1 << 20)

    func beginConversation(
        _ id: EntityID, _ kind: Conversation.Kind, name: String, others: [String], by user: EntityID, now: Instant
    ) throws -> GatewayConversation {
        let pairs = JSONText.array(others.map { [.string(UserName.key($0)), .string($0)] })
        return try conversation(
            "begin_conversation(?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                id.text, kind.rawValue, name, pairs.compact, user.text, now.seconds, Conversation.isName(name),
                GatewayLimits.members, GatewayLimits.groupsPerDay,
            ])
    }

    func conversation(_ id: EntityID, of user: EntityID) throws -> GatewayConversation {
        remember(try call("conversation_json(?, ?)", [id.text, user.text], repeats: true), user)
    }

    func conversations(
        of user: EntityID, matching filter: ConversationFilter, limit: Int
    ) throws -> (list: [(conversation: GatewayConversation, last: GatewayMessage?)], total: Int) {
        let around = filter.label == nil ? "%" : ""
        let pattern = (filter.label ?? filter.search).map { text in
            around + ["\\", "%", "_"].reduce(text) { $0.replacing($1, with: "\\" + $1) } + around
        }
        let found = try call(
            "conversations_json(?, ?, ?, ?, ?)",
            [user.text, pattern, filter.kind?.rawValue, filter.since?.seconds, limit], repeats: true)
        let list = (found["list"]?.elements ?? []).map { pair in
            let parts = pair.elements ?? []
            return (
                conversation: GatewayConversation(postgres: parts.first ?? .null),
                last: parts.last.flatMap { $0.isNull ? nil : GatewayMessage(postgres: $0) }
            )
        }
        return (list, found["total"]?.integer.map { Int($0) } ?? list.count)
    }

    func mainConversation(of user: EntityID) throws -> GatewayConversation? {
        let found = try call(
            "conversation_json(conversation, \"user\") FROM main_conversation WHERE \"user\" = ?", [user.text],
            repeats: true)
        return found.isNull ? nil : GatewayConversation(postgres: found)
    }

    func makeMainConversation(of user: EntityID, former: EntityID, now: Instant) throws -> GatewayConversation {
        try conversation(
            "make_main_conversation(?, ?, ?, ?, ?, ?)",
            [
                user.text, former.text, EntityID().text, now.seconds, GatewayLimits.members, GatewayLimits.groupsPerDay,
            ])
    }

    func setSessionKey(_ key: String, of conversation: EntityID, by user: EntityID) throws {
        try writing { db in
            try db.execute(
                sql: "UPDATE conversation SET session_key = ? WHERE id = ? AND created_by = ? AND session_key IS NULL",
                arguments: [key, conversation.text, user.text])
        }
    }

    func changeConversation(
        _ id: EntityID, by user: EntityID, _ change: ConversationChange, now: Instant
    ) throws -> (conversation: GatewayConversation, notified: ChangeAudience) {
        if let name = change.name, !Conversation.isName(name) {
            throw HelixError(.usage, "invalid name for a conversation")
        }
        if let text = change.description, !Conversation.isDescription(text) {
            throw HelixError(.usage, "invalid description")
        }
        let answer =
            try call(
                "json_build_array(change_conversation(?, ?, ?, ?, ?, ?, ?, ?, ?, ?), present_cursor())",
                [
                    id.text, user.text, change.name, change.description, change.isArchived, change.isMuted,
                    change.delivered, change.read, EntityID().text, now.seconds,
                ]
            ).elements ?? []
        lastCursor = answer.last?.text.map { ChatCursor(stored: $0) }
        let parts = answer.first?.elements ?? []
        let notified: ChangeAudience =
            if let authors = parts.last?.strings { .authors(Set(authors.map { EntityID(stored: $0) })) } else {
                parts.last?.bool == true ? .everybody : .nobody
            }
        return (GatewayConversation(postgres: parts.first ?? .null), notified)
    }

    func invite(
        _ name: String, to id: EntityID, as role: ChatMember.Role, seesAll: Bool, by user: EntityID, now: Instant
    ) throws -> GatewayConversation {
        try conversation(
            "invite_member(?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                id.text, UserName.key(name), name, role.rawValue, seesAll, user.text, EntityID().text, now.seconds,
                GatewayLimits.members,
            ])
    }

    func setRole(
        _ role: ChatMember.Role, of other: EntityID, in id: EntityID, by user: EntityID
    ) throws -> GatewayConversation {
        try conversation("set_member_role(?, ?, ?, ?)", [id.text, other.text, role.rawValue, user.text])
    }

    func remove(_ other: EntityID, from id: EntityID, by user: EntityID, now: Instant) throws -> GatewayConversation {
        try conversation(
            "remove_member(?, ?, ?, ?, ?)", [id.text, other.text, user.text, EntityID().text, now.seconds])
    }

    func forgetConversation(_ id: EntityID, by user: EntityID, now: Instant) throws {
        _ = try call("forget_conversation(?, ?, ?, ?)", [id.text, user.text, EntityID().text, now.seconds])
    }

    func clearConversation(_ id: EntityID, by user: EntityID) throws -> GatewayConversation {
        try conversation("clear_conversation(?, ?)", [id.text, user.text])
    }

    func say(
        _ draft: ChatDraft, in id: EntityID, by user: EntityID, asAssistant: Bool, now: Instant
    ) throws -> (message: GatewayMessage, isNew: Bool, conversation: GatewayConversation) {
        let files =
            draft.files.isEmpty
            ? nil
            : JSONText.array(
                draft.files.map { file in
                    [
                        .string(file.id.text), .string(file.name), .string(file.type), .integer(file.size),
                        .string(file.sha256),
                    ]
                })
        let known = recent[RecentConversation.Key(conversation: id, user: user)]
        let answer = try call(
            "say(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                id.text, user.text, asAssistant, draft.id.text, draft.role.rawValue, draft.content,
                Self.isBlank(draft.content),
                // A device whose clock is wrong cannot write in the future.
                min(draft.writtenAt ?? now, now).seconds, draft.replyTo?.text, draft.details.metadataJSON?.compact,
                draft.details.platform, draft.details.device, draft.details.thinking, files?.compact, now.seconds,
                known?.membersVersion,
            ])
        let parts = answer.elements ?? []
        guard parts.count == 4 else { throw HelixError(.unexpected, "a message is missing after it was written") }
        lastCursor = parts[3].text.map { ChatCursor(stored: $0) }
        let message = GatewayMessage(postgres: parts[0])
        if parts[2].isNull, var conversation = known?.conversation {
            conversation.last = message.number
            return (message, parts[1].bool ?? false, conversation)
        }
        return (message, parts[1].bool ?? false, remember(parts[2], user))
    }

    func recentConversation(_ id: EntityID, of user: EntityID) -> GatewayConversation? {
        recent[RecentConversation.Key(conversation: id, user: user)]?.conversation
    }

    /// Reads a conversation, and remembers it for its next messages.
    private func remember(_ json: JSONText, _ user: EntityID) -> GatewayConversation {
        let conversation = GatewayConversation(postgres: json)
        if recent.count >= RecentConversation.most { recent = [:] }
        recent[RecentConversation.Key(conversation: conversation.id, user: user)] = RecentConversation(
            conversation: conversation, membersVersion: json["members_version"]?.integer ?? 0)
        return conversation
    }

    private static func isBlank(_ text: String) -> Bool { !text.contains { !$0.isWhitespace } }

    func edit(
        _ id: EntityID, content: String?, by user: EntityID, now: Instant
    ) throws -> (message: GatewayMessage, conversation: GatewayConversation) {
        try changed(
            "edit_message(?, ?, ?, ?, ?)",
            [id.text, content, content.map(Self.isBlank) ?? false, user.text, now.seconds])
    }

    func react(
        _ emoji: String, isOn: Bool, to id: EntityID, by user: EntityID, now: Instant
    ) throws -> (message: GatewayMessage, conversation: GatewayConversation) {
        guard ChatReaction.isEmoji(emoji) else { throw HelixError(.usage, "a reaction is one emoji") }
        return try changed(
            "react(?, ?, ?, ?, ?, ?)", [id.text, emoji, isOn, user.text, ChatReaction.mostOfUser, now.seconds])
    }

    func pin(
        _ isPinned: Bool, _ id: EntityID, by user: EntityID, now: Instant
    ) throws -> (message: GatewayMessage, conversation: GatewayConversation) {
        try changed("pin_message(?, ?, ?, ?)", [id.text, isPinned, user.text, now.seconds])
    }

    func messages(of id: EntityID, for user: EntityID, before end: Int64?, limit: Int) throws -> [GatewayMessage] {
        let found = try call(
            "messages_json(?, ?, ?, ?)", [id.text, user.text, end ?? Int64.max, limit], repeats: true)
        let messages = (found.elements ?? []).map { GatewayMessage(postgres: $0) }
        return GatewayMessage.fitting(messages[...]).reversed()
    }

    func chatPage(for user: EntityID, since cursor: ChatCursor?, seen: ChatCursor?, limit: Int) throws -> ChatPage {
        let page = try call(
            "chat_page(?, ?, ?, ?, ?, ?)",
            [user.text, cursor?.text, seen?.text, limit, Self.mostNamed, Self.mostBytes], repeats: true)
        return ChatPage(
            conversations: (page["conversations"]?.elements ?? []).map { GatewayConversation(postgres: $0) },
            forgotten: (page["forgotten"]?.strings ?? []).map { EntityID(stored: $0) },
            messages: (page["messages"]?.elements ?? []).map { GatewayMessage(postgres: $0) },
            cursor: ChatCursor(stored: page["cursor"]?.text ?? ""), isReset: page["is_reset"]?.bool ?? false,
            hasMore: page["has_more"]?.bool ?? false)
    }

    func chatCursor() throws -> ChatCursor {
        // The answer of the last message had it.
        if let known = lastCursor {
            lastCursor = nil
            return known
        }
        return try session.perform(repeats: true) { connection in
            ChatCursor(stored: try connection.rows("SELECT present_cursor()").first?[0] ?? "")
        }
    }

    /// Nothing is stored for cursors.
    func sweepCursors() throws {}

    private func conversation(
        _ sql: String, _ arguments: StatementArguments, repeats: Bool = false
    ) throws -> GatewayConversation {
        GatewayConversation(postgres: try call(sql, arguments, repeats: repeats))
    }

    private func changed(
        _ sql: String, _ arguments: StatementArguments
    ) throws -> (message: GatewayMessage, conversation: GatewayConversation) {
        let answer = try call("json_build_array(\(sql), present_cursor())", arguments).elements ?? []
        lastCursor = answer.last?.text.map { ChatCursor(stored: $0) }
        let parts = answer.first?.elements ?? []
        return (
            GatewayMessage(postgres: parts.first ?? .null), GatewayConversation(postgres: parts.last ?? .null)
        )
    }
}
