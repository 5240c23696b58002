import HelixModel
import HelixSQLite

extension Store {
    /// Messages with iCalendar data that were not processed yet, the oldest first; drafts, sent mail, junk and trash are left
    /// out.
    /// - Throws: ``HelixError``.
    public func newInvitations() throws -> [EmailMessage] {
        // There are few, and mostly none: a scan of the table of all messages must be avoided.
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

    /// Records that the invitations in messages were processed.
    /// - Throws: ``HelixError``.
    public func noteInvitationsSeen(_ messages: [EmailMessage]) throws {
        try writeDerived { db in
            for message in messages {
                try db.execute(sql: "DELETE FROM invitation_mail WHERE message = ?", arguments: [message.id.text])
            }
            // Messages that were deleted or moved to one of those mailboxes are never processed.
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
