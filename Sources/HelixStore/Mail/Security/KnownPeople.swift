import HelixMail
import HelixModel
import HelixSQLite

extension Store {
    /// Whether the user has written to an address, or has a contact with it.
    /// - Throws: ``HelixError``.
    public func isKnown(_ address: String) throws -> Bool {
        if try contact(email: address) != nil { return true }
        let address = address.lowercased()
        return try read { db in
            // The words of a domain are in thousands of messages; those before the '@' are in few. The index of mailboxes is asked
            // first: a list has many messages of one sender, whose rows need not be read.
            let local = String(address.prefix { $0 != "@" })
            let words = local.contains(where: { $0.isLetter || $0.isNumber }) ? local : address
            let row = try Statement(
                db,
                """
                SELECT m.recipients || char(10) || ifnull(m.cc, '') || char(10) || ifnull(m.bcc, '') FROM message_text x
                CROSS JOIN mailbox b CROSS JOIN message p INDEXED BY message_mailbox ON p.mailbox = b.n AND p.n = x.rowid
                CROSS JOIN message m ON m.n = p.n
                WHERE message_text MATCH ?1 AND b.role = 'sent' ORDER BY x.rowid DESC
                """)
            row.bind(1, "people : \"\(words.replacing("\"", with: "\"\""))\"")
            while try row.step() {
                let lines = (row.text(0) ?? "").split(separator: "\n")
                if lines.contains(where: { MailAddress(text: $0).address.lowercased() == address }) { return true }
            }
            return false
        }
    }

    /// The domains of contacts, and of people to whom the user has written lately.
    /// - Throws: ``HelixError``.
    public func knownDomains() throws -> Set<String> {
        try read { db in
            var domains: Set<String> = []
            func note(_ address: Substring) {
                if let at = address.lastIndex(of: "@") {
                    domains.insert(address[address.index(after: at)...].lowercased())
                }
            }
            let contacts = try Statement(db, "SELECT key FROM contact_address WHERE kind = 'email'")
            while try contacts.step() { note((contacts.text(0) ?? "")[...]) }
            // Mailbox by mailbox: of several at once, all rows would be sorted.
            let sent = try Statement(
                db, "SELECT recipients FROM message WHERE mailbox = ?1 ORDER BY n DESC LIMIT 1000")
            for mailbox in try Int64.fetchAll(db, sql: "SELECT n FROM mailbox WHERE role = 'sent'") {
                sent.bind(1, mailbox)
                while try sent.step() {
                    for line in (sent.text(0) ?? "").split(separator: "\n") {
                        note(MailAddress(text: line).address[...])
                    }
                }
            }
            return domains
        }
    }

    /// The messages in inboxes that were snoozed and are back, those that came back last first.
    /// - Throws: ``HelixError``.
    public func returnedMessages(limit: Int) throws -> [EmailMessage] {
        try read { db in
            try Store.messages(
                db,
                """
                WHERE m.n IN (SELECT n FROM message WHERE instr(labels, '\(MessageAway.snoozedMark)') > 0)
                AND b.role = 'inbox' AND \(MailQuerySQL.snoozedUntil) <= '\(MessageAway.stamp(now))'
                ORDER BY \(MailQuerySQL.snoozedUntil) DESC LIMIT \(limit)
                """, [])
        }
    }

    /// The newest messages in the inboxes of an account that the user has answered: their senders are no strangers.
    /// - Throws: ``HelixError``.
    public func answeredMessages(of account: String, limit: Int) throws -> [EmailMessage] {
        try read { db in
            try Store.messages(
                db,
                """
                WHERE m.n IN (SELECT n FROM message WHERE \(Schema.isAnswered) ORDER BY n DESC LIMIT 1000) AND a.name = ?
                ORDER BY m.n DESC LIMIT \(limit)
                """,
                [.string(account)])
        }
    }
}
