import HelixModel
import HelixSQLite

extension SQLiteGatewayStore {
    /// The number of members after which a page names no more conversations.
    private static let mostNamed = 4_000

    func chatPage(for user: EntityID, since cursor: ChatCursor?, seen: ChatCursor?, limit: Int) throws
        -> ChatPage
    {
        try read { db in
            let now = try Int64.fetchOne(db, sql: "SELECT n FROM chat_clock") ?? 0
            // A cursor of another store, or of this one before it was restored from a backup: the client needs everything.
            let isReset = try [cursor, seen].contains { text in
                guard let text else { return false }
                guard let given = Self.place(text), given.count <= now else { return true }
                // The random nonces of old counts are not kept.
                guard let own = try nonce(db, of: given.count), let theirs = given.nonce else { return false }
                return own != theirs
            }
            let start = isReset ? 0 : cursor.flatMap(Self.place)?.count ?? 0
            let changed = try changedConversations(db, of: user, since: start)
            var named = 0
            let fitting = changed.prefix { conversation in
                defer { named += conversation.size }
                return named < SQLiteGatewayStore.mostNamed
            }
            var end = fitting.count < changed.count ? fitting.last?.version ?? now : now
            let messages = try messages(
                db,
                """
                me.user = ? AND me.is_hidden = 0 AND m.version > ? AND m.version <= ? AND m.seq >= me.first
                    AND m.version <= ifnull(me.left_version, m.version) ORDER BY m.version LIMIT ?
                """, [user.text, start, end, limit + 1],
                from: "member me CROSS JOIN message m ON m.conversation = me.conversation")
            // Limited by bytes, too, so that no message is cut because others are long.
            let page = GatewayMessage.fitting(messages.prefix(limit))
            if messages.count > page.count { end = page.last?.version ?? end }
            let spoken = Set(page.map(\.conversation))
            let conversations = changed.filter { $0.version <= end || spoken.contains($0.id) }
            let forgotten = try String.fetchAll(
                db,
                sql: """
                    SELECT conversation FROM member WHERE user = ? AND is_hidden = 1 AND version > ? AND version <= ?
                    """, arguments: [user.text, start, end])
            return ChatPage(
                conversations: try conversations.map { try conversation(db, $0.id, user) },
                forgotten: forgotten.map { EntityID(stored: $0) },
                messages: page, cursor: Self.cursor(end, try nonce(db, of: end)), isReset: isReset,
                hasMore: end < now)
        }
    }

    func chatCursor() throws -> ChatCursor {
        try read { db in
            let count = try Int64.fetchOne(db, sql: "SELECT n FROM chat_clock") ?? 0
            return Self.cursor(count, try nonce(db, of: count))
        }
    }

    /// The count of changes and its random nonce in a cursor: `120.3735928559`. Nil for a cursor of another kind of store.
    private static func place(_ cursor: ChatCursor) -> (count: Int64, nonce: Int64?)? {
        let parts = cursor.text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let count = Int64(parts[0]), count >= 0 else { return nil }
        let nonce = parts.count == 2 ? Int64(parts[1]) : nil
        if parts.count == 2, nonce == nil { return nil }
        return (count, nonce)
    }

    private static func cursor(_ count: Int64, _ nonce: Int64?) -> ChatCursor {
        ChatCursor(stored: nonce.map { "\(count).\($0)" } ?? "\(count)")
    }

    /// The number of latest counts whose random nonces are kept.
    private static let keptTicks: Int64 = 500_000

    func sweepCursors() throws {
        try write { db in
            try db.execute(
                sql: "DELETE FROM chat_tick WHERE n < (SELECT n FROM chat_clock) - ?",
                arguments: [SQLiteGatewayStore.keptTicks])
        }
    }

    private func nonce(_ db: Database, of count: Int64) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT nonce FROM chat_tick WHERE n = ?", arguments: [count])
    }

    /// The conversations with changes that a user sees, in the order of their latest change, and the number of members of
    /// each.
    private func changedConversations(
        _ db: Database, of user: EntityID, since start: Int64
    ) throws -> [(id: EntityID, version: Int64, size: Int)] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT me.conversation AS id,
                    CASE WHEN me.left_version IS NULL THEN max(me.version, c.version, MAX(o.version)) ELSE me.version END
                        AS changed,
                    CASE WHEN me.left_version IS NULL THEN COUNT(*) ELSE 1 END AS size
                FROM member me CROSS JOIN conversation c ON c.id = me.conversation
                    CROSS JOIN member o ON o.conversation = me.conversation
                WHERE me.user = ?1 AND me.is_hidden = 0 GROUP BY me.conversation HAVING changed > ?2 ORDER BY changed
                """, arguments: [user.text, start]
        ).map { try (EntityID(stored: $0["id"]), $0["changed"], $0["size"]) }
    }
}
