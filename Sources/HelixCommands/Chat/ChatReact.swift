import ArgumentParser
import HelixGateway
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix chat react`
struct ChatReact: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "react", abstract: "React to a message with an emoji.",
        discussion: """
            Requires a connection to the gateway.

              helix chat react k3f7 👍
              helix chat react k3f7 👍 --remove
            """)
    static let reports: [PrintedReport] = [.json(ChatReport.self)]

    @Argument(
        help: ArgumentHelp("The message, by its id.", valueName: "id"),
        completion: .custom(CompletionLists.chatMessageIDs))
    var id: String

    @Argument(help: "One emoji.")
    var emoji: String

    @Flag(name: .long, help: "Remove your reaction.")
    var remove = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        guard ChatReaction.isEmoji(emoji) else {
            throw HelixError(.usage, "'\(emoji)' is not one emoji", hint: "Example: helix chat react k3f7 👍")
        }
        let message = try context.chatMessage(id)
        let verb = remove ? "remove the reaction \(emoji) from" : "react with \(emoji) to"
        try context.changeAtGateway(
            message, "chat.react", ["emoji": .string(emoji), "on": .bool(!remove)],
            plan: "\(verb) '\(message.brief.prefix(60))'")
    }
}

/// `helix chat pin`
struct ChatPin: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "pin", abstract: "Pin or unpin a message.",
        discussion: """
            In a group, owners and admins may. 'helix chat show NAME --pinned' lists pinned messages. Requires a connection to \
            the gateway.

              helix chat pin k3f7
              helix chat pin k3f7 --off
            """)
    static let reports: [PrintedReport] = [.json(ChatReport.self)]

    @Argument(
        help: ArgumentHelp("The message, by its id.", valueName: "id"),
        completion: .custom(CompletionLists.chatMessageIDs))
    var id: String

    @Flag(name: .long, help: "Unpin.")
    var off = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let message = try context.chatMessage(id)
        let conversation = try context.store().conversation(message.conversation)
        guard conversation.kind != .group || conversation.role?.isInCharge == true else {
            throw HelixError(.notAllowed, "only an owner or admin of '\(conversation.name)' can pin messages")
        }
        try context.changeAtGateway(
            message, "chat.pin", ["pinned": .bool(!off)],
            plan: "\(off ? "unpin" : "pin") '\(message.brief.prefix(60))'")
    }
}

extension CommandContext {
    /// Changes a message at its gateway, and prints it. Such changes are not journaled: the gateway decides them.
    ///
    /// - Parameters:
    ///   - params: the parameters of the method, besides the message's ID.
    ///   - plan: the description for a dry run.
    /// - Throws: ``HelixError``: `usage` for a conversation on this machine, `offline`.
    func changeAtGateway(_ message: ChatMessage, _ method: String, _ params: JSONText, plan: String) throws {
        let store = try store()
        let conversation = try store.conversation(message.conversation)
        guard conversation.account != nil else {
            throw HelixError(
                .usage, "'\(conversation.name)' is on this machine only; nobody else sees its messages",
                hint: "Reactions and pins are for conversations at a gateway.")
        }
        guard message.role != .system else {
            throw HelixError(.usage, "'\(message.brief.prefix(60))' is a notice, not a message")
        }
        guard message.number != nil else {
            throw HelixError(.conflict, "the message is not sent yet", hint: "Run 'helix sync' first.")
        }
        try checkWritable(conversation)
        if isDryRun { return try presentPlan(plan) }
        let connection = try chatConnection(conversation)
        defer { connection.close() }
        try connection.change(message, method, params)
        var items = try chatItems([try store.chatMessage(message.id)])
        for place in items.indices { items[place].isDetailed = true }
        try present(ChatReport(items: items), shortIDs: [message.id: String(message.id.text.prefix(6))])
    }
}
