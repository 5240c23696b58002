import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix chat rename`
struct ChatRename: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "rename", abstract: "Rename or describe a conversation.",
        discussion: """
              helix chat rename House 'House and garden'
              helix chat rename House --description 'Repairs, plans and bills'
            """)
    static let reports: [PrintedReport] = [.json(ConversationReport.self)]

    @Argument(help: "The conversation.", completion: .custom(CompletionLists.conversations))
    var conversation: String

    @Argument(help: "The new name.")
    var name: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Set the description; 'none' clears it.", valueName: "text"))
    var description: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if name.isEmpty, description == nil { throw ValidationError("Give a new name, or --description.") }
    }

    func run(in context: CommandContext) throws {
        let title = name.joined(separator: " ")
        try context.checkWritable(try context.conversation(conversation))
        try context.changeConversation(
            conversation, name.isEmpty ? "describe '%'" : "rename '%' to '\(title)'", "chat rename",
            verb: name.isEmpty ? "described" : "renamed"
        ) { change, found in
            if !name.isEmpty { try change.rename(found, to: title) }
            if let description { try change.describe(found, as: description == "none" ? "" : description) }
        }
    }
}

/// `helix chat archive`
struct ChatArchive: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "archive", abstract: "Archive or unarchive a conversation.",
        discussion: """
            Sending a message to it unarchives it.

              helix chat archive House
              helix chat archive House --off
            """)
    static let reports: [PrintedReport] = [.json(ConversationReport.self)]

    @Argument(help: "The conversation.", completion: .custom(CompletionLists.conversations))
    var conversation: String

    @Flag(name: .long, help: "Unarchive.")
    var off = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeConversation(
            conversation, off ? "unarchive '%'" : "archive '%'", "chat archive", verb: off ? "unarchived" : "archived"
        ) { try $0.setArchived(!off, $1.id) }
    }
}

/// `helix chat mute`
struct ChatMute: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "mute", abstract: "Mute or unmute a conversation.",
        discussion: """
              helix chat mute House
              helix chat mute House --off
            """)
    static let reports: [PrintedReport] = [.json(ConversationReport.self)]

    @Argument(help: "The conversation.", completion: .custom(CompletionLists.conversations))
    var conversation: String

    @Flag(name: .long, help: "Unmute.")
    var off = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeConversation(
            conversation, off ? "unmute '%'" : "mute '%'", "chat mute", verb: off ? "not muted" : "muted"
        ) { try $0.setMuted(!off, $1.id) }
    }
}

/// `helix chat delete`
struct ChatDelete: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "delete", abstract: "Delete a conversation and its messages.",
        discussion: """
            Deletes it from your devices only. Leave a group first. 'helix undo' restores it. To delete one message: \
            'helix chat message ID --delete'.

              helix chat delete Notes --yes
            """)
    static let reports: [PrintedReport] = [.json(ConversationReport.self)]

    @Argument(help: "The conversation.", completion: .custom(CompletionLists.conversations))
    var conversation: String

    @Flag(name: [.customShort("y"), .long], help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let found = try context.conversation(conversation)
        let summary = try store.conversations(only: found.id)
        try context.confirm("Delete '\(found.name)' and all its messages?", yes: yes)
        try store.change("delete '\(found.name)'", command: "chat delete") { try $0.delete(found) }
        try context.present(
            ConversationReport(items: summary.map { ConversationItem(summary: $0, account: nil) }, verb: "deleted"),
            shortIDs: [found.id: String(found.id.text.prefix(6))])
        context.deliverChat(found)
    }
}

extension CommandContext {
    /// Changes a conversation, and prints it.
    ///
    /// - Parameter summary: the entry in the history, with `%` for the name.
    /// - Throws: ``HelixError``.
    func changeConversation(
        _ name: String, _ summary: String, _ command: String, verb: String,
        _ body: (Change, Conversation) throws -> Void
    ) throws {
        let found = try conversation(name)
        try store().change(summary.replacing("%", with: found.name), command: command) { try body($0, found) }
        try presentConversation(found.id, verb: verb)
        deliverChat(found)
    }
}
