import HelixModel
import HelixSQLite

extension Store {
    /// Messages with iCalendar in them that nobody has looked at yet, the oldest first; what lies among drafts, sent mail,
    /// junk and trash is left out.
    /// - Throws: ``HelixError``.
    public func newInvitations() throws -> [EmailMessage] {
        // Few wait, and mostly none: the table of all messages must not be gone through in its order for them.
        let ids = try read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT m.id FROM invitation_mail i CROSS JOIN message m ON m.id = i.message
                        JOIN mailbox b ON b.n = m.mailbox
                    WHERE ifnull(b.role, '') NOT IN ('drafts', 'sent', 'junk', 'trash')
                    ORDER BY m.n
                    """)
        }
        return try ids.map { try message(EntityID(stored: $0)) }
    }

    /// Writes down that messages were looked at for what they say of events.
    /// - Throws: ``HelixError``.
    public func noteInvitationsSeen(_ messages: [EmailMessage]) throws {
        try writeDerived { db in
            for message in messages {
                try db.execute(sql: "DELETE FROM invitation_mail WHERE message = ?", arguments: [message.id.text])
            }
            // What is gone, or lies where nobody looks, is not looked at later.
            try db.execute(
                sql: """
                    DELETE FROM invitation_mail WHERE NOT EXISTS (
                        SELECT 1 FROM message m JOIN mailbox b ON b.n = m.mailbox
                        WHERE m.id = invitation_mail.message
                            AND ifnull(b.role, '') NOT IN ('drafts', 'sent', 'junk', 'trash'))
                    """)
        }
    }
}
