import HelixModel
import HelixSQLite

extension Change {
    /// Brings back what was deleted here and came from the gateway since: a message as a mark in its place, a conversation with
    /// what was said later.
    /// - Returns: whether it was such a thing.
    func revive(_ kind: EntityKind, _ id: EntityID, _ current: JournalFields, _ former: JournalFields) throws -> Bool {
        switch kind {
        case .chatMessage:
            guard current.values["is_deleted"] == .int64(1) else { return false }
            try update(kind, id, JournalFields(former.values.filter { ["content", "is_deleted"].contains($0.key) }))
            return true
        case .conversation:
            guard case .string? = current.values["remote"] else { return false }
            try update(
                kind, id, JournalFields(former.values.filter { ["name", "is_archived", "is_muted"].contains($0.key) }))
            // It is begun once more: the gateway gives again what was said before.
            try db.execute(sql: "UPDATE conversation SET agreed = NULL WHERE id = ?", arguments: [id.text])
            return true
        default: return false
        }
    }
}

/// What follows from a row of a conversation that was written or goes, whoever does it: a command, an undo or a redo.
enum ChatRows {
    /// A message that a person wrote, changed, deleted or brought back: in a conversation of this machine it takes its
    /// place at once, in another it waits to leave.
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
                            AND chat_message.agreed IS NOT CASE is_deleted WHEN 1 THEN NULL ELSE content END THEN 'pending'
                        ELSE 'sent' END,
                    tries = 0, retry_at = 0, problem = NULL
                FROM conversation c WHERE c.id = chat_message.conversation AND chat_message.id = ?
                """, arguments: [id.text])
        // One has read what one said oneself.
        try db.execute(
            sql: """
                UPDATE conversation SET read_up_to = m.seq FROM chat_message m
                WHERE m.id = ? AND m.is_mine = 1 AND m.seq > read_up_to AND conversation.id = m.conversation
                    AND conversation.account IS NULL
                """, arguments: [id.text])
    }

    /// A message that goes with all that is known of it: the gateway is told, if it knows it.
    static func willDeleteMessage(_ db: Database, _ id: EntityID) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO chat_withdrawal (id, account)
                SELECT m.id, c.account FROM chat_message m JOIN conversation c ON c.id = m.conversation
                WHERE m.id = ? AND c.remote IS NOT NULL AND m.is_mine = 1 AND m.role = 'user' AND c.account IS NOT NULL
                """, arguments: [id.text])
    }

    /// A conversation that a person made, changed or brought back.
    static func didWriteConversation(_ db: Database, _ id: EntityID) throws {
        try db.execute(sql: "DELETE FROM chat_withdrawal WHERE id = ?", arguments: [id.text])
        try db.execute(sql: "UPDATE conversation SET problem = NULL WHERE id = ?", arguments: [id.text])
        // Of one that the gateway does not know yet, who is to be in it comes back with it.
        let names = try String.fetchOne(
            db,
            sql: """
                SELECT invited FROM conversation c WHERE id = ? AND remote IS NULL AND invited <> ''
                    AND NOT EXISTS (SELECT 1 FROM chat_member m WHERE m.conversation = c.id)
                """, arguments: [id.text])
        for name in (names ?? "").split(separator: ",") {
            try db.execute(
                sql:
                    "INSERT INTO chat_member (conversation, user, name, role, wish) VALUES (?1, ?2, ?2, 'member', 'invite')",
                arguments: [id.text, String(name)])
        }
    }

    /// A conversation that goes with all that was said in it.
    static func willDeleteConversation(_ db: Database, _ id: EntityID) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO chat_withdrawal (id, account, remote)
                SELECT id, account, remote FROM conversation
                WHERE id = ? AND account IS NOT NULL AND remote IS NOT NULL AND role IS NOT NULL
                """, arguments: [id.text])
        try forgetMessages(db, of: id)
    }

    /// Takes out all messages of a conversation, and their words.
    /// - Parameter keepsWaiting: whether those stay that the gateway has never had.
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
