import HelixMail
import HelixModel
import HelixSQLite

/// Sent messages that wait for an answer. Their labels are kept as keywords on the server, so that other devices know them.
extension Store {
    /// The time in the label of a message that waits for an answer, as an SQL expression.
    private static let followUpTime = """
        substr(m.labels, instr(m.labels, '\(MessageAway.followUpMark)') + \(MessageAway.followUpMark.utf8.count),
            \(MessageAway.stampLength))
        """

    /// Whether a message `m` waits for an answer: a message that refers to it and is neither an own one, nor sent by a program,
    /// nor a report about its delivery.
    static let awaitsAnswer = """
        ifnull(instr(m.labels, '\(MessageAway.followUpMark)') > 0, 0) AND NOT EXISTS (
            SELECT 1 FROM message r JOIN mailbox v ON v.n = r.mailbox
            WHERE r.thread = m.thread AND r.n <> m.n AND instr(ifnull(r.refs, ''), m.message_id) > 0
                AND ifnull(v.role, '') NOT IN ('sent', 'drafts', 'junk', 'deleted')
                AND r.traits & \(MessageSummary.Traits([.isReport, .isAutomatic]).rawValue) = 0
                AND r.sender <> m.sender)
        """

    /// The sent messages that nobody has answered in time, the last ones first.
    /// - Throws: ``HelixError``.
    public func unansweredMessages(limit: Int) throws -> [EmailMessage] {
        try read { db in
            try Store.messages(
                db,
                """
                WHERE m.n IN (SELECT n FROM message WHERE instr(labels, '\(MessageAway.followUpMark)') > 0)
                    AND b.role IS NOT 'deleted' AND \(Store.followUpTime) <= '\(MessageAway.stamp(now))'
                    AND \(Store.awaitsAnswer)
                ORDER BY \(Store.followUpTime) DESC LIMIT \(limit)
                """, [])
        }
    }

    /// Whether nobody has answered a message that waits for it.
    /// - Throws: ``HelixError``.
    public func awaitsAnswer(_ id: EntityID) throws -> Bool {
        try messageCount(.all([.oneOf([id]), .has(.awaiting)])) > 0
    }

    /// Labels the copy of a message that was sent: now, or when it is indexed. Its draft has the same Message-ID.
    func noteFollowUp(at time: Instant, of message: OutgoingMessage, _ db: Database) throws {
        let label = " " + MessageAway.followUpLabel(at: time) + " "
        try db.execute(
            sql: """
                UPDATE message SET labels = ifnull(rtrim(labels), '') || ?
                WHERE message_id = ? AND account = (SELECT n FROM account WHERE id = ?)
                    AND mailbox NOT IN (SELECT n FROM mailbox WHERE role IN ('drafts', 'deleted'))
                """, arguments: [label, message.messageID, message.account.text])
        if db.changedRows > 0 { return }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO sent_label (account, message_id, labels)
                SELECT n, ?, ? FROM account WHERE id = ?
                """, arguments: [message.messageID, label, message.account.text])
    }
}

extension MailWriter {
    /// Gives a message that was just indexed the label that was made when it was sent.
    func takeSentLabel(_ n: Int64) throws {
        try db.execute(
            sql: """
                UPDATE message SET labels = ifnull(rtrim(labels), '') || (
                    SELECT s.labels FROM sent_label s
                    WHERE s.account = message.account AND s.message_id = message.message_id)
                WHERE n = ?1 AND EXISTS (
                    SELECT 1 FROM sent_label s WHERE s.account = message.account AND s.message_id = message.message_id)
                    AND mailbox NOT IN (SELECT n FROM mailbox WHERE role IN ('drafts', 'deleted'))
                """, arguments: [n])
        guard db.changedRows > 0 else { return }
        try db.execute(
            sql: """
                DELETE FROM sent_label WHERE (account, message_id) = (SELECT account, message_id FROM message WHERE n = ?)
                """, arguments: [n])
    }
}
