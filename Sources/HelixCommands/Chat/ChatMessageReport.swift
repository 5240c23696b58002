import HelixModel
import HelixStore
import HelixTerminal

/// A message in a report.
struct ChatMessageItem: DescribedItem {
    let message: ChatMessage
    /// The name of its conversation.
    var conversation: String
    /// The linked entities.
    var links: [EntityID] = []
    /// The excerpt of a search result, with matches between U+0002 and U+0003.
    var excerpt: String?
    /// Whether it is on this machine only, and has no delivery state.
    var isLocal = false
    /// Whether the assistant's reasoning and the texts that programs added are shown in full.
    var isDetailed = false
    /// The message that it replies to, if stored.
    var original: ChatMessage?

    static let described = list {
        Field("kind", .choice(["chat_message"]), "The kind of the item.") { _ in EntityKind.chatMessage.rawValue }
        Field("id", .id, "The identity.") { $0.message.id }
        Field("client_id", .id, "The identity by which the gateway recognizes a repeated message.") { $0.message.id }
        Field("conversation", .id, "The identity of the conversation.") { $0.message.conversation }
        Field("conversation_name", .string, "The name of the conversation.") { $0.conversation }
        Field("number", .integer, required: false, "The number in the conversation, once assigned.") {
            $0.message.number.map { Int($0) }
        }
        Field("sender", .string, "The sender.") { $0.message.sender }.foreign
        Field("mine", .bool, "Whether it is your own.") { $0.message.isMine }
        Field("role", .choice(ChatMessage.Role.allCases.map(\.rawValue)), "The role of the author.") {
            $0.message.role.rawValue
        }
        Field("content", .string, "The text.") { $0.message.content }.foreign
        Field("state", .choice(ChatMessage.State.allCases.map(\.rawValue)), "The delivery state.") {
            $0.message.state.rawValue
        }
        Field("problem", .string, required: false, "The reason for which it was not sent.") { $0.message.problem }
        Field("sent_at", .time, "The time of sending.") { $1.iso($0.message.sentAt) }
        Field("edited_at", .time, required: false, "The time of the last edit.") { $0.message.editedAt.map($1.iso) }
        Field("deleted", .bool, required: false, "Whether it was deleted.") { $0.message.isDeleted ? true : nil }
        Field("mention", .bool, required: false, "Whether it mentions you.") { $0.message.isMention ? true : nil }
        Field("reply_to", .string, required: false, "The identity of the message that it replies to.") {
            $0.message.replyTo?.text
        }
        Field(
            "attachments", listing: { $0.message.attachments.isEmpty ? nil : $0.message.attachments }, required: false,
            "The attachments."
        ) {
            ReportField("id", .id, "The identity.") { $0.id }
            ReportField("name", .string, "The file's name.") { $0.name }.foreign
            ReportField("type", .string, "Description.") { $0.type }
            ReportField("size", .integer, "Bytes.") { $0.size }
        }
        Field(
            "metadata", listing: { $0.message.details.metadata.isEmpty ? nil : $0.message.details.texts },
            required: false, "The texts that the sending program added."
        ) {
            ReportField("name", .string, "The name.") { $0.name }.foreign
            ReportField("text", .string, "The text.") { $0.text }.foreign
        }
        Field("thinking", .string, required: false, "The assistant's reasoning before its answer.") {
            $0.message.details.thinking
        }.foreign
        Field("platform", .string, required: false, "The platform of the device that sent it.") {
            $0.message.details.platform
        }
        Field("device_id", .string, required: false, "The device that sent it.") { $0.message.details.device }
        Field("synced_at", .time, required: false, "The time at which the gateway stored it.") {
            $0.message.details.syncedAt.map($1.iso)
        }
        Field(
            "reactions", listing: { $0.message.details.reactions.isEmpty ? nil : $0.message.details.reactions },
            required: false, "The reactions."
        ) {
            ReportField("emoji", .string, "The emoji.") { $0.emoji }
            ReportField("users", .array(.string), "The users who chose it.") { $0.users }
        }
        Field("pinned_at", .time, required: false, "The time at which it was pinned.") {
            $0.message.details.pinnedAt.map($1.iso)
        }
        Field("removed_by", .string, required: false, "The owner or admin who removed it.") {
            $0.message.details.removedBy
        }
        Field("excerpt", .string, required: false, "The matching excerpt.") {
            $0.excerpt.map { $0.replacing("\u{2}", with: "").replacing("\u{3}", with: "") }
        }
        Field("links", .array(.id), "The identities of linked entities.") { $0.links }
    }
}

