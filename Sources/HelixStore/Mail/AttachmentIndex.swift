import HelixMail
import HelixModel
import HelixSQLite

/// Messages whose attached files are not searched yet. A trigger adds them (``Schema/mailRules``), but none that is encrypted.
extension Store {
    /// A message in the list.
    public struct PendingAttachments: Sendable {
        /// The message.
        public var message: EntityID
        /// The number of its row.
        public var number: Int64
    }

    /// The newest of these messages whose bodies are here.
    /// - Parameter retries: whether those that could not be read are among them.
    /// - Throws: ``HelixError``.
    public func pendingAttachments(limit: Int, retries: Bool) throws -> [PendingAttachments] {
        try read { db in
            let row = try Statement(
                db,
                """
                SELECT m.id, p.n FROM attachment_pending p CROSS JOIN message m ON m.n = p.n
                WHERE m.traits & \(MessageSummary.Traits.isPartial.rawValue) = 0 \(retries ? "" : "AND p.problem IS NULL")
                ORDER BY p.n DESC LIMIT \(limit)
                """)
            var found: [PendingAttachments] = []
            while try row.step() {
                if let id = row.id(0) { found.append(PendingAttachments(message: id, number: row.integer(1))) }
            }
            return found
        }
    }

    /// The number of messages whose attached files are not searched.
    /// - Parameter isUnreadable: whether those are counted of which a file cannot be read; else those that were not tried yet.
    /// - Throws: ``HelixError``.
    public func pendingAttachmentCount(isUnreadable: Bool) throws -> Int {
        let condition = isUnreadable ? "problem IS NOT NULL" : "problem IS NULL"
        return try read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM attachment_pending WHERE \(condition)") ?? 0 }
    }

    /// Adds the text of attached files to the words of a message.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - body: the text of the message itself.
    ///   - problem: why some could not be read; the message stays in the list then.
    /// - Throws: ``HelixError``.
    public func indexAttachments(_ text: String, below body: String, of message: Int64, problem: String?) throws {
        if isReadOnly { return }
        try writeDerived { db in
            if !text.isEmpty { try reindex(db, message, subject: nil, text: body + "\n\n" + text, snippet: nil) }
            if let problem {
                try db.execute(
                    sql: "UPDATE attachment_pending SET problem = ? WHERE n = ?", arguments: [problem, message])
            } else {
                try db.execute(sql: "DELETE FROM attachment_pending WHERE n = ?", arguments: [message])
            }
        }
    }
}
