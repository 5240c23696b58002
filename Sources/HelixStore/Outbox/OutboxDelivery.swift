import FoundationEssentials
import HelixMail
import HelixModel
import HelixSQLite

// Delivery of outgoing messages. It is not journaled as a user's change: only queuing a message is one.
extension Store {
    /// The messages that an account may send now, in order, including those whose sending was interrupted.
    /// - Throws: ``HelixError``.
    public func dueOutgoing(_ account: Account, at time: Instant) throws -> [OutgoingMessage] {
        try read { db in
            try Store.outgoing(
                db, "account = ? AND (state = 'leaving' OR state = 'queued' AND leaves_at <= ?)",
                [account.id.text, time.seconds])
        }
    }

    /// Marks a message as being sent, right before sending it. From then on it is not retried automatically.
    /// - Returns: True if the message is unchanged; the user may have changed or removed it meanwhile.
    /// - Throws: ``HelixError``.
    public func claim(_ message: OutgoingMessage) throws -> Bool {
        do {
            return try writeOutbox(message) { db in
                try db.execute(
                    sql: """
                        UPDATE outgoing SET state = 'leaving', tries = tries + 1
                        WHERE id = ? AND state = 'queued' AND sha256 = ? AND recipients = ?
                        """,
                    arguments: [message.id.text, message.sha256, message.recipients.joined(separator: "\n")])
                return db.changedRows > 0
            }
        } catch is StoreIsBehind {
            // Another gateway sends it, or the user has changed it there.
            return false
        }
    }

    /// Records that a message could not be sent, and the reason.
    ///
    /// - Parameters:
    ///   - state: the new state.
    ///   - recipients: the remaining recipients; nil for all.
    ///   - isTried: True to count an attempt.
    /// - Throws: ``HelixError``.
    public func noteFailure(
        _ message: OutgoingMessage, _ state: OutgoingMessage.State, _ problem: String, recipients: [String]? = nil,
        isTried: Bool = false
    ) throws {
        try writeOutbox(message) { db in
            try db.execute(
                sql: """
                    UPDATE outgoing SET state = ?, problem = ?, tries = tries + ?, recipients = ?
                    WHERE id = ? AND state <> 'held'
                    """,
                arguments: [
                    state.rawValue, problem, isTried ? 1 : 0,
                    (recipients ?? message.recipients).joined(separator: "\n"),
                    message.id.text,
                ])
        }
    }

    /// Splits a message whose recipients were rejected partly for now and partly for good: one copy is queued for a retry, the
    /// other is parked.
    /// - Throws: ``HelixError``.
    public func divide(
        _ message: OutgoingMessage, waiting: [String], _ reason: String, refused: [String], _ refusal: String
    ) throws {
        try writeOutbox(message) { db in
            try db.execute(
                sql: """
                    INSERT INTO outgoing (id, kind, account, state, made_at, leaves_at, tries, problem, message_id, sender,
                        recipients, subject, sha256, size, follow_up)
                    SELECT ?, kind, account, 'parked', made_at, leaves_at, tries + 1, ?, message_id, sender, ?, subject,
                        sha256, size, follow_up FROM outgoing WHERE id = ? AND state <> 'held'
                    """, arguments: [EntityID().text, refusal, refused.joined(separator: "\n"), message.id.text])
            try db.execute(
                sql: """
                    UPDATE outgoing SET state = 'queued', problem = ?, tries = tries + 1, recipients = ?
                    WHERE id = ? AND state <> 'held'
                    """, arguments: [reason, waiting.joined(separator: "\n"), message.id.text])
        }
    }

    /// Records that a message was sent.
    /// - Throws: ``HelixError``.
    public func noteDeparture(_ message: OutgoingMessage, answer: String) throws {
        try writeOutbox(message) { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO departed (id, message_id, left_at, answer) VALUES (?, ?, ?, ?)",
                arguments: [message.id.text, message.messageID, now.seconds, answer])
            if let time = message.followUp { try noteFollowUp(at: time, of: message, db) }
            try db.execute(sql: "DELETE FROM outgoing WHERE id = ?", arguments: [message.id.text])
        }
        settleFiles([message.sha256])
    }

    /// Stores a copy of a sent message in the sent mailbox of the account, unless it is there already.
    ///
    /// - Parameter bytes: the message, including the Bcc header.
    /// - Throws: ``HelixError``.
    public func fileSentCopy(_ bytes: [UInt8], of message: OutgoingMessage, in account: Account) throws {
        if try self.message(withID: message.messageID, in: account, role: .sent) { return }
        let path = try read { db in
            try String.fetchOne(
                db, sql: "SELECT path FROM mailbox WHERE account = ? AND role = 'sent'", arguments: [account.number])
        }
        let folder =
            try path.map { Mailbox.folder(account: account.path, path: $0) } ?? mailboxFolder("Sent", in: account)
        let delivery = try MailDelivery(folder: folder)
        try delivery.deliver(bytes, at: now, flags: .seen)
        delivery.finish()
        try indexMail(account: account.id, waits: true)
    }

    /// Whether a message with a Message-ID is in a mailbox with a role.
    /// - Throws: ``HelixError``.
    public func message(withID messageID: String, in account: Account, role: Mailbox.Role) throws -> Bool {
        try read { db in
            let thread = try Int64.fetchOne(
                db, sql: "SELECT thread FROM thread_reference WHERE key = ?",
                arguments: [MailArrival.key(messageID, in: account.number)])
            guard let thread else { return false }
            return try Bool.fetchOne(
                db,
                sql: """
                    SELECT 1 FROM message m JOIN mailbox b ON b.n = m.mailbox
                    WHERE m.thread = ? AND m.message_id = ? AND b.role = ?
                    """, arguments: [thread, messageID, role.rawValue]) ?? false
        }
    }
}

extension Change {
    /// Whether a message was sent.
    func hasDeparted(_ id: EntityID) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT 1 FROM departed WHERE id = ?", arguments: [id.text]) ?? false
    }
}
