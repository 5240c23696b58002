import HelixModel
import HelixStore
import HelixTerminal

/// A conversation in a report.
struct ConversationItem: DescribedItem {
    let summary: ConversationSummary
    /// The name of the account; nil for a conversation on this machine only.
    let account: String?

    var conversation: Conversation { summary.conversation }

    static let described = list {
        Field("kind", .choice(["conversation"]), "The kind of the item.") { _ in EntityKind.conversation.rawValue }
        Field("id", .id, "The identity.") { $0.conversation.id.text }
        Field("type", .choice(Conversation.Kind.allCases.map(\.rawValue)), "The kind of conversation.") {
            $0.conversation.kind.rawValue
        }
        Field("name", .string, "Name.") { $0.conversation.name }.foreign
        Field("description", .string, required: false, "Description.") {
            $0.conversation.description.isEmpty ? nil : $0.conversation.description
        }.foreign
        Field("account", .string, required: false, "The gateway account.") { $0.account }
        Field("members", .array(.string), "The other members.") { $0.summary.others }.foreign
        Field(
            "role", .choice(ChatMember.Role.allCases.map(\.rawValue)), required: false, "Your role; none if you left."
        ) { $0.conversation.role?.rawValue }
        Field("messages", .integer, "The number of stored messages, without deleted ones and notices.") {
            $0.summary.messages
        }
        Field("unread", .integer, "The number of unread messages.") { $0.summary.unread }
        Field("mentions", .integer, "The number of unread mentions.") { $0.summary.mentions }
        Field("pending", .integer, "The number of your queued messages.") { $0.summary.waiting }
        Field("failed", .integer, "The number of your failed messages.") { $0.summary.failed }
        Field("archived", .bool, "Whether it is archived.") { $0.conversation.isArchived }
        Field("muted", .bool, "Whether it is muted.") { $0.conversation.isMuted }
        Field("created_at", .time, "The time of creation.") { $1.iso($0.conversation.createdAt) }
        Field("last_at", .time, required: false, "The time of the last message.") { item, viewer in
            item.summary.last.map { viewer.iso($0.sentAt) }
        }
        Field("last_sender", .string, required: false, "The sender of the last message.") { $0.summary.last?.sender }
        Field(
            "last_state", .choice(ChatMessage.State.allCases.map(\.rawValue)), required: false,
            "The state of the last message, if it is yours."
        ) { item in
            item.summary.last.flatMap { $0.isMine ? $0.state.rawValue : nil }
        }
        Field("last_text", .string, required: false, "The start of the last message.") { item in
            item.summary.last.map { String($0.content.prefix(200)) }
        }
        Field("problem", .string, required: false, "The reason for which the gateway rejected a change.") {
            $0.summary.problem
        }
        Field("links", .array(.id), "The identities of linked entities.") { _ in [String]() }
    }

    /// The symbol before the name.
    var sign: StyledText {
        switch conversation.kind {
        case .own: StyledText("○", .dim)
        case .direct: StyledText("•", TextStyle(.green))
        case .group: StyledText("#", TextStyle(.cyan))
        case .assistant: StyledText("*", TextStyle(.magenta))
        }
    }

    /// The counts of unread, queued and failed messages.
    var counts: StyledText {
        var text = StyledText()
        if summary.unread > 0 {
            text.append("\(summary.unread)", conversation.isMuted ? .dim : TextStyle(.green, bold: true))
        }
        if summary.mentions > 0 { text.append(" @\(summary.mentions)", TextStyle(.yellow, bold: true)) }
        if summary.waiting > 0 { text.append(" ↑\(summary.waiting)", TextStyle(.yellow)) }
        if summary.failed > 0 { text.append(" !\(summary.failed)", TextStyle(.red, bold: true)) }
        return text
    }

    /// The last message.
    var latest: StyledText {
        guard let last = summary.last else { return StyledText("no messages yet", .dim) }
        var text = StyledText()
        if last.role == .system { return StyledText(last.brief, .dim) }
        if conversation.kind != .own, conversation.kind != .direct || last.isMine {
            text.append(last.isMine ? "you: " : last.sender + ": ", .dim)
        }
        text.append(last.brief, summary.unread > 0 ? .plain : .dim)
        if last.isMine, conversation.account != nil { text = text + " " + ChatLines.mark(last.state) }
        return text
    }
}

