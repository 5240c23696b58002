import HelixModel
import HelixSQLite

extension Store {
    /// A conversation.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func conversation(_ id: EntityID) throws -> Conversation { try read { try Store.conversation($0, id) } }

    static func conversation(_ db: Database, _ id: EntityID) throws -> Conversation {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM conversation WHERE id = ?", arguments: [id.text])
        else {
            throw HelixError(
                .notFound, "unknown conversation \(id.text)", hint: "List conversations with 'helix chat list'.")
        }
        return try conversation(row)
    }

    static func conversation(_ row: Row) throws -> Conversation {
        try Conversation(
            id: EntityID(stored: row["id"]), kind: Conversation.Kind(rawValue: row["kind"]) ?? .group,
            name: row["name"], account: (row["account"] as String?).map { EntityID(stored: $0) },
            remote: row["remote"], createdAt: Instant(row["created_at"]), isArchived: row["is_archived"],
            isMuted: row["is_muted"], role: (row["role"] as String?).flatMap(ChatMember.Role.init),
            readUpTo: row["read_up_to"], description: row["description"])
    }

    /// Finds a conversation by its name, by its only other member, or by the beginning of its ID.
    /// - Throws: ``HelixError``: `notFound`, or `ambiguous` with the candidates.
    public func conversation(named text: String) throws -> Conversation {
        let name = text.hasPrefix("@") ? String(text.dropFirst()) : text
        let ids = try read { db in
            // Among several with that name, one that the user has not left.
            let exact = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, role IS NOT NULL AS is_in FROM conversation WHERE name = ? COLLATE NOCASE
                    ORDER BY is_archived, n DESC
                    """, arguments: [name])
            let current = try exact.filter { try $0["is_in"] }
            if !exact.isEmpty { return try (current.isEmpty ? exact : current).map { try $0["id"] as String } }
            return try String.fetchAll(
                db,
                sql: """
                    SELECT c.id FROM conversation c JOIN chat_member m ON m.conversation = c.id
                    WHERE c.kind = 'direct' AND m.is_me = 0 AND m.name = ? COLLATE NOCASE
                    """, arguments: [name])
        }
        if ids.count == 1 { return try conversation(EntityID(stored: ids[0])) }
        if ids.count > 1 {
            throw HelixError(
                .ambiguous, "ambiguous name '\(text)': \(ids.count) conversations have it",
                hint: "Use the ID of one: \(ids.prefix(5).map { String($0.prefix(8)) }.joined(separator: ", ")).")
        }
        do { return try conversation(entity(EntityPrefix(name), kinds: [.conversation]).id) } catch let error
            as HelixError where error.code == .notFound
        {
            throw HelixError(
                .notFound, "unknown conversation '\(text)'",
                hint: "'helix chat list' lists conversations; 'helix chat new' starts one.")
        }
    }

    /// The messages of a conversation, the oldest first; those queued for sending are last.
    ///
    /// - Parameters:
    ///   - before: returns only messages before that one.
    ///   - limit: the maximum number of messages, counted from the latest.
    /// - Throws: ``HelixError``.
    public func chatMessages(
        in conversation: EntityID, before: EntityID? = nil, limit: Int
    ) throws -> [ChatMessage] {
        try read { try Store.chatMessages($0, conversation, before: before, limit: limit) }
    }

    static func chatMessages(
        _ db: Database, _ conversation: EntityID, before: EntityID?, limit: Int
    ) throws -> [ChatMessage] {
        var end: Int64?
        if let before {
            end = try Int64.fetchOne(
                db, sql: "SELECT seq FROM chat_message WHERE id = ? AND conversation = ?",
                arguments: [before.text, conversation.text])
        }
        // Queued messages have no number yet, and come after all that have one.
        let waiting =
            end != nil
            ? []
            : try rows(
                db, "m.conversation = ? AND m.seq IS NULL ORDER BY m.n DESC LIMIT ?", [conversation.text, limit])
        let numbered = try rows(
            db, "m.conversation = ? AND m.seq IS NOT NULL AND m.seq < ? ORDER BY m.seq DESC LIMIT ?",
            [conversation.text, end ?? Int64.max, limit - waiting.count])
        return try finished(db, (waiting + numbered).reversed())
    }

    /// The pinned messages of a conversation, the oldest first.
    /// - Throws: ``HelixError``.
    public func pinnedMessages(in conversation: EntityID) throws -> [ChatMessage] {
        try read { db in
            let found = try Store.rows(
                db, "m.conversation = ? AND m.pinned_at IS NOT NULL ORDER BY m.seq LIMIT 1000", [conversation.text])
            return try Store.finished(db, found)
        }
    }

    /// All messages of a conversation, in pages, the oldest first.
    /// - Throws: ``HelixError``.
    public func chatPages(of conversation: EntityID) throws -> ChatPages {
        ChatPages(store: self, conversation: conversation)
    }

    /// The number of the last message of a conversation that the gateway has; 0 if there is none.
    /// - Throws: ``HelixError``.
    public func lastChatNumber(in conversation: EntityID) throws -> Int64 {
        try read { db in
            try Int64.fetchOne(
                db, sql: "SELECT MAX(seq) FROM chat_message WHERE conversation = ?", arguments: [conversation.text])
                ?? 0
        }
    }

    /// The unread messages of others, the oldest first.
    /// - Throws: ``HelixError``.
    public func unreadChatMessages(in conversation: EntityID, limit: Int) throws -> [ChatMessage] {
        try read { db in
            try Store.finished(
                db,
                try Store.rows(
                    db,
                    """
                    m.conversation = ?1 AND m.seq > (SELECT read_up_to FROM conversation WHERE id = ?1) AND m.is_mine = 0
                        AND m.is_deleted = 0 AND m.role <> 'system' ORDER BY m.seq LIMIT ?2
                    """, [conversation.text, limit]))
        }
    }

    /// The messages stored after a row number, in all conversations, the oldest first.
    /// - Returns: the messages, and the row number of the last one.
    /// - Throws: ``HelixError``.
    public func chatMessages(afterRow row: Int64, limit: Int = 500) throws -> (messages: [ChatMessage], row: Int64) {
        try read { db in
            let found = try Store.rows(db, "m.n > ? ORDER BY m.n LIMIT ?", [row, limit])
            let last = try Int64.fetchOne(
                db, sql: "SELECT MAX(n) FROM (SELECT n FROM chat_message WHERE n > ? ORDER BY n LIMIT ?)",
                arguments: [row, limit])
            return (try Store.finished(db, found), last ?? row)
        }
    }

    /// The message with an ID.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func chatMessage(_ id: EntityID) throws -> ChatMessage {
        try read { db in
            guard let found = try Store.finished(db, try Store.rows(db, "m.id = ?", [id.text])).first else {
                throw HelixError(.notFound, "unknown chat message \(id.text)")
            }
            return found
        }
    }

    /// Own messages that are queued for sending or could not be sent, in the order in which they were written.
    /// - Throws: ``HelixError``.
    public func chatOutbox() throws -> [OutgoingMessage] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT m.*, c.name, c.account, c.problem AS refusal FROM chat_message m
                        JOIN conversation c ON c.id = m.conversation
                    WHERE m.state IN ('pending', 'failed') ORDER BY m.n
                    """
            ).map { row in
                let content: String = try row["content"]
                var message = try OutgoingMessage(
                    id: EntityID(stored: row["id"]), account: EntityID(stored: row["account"] ?? ""),
                    state: row["state"] == "failed" || (row["refusal"] as String?) != nil ? .parked : .queued,
                    madeAt: Instant(row["sent_at"]), leavesAt: Instant(max(row["sent_at"], row["retry_at"])),
                    tries: row["tries"], problem: row["problem"] ?? row["refusal"], messageID: row["id"],
                    sender: row["sender"], recipients: [row["name"]],
                    subject: String(content.split(whereSeparator: \.isNewline).first ?? "").prefix(200).description,
                    sha256: "", size: content.utf8.count)
                message.kind = .chat
                return message
            }
        }
    }

    /// The number of own unsent messages, and how many of them are parked.
    /// - Throws: ``HelixError``.
    public func chatOutboxCount() throws -> (waiting: Int, parked: Int) {
        try read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) AS waiting, ifnull(SUM(state = 'failed'), 0) AS parked FROM chat_message
                    WHERE state IN ('pending', 'failed')
                    """)
            return try (row?["waiting"] ?? 0, row?["parked"] ?? 0)
        }
    }

    static func rows(_ db: Database, _ condition: String, _ arguments: StatementArguments) throws -> [ChatMessage] {
        try Row.fetchAll(db, sql: "SELECT m.* FROM chat_message m WHERE \(condition)", arguments: arguments).map {
            var details = try ChatDetails(
                metadata: ChatDetails.metadata(stored: $0["metadata"]), platform: $0["platform"], device: $0["device"],
                thinking: $0["thinking"], syncedAt: ($0["stored_at"] as Int64?).map { Instant($0) })
            details.reactions = ChatReaction.list(stored: try $0["reactions"])
            details.pinnedAt = (try $0["pinned_at"] as Int64?).map { Instant($0) }
            details.removedBy = try $0["removed_by"]
            return try ChatMessage(
                id: EntityID(stored: $0["id"]), conversation: EntityID(stored: $0["conversation"]), number: $0["seq"],
                sender: $0["sender"], isMine: $0["is_mine"], role: ChatMessage.Role(rawValue: $0["role"]) ?? .user,
                content: $0["content"], sentAt: Instant($0["sent_at"]),
                state: ChatMessage.State(rawValue: $0["state"]) ?? .sent, problem: $0["problem"],
                replyTo: ($0["reply_to"] as String?).map { EntityID(stored: $0) },
                editedAt: ($0["edited_at"] as Int64?).map { Instant($0) }, isDeleted: $0["is_deleted"],
                isMention: $0["is_mention"],
                details: details)
        }
    }

    /// Completes messages with attachments, and own messages with their delivery state.
    static func finished(_ db: Database, _ messages: [ChatMessage]) throws -> [ChatMessage] {
        var marks: [EntityID: (delivered: Int64, read: Int64)] = [:]
        let attached = try Statement(
            db,
            "SELECT id, name, type, size, sha256 FROM chat_attachment WHERE message = ?1 ORDER BY position")
        return try messages.map { message in
            var message = message
            attached.bind(1, message.id.text)
            while try attached.step() {
                message.attachments.append(
                    ChatAttachment(
                        id: attached.id(0) ?? EntityID(stored: ""), name: attached.text(1) ?? "",
                        type: attached.text(2) ?? "", size: Int(attached.integer(3)), sha256: attached.text(4) ?? ""))
            }
            guard message.isMine, message.state == .sent, let number = message.number else { return message }
            if marks[message.conversation] == nil {
                // The minimum of all members: in a group the slowest reader counts.
                let row = try Row.fetchOne(
                    db,
                    sql: """
                        SELECT MIN(delivered_up_to) AS delivered, MIN(read_up_to) AS read FROM chat_member
                        WHERE conversation = ? AND is_me = 0 AND pending IS NOT 'invite'
                        """, arguments: [message.conversation.text])
                marks[message.conversation] = try (
                    row?["delivered"] as Int64? ?? 0, row?["read"] as Int64? ?? 0
                )
            }
            if let mark = marks[message.conversation] {
                if mark.read >= number {
                    message.state = .read
                } else if mark.delivered >= number {
                    message.state = .delivered
                }
            }
            return message
        }
    }

    /// The members of a conversation, ordered by name.
    /// - Throws: ``HelixError``.
    public func chatMembers(of conversation: EntityID) throws -> [ChatMember] {
        try read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM chat_member WHERE conversation = ? ORDER BY name COLLATE NOCASE",
                arguments: [conversation.text]
            ).map {
                var member = try ChatMember(
                    user: $0["user"], name: $0["name"], role: ChatMember.Role(rawValue: $0["role"]) ?? .member,
                    deliveredUpTo: $0["delivered_up_to"], readUpTo: $0["read_up_to"], isMe: $0["is_me"],
                    pending: ($0["pending"] as String?).flatMap(ChatMember.PendingChange.init), problem: $0["problem"])
                member.displayName = try $0["display_name"]
                return member
            }
        }
    }

    /// The number of unread messages of others in conversations that are neither muted nor archived, and how many of them
    /// mention the user.
    /// - Throws: ``HelixError``.
    public func unreadChatCount() throws -> (messages: Int, mentions: Int) {
        try read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) AS messages, ifnull(SUM(m.is_mention), 0) AS mentions
                    FROM conversation c JOIN chat_message m ON m.conversation = c.id
                    WHERE c.is_muted = 0 AND c.is_archived = 0 AND m.seq > c.read_up_to AND m.is_mine = 0
                        AND m.is_deleted = 0 AND m.role <> 'system'
                    """)
            return try (row?["messages"] ?? 0, row?["mentions"] ?? 0)
        }
    }

    /// Marks messages as read up to a number, or all of them. The read position never moves back.
    /// - Returns: the number of messages that were unread before.
    /// - Throws: ``HelixError``.
    @discardableResult
    public func markChatRead(_ conversation: EntityID, upTo number: Int64? = nil) throws -> Int {
        try writeDurably { db in
            let last =
                try number
                ?? Int64.fetchOne(
                    db, sql: "SELECT MAX(seq) FROM chat_message WHERE conversation = ?",
                    arguments: [conversation.text]) ?? 0
            let count = try Int.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) FROM chat_message m JOIN conversation c ON c.id = m.conversation
                    WHERE c.id = ? AND m.seq > c.read_up_to AND m.seq <= ? AND m.is_mine = 0 AND m.is_deleted = 0
                        AND m.role <> 'system'
                    """, arguments: [conversation.text, last])
            try db.execute(
                sql: "UPDATE conversation SET read_up_to = ? WHERE id = ? AND read_up_to < ?",
                arguments: [last, conversation.text, last])
            return count ?? 0
        }
    }
}

/// The messages of a conversation in pages, the oldest first.
public struct ChatPages {
    let store: Store
    let conversation: EntityID
    private var last: Int64? = Int64.min

    init(store: Store, conversation: EntityID) {
        self.store = store
        self.conversation = conversation
    }

    /// The next page; nil after the last one.
    /// - Throws: ``HelixError``.
    public mutating func next() throws -> [ChatMessage]? {
        guard let after = last else { return nil }
        let page = try store.read { db in
            try Store.finished(
                db,
                try Store.rows(
                    db, "m.conversation = ? AND m.seq > ? ORDER BY m.seq LIMIT 500", [conversation.text, after]))
        }
        if let number = page.last?.number {
            last = number
            return page
        }
        last = nil
        return try store.read { db in
            try Store.finished(
                db, try Store.rows(db, "m.conversation = ? AND m.seq IS NULL ORDER BY m.n", [conversation.text]))
        }
    }
}
