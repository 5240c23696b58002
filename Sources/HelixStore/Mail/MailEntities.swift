import HelixModel

extension EntityDescriptor {
    /// Accounts.
    static let account = EntityDescriptor(
        .account,
        JournaledTable(
            kind: .account, name: "account", columns: ["name", "kind", "path", "position", "settings"],
            numbers: "account_number", didWrite: { _, _, _ in },
            // The mail index is rebuilt if the account is restored.
            willDelete: { _, db, id in try MailWriter.forget(db, account: id) }),
        isAddressed: true, isCounted: true)

    /// Messages in mailboxes. Their rows are read by hand: the list of mail is the most frequent read of the store, and needs
    /// a different part of a row in each place.
    static let message = EntityDescriptor(
        .message,
        JournaledTable(
            kind: .message, name: "message", columns: ["flags", "labels", "mailbox", "file"],
            textIndex: "message_text", didWrite: { _, _, _ in }, willDelete: { _, _, _ in }),
        title: "e.subject", isAddressed: true, isLarge: true, isLinkable: true, isCounted: true,
        search: EntitySearch(order: 3, word: "mail|message", aspects: [.time, .person, .tag]) {
            store, db, query, _, limit in
            let asked = try MailQuerySQL(query.messages(of: .message), db)
            let from = asked.match == nil ? "message m" : "message_text x CROSS JOIN message m ON m.n = x.rowid"
            let condition = asked.match == nil ? asked.condition : "message_text MATCH ? AND \(asked.condition)"
            let arguments = (asked.match.map { [.string($0)] } ?? []) + asked.arguments
            // The full-text index gives the newest rows first without sorting all, but only by its own number.
            let order = asked.match == nil ? "m.n" : "x.rowid"
            let sql = "SELECT m.id, m.subject, m.date FROM \(from) WHERE \(condition) ORDER BY \(order) DESC"
            return try store.take(db, .message, (sql, arguments), limit, Store.instant)
        },
        rules: MessageJournal.rules)

    /// Saved searches of mail.
    static let savedSearch = EntityDescriptor(
        .search, JournaledTable(.search, "saved_search", ["name", "query"]), replicaOrder: 15)

    /// Rules for arriving mail.
    static let mailRule = EntityDescriptor(
        .rule, JournaledTable(.rule, "mail_rule", ["name", "query", "actions", "stops", "is_active", "position"]),
        replicaOrder: 16,
        rules: JournalRules(
            words: ["stops": .flag, "is_active": .flag], usual: ["stops": "no", "is active": "yes", "position": nil]))

    /// Messages in the outbox, and drafts.
    static let outgoing = EntityDescriptor(
        .outgoing,
        JournaledTable(
            .outgoing, "outgoing",
            [
                "kind", "account", "state", "made_at", "leaves_at", "tries", "problem", "message_id", "sender",
                "recipients", "subject", "sha256", "size", "follow_up",
            ]), title: "e.subject", isAddressed: true, isLinkable: true,
        rules: JournalRules(
            words: ["leaves_at": .moment(), "made_at": .moment(), "follow_up": .moment()],
            isSettled: { change, gone in
                guard gone.isCreation, try change.hasDeparted(gone.id) else { return false }
                // A sent notification does not prevent undoing the change of an event that it was about.
                if gone.kinds.contains(.event) { return true }
                throw HelixError(
                    .conflict, "cannot \(gone.verb): the message was already sent",
                    hint: "'helix mail list --mailbox Sent' shows it.")
            }))
}