extension ChatMessage {
    /// The start of the text, on one line.
    var brief: String {
        if isDeleted { return details.removedBy.map { "(removed by \($0))" } ?? "(deleted)" }
        let words = SafeText.lines(content).map { $0.trimmingBlanks() }.filter { !$0.isEmpty }.joined(separator: " ")
        if !words.isEmpty { return words }
        return attachments.map { "[\($0.name)]" }.joined(separator: " ")
    }
}

/// A report of conversations, or of changes to them.
struct ConversationReport: CuttableReport {
    static let schema = "helix.chat.conversations/1"
    var items: [ConversationItem]
    var isTruncated = false
    /// The change that was made.
    var verb = ""
    /// The number of archived conversations that are not listed.
    var archived = 0
    /// The text for an empty list.
    var nothing = "No conversations yet. 'helix chat new' starts one."

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            canvas.paragraph(
                archived > 0 ? "Only archived conversations." : nothing, style: .dim)
        }
        let wide = canvas.width >= 60
        var table = Table([
            .init(), .init(), .init(), .init(minimum: wide ? 12 : 8), .init(), .init(minimum: wide ? 16 : 6),
            .init(right: true),
        ])
        for item in items {
            let isNew = item.summary.unread > 0 && !item.conversation.isMuted
            var name = canvas.cell(StyledText(item.conversation.name, isNew ? .bold : .plain), most: 28)
            if item.conversation.isMuted { name.append(wide ? " (muted)" : " -", .dim) }
            if item.conversation.isArchived { name.append(wide ? " (archived)" : " _", .dim) }
            if item.conversation.role == nil {
                // A conversation that its gateway no longer knows was not left by the user.
                name.append(!wide ? " x" : item.conversation.remote == nil ? " (gone)" : " (left)", .dim)
            }
            table.row([
                StyledText(viewer.short(item.conversation.id), .dim), StyledText(verb, TextStyle(.green)), item.sign,
                name,
                item.counts, item.latest,
                StyledText(viewer.brief(item.summary.last?.sentAt ?? item.conversation.createdAt), .dim),
            ])
        }
        table.draw(on: &canvas)
        for item in items {
            guard let problem = item.summary.problem else { continue }
            canvas.paragraph("\(item.conversation.name): \(problem)", indent: 2, style: TextStyle(.red))
        }
        if archived > 0 {
            canvas.line(StyledText("\(archived) archived; --all shows \(archived == 1 ? "it" : "them").", .dim))
        }
    }
}

extension CommandContext {
    /// Prints conversations.
    /// - Throws: ``HelixError``.
    func presentConversations(
        _ list: [ConversationSummary], verb: String = "", archived: Int = 0, nothing: String? = nil
    ) throws {
        let accounts = try store().accounts()
        let items = list.map { summary in
            ConversationItem(
                summary: summary,
                account: summary.conversation.account.flatMap { id in accounts.first { $0.id == id }?.name })
        }
        var report = ConversationReport(items: items, verb: verb, archived: archived)
        if let nothing { report.nothing = nothing }
        try present(report, ids: list.map(\.conversation.id))
    }

    /// Conversations with unread messages, except for muted and archived ones.
    /// - Throws: ``HelixError``.
    func unreadChat() throws -> [ConversationItem] {
        let store = try store()
        guard try store.unreadChatCount().messages > 0 else { return [] }
        return try store.conversations().filter {
            $0.unread > 0 && !$0.conversation.isMuted && !$0.conversation.isArchived
        }.prefix(10).map { ConversationItem(summary: $0, account: nil) }
    }

    /// Prints a conversation after a change.
    /// - Throws: ``HelixError``.
    func presentConversation(_ id: EntityID, verb: String) throws {
        try presentConversations(try store().conversations(only: id), verb: verb)
    }

    /// The conversation that a user names.
    /// - Throws: ``HelixError``.
    func conversation(_ text: String) throws -> Conversation { try store().conversation(named: text) }

    /// The chat message with an id that begins with a text.
    /// - Throws: ``HelixError``.
    func chatMessage(_ text: String) throws -> ChatMessage {
        let store = try store()
        return try store.chatMessage(try store.entity(EntityPrefix(text), kinds: [.chatMessage]).id)
    }

    /// The user's own name in a conversation.
    /// - Throws: ``HelixError``.
    func chatName(in conversation: Conversation) throws -> String {
        guard let id = conversation.account else { return "me" }
        let store = try store()
        if let name = try store.chatPlace(of: id).name { return name }
        return try store.accounts().first { $0.id == id }?.settings.user ?? "me"
    }
}
