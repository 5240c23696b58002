import HelixModel
import HelixSQLite

extension SQLiteGatewayStore {
    func say(
        _ draft: ChatDraft, in id: EntityID, by user: EntityID, asAssistant: Bool, now: Instant
    ) throws -> (message: GatewayMessage, isNew: Bool, conversation: GatewayConversation) {
        try write { db in
            // A user may write to a conversation that they deleted: that restores it.
            guard let standing = try place(db, id, user), standing.role != nil else {
                throw HelixError(.notFound, "you are not in a conversation \(id.text)")
            }
            if let known = try messages(db, "m.id = ?", [draft.id.text]).first {
                guard known.conversation == id, asAssistant ? known.sender == nil : known.sender == user else {
                    throw HelixError(.conflict, "the id \(draft.id.text) belongs to another message")
                }
                return (known, false, try conversation(db, id, user))
            }
            if !asAssistant, let other = try otherMember(db, id, user) { try checkNotBlocked(db, other, by: user) }
            guard !draft.files.isEmpty || draft.content.contains(where: { !$0.isWhitespace }) else {
                throw HelixError(.usage, "the message is empty")
            }
            if let answered = draft.replyTo {
                let number = try Int64.fetchOne(
                    db, sql: "SELECT seq FROM message WHERE id = ? AND conversation = ?",
                    arguments: [answered.text, id.text])
                guard let number, number >= standing.first else {
                    throw HelixError(.notFound, "no message \(answered.text) in the conversation")
                }
            }
            for file in draft.files {
                let isGiven = try Bool.fetchOne(
                    db, sql: "SELECT is_whole FROM upload WHERE user = ? AND sha256 = ? AND size = ?",
                    arguments: [user.text, file.sha256, file.size])
                guard isGiven == true else {
                    throw HelixError(.notFound, "the file '\(file.name)' is not uploaded yet")
                }
            }
            let message = try append(db, draft, to: id, sender: asAssistant ? nil : user, now: now)
            // For members who deleted the conversation it reappears, starting with this message.
            try db.execute(
                sql: """
                    UPDATE member SET is_hidden = 0, first = ?1, version = ?2 WHERE conversation = ?3 AND is_hidden = 1
                        AND left_version IS NULL
                    """, arguments: [message.number, message.version, id.text])
            return (message, true, try conversation(db, id, user))
        }
    }

    /// The other member of a direct conversation; nil for other kinds.
    private func otherMember(_ db: Database, _ id: EntityID, _ user: EntityID) throws -> EntityID? {
        try String.fetchOne(
            db,
            sql: """
                SELECT m.user FROM conversation c JOIN member m ON m.conversation = c.id AND m.user <> ?2
                WHERE c.id = ?1 AND c.kind = 'direct'
                """, arguments: [id.text, user.text]
        ).map { EntityID(stored: $0) }
    }

