import HelixMail
import HelixModel
import HelixSQLite

/// A sender with the number of their messages.
public struct SenderCount: Hashable, Sendable {
    /// The newest name and the address.
    public var sender: MailAddress
    /// The number of messages.
    public var count = 0
    /// The number of unread ones.
    public var unread = 0
    /// Their size in bytes.
    public var size = 0
    /// The date of the newest one.
    public var newest: Instant
    /// Whether mailing lists sent any of them.
    public var isList = false
}

extension Store {
    /// The senders of the messages that match a query, those with the most messages first.
    /// - Throws: ``HelixError``.
    public func senders(_ query: MailQuery) throws -> [SenderCount] {
        try read { db in
            let asked = try MailQuerySQL(query, db)
            let columns = "m.sender, m.size, m.flags, m.date, m.traits"
            let row = try Statement(
                db,
                asked.match == nil
                    ? "SELECT \(columns) FROM message m WHERE \(asked.condition)"
                    : """
                    SELECT \(columns) FROM message_text x CROSS JOIN message m ON m.n = x.rowid
                    WHERE message_text MATCH ? AND \(asked.condition)
                    """)
            row.bind((asked.match.map { [.string($0)] } ?? []) + asked.arguments)
            var found: [String: SenderCount] = [:]
            while try row.step() {
                let sender = MailAddress(text: (row.text(0) ?? "").prefix { $0 != "\n" })
                let (key, date) = (sender.address.lowercased(), Instant(row.integer(3)))
                var one = found[key] ?? SenderCount(sender: sender, newest: date)
                if date >= one.newest { (one.sender, one.newest) = (sender, date) }
                one.count += 1
                one.size += Int(row.integer(1))
                if row.integer(2) & Int64(MessageFlags.seen.rawValue) == 0 { one.unread += 1 }
                if row.integer(4) & Int64(MessageSummary.Traits.isFromList.rawValue) != 0 { one.isList = true }
                found[key] = one
            }
            return found.values.sorted {
                ($1.count, $0.sender.address.lowercased()) < ($0.count, $1.sender.address.lowercased())
            }
        }
    }
}
