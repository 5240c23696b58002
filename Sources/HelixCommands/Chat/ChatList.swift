import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix chat list`
struct ChatList: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List conversations.",
        discussion: """
            Sorted by the latest message. Shows the number of unread messages, mentions (@), queued (↑) and failed (!) \
            messages.

              helix chat list
              helix chat list --unread --json
            """)
    static let reports: [PrintedReport] = [.json(ConversationReport.self)]

    @Flag(name: .long, help: "Include archived ones.")
    var all = false

    @Flag(name: .long, help: "Only conversations with unread messages; muted ones only if you are mentioned.")
    var unread = false

    @Option(
        name: .long, help: ArgumentHelp("Only this account.", valueName: "name"),
        completion: .custom(CompletionLists.gatewayAccounts))
    var account: String?

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard words.isEmpty else { return nil }
        var command = Self()
        (command.all, command.unread, command.account, command.output) = (false, false, nil, .unset)
        command.list = .unset
        return command
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let only = try account.map { try context.gatewayAccount($0).id }
        let list = try store.conversations().filter {
            (only == nil || $0.conversation.account == only)
                && (!unread || $0.unread > 0 && (!$0.conversation.isMuted || $0.mentions > 0))
        }
        let shown = all ? list : list.filter { !$0.conversation.isArchived }
        try context.presentConversations(
            shown, archived: list.count - shown.count, nothing: unread ? "No new messages." : nil)
    }
}

/// `helix chat new`
struct ChatNew: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "new", abstract: "Start a conversation.",
        discussion: """
            Without --with it is a conversation with yourself. With one person it is a direct conversation; with \
            several, or with a name, a group. --assistant starts one with an agent of the gateway or the configured \
            assistant.

              helix chat new Notes
              helix chat new --with ana
              helix chat new 'House' --with ana,bob --message 'The keys are with me.'
              helix chat new --assistant 'Recipes'
            """)
    static let reports: [PrintedReport] = [.json(ConversationReport.self)]

    @Argument(help: "Name.")
    var name: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Other members, separated by commas; may be repeated.", valueName: "names"))
    var with: [String] = []

    @Flag(name: .long, help: "Chat with an assistant.")
    var assistant = false

    @Flag(name: .long, help: "A group, also with one other person.")
    var group = false

    @Option(
        name: .long, help: ArgumentHelp("The gateway account to create it in.", valueName: "name"),
        completion: .custom(CompletionLists.gatewayAccounts))
    var account: String?

    @Flag(name: .long, help: "Keep it on this machine.")
    var local = false

    @Option(name: [.customShort("m"), .long], help: ArgumentHelp("Send this message.", valueName: "text"))
    var message: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if assistant, !with.isEmpty || group { throw ValidationError("An assistant has no other members.") }
        if local, account != nil { throw ValidationError("--local and --account exclude each other.") }
        if local, !with.isEmpty { throw ValidationError("Conversations with others need a gateway; omit --local.") }
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let others = with.flatMap { $0.split(separator: ",") }.map { String($0).trimmingBlanks() }.filter {
            !$0.isEmpty
        }
        .uniqued
        let kind: Conversation.Kind =
            assistant
            ? .assistant
            : others.isEmpty ? (group ? .group : .own) : others.count == 1 && name.isEmpty && !group ? .direct : .group
        if !with.isEmpty, others.isEmpty { throw HelixError(.usage, "--with needs names", hint: "--with ana,bob") }
        let place = try account(for: kind, context)
        if let place { try context.checkWritable(place) }
        let own = try context.chatName(account: place).lowercased()
        if place != nil, others.contains(where: { $0.lowercased() == own }) {
            throw HelixError(
                .usage, "'\(own)' is you", hint: "Start one with yourself: helix chat new NAME")
        }
        let wanted = name.isEmpty ? "Notes" : name.joined(separator: " ")
        // Two notebooks of one name could not be told apart by it.
        if kind == .own,
            let known = try store.conversations().first(where: {
                $0.conversation.kind == .own && $0.conversation.name.lowercased() == wanted.lowercased()
                    && $0.conversation.account == place?.id && $0.conversation.role != nil
            })?.conversation
        {
            guard let message else { return try context.presentConversation(known.id, verb: "exists already") }
            return try say(message, in: known, context)
        }
        if kind == .direct, let known = try known(with: others[0], in: place, store) {
            guard let message else { return try context.presentConversation(known.id, verb: "exists already") }
            return try say(message, in: known, context)
        }
        if let place { try context.checkPeople(others, at: place) }
        let title =
            name.isEmpty
            ? (kind == .own ? "Notes" : kind == .assistant ? "Assistant" : others.joined(separator: ", "))
            : name.joined(separator: " ")
        let sender = try message.map { _ in try context.chatName(account: place) }
        let conversation = try store.change("start '\(title)'", command: "chat new") { change in
            let made = try change.addConversation(kind, name: title, account: place?.id, others: others)
            if let message { _ = try change.say(message, in: made, sender: sender ?? "me") }
            return made
        }
        try context.presentConversation(conversation.id, verb: "started")
        context.deliverChat(conversation)
    }

    /// The existing direct conversation with a person.
    private func known(with other: String, in account: Account?, _ store: Store) throws -> Conversation? {
        try store.conversations().first {
            $0.conversation.kind == .direct && $0.conversation.account == account?.id
                && $0.others.map { $0.lowercased() } == [other.lowercased()]
        }?.conversation
    }

    private func say(_ text: String, in conversation: Conversation, _ context: CommandContext) throws {
        let sender = try context.chatName(in: conversation)
        let said = try context.store().change("send a message in '\(conversation.name)'", command: "chat new") {
            try $0.say(text, in: conversation, sender: sender)
        }
        try context.present(ChatReport(items: try context.chatItems([said])), ids: [said.id])
        context.deliverChat(conversation)
    }

    /// The account of a new conversation: by default the gateway, if there is one.
    func account(for kind: Conversation.Kind, _ context: CommandContext) throws -> Account? {
        if let account { return try context.gatewayAccount(account) }
        if local { return nil }
        let all = try context.store().accounts().filter { $0.kind == .gateway }
        switch kind {
        case .direct, .group: return try context.gatewayAccount(nil)
        case .assistant where context.configuration.text(.assistantURL) != nil: return nil
        case .own, .assistant: return all.count == 1 ? all[0] : nil
        }
    }
}

extension CommandContext {
    /// The user's own name in an account; "me" on this machine.
    /// - Throws: ``HelixError``.
    func chatName(account: Account?) throws -> String {
        guard let account else { return "me" }
        return try store().chatPlace(of: account.id).name ?? account.settings.user ?? "me"
    }
}
