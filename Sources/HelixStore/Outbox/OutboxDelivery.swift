import Foundation
import HelixMail
import HelixModel
import HelixSQLite

// How something leaves. None of it is a change of the user's: that was to send it.
extension Store {
    /// What an account may send now, in order, and what it was sending when it was broken off.
    /// - Throws: ``HelixError``.
    public func dueOutgoing(_ account: MailAccount, at time: Instant) throws -> [OutgoingMessage] {
        try read { db in
            try Store.outgoing(
                db, "account = ? AND (state = 'leaving' OR state = 'queued' AND leaves_at <= ?)",
                [account.id.text, time.seconds])
        }
    }

    /// Notes that a message is leaving, right before it does. From then on it is not sent again by itself.
    /// - Returns: whether it is still what it was; somebody may have taken it back meanwhile.
    /// - Throws: ``HelixError``.
    public func claim(_ message: OutgoingMessage) throws -> Bool {
        try writeDurably { db in
            try db.execute(
                sql: """
                    UPDATE outgoing SET state = 'leaving', tries = tries + 1
                    WHERE id = ? AND state = 'queued' AND sha256 = ? AND recipients = ?
                    """,
                arguments: [message.id.text, message.sha256, message.recipients.joined(separator: "\n")])
            return db.changedRows > 0
        }
    }

    /// Notes that a message did not leave, and why.
    ///
    /// - Parameters:
    ///   - state: what keeps it now.
    ///   - recipients: whom it still has to go to, if that is not all.
    ///   - isTried: whether that counts as a try.
    /// - Throws: ``HelixError``.
    public func noteFailure(
        _ message: OutgoingMessage, _ state: OutgoingMessage.State, _ problem: String, recipients: [String]? = nil,
        isTried: Bool = false
    ) throws {
        try writeDurably { db in
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

    /// Makes two of a message that some recipients are refused for now and others for good: one waits, the other stays.
    /// - Throws: ``HelixError``.
    public func divide(
        _ message: OutgoingMessage, waiting: [String], _ reason: String, refused: [String], _ refusal: String
    ) throws {
        try writeDurably { db in
            try db.execute(
                sql: """
                    INSERT INTO outgoing (id, kind, account, state, made_at, leaves_at, tries, problem, message_id, sender,
                        recipients, subject, sha256, size)
                    SELECT ?, kind, account, 'parked', made_at, leaves_at, tries + 1, ?, message_id, sender, ?, subject,
                        sha256, size FROM outgoing WHERE id = ? AND state <> 'held'
                    """, arguments: [EntityID().text, refusal, refused.joined(separator: "\n"), message.id.text])
            try db.execute(
                sql: """
                    UPDATE outgoing SET state = 'queued', problem = ?, tries = tries + 1, recipients = ?
                    WHERE id = ? AND state <> 'held'
                    """, arguments: [reason, waiting.joined(separator: "\n"), message.id.text])
        }
    }

    /// Notes that a message has left.
    /// - Throws: ``HelixError``.
    public func noteDeparture(_ message: OutgoingMessage, answer: String) throws {
        try writeDurably { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO departed (id, message_id, left_at, answer) VALUES (?, ?, ?, ?)",
                arguments: [message.id.text, message.messageID, now.seconds, answer])
            try db.execute(sql: "DELETE FROM outgoing WHERE id = ?", arguments: [message.id.text])
        }
        settleFiles([message.sha256])
    }

    /// Puts a copy of what was sent among the sent mail of the account; once, however often it is asked for.
    ///
    /// - Parameter bytes: the message, with those in Bcc.
    /// - Throws: ``HelixError``.
    public func fileSentCopy(_ bytes: [UInt8], of message: OutgoingMessage, in account: MailAccount) throws {
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

    /// Whether a message of that Message-ID lies in a mailbox for that purpose.
    /// - Throws: ``HelixError``.
    public func message(withID messageID: String, in account: MailAccount, role: Mailbox.Role) throws -> Bool {
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
    /// Whether a message has left.
    func hasDeparted(_ id: EntityID) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT 1 FROM departed WHERE id = ?", arguments: [id.text]) ?? false
    }
}
