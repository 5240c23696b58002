import HelixCrypto
import HelixModel
import HelixSQLite

/// A message in a session of a gateway whose messages have no IDs.
public struct SessionMessage: Hashable, Sendable {
    /// The key assigned by the gateway, if any; else one is derived from role, time and text.
    public var key: String?
    /// The role of the author.
    public var role: ChatMessage.Role
    /// The text.
    public var text: String
    /// The time at which it was sent.
    public var sentAt: Instant

    /// Creates a message.
    public init(key: String?, role: ChatMessage.Role, text: String, sentAt: Instant) {
        self.key = key
        self.role = role
        self.text = text
        self.sentAt = sentAt
    }

    fileprivate var mark: String {
        if let key { return key }
        let hash = SHA256.hash(Array("\(role.rawValue)\u{0}\(sentAt.seconds)\u{0}\(text)".utf8))
        // Identities of stored messages are made of these words.
        return "SHA256 digest: " + hash.hexadecimal
    }
}

extension ChatIntake {
    /// The local ID of a session, derived from its key.
    public func identity(ofSession key: String) -> EntityID {
        EntityID(digest: SHA256.hash(Array("session\u{0}\(account.text)\u{0}\(key)".utf8)))
    }

    /// Ingests the history of a session, in its order. Messages that are stored already are skipped: they are matched by key or,
    /// if just sent, by text.
    /// - Parameter sender: the name of the assistant.
    /// - Returns: the new messages of others.
    /// - Throws: ``HelixError``.
    public func take(_ lines: [SessionMessage], in conversation: EntityID, sender: String) throws -> [EntityID] {
        var fresh: [EntityID] = []
        var rows: [Int64] = []
        for line in lines {
            let mark = line.mark
            let isKnown = try Bool.fetchOne(
                db, sql: "SELECT 1 FROM chat_message WHERE conversation = ? AND remote = ?",
                arguments: [conversation.text, mark])
            if isKnown == true { continue }
            let unnamed = try Int64.fetchOne(
                db,
                sql: """
                    SELECT n FROM chat_message WHERE conversation = ? AND remote IS NULL AND role = ? AND seq IS NOT NULL
                        AND trim(content) = trim(?) ORDER BY seq LIMIT 1
                    """, arguments: [conversation.text, line.role.rawValue, line.text])
            if let unnamed {
                try db.execute(sql: "UPDATE chat_message SET remote = ? WHERE n = ?", arguments: [mark, unnamed])
                continue
            }
            let id = EntityID(digest: SHA256.hash(Array("\(conversation.text)\u{0}\(mark)".utf8)))
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO chat_message (id, conversation, content, role, sender, is_mine, sent_at, seq, state,
                        synced, remote) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, \(ChatIntake.nextNumber), 'sent', ?3, ?8)
                    """,
                arguments: [
                    id.text, conversation.text, line.text, line.role.rawValue, line.role == .user ? "me" : sender,
                    line.role == .user, line.sentAt.seconds, mark,
                ])
            guard db.changedRows > 0 else { continue }
            rows.append(db.lastInsertedRowID)
            if line.role != .user { fresh.append(id) }
        }
        let table = JournaledTable.table(.chatMessage)
        for row in rows { try table.reindex(db, row, nil) }
        return fresh
    }

    /// The number of the next message of conversation `?2`.
    static let nextNumber = "(SELECT ifnull(MAX(seq), 0) + 1 FROM chat_message WHERE conversation = ?2)"
}

extension Store {
    /// Records that a gateway without message numbers accepted a message.
    /// - Throws: ``HelixError``.
    public func didSendToSession(_ message: ChatMessage) throws {
        try writeDurably { db in
            try db.execute(
                sql: """
                    UPDATE chat_message SET seq = ifnull(seq, \(ChatIntake.nextNumber)), synced = content, state = 'sent',
                        tries = 0, problem = NULL WHERE id = ?1
                    """, arguments: [message.id.text, message.conversation.text])
        }
    }

    /// The row number of the message that was stored last.
    /// - Throws: ``HelixError``.
    public func lastChatRow() throws -> Int64 {
        try read { try Int64.fetchOne($0, sql: "SELECT MAX(n) FROM chat_message") ?? 0 }
    }
}