/// Draws messages: time, sender and text, one after the other, with a line before each new day.
struct ChatLines {
    /// Whether the names of conversations are shown.
    var showsConversation = false
    /// Whether ids are shown.
    var showsIDs = true
    /// Whether long addresses are broken: where what is too wide is not seen.
    var breaksAddresses = false
    /// The width of the column of names.
    private var nameWidth = 0
    private var day: CivilDate?
    /// The places in the palette of the senders seen so far.
    private var colors: [String: Int] = [:]

    init(showsConversation: Bool = false, showsIDs: Bool = true) {
        self.showsConversation = showsConversation
        self.showsIDs = showsIDs
    }

    /// Draws a message.
    mutating func draw(_ item: ChatMessageItem, on canvas: inout Canvas, for viewer: Viewer) {
        let message = item.message
        let date = viewer.zone.date(message.sentAt)
        if date != day {
            if day != nil { canvas.line() }
            canvas.line(StyledText(viewer.day(date), TextStyle(.cyan)))
            day = date
        }
        if message.role == .system {
            return canvas.paragraph("· \(message.content)", indent: 2, style: .dim)
        }
        var head = StyledText()
        if showsIDs { head.append(viewer.short(message.id) + "  ", .dim) }
        head.append(viewer.clock(message.sentAt) + "  ", .dim)
        let name = StyledText(message.isMine ? "you" : message.sender, style(of: message))
        head = head + (showsConversation ? name : name.padded(min(nameWidth, canvas.width / 5)))
        if showsConversation { head.append(" in \(item.conversation)", .dim) }
        if message.editedAt != nil, !message.isDeleted { head.append(" (edited)", .dim) }
        if message.details.pinnedAt != nil { head.append(" (pinned)", TextStyle(.yellow)) }
        let state = message.isMine && !item.isLocal ? ChatLines.mark(message.state) : StyledText()
        // Long texts begin in the column of the short ones, where there is room.
        let indent = canvas.width >= 60 && !showsConversation ? head.width + 2 : showsIDs ? 6 : 2
        let isWhole = drawFirstLine(item, head, state, indent, on: &canvas)
        if !isWhole { drawContent(item, indent, on: &canvas) }
        if !message.isDeleted { drawFiles(message, indent, on: &canvas) }
        drawReactions(message, indent, on: &canvas)
        if item.isDetailed { drawDetails(message.details, indent, on: &canvas) }
        drawProblem(message, indent, on: &canvas)
    }

    /// Draws the line with time and sender, and the text behind it where there is room.
    /// - Returns: whether the text is drawn, too.
    private func drawFirstLine(
        _ item: ChatMessageItem, _ head: StyledText, _ state: StyledText, _ indent: Int, on canvas: inout Canvas
    ) -> Bool {
        let message = item.message
        if let original = item.original {
            var line = StyledText(String(repeating: " ", count: indent) + "│ ", .dim)
            line.append("\(original.isMine ? "you" : original.sender): \(original.brief)", .dim)
            canvas.line(head + StyledText("  ") + state)
            canvas.line(line.fitted(canvas.textWidth))
            return false
        }
        // A short text is on the same line as the time and sender.
        let text = StyledText(message.brief)
        let isShort =
            !message.content.contains(where: \.isNewline) && message.attachments.isEmpty && item.excerpt == nil
            && head.width + 2 + text.width + 1 + state.width <= canvas.width
        if isShort {
            let style: TextStyle = message.isDeleted ? .dim : message.isMention ? .bold : .plain
            canvas.line(head + StyledText("  ") + StyledText(message.brief, style) + StyledText(" ") + state)
            return true
        }
        if indent == head.width + 2, !message.isDeleted, item.excerpt == nil, !message.content.isEmpty {
            drawText(message, behind: head + StyledText("  "), state, on: &canvas)
            return true
        }
        canvas.line(head + StyledText("  ") + state)
        return false
    }

