import HelixMail
import HelixModel
import HelixSQLite

/// A message in a list that is too long to be read whole: its place, without what it says.
public struct MessagePlace: Hashable, Sendable {
    /// The row number; greater for later messages.
    public let number: Int64
    /// The identity.
    public let id: EntityID
    /// The conversation.
    public let thread: Int64
    /// Whether it is unread.
    public let isUnread: Bool

    /// A place.
    public init(number: Int64, id: EntityID, thread: Int64, isUnread: Bool) {
        (self.number, self.id, self.thread, self.isUnread) = (number, id, thread, isUnread)
    }

    /// The place of a message.
    public init(_ message: EmailMessage) {
        self.init(
            number: message.number, id: message.id, thread: message.thread, isUnread: !message.flags.contains(.seen))
    }
}

extension Store {
    /// The places of the messages that match a query, the newest first.
    /// - Parameters:
    ///   - limit: the most places; nil for all.
    ///   - isInterrupted: asked now and then; true gives up.
    /// - Returns: nil if it was given up.
    /// - Throws: ``HelixError``.
    public func messagePlaces(
        _ query: MailQuery, limit: Int? = nil, isInterrupted: () -> Bool = { false }
    ) throws -> [MessagePlace]? {
        try read { db in
            let most = limit.map { " LIMIT \($0)" } ?? ""
            let asked = try MailQuerySQL(query, db)
            let columns = "SELECT m.n, m.id, m.thread, m.flags"
            let row: Statement
            if let match = asked.match {
                row = try Statement(
                    db,
                    """
                    \(columns) FROM message_text x CROSS JOIN message m ON m.n = x.rowid \(Store.messageJoins)
                    WHERE message_text MATCH ? AND \(asked.condition) ORDER BY x.rowid DESC\(most)
                    """)
                row.bind([.string(match)] + asked.arguments)
            } else {
                row = try Statement(
                    db, "\(columns) FROM \(Store.messageTables) WHERE \(asked.condition) ORDER BY m.n DESC\(most)")
                row.bind(asked.arguments)
            }
            // A statement in its middle would keep the snapshot: later reads would be old, and no change possible.
            defer { row.reset() }
            var places: [MessagePlace] = []
            while try row.step() {
                guard let id = row.id(1) else { continue }
                if places.count % 256 == 255, isInterrupted() { return nil }
                places.append(
                    MessagePlace(
                        number: row.integer(0), id: id, thread: row.integer(2),
                        isUnread: !MessageFlags(rawValue: Int(row.integer(3))).contains(.seen)))
            }
            return places
        }
    }

    /// A number that changes after another process has changed the store.
    /// - Throws: ``HelixError``.
    public func othersMark() throws -> Int64 { try read { try $0.othersMark() } }
}
