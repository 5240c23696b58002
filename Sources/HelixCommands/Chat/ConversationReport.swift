import HelixModel
import HelixStore
import HelixTerminal

/// A conversation in a report.
struct ConversationItem: ReportItem {
    let summary: ConversationSummary
    /// The name of the account; nil for a conversation on this machine only.
    let account: String?

    var conversation: Conversation { summary.conversation }

    static let fields = [
        SchemaField("kind", .choice(["conversation"]), "The kind of the item."),
        SchemaField("id", .id, "The identity."),
        SchemaField("type", .choice(Conversation.Kind.allCases.map(\.rawValue)), "The kind of conversation."),
        SchemaField("name", .string, "Name."),
        SchemaField("account", .string, required: false, "The gateway account."),
        SchemaField("members", .array(.string), "The other members."),
        SchemaField(
            "role", .choice(ChatMember.Role.allCases.map(\.rawValue)), required: false, "Your role; none if you left."),
        SchemaField("unread", .integer, "The number of unread messages."),
        SchemaField("mentions", .integer, "The number of unread mentions."),
        SchemaField("pending", .integer, "The number of your queued messages."),
        SchemaField("failed", .integer, "The number of your failed messages."),
        SchemaField("archived", .bool, "Whether it is archived."),
        SchemaField("muted", .bool, "Whether it is muted."),
        SchemaField("created_at", .time, "The time of creation."),
        SchemaField("last_at", .time, required: false, "The time of the last message."),
        SchemaField("last_sender", .string, required: false, "The sender of the last message."),
        SchemaField(
            "last_state", .choice(ChatMessage.State.allCases.map(\.rawValue)), required: false,
            "The state of the last message, if it is yours."),
        SchemaField("last_text", .string, required: false, "The start of the last message."),
        SchemaField("problem", .string, required: false, "The reason for which the gateway rejected a change."),
        SchemaField("links", .array(.id), "The identities of linked entities."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        json.set("kind", EntityKind.conversation.rawValue)
        json.set("id", conversation.id.text)
        json.set("type", conversation.kind.rawValue)
        json.set("name", conversation.name)
        json.set("account", account)
        json.set("members", summary.others)
        json.set("role", conversation.role?.rawValue)
        json.set("unread", summary.unread)
        json.set("mentions", summary.mentions)
        json.set("pending", summary.waiting)
        json.set("failed", summary.failed)
        json.set("archived", conversation.isArchived)
        json.set("muted", conversation.isMuted)
        json.set("created_at", viewer.iso(conversation.createdAt))
        json.set("last_at", summary.last.map { viewer.iso($0.sentAt) })
        json.set("last_sender", summary.last?.sender)
        json.set("last_state", summary.last.flatMap { $0.isMine ? $0.state.rawValue : nil })
        json.set("last_text", summary.last.map { String($0.content.prefix(200)) })
        json.set("problem", summary.problem)
        json.set("links", [String]())
        return json
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
        if isDeleted { return "(deleted)" }
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
