import HelixMail
import HelixModel
import HelixSQLite

/// A message found by a search, with an excerpt.
public struct FoundChatMessage: Hashable, Sendable {
    /// The message.
    public var message: ChatMessage
    /// The name of its conversation.
    public var conversation: String
    /// An excerpt of the message; matches are enclosed in U+0002 and U+0003.
    public var excerpt: String
}

extension Store {
    /// The messages that match a query, the newest first. It accepts the parts of the mail query language that apply to chat:
    /// words, `from:`, `filename:`, `in:`, `has:attachment`, `is:unread`, `after:`, `before:`, and, or, not.
    /// - Throws: ``HelixError`` of code `usage` for a term that chat does not support.
    public func searchChat(_ query: MailQuery, in conversation: EntityID? = nil, limit: Int) throws
        -> [FoundChatMessage]
    {
        try read { db in
            var sql = try ChatQuerySQL(query)
            var condition = sql.condition + " AND m.is_deleted = 0"
            if let conversation {
                condition += " AND m.conversation = ?"
                sql.arguments.append(.string(conversation.text))
            }
            var from = "chat_message m"
            if let match = sql.match {
                from = "chat_message_text x CROSS JOIN chat_message m ON m.n = x.rowid"
                condition = "chat_message_text MATCH ? AND " + condition
                sql.arguments.insert(.string(match), at: 0)
            }
            // The excerpts of the listed messages only: to find the passages of all would take most of the time.
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT m.n, c.name FROM \(from) CROSS JOIN conversation c ON c.id = m.conversation
                    WHERE \(condition) ORDER BY m.sent_at DESC, m.n DESC LIMIT ?
                    """, arguments: StatementArguments(sql.arguments + [.int64(Int64(limit))]))
            return try rows.compactMap { row in
                let found = try Store.finished(db, try Store.rows(db, "m.n = ?", [row["n"] as Int64]))
                return try found.first.map {
                    try FoundChatMessage(
                        message: $0, conversation: row["name"],
                        excerpt: Store.excerpt(db, of: row["n"] as Int64, matching: sql.match))
                }
            }
        }
    }

    /// The best matching passage of a message; without search words, its beginning.
    private static func excerpt(_ db: Database, of message: Int64, matching match: String?) throws -> String {
        let text =
            try match.flatMap {
                try String.fetchOne(
                    db,
                    sql: """
                        SELECT snippet(chat_message_text, 0, char(2), char(3), '…', 24) FROM chat_message_text
                        WHERE chat_message_text MATCH ? AND rowid = ?
                        """, arguments: [$0, message])
            }
            ?? String.fetchOne(
                db, sql: "SELECT substr(content, 1, 240) FROM chat_message WHERE n = ?", arguments: [message])
        return text ?? ""
    }

    /// The number of messages that match a query.
    /// - Throws: as ``searchChat(_:in:limit:)``.
    public func chatCount(_ query: MailQuery, in conversation: EntityID? = nil) throws -> Int {
        try read { db in
            var sql = try ChatQuerySQL(query)
            var condition = sql.condition + " AND m.is_deleted = 0"
            if let match = sql.match {
                condition =
                    "m.n IN (SELECT rowid FROM chat_message_text WHERE chat_message_text MATCH ?) AND " + condition
                sql.arguments.insert(.string(match), at: 0)
            }
            if let conversation {
                condition += " AND m.conversation = ?"
                sql.arguments.append(.string(conversation.text))
            }
            return try Int.fetchOne(
                db,
                sql:
                    "SELECT COUNT(*) FROM chat_message m JOIN conversation c ON c.id = m.conversation WHERE \(condition)",
                arguments: StatementArguments(sql.arguments)) ?? 0
        }
    }
}

/// A query compiled for SQLite: words for the full-text index, and a condition on message `m` in conversation `c`.
struct ChatQuerySQL {
    /// The query for the full-text index; nil if there are no words at the top level.
    private(set) var match: String?
    private(set) var condition = "1"
    var arguments: [DatabaseValue] = []

    /// - Throws: ``HelixError`` of code `usage` for a term that only mail supports.
    init(_ query: MailQuery) throws {
        let parts = if case .all(let list) = query { list } else { [query] }
        let words = parts.compactMap { part -> String? in
            guard case .words(let text, let field, let isPrefix) = part, field == nil || field == .body else {
                return nil
            }
            return ChatQuerySQL.phrase(text, isPrefix)
        }
        if !words.isEmpty { match = words.joined(separator: " AND ") }
        let rest = parts.filter { part in
            guard case .words(_, let field, _) = part else { return true }
            return field != nil && field != .body
        }
        if !rest.isEmpty { condition = ConditionTree.joined(try rest.map { try sql($0) }, by: "AND") }
    }

    private static func phrase(_ text: String, _ isPrefix: Bool) -> String {
        "\"" + text.replacing("\"", with: "\"\"") + "\"" + (isPrefix ? " *" : "")
    }

    private mutating func pattern(_ text: String) -> String {
        arguments.append(.string("%" + TaskFilterSQL.escaped(text) + "%"))
        return "LIKE ? ESCAPE '\\'"
    }

    private mutating func sql(_ query: MailQuery) throws -> String {
        switch query {
        case .everything: return "1"
        case .words(let text, let field, let isPrefix):
            switch field {
            case nil, .body:
                arguments.append(.string(ChatQuerySQL.phrase(text, isPrefix)))
                return "m.n IN (SELECT rowid FROM chat_message_text WHERE chat_message_text MATCH ?)"
            case .from where text.lowercased() == "me": return "m.is_mine = 1"
            case .from: return "m.sender \(pattern(text))"
            case .attachment:
                return "m.id IN (SELECT a.message FROM chat_attachment a WHERE a.name \(pattern(text)))"
            case .subject: return "c.name \(pattern(text))"
            case .to: throw ChatQuerySQL.unknown("to:")
            }
        case .all(let list): return ConditionTree.joined(try list.map { try sql($0) }, by: "AND")
        case .any(let list): return ConditionTree.joined(try list.map { try sql($0) }, by: "OR")
        case .not(let inner): return "NOT " + (try sql(inner))
        case .has(.unread): return "(m.seq > c.read_up_to AND m.is_mine = 0)"
        case .has(.trait(.hasAttachment)):
            return "EXISTS (SELECT 1 FROM chat_attachment a WHERE a.message = m.id)"
        case .has: throw ChatQuerySQL.unknown("this is: or has: value")
        case .mailbox(let name): return "c.name \(pattern(name))"
        case .dated(let from, let to):
            arguments.append(.int64(from?.seconds ?? Int64.min))
            arguments.append(.int64(to?.seconds ?? Int64.max))
            return "(m.sent_at >= ? AND m.sent_at < ?)"
        case .id(let text):
            arguments.append(.string(text))
            arguments.append(.string(text + "~"))
            return "(m.id >= ? AND m.id < ?)"
        case .account: throw ChatQuerySQL.unknown("account:")
        // Names stand for persons here, and have no addresses.
        case .address: return "1"
        case .messageID, .oneOf: throw ChatQuerySQL.unknown("mid:")
        case .thread: throw ChatQuerySQL.unknown("threads")
        case .label: throw ChatQuerySQL.unknown("label:")
        case .list: throw ChatQuerySQL.unknown("list:")
        case .size: throw ChatQuerySQL.unknown("larger: or smaller:")
        }
    }

    private static func unknown(_ what: String) -> HelixError {
        HelixError(
            .usage, "chat search does not support \(what)",
            hint:
                "Use words, \"phrases\", from:, in:, filename:, has:attachment, is:unread, after:, before:, or, not."
        )
    }
}
