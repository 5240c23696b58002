import HelixModel
import HelixSQLite

extension SQLiteGatewayStore {
    func react(
        _ emoji: String, isOn: Bool, to id: EntityID, by user: EntityID, now: Instant
    ) throws -> (message: GatewayMessage, conversation: GatewayConversation) {
        try write { db in
            let known = try visible(db, id, user)
            guard ChatReaction.isEmoji(emoji) else { throw HelixError(.usage, "a reaction is one emoji") }
            if isOn {
                let count = try Int.fetchOne(
                    db, sql: "SELECT COUNT(*) FROM reaction WHERE message = ? AND user = ?",
                    arguments: [id.text, user.text])
                guard (count ?? 0) < ChatReaction.mostOfUser else {
                    throw HelixError(.notAllowed, "at most \(ChatReaction.mostOfUser) reactions to one message")
                }
                try db.execute(
                    sql: "INSERT OR IGNORE INTO reaction (message, user, emoji, made_at) VALUES (?, ?, ?, ?)",
                    arguments: [id.text, user.text, emoji, now.seconds])
            } else {
                try db.execute(
                    sql: "DELETE FROM reaction WHERE message = ? AND user = ? AND emoji = ?",
                    arguments: [id.text, user.text, emoji])
            }
            return try changed(db, known, db.changedRows > 0, user)
        }
    }

    func pin(
        _ isPinned: Bool, _ id: EntityID, by user: EntityID, now: Instant
    ) throws -> (message: GatewayMessage, conversation: GatewayConversation) {
        try write { db in
            let known = try visible(db, id, user)
            let role = try standing(db, known.conversation, user).role
            let present = try conversation(db, known.conversation, user)
            guard present.kind != .group || role.isInCharge else {
                throw HelixError(.notAllowed, "only an owner or admin may pin messages of a group")
            }
            try db.execute(
                sql: "UPDATE message SET pinned_at = ?1 WHERE id = ?2 AND (pinned_at IS NULL) = (?1 IS NOT NULL)",
                arguments: [isPinned ? now.seconds : nil, id.text])
            return try changed(db, known, db.changedRows > 0, user)
        }
    }

    /// A message that a member of its conversation sees, and that is not deleted.
    private func visible(_ db: Database, _ id: EntityID, _ user: EntityID) throws -> GatewayMessage {
        let known = try messages(db, "m.id = ?", [id.text]).first
        guard let known, !known.isDeleted, known.role != .system,
            try known.number >= standing(db, known.conversation, user).first
        else {
            throw HelixError(.notFound, "unknown message \(id.text)")
        }
        return known
    }

    private func changed(
        _ db: Database, _ known: GatewayMessage, _ isChanged: Bool, _ user: EntityID
    ) throws -> (message: GatewayMessage, conversation: GatewayConversation) {
        if isChanged {
            try db.execute(
                sql: "UPDATE message SET version = ? WHERE id = ?", arguments: [try tick(db), known.id.text])
        }
        guard let message = try messages(db, "m.id = ?", [known.id.text]).first else {
            throw HelixError(.notFound, "unknown message \(known.id.text)")
        }
        return (message, try conversation(db, known.conversation, user))
    }

    /// The reactions to a message.
    func reactions(_ db: Database, _ message: String) throws -> [ChatReaction] {
        var found: [ChatReaction] = []
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT r.emoji, u.name FROM reaction r JOIN user u ON u.id = r.user WHERE r.message = ?
                ORDER BY r.made_at, u.name
                """, arguments: [message])
        for row in rows {
            let (emoji, name): (String, String) = try (row["emoji"], row["name"])
            if let place = found.firstIndex(where: { $0.emoji == emoji }) {
                found[place].users.append(name)
            } else {
                found.append(ChatReaction(emoji: emoji, users: [name]))
            }
        }
        return found
    }

    /// Whether a user may remove another member's message: an owner or admin of the group; an owner's, only an owner.
    func mayRemove(_ db: Database, _ message: GatewayMessage, _ user: EntityID) throws -> Bool {
        guard message.role != .system, let own = try place(db, message.conversation, user)?.role, own.isInCharge else {
            return false
        }
        let kind = try String.fetchOne(
            db, sql: "SELECT kind FROM conversation WHERE id = ?", arguments: [message.conversation.text])
        guard kind == Conversation.Kind.group.rawValue else { return false }
        // The answers of an assistant have no sender.
        guard let sender = message.sender else { return message.role == .assistant }
        return try own == .owner || place(db, message.conversation, sender)?.role != .owner
    }
}