    /// Appends a message to a conversation.
    func append(
        _ db: Database, _ draft: ChatDraft, to id: EntityID, sender: EntityID?, now: Instant
    ) throws -> GatewayMessage {
        let version = try tick(db)
        let number =
            try Int64.fetchOne(
                db, sql: "UPDATE conversation SET last = last + 1 WHERE id = ? RETURNING last", arguments: [id.text])
            ?? 1
        try db.execute(
            sql: """
                INSERT INTO message (conversation, seq, id, sender, role, content, sent_at, reply_to, version, metadata,
                    platform, device, thinking, stored_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id.text, number, draft.id.text, sender?.text, draft.role.rawValue, draft.content,
                // A device whose clock is wrong cannot write in the future.
                min(draft.writtenAt ?? now, now).seconds,
                draft.replyTo?.text, version, draft.details.metadataJSON?.compact, draft.details.platform,
                draft.details.device, draft.details.thinking, now.seconds,
            ])
        for (place, file) in draft.files.enumerated() {
            try db.execute(
                sql: """
                    INSERT INTO message_file (message, position, id, name, type, size, sha256) VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [draft.id.text, place, file.id.text, file.name, file.type, file.size, file.sha256])
        }
        // A sender has received and read their own message, but earlier ones only as far as they had before.
        if let sender {
            func stillUnseen(_ mark: String) -> String {
                """
                EXISTS (SELECT 1 FROM message x WHERE x.conversation = ?3 AND x.seq > \(mark) AND x.seq < ?1
                    AND x.sender IS NOT ?4 AND x.role <> 'system')
                """
            }
            try db.execute(
                sql: """
                    UPDATE member SET delivered = CASE WHEN \(stillUnseen("delivered")) THEN delivered ELSE ?1 END,
                        read = CASE WHEN \(stillUnseen("read")) THEN read ELSE ?1 END, version = ?2
                    WHERE conversation = ?3 AND user = ?4
                    """, arguments: [number, version, id.text, sender.text])
        }
        guard let message = try messages(db, "m.conversation = ? AND m.seq = ?", [id.text, number]).first else {
            throw HelixError(.unexpected, "a message is missing after it was written")
        }
        return message
    }

    func edit(
        _ id: EntityID, content: String?, by user: EntityID, now: Instant
    ) throws -> (message: GatewayMessage, conversation: GatewayConversation) {
        try write { db in
            let found = try messages(db, "m.id = ?", [id.text]).first
            guard let known = found, try known.sender == user || content == nil && mayRemove(db, known, user) else {
                throw HelixError(.notFound, "you have sent no message \(id.text)")
            }
            _ = try standing(db, known.conversation, user)
            if let remover = known.details.removedBy, known.sender == user {
                throw HelixError(.notAllowed, "\(remover) removed this message")
            }
            if let content {
                let hasFiles = try Bool.fetchOne(
                    db, sql: "SELECT 1 FROM message_file WHERE message = ?", arguments: [id.text])
                guard hasFiles == true || content.contains(where: { !$0.isWhitespace }) else {
                    throw HelixError(.usage, "the message is empty")
                }
                if known.isDeleted || known.content != content {
                    try db.execute(
                        sql: """
                            UPDATE message SET content = ?, is_deleted = 0, removed_by = NULL, edited_at = ?, version = ?
                            WHERE id = ?
                            """,
                        arguments: [content, now.seconds, try tick(db), id.text])
                }
            } else if !known.isDeleted {
                try db.execute(
                    sql: """
                        UPDATE message SET content = '', metadata = NULL, thinking = NULL, is_deleted = 1, edited_at = ?,
                            version = ?, pinned_at = NULL, removed_by = ? WHERE id = ?
                        """,
                    arguments: [now.seconds, try tick(db), known.sender == user ? nil : user.text, id.text])
                try db.execute(sql: "DELETE FROM reaction WHERE message = ?", arguments: [id.text])
            }
            guard let message = try messages(db, "m.id = ?", [id.text]).first else {
                throw HelixError(.notFound, "you have sent no message \(id.text)")
            }
            return (message, try conversation(db, known.conversation, user))
        }
    }

    func messages(of id: EntityID, for user: EntityID, before end: Int64?, limit: Int) throws -> [GatewayMessage] {
        try read { db in
            guard let place = try place(db, id, user), !place.isHidden else {
                throw HelixError(.notFound, "you are not in a conversation \(id.text)")
            }
            let found = try messages(
                db,
                """
                m.conversation = ? AND m.seq >= ? AND m.seq < ? AND m.version <= ? ORDER BY m.seq DESC LIMIT ?
                """, [id.text, place.first, end ?? Int64.max, place.leftVersion ?? Int64.max, limit])
            return GatewayMessage.fitting(found[...]).reversed()
        }
    }

    func conversations(
        of user: EntityID, matching filter: ConversationFilter, limit: Int
    ) throws -> (list: [(conversation: GatewayConversation, last: GatewayMessage?)], total: Int) {
        try read { db in
            let around = filter.label == nil ? "%" : ""
            let pattern = (filter.label ?? filter.search).map { text in
                around + ["\\", "%", "_"].reduce(text) { $0.replacing($1, with: "\\" + $1) } + around
            }
            let activity = """
                ifnull((SELECT m.sent_at FROM message m
                    WHERE m.conversation = c.id AND m.seq = c.last AND m.seq >= me.first), c.created_at)
                """
            let source = """
                FROM member me CROSS JOIN conversation c ON c.id = me.conversation
                WHERE me.user = ?1 AND me.is_hidden = 0 AND me.left_version IS NULL
                    AND (?2 IS NULL OR c.name LIKE ?2 ESCAPE '\\' OR me.name LIKE ?2 ESCAPE '\\'
                        OR c.kind = 'direct' AND EXISTS (SELECT 1 FROM member o JOIN user u ON u.id = o.user
                            WHERE o.conversation = c.id AND o.user <> ?1 AND u.name LIKE ?2 ESCAPE '\\'))
                    AND (?3 IS NULL OR c.kind = ?3) AND (?4 IS NULL OR \(activity) >= ?4)
                """
            let values: StatementArguments = [user.text, pattern, filter.kind?.rawValue, filter.since?.seconds]
            let ids = try String.fetchAll(
                db,
                sql: "SELECT c.id \(source) ORDER BY \(activity) DESC, c.id DESC LIMIT \(limit)", arguments: values)
            let total = try Int.fetchOne(db, sql: "SELECT COUNT(*) \(source)", arguments: values)
            let conversations = try ids.map { id in
                let conversation = try conversation(db, EntityID(stored: id), user)
                let last = try messages(
                    db, "m.conversation = ? AND m.seq >= ? ORDER BY m.seq DESC LIMIT 1", [id, conversation.own.first])
                return (conversation, last.first)
            }
            return (conversations, total ?? conversations.count)
        }
    }

    func messages(
        _ db: Database, _ condition: String, _ arguments: StatementArguments, from: String = "message m"
    ) throws -> [GatewayMessage] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT m.*, (SELECT u.name FROM user u WHERE u.id = m.sender) AS sender_name,
                    (SELECT u.name FROM user u WHERE u.id = m.removed_by) AS remover,
                    EXISTS (SELECT 1 FROM message_file f WHERE f.message = m.id) AS has_files,
                    EXISTS (SELECT 1 FROM reaction r WHERE r.message = m.id) AS has_reactions
                FROM \(from) WHERE \(condition)
                """, arguments: arguments)
        return try rows.map { row in
            let id: String = try row["id"]
            let isDeleted: Bool = try row["is_deleted"]
            var details = try ChatDetails(
                metadata: ChatDetails.metadata(stored: row["metadata"]), platform: row["platform"],
                device: row["device"], thinking: row["thinking"],
                syncedAt: (row["stored_at"] as Int64?).map { Instant($0) })
            details.pinnedAt = (try row["pinned_at"] as Int64?).map { Instant($0) }
            details.removedBy = try row["remover"]
            if try row["has_reactions"] { details.reactions = try reactions(db, id) }
            return try GatewayMessage(
                id: EntityID(stored: id), conversation: EntityID(stored: row["conversation"]), number: row["seq"],
                sender: (row["sender"] as String?).map { EntityID(stored: $0) }, senderName: row["sender_name"] ?? "",
                role: ChatMessage.Role(rawValue: row["role"]) ?? .user, content: row["content"],
                sentAt: Instant(row["sent_at"]), replyTo: (row["reply_to"] as String?).map { EntityID(stored: $0) },
                editedAt: isDeleted ? nil : (row["edited_at"] as Int64?).map { Instant($0) }, isDeleted: isDeleted,
                files: row["has_files"] && !isDeleted ? try files(db, id) : [],
                details: details,
                version: row["version"])
        }
    }

    private func files(_ db: Database, _ message: String) throws -> [ChatAttachment] {
        try Row.fetchAll(
            db, sql: "SELECT * FROM message_file WHERE message = ? ORDER BY position", arguments: [message]
        ).map {
            try ChatAttachment(
                id: EntityID(stored: $0["id"]), name: $0["name"], type: $0["type"], size: $0["size"],
                sha256: $0["sha256"])
        }
    }
}
