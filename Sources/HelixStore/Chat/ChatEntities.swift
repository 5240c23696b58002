import HelixModel

extension EntityDescriptor {
    /// Conversations. Their rows are read by hand: most columns are the gateway's, and are written one at a time.
    static let conversation = EntityDescriptor(
        .conversation,
        JournaledTable(
            kind: .conversation, name: "conversation",
            columns: [
                "kind", "name", "account", "created_at", "is_archived", "is_muted", "invited", "remote", "description",
            ],
            didWrite: { _, db, id in try ChatRows.didWriteConversation(db, id) },
            willDelete: { _, db, id in try ChatRows.willDeleteConversation(db, id) }),
        isAddressed: true, isLinkable: true, isCounted: true,
        search: .scanning(.conversation, order: 7, word: "conversation", columns: ["name"], orderedBy: "n DESC"),
        rules: JournalRules(
            words: ["created_at": .moment(), "is_archived": .flag, "is_muted": .flag],
            revive: ChatRows.reviveConversation, isSettled: ChatRows.isRemoved))

    /// Messages of conversations.
    static let chatMessage = EntityDescriptor(
        .chatMessage,
        JournaledTable(
            kind: .chatMessage, name: "chat_message",
            columns: [
                "conversation", "content", "role", "sender", "is_mine", "sent_at", "reply_to", "is_deleted",
                "metadata", "thinking",
            ],
            textColumns: ["content"],
            didWrite: { _, db, id in try ChatRows.didWriteMessage(db, id) },
            willDelete: { _, db, id in try ChatRows.willDeleteMessage(db, id) }),
        title: "substr(e.content, 1, 200)", isAddressed: true, isLarge: true, isLinkable: true, isCounted: true,
        search: EntitySearch(order: 4, word: "chat", aspects: [.time, .person]) { store, db, query, _, limit in
            let asked = try ChatQuerySQL(query.messages(of: .chatMessage))
            let from =
                asked.match == nil
                ? "chat_message m" : "chat_message_text x CROSS JOIN chat_message m ON m.n = x.rowid"
            let condition = asked.match == nil ? asked.condition : "chat_message_text MATCH ? AND \(asked.condition)"
            // The full-text index gives the newest rows first without sorting all, but only by its own number.
            let order = asked.match == nil ? "m.n" : "x.rowid"
            let arguments = (asked.match.map { [.string($0)] } ?? []) + asked.arguments
            let sql = """
                SELECT m.id, substr(m.content, 1, 200), m.sent_at FROM \(from)
                CROSS JOIN conversation c ON c.id = m.conversation
                WHERE \(condition) AND m.is_deleted = 0 ORDER BY \(order) DESC
                """
            return try store.take(db, .chatMessage, (sql, arguments), limit, Store.instant)
        },
        rules: JournalRules(
            words: ["conversation": .title(.conversation), "sent_at": .moment(), "is_deleted": .flag],
            revive: ChatRows.reviveMessage,
            isSettled: ChatRows.isRemoved))

    /// Files of chat messages.
    static let chatAttachment = EntityDescriptor(
        .chatAttachment,
        JournaledTable(.chatAttachment, "chat_attachment", ["message", "position", "name", "type", "size", "sha256"]))
}
