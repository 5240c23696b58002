import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix chat show`
struct ChatShow: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "show", abstract: "Show the messages of a conversation.",
        discussion: """
            Shows the latest messages, newest last; --before shows the page before a message. New messages that are \
            shown to a person are marked as read, as with 'helix chat read'; --peek leaves them unread. Your messages show their state: ↑ queued, ✓ sent, ✓✓ delivered, ✓✓ read.

              helix chat show ana
              helix chat show House --before k3f7
              helix chat show x2b9 --limit 500 --json
              helix chat show House --pinned
            """)
    static let reports: [PrintedReport] = [.json(ChatReport.self)]

    @Argument(
        help: "The conversation: a name, a person, or an id.", completion: .custom(CompletionLists.conversations)
    )
    var conversation: String

    @Option(
        name: .long, help: ArgumentHelp("Only messages before this one.", valueName: "id"),
        completion: .custom(CompletionLists.chatMessageIDs))
    var before: String?

    @Flag(name: .long, help: "Mark nothing as read.")
    var peek = false

    @Flag(name: .long, help: "Only pinned messages.")
    var pinned = false

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard words.count == 1 else { return nil }
        var command = Self()
        (command.conversation, command.before, command.peek, command.output) = (words[0], nil, false, .unset)
        command.pinned = false
        command.list = .unset
        return command
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let found = try context.conversation(conversation)
        let end = try before.map { try context.chatMessage($0) }
        if let end, end.conversation != found.id || end.number == nil {
            throw HelixError(.usage, "the message \(end.id.text.prefix(6)) is not in '\(found.name)'")
        }
        if pinned {
            let messages = try store.pinnedMessages(in: found.id)
            return try context.present(
                ChatReport(
                    items: try context.chatItems(messages), title: "Pinned in \(found.name)",
                    nothing: "No pinned messages."), ids: messages.map(\.id))
        }
        // Programs read without marking, and a page that begins after the first new message hides some.
        try context.presentConversation(
            found, before: end, marksRead: !peek && before == nil && !output.isMachine && !list.printsLines)
    }

    /// `House (group: ana, bob)`
    static func title(_ summary: ConversationSummary) -> String {
        let conversation = summary.conversation
        let others = summary.others.joined(separator: ", ")
        switch conversation.kind {
        case .own, .assistant: return conversation.name
        case .direct:
            return others.isEmpty || others == conversation.name
                ? conversation.name : "\(conversation.name) (\(others))"
        case .group: return "\(conversation.name) (\(others.isEmpty ? "no other members" : others))"
        }
    }
}

/// `helix chat read`
struct ChatRead: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "read", abstract: "Read new messages and mark them as read.",
        discussion: """
            Without a name, all conversations except muted and archived ones. Sends read receipts.

              helix chat read
              helix chat read House
              helix chat read House --up-to k3f7
            """)
    static let reports: [PrintedReport] = [.json(ChatReport.self)]

    @Argument(
        help: "Conversations by name, person, or id.",
        completion: .custom(CompletionLists.conversations))
    var conversations: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Up to this message.", valueName: "id"),
        completion: .custom(CompletionLists.chatMessageIDs))
    var upTo: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        var command = Self()
        (command.conversations, command.upTo, command.output) = (words, nil, .unset)
        command.changes = .unset
        return command
    }

    func validate() throws {
        if upTo != nil, conversations.count != 1 { throw ValidationError("--up-to requires a single conversation.") }
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let chosen =
            conversations.isEmpty
            ? try store.conversations().filter {
                $0.unread > 0 && !$0.conversation.isMuted && !$0.conversation.isArchived
            }.map(\.conversation) : try conversations.map { try context.conversation($0) }.uniqued
        let end = try upTo.map { try context.chatMessage($0) }
        if let end, end.conversation != chosen[0].id {
            throw HelixError(.usage, "the message \(end.id.text.prefix(6)) is not in '\(chosen[0].name)'")
        }
        var messages: [ChatMessage] = []
        var left = output.limit ?? 500
        var marks: [(EntityID, Int64)] = []
        for conversation in chosen {
            let found = try store.unreadChatMessages(in: conversation.id, limit: left)
                .filter { ($0.number ?? 0) <= end?.number ?? Int64.max }
            messages += found
            left -= found.count
            // Marks only the printed messages as read.
            if let last = found.last?.number { marks.append((conversation.id, last)) }
            if left <= 0 { break }
        }
        let report = ChatReport(
            items: try context.chatItems(messages),
            title: chosen.count == 1 ? try store.conversations(only: chosen[0].id).first.map(ChatShow.title) ?? "" : "",
            nothing: "No new messages.", showsConversation: chosen.count > 1)
        try context.present(report, ids: messages.map(\.id))
        for (id, number) in marks { try store.markChatRead(id, upTo: number) }
        for conversation in chosen where marks.contains(where: { $0.0 == conversation.id }) {
            context.deliverChat(conversation)
        }
    }
}

extension CommandContext {
    /// Presents the latest messages of a conversation, or those before one.
    /// - Parameter marksRead: whether they are marked as read if the first unread one is among them.
    /// - Throws: ``HelixError``.
    func presentConversation(_ found: Conversation, before end: ChatMessage? = nil, marksRead: Bool) throws {
        let store = try store()
        // --limit selects the latest messages; present() would cut off the newest.
        let limit = listLimit(50)
        let messages = try store.chatMessages(in: found.id, before: end?.id, limit: limit + 1)
        let summary = try store.conversations(only: found.id).first
        let unread = try store.unreadChatMessages(in: found.id, limit: 1).first
        var report = ChatReport(
            items: try chatItems(messages.suffix(limit)), isTruncated: messages.count > limit,
            title: summary.map(ChatShow.title) ?? found.name, description: found.description, firstUnread: unread?.id,
            unread: summary?.unread ?? 0, readers: try readers(of: messages.last, in: found))
        if report.isTruncated { report.earlier = report.items.first?.message.id }
        try present(report, ids: report.items.map(\.message.id))
        guard marksRead, let unread, report.items.contains(where: { $0.message.id == unread.id }),
            let last = report.items.last(where: { $0.message.number != nil })?.message.number
        else { return }
        try store.markChatRead(found.id, upTo: last)
        deliverChat(found)
    }

    /// The names of the members of a group who have read one's own last message.
    private func readers(of last: ChatMessage?, in conversation: Conversation) throws -> [String] {
        guard let last, last.isMine, let number = last.number, conversation.kind == .group else { return [] }
        return try store().chatMembers(of: conversation.id).filter { !$0.isMe && $0.readUpTo >= number }.map(\.name)
    }
}