    /// Draws the text below the line with time and sender.
    private func drawContent(_ item: ChatMessageItem, _ indent: Int, on canvas: inout Canvas) {
        let message = item.message
        let blanks = String(repeating: " ", count: indent)
        if message.isDeleted {
            canvas.line(StyledText(blanks + message.brief, .dim))
        } else if let excerpt = item.excerpt {
            canvas.line((StyledText(blanks) + ChatLines.marked(excerpt)).fitted(canvas.textWidth))
        } else if !message.content.isEmpty {
            for text in texts(message, width: max(10, canvas.textWidth - indent)) {
                canvas.line(StyledText(blanks) + text)
            }
        }
    }

    /// The text of a message in lines; one that has nothing but the fences of code is shown as it is.
    private func texts(_ message: ChatMessage, width: Int) -> [StyledText] {
        let lines = WrittenText.lines(
            message.content, width: width, style: message.isMention ? .bold : .plain, keepsAddresses: !breaksAddresses)
        return lines.isEmpty ? [StyledText(message.brief)] : lines
    }

    private func drawReactions(_ message: ChatMessage, _ indent: Int, on canvas: inout Canvas) {
        guard !message.details.reactions.isEmpty else { return }
        let parts = message.details.reactions.map { "\($0.emoji) \($0.users.joined(separator: ", "))" }
        canvas.paragraph(parts.joined(separator: "  "), indent: indent, style: .dim)
    }

    /// Draws the assistant's reasoning and the texts that programs added.
    private func drawDetails(_ details: ChatDetails, _ indent: Int, on canvas: inout Canvas) {
        if let thinking = details.thinking { canvas.paragraph("Reasoning: \(thinking)", indent: indent, style: .dim) }
        for (name, text) in details.texts {
            canvas.paragraph("\(name): \(text)", indent: indent, style: .dim)
        }
    }

    /// Draws a long text beside the name, all lines in one column, and the delivery state behind the last.
    private func drawText(
        _ message: ChatMessage, behind head: StyledText, _ state: StyledText, on canvas: inout Canvas
    ) {
        let texts = texts(message, width: max(10, canvas.textWidth - head.width))
        for (place, text) in texts.enumerated() {
            var line = place == 0 ? head : StyledText(String(repeating: " ", count: head.width))
            line = line + text
            if place == texts.count - 1, line.width + 1 + state.width <= canvas.width {
                line = line + StyledText(" ") + state
            } else if place == texts.count - 1 {
                canvas.line(line)
                line = StyledText(String(repeating: " ", count: head.width)) + state
            }
            canvas.line(line)
        }
    }

    private func drawFiles(_ message: ChatMessage, _ indent: Int, on canvas: inout Canvas) {
        for file in message.attachments {
            canvas.line(
                StyledText(
                    String(repeating: " ", count: indent) + "[\(file.name), \(ByteCount.text(file.size))]",
                    TextStyle(.blue)
                ).fitted(canvas.textWidth))
        }
    }

    /// Makes the column of names wide enough for the senders of messages.
    mutating func fit(_ messages: [ChatMessage]) {
        for message in messages where message.role != .system {
            let name = message.isMine ? "you" : message.sender
            nameWidth = max(nameWidth, StyledText(name).width)
        }
    }

    private func drawProblem(_ message: ChatMessage, _ indent: Int, on canvas: inout Canvas) {
        guard let problem = message.problem, message.state == .failed || message.state == .pending else { return }
        canvas.paragraph(problem, indent: indent, style: TextStyle(message.state == .failed ? .red : .yellow))
    }

    /// The colour of a sender: the one that follows from the name, or the next that no other sender has here.
    private mutating func style(of message: ChatMessage) -> TextStyle {
        if message.isMine { return .bold }
        if message.role == .assistant { return TextStyle(.magenta, bold: true) }
        let palette: [TerminalColor] = [.green, .blue, .yellow, .cyan, .orange, .red, .gray]
        let own = message.sender.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % palette.count
        let used = Set(colors.values)
        let free = (0..<palette.count).map { (own + $0) % palette.count }.first { !used.contains($0) }
        let place = colors[message.sender] ?? free ?? own
        colors[message.sender] = place
        return TextStyle(palette[place], bold: true)
    }

