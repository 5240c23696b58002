import HelixMail
import HelixModel
import HelixSQLite

/// The facts of a message for statistics.
public struct CountedMessage: Sendable {
    /// The date of the message.
    public var date: Instant
    /// The first sender, `Name <address>`.
    public var sender: String
    /// The recipients in To and Cc, one per line.
    public var recipients: String
    /// The size in bytes.
    public var size: Int
    /// Whether it is unread.
    public var isUnread: Bool
    /// Whether it is in a sent mailbox.
    public var isSent: Bool
}

extension Store {
    /// Passes every message of a range to `body`, in order of time.
    /// - Throws: ``HelixError``.
    public func countMessages(in range: TimeRange, _ body: (CountedMessage) -> Void) throws {
        try read { db in
            let row = try Statement(
                db,
                """
                SELECT m.date, m.sender, m.recipients || char(10) || ifnull(m.cc, ''), m.size, m.flags, b.role
                FROM message m CROSS JOIN mailbox b ON b.n = m.mailbox
                WHERE m.n >= ?1 AND m.date >= ?1 AND m.date < ?2 AND b.role IS NOT 'deleted'
                    AND b.role IS NOT 'drafts' AND m.flags & \(MessageFlags.draft.rawValue) = 0
                ORDER BY m.n
                """)
            row.bind(1, range.start.seconds)
            row.bind(2, range.end.seconds)
            while try row.step() {
                body(
                    CountedMessage(
                        date: Instant(row.integer(0)),
                        sender: String((row.text(1) ?? "").prefix { $0 != "\n" }), recipients: row.text(2) ?? "",
                        size: Int(row.integer(3)), isUnread: row.integer(4) & 1 == 0, isSent: row.text(5) == "sent"))
            }
        }
    }

    /// The reply times in seconds: for each of the user's own messages in a range, the time since the message that it
    /// answers.
    ///
    /// - Parameter own: the user's addresses; messages in sent mailboxes are theirs in any case.
    /// - Throws: ``HelixError``.
    public func replyTimes(in range: TimeRange, own: [String]) throws -> [Int] {
        try read { db in
            let replies = try Statement(
                db,
                """
                SELECT m.date, m.thread, m.refs, m.sender, b.role FROM message m CROSS JOIN mailbox b ON b.n = m.mailbox
                WHERE m.n >= ?1 AND m.date >= ?1 AND m.date < ?2 AND m.refs IS NOT NULL
                """)
            replies.bind(1, range.start.seconds)
            replies.bind(2, range.end.seconds)
            var found: [(date: Int64, thread: Int64, parent: String)] = []
            let addresses = own.map { $0.lowercased() }
            while try replies.step() {
                let sender = (replies.text(3) ?? "").lowercased()
                guard replies.text(4) == "sent" || addresses.contains(where: { sender.contains($0) }) else { continue }
                guard let parent = replies.text(2)?.split(separator: " ").last else { continue }
                found.append((replies.integer(0), replies.integer(1), String(parent)))
            }
            let parents = try Statement(
                db, "SELECT date, sender FROM message WHERE thread = ?1 AND message_id = ?2 LIMIT 1")
            var times: [Int] = []
            for reply in found {
                parents.bind(1, reply.thread)
                parents.bind(2, reply.parent)
                while try parents.step() {
                    // A follow-up to an own message does not count as a reply.
                    let sender = (parents.text(1) ?? "").lowercased()
                    let seconds = Int(reply.date - parents.integer(0))
                    if seconds > 0, !addresses.contains(where: { sender.contains($0) }) { times.append(seconds) }
                }
            }
            return times
        }
    }

    /// The sizes of the mailboxes in bytes, by row number.
    /// - Throws: ``HelixError``.
    public func mailboxSizes() throws -> [Int64: Int] {
        try read { db in
            var sizes: [Int64: Int] = [:]
            let row = try Statement(db, "SELECT mailbox, SUM(size) FROM message GROUP BY mailbox")
            while try row.step() { sizes[row.integer(0)] = Int(row.integer(1)) }
            return sizes
        }
    }

    /// Passes the messages whose senders or recipients contain words with the given prefixes to `body`, the newest first.
    ///
    /// - Parameter words: the prefixes; empty for all messages.
    /// - Throws: ``HelixError``.
    public func correspondence(_ words: [String], limit: Int, _ body: (CountedMessage) -> Void) throws {
        try read { db in
            let columns = "m.date, m.sender, m.recipients || char(10) || ifnull(m.cc, ''), m.size, m.flags, b.role"
            let joins = "CROSS JOIN mailbox b ON b.n = m.mailbox"
            let row: Statement
            if words.isEmpty {
                row = try Statement(db, "SELECT \(columns) FROM message m \(joins) ORDER BY m.n DESC LIMIT \(limit)")
            } else {
                let match = words.map { "{sender people} : \"\($0.replacing("\"", with: "\"\""))\" *" }
                row = try Statement(
                    db,
                    """
                    SELECT \(columns) FROM message_text x CROSS JOIN message m ON m.n = x.rowid \(joins)
                    WHERE message_text MATCH ?1 ORDER BY x.rowid DESC LIMIT \(limit)
                    """)
                row.bind(1, match.joined(separator: " AND "))
            }
            while try row.step() {
                body(
                    CountedMessage(
                        date: Instant(row.integer(0)), sender: row.text(1) ?? "", recipients: row.text(2) ?? "",
                        size: Int(row.integer(3)), isUnread: row.integer(4) & 1 == 0, isSent: row.text(5) == "sent"))
            }
        }
    }
}
