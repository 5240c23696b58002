import HelixModel
import HelixSQLite

/// Undoing deletions of entities that the gateway has sent again since, or removed for good.
extension ChatRows {
    /// Restores a locally deleted message that the gateway has sent again as a placeholder.
    @Sendable static func reviveMessage(
        _ change: Change, _ id: EntityID, _ current: JournalFields, _ former: JournalFields
    ) throws -> Bool {
        guard current.values["is_deleted"] == .int64(1) else { return false }
        let fields = former.values.filter { ["content", "is_deleted", "metadata", "thinking"].contains($0.key) }
        try change.update(.chatMessage, id, JournalFields(fields))
        return true
    }

    /// Restores a locally deleted conversation that the gateway has sent again with later messages.
    @Sendable static func reviveConversation(
        _ change: Change, _ id: EntityID, _ current: JournalFields, _ former: JournalFields
    ) throws -> Bool {
        guard case .string? = current.values["remote"] else { return false }
        let fields = former.values.filter { ["name", "description", "is_archived", "is_muted"].contains($0.key) }
        try change.update(.conversation, id, JournalFields(fields))
        // It is created once more: the gateway then sends its messages again.
        try change.db.execute(sql: "UPDATE conversation SET synced = NULL WHERE id = ?", arguments: [id.text])
        return true
    }

    /// Whether a row was removed with its gateway, or merged with another, which leaves nothing to undo.
    @Sendable static func isRemoved(_ change: Change, _ gone: GoneRow) throws -> Bool {
        try !gone.isCreation && !change.wasDeleted(gone.id)
    }
}

/// The consequences of writing or deleting a row of a conversation, in a command, an undo or a redo.
enum ChatRows {
    /// Updates a message that the user wrote, changed, deleted or restored: a local conversation numbers it at once, any other
    /// queues it for sending.
    static func didWriteMessage(_ db: Database, _ id: EntityID) throws {
        try db.execute(sql: "DELETE FROM chat_withdrawal WHERE id = ?", arguments: [id.text])
        try db.execute(
            sql: """
                UPDATE chat_message SET
                    seq = CASE WHEN seq IS NOT NULL OR c.account IS NOT NULL THEN seq
                        ELSE (SELECT ifnull(MAX(o.seq), 0) + 1 FROM chat_message o
                            WHERE o.conversation = chat_message.conversation) END,
                    state = CASE WHEN c.account IS NULL THEN 'sent'
                        WHEN chat_message.role = 'user' AND is_mine = 1
                            AND chat_message.synced IS NOT CASE is_deleted WHEN 1 THEN NULL ELSE content END THEN 'pending'
                        ELSE 'sent' END,
                    tries = 0, retry_at = 0, problem = NULL
                FROM conversation c WHERE c.id = chat_message.conversation AND chat_message.id = ?
                """, arguments: [id.text])
        // Own messages count as read.
        try db.execute(
            sql: """
                UPDATE conversation SET read_up_to = m.seq FROM chat_message m
                WHERE m.id = ? AND m.is_mine = 1 AND m.seq > read_up_to AND conversation.id = m.conversation
                    AND conversation.account IS NULL
                """, arguments: [id.text])
    }

    /// Queues the deletion of a removed own message for the gateway, if it has the conversation.
    static func willDeleteMessage(_ db: Database, _ id: EntityID) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO chat_withdrawal (id, account)
                SELECT m.id, c.account FROM chat_message m JOIN conversation c ON c.id = m.conversation
                WHERE m.id = ? AND c.remote IS NOT NULL AND m.is_mine = 1 AND m.role = 'user' AND c.account IS NOT NULL
                """, arguments: [id.text])
    }

    /// Updates a conversation that the user created, changed or restored.
    static func didWriteConversation(_ db: Database, _ id: EntityID) throws {
        try db.execute(sql: "DELETE FROM chat_withdrawal WHERE id = ?", arguments: [id.text])
        try db.execute(sql: "UPDATE conversation SET problem = NULL WHERE id = ?", arguments: [id.text])
        // If the gateway does not know it yet, its invitations are restored with it.
        let names = try String.fetchOne(
            db,
            sql: """
                SELECT invited FROM conversation c WHERE id = ? AND remote IS NULL AND invited <> ''
                    AND NOT EXISTS (SELECT 1 FROM chat_member m WHERE m.conversation = c.id)
                """, arguments: [id.text])
        for name in (names ?? "").split(separator: ",") {
            try db.execute(
                sql:
                    "INSERT INTO chat_member (conversation, user, name, role, pending) VALUES (?1, ?2, ?2, 'member', 'invite')",
                arguments: [id.text, String(name)])
        }
    }

    /// Removes the messages of a deleted conversation, and queues its deletion for the gateway.
    static func willDeleteConversation(_ db: Database, _ id: EntityID) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO chat_withdrawal (id, account, remote)
                SELECT id, account, remote FROM conversation
                WHERE id = ? AND account IS NOT NULL AND remote IS NOT NULL AND role IS NOT NULL
                """, arguments: [id.text])
        try forgetMessages(db, of: id)
    }

    /// Deletes all messages of a conversation, and their entries in the full-text index.
    /// - Parameter keepsWaiting: True to keep messages that the gateway never received.
    static func forgetMessages(_ db: Database, of id: EntityID, keepsWaiting: Bool = false) throws {
        let chosen = "conversation = ?1\(keepsWaiting ? " AND seq IS NOT NULL" : "")"
        let rows = try Statement(db, "SELECT n, content FROM chat_message WHERE \(chosen) ORDER BY n")
        rows.bind(1, id.text)
        var words: [(Int64, String)] = []
        while try rows.step() { words.append((rows.integer(0), rows.text(1) ?? "")) }
        try db.execute(
            sql: """
                DELETE FROM chat_attachment
                WHERE message IN (SELECT id FROM chat_message WHERE \(chosen))
                """, arguments: [id.text])
        try db.execute(sql: "DELETE FROM chat_message WHERE \(chosen)", arguments: [id.text])
        let table = JournaledTable.table(.chatMessage)
        for (number, text) in words { try table.reindex(db, number, [.string(text)]) }
    }
}