    /// A notice about a change to a message that is printed already.
    static func change(of message: ChatMessage) -> String {
        let who = SafeText.line(message.sender)
        let id = message.id.text.prefix(6)
        return message.isDeleted ? "\(who) deleted \(id)" : "\(who) changed \(id): \(SafeText.line(message.brief))"
    }

    /// The state of one's own message.
    static func mark(_ state: ChatMessage.State) -> StyledText {
        switch state {
        case .pending: StyledText("↑ queued", TextStyle(.yellow))
        case .sent: StyledText("✓", .dim)
        case .delivered: StyledText("✓✓", .dim)
        case .read: StyledText("✓✓ read", TextStyle(.green))
        case .failed: StyledText("✗ not sent", TextStyle(.red, bold: true))
        }
    }

    /// An excerpt with highlighted matches.
    static func marked(_ excerpt: String) -> StyledText {
        var text = StyledText()
        var style = TextStyle.plain
        let flat = excerpt.map { $0.isNewline ? " " : $0 }
        for piece in String(flat).split(separator: "\u{2}", omittingEmptySubsequences: false).enumerated() {
            let halves = piece.element.split(separator: "\u{3}", maxSplits: 1, omittingEmptySubsequences: false)
            style = piece.offset == 0 ? .plain : TextStyle(.yellow, bold: true)
            if let first = halves.first { text.append(first, style) }
            if halves.count > 1 { text.append(halves[1]) }
        }
        return text
    }
}

extension ChatMessage {
    /// The web addresses in its text, each once, in order.
    var links: [String] { WebLinks.addresses(in: SafeText.lines(content).joined(separator: "\n")).uniqued }
}

/// A report of messages.
struct ChatReport: CuttableReport {
    static let schema = "helix.chat.messages/1"
    var items: [ChatMessageItem]
    var isTruncated = false
    /// The heading.
    var title = ""
    /// The description of the conversation.
    var description = ""
    /// The first unread message.
    var firstUnread: EntityID?
    /// The number of unread messages.
    var unread = 0
    /// The text for an empty list.
    var nothing = "No messages yet."
    var showsConversation = false
    /// The members of a group who have read the last message.
    var readers: [String] = []

    /// The message before which the rest of a truncated page is.
    var earlier: EntityID?

    var rest: (option: String, cursor: String)? { earlier.map { ("--before", String($0.text.prefix(6))) } }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if !title.isEmpty { canvas.line(StyledText(title, .bold).fitted(canvas.textWidth)) }
        if !description.isEmpty { canvas.paragraph(description, style: .dim) }
        if items.isEmpty { canvas.line(StyledText(nothing, .dim)) }
        var lines = ChatLines(showsConversation: showsConversation)
        lines.fit(items.map(\.message))
        for item in items {
            if item.message.id == firstUnread {
                canvas.line(StyledText("── \(unread) new ──", TextStyle(.green)))
            }
            lines.draw(item, on: &canvas, for: viewer)
        }
        if !readers.isEmpty { canvas.paragraph("Read by \(readers.joined(separator: ", ")).", indent: 2, style: .dim) }
    }
}

extension CommandContext {
    /// Messages as items, with their linked entities and the messages that they reply to.
    /// - Throws: ``HelixError``.
    func chatItems(_ messages: [ChatMessage]) throws -> [ChatMessageItem] {
        let store = try store()
        let links = try store.partners(of: Set(messages.map(\.id)))
        var known: [EntityID: Conversation] = [:]
        return try messages.map { message in
            if known[message.conversation] == nil {
                known[message.conversation] = try store.conversation(message.conversation)
            }
            return ChatMessageItem(
                message: message, conversation: known[message.conversation]?.name ?? "",
                links: links[message.id] ?? [], isLocal: known[message.conversation]?.account == nil,
                original: message.replyTo.flatMap { try? store.chatMessage($0) })
        }
    }
}
