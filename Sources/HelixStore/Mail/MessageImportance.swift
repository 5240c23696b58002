import HelixMail
import HelixModel
import HelixSQLite

extension Store {
    /// Messages by their importance, the most important first; those of the same importance in the given order.
    ///
    /// A starred message is worth 8, one of a conversation in which the user has written 4, one that is addressed to the user
    /// 2, and one from a contact 1.
    /// - Parameter own: the user's addresses, in lower case.
    /// - Throws: ``HelixError``.
    public func byImportance(_ messages: [EmailMessage], own: Set<String>) throws -> [EmailMessage] {
        if messages.count < 2 { return messages }
        return try read { db in
            let written = try Statement(
                db,
                """
                SELECT EXISTS(SELECT 1 FROM message m JOIN mailbox b ON b.n = m.mailbox
                    WHERE m.thread = ?1 AND b.role = 'sent')
                """)
            let known = try Statement(
                db, "SELECT EXISTS(SELECT 1 FROM contact_address WHERE key = ?1 AND kind = 'email')")
            func isTrue(_ statement: Statement) throws -> Bool {
                defer { statement.reset() }
                return try statement.step() && statement.integer(0) != 0
            }
            let scored = try messages.enumerated().map { place, message in
                var score = message.flags.contains(.flagged) ? 8 : 0
                written.bind(1, message.thread)
                if try isTrue(written) { score += 4 }
                let recipients = (message.to + "\n" + message.cc).lowercased()
                if own.contains(where: { recipients.hasPart($0) }) { score += 2 }
                if let sender = message.from.split(separator: "\n").first {
                    known.bind(1, MailAddress(text: sender).address.lowercased())
                    if try isTrue(known) { score += 1 }
                }
                return (place: place, score: score, message: message)
            }
            return scored.sorted { ($1.score, $0.place) < ($0.score, $1.place) }.map(\.message)
        }
    }
}
