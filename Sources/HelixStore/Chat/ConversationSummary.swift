import HelixModel
import HelixSQLite

/// A conversation in a list.
public struct ConversationSummary: Hashable, Sendable {
    /// The conversation.
    public var conversation: Conversation
    /// The last message.
    public var last: ChatMessage?
    /// The number of stored messages, without deleted ones and notices.
    public var messages: Int
    /// The number of unread messages of others.
    public var unread: Int
    /// The number of unread messages that mention the user.
    public var mentions: Int
    /// The number of own messages that are queued for sending.
    public var waiting: Int
    /// The number of own messages that could not be sent.
    public var failed: Int
    /// The names of the other members.
    public var others: [String]
    /// The reason why the gateway rejected a change.
    public var problem: String?
}

extension Store {
    /// The conversations, those with the latest messages first.
    /// - Parameter id: the only conversation to return.
    /// - Throws: ``HelixError``.
    public func conversations(only id: EntityID? = nil) throws -> [ConversationSummary] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT *,
                        (SELECT COUNT(*) FROM chat_message m WHERE m.conversation = c.id AND m.is_deleted = 0
                            AND m.role <> 'system') AS messages,
                        (SELECT COUNT(*) FROM chat_message m WHERE m.conversation = c.id AND m.seq > c.read_up_to
                            AND m.is_mine = 0 AND m.is_deleted = 0 AND m.role <> 'system') AS unread,
                        (SELECT COUNT(*) FROM chat_message m WHERE m.conversation = c.id AND m.seq > c.read_up_to
                            AND m.is_mention = 1 AND m.is_deleted = 0) AS mentions,
                        (SELECT COUNT(*) FROM chat_message m WHERE m.conversation = c.id AND m.state = 'pending')
                            AS waiting,
                        (SELECT COUNT(*) FROM chat_message m WHERE m.conversation = c.id AND m.state = 'failed')
                            AS failed,
                        ifnull(c.problem, (SELECT p.name || ': ' || p.problem FROM chat_member p
                            WHERE p.conversation = c.id AND p.problem IS NOT NULL LIMIT 1)) AS refusal
                    FROM conversation c \(id == nil ? "" : "WHERE id = ?")
                    """, arguments: id.map { [$0.text] } ?? [])
            let list = try rows.map { row in
                let conversation = try Store.conversation(row)
                let last = try Store.chatMessages(db, conversation.id, before: nil, limit: 1).last
                let others = try String.fetchAll(
                    db,
                    sql: """
                        SELECT name FROM chat_member
                        WHERE conversation = ? AND is_me = 0 AND pending IS NOT 'remove' AND problem IS NULL
                        ORDER BY name
                        """, arguments: [conversation.id.text])
                return try ConversationSummary(
                    conversation: conversation, last: last, messages: row["messages"], unread: row["unread"],
                    mentions: row["mentions"],
                    waiting: row["waiting"], failed: row["failed"], others: others, problem: row["refusal"])
            }
            return list.sorted {
                ($0.last?.sentAt ?? $0.conversation.createdAt, $0.conversation.id)
                    > ($1.last?.sentAt ?? $1.conversation.createdAt, $1.conversation.id)
            }
        }
    }
}
