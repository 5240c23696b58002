import ArgumentParser
import HelixMail
import HelixModel
import HelixStore

/// `helix outbox list`
struct OutboxList: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List outgoing messages.",
        discussion: """
            Also prints how many other changes the next sync will send.

              helix outbox
              helix outbox list --json
            """)
    static let reports: [PrintedReport] = [.json(OutboxReport.self)]

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let unsynced =
            output.isMachine || list.printsLines ? [] : try context.store().unsyncedChanges(zone: context.zone)
        try context.presentOutbox(
            try context.store().outbox() + context.store().chatOutbox(), unsynced: unsynced)
    }
}

/// `helix outbox show`
struct OutboxShow: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "show", abstract: "Show an outgoing message.",
        discussion: """
              helix outbox show k3f7
              helix outbox show k3f7 --raw
            """)
    static let reports: [PrintedReport] = [.json(OutboxReport.self)]

    @Argument(help: ArgumentHelp("Message id.", valueName: "id"), completion: .custom(CompletionLists.outgoingIDs))
    var id: String

    @Flag(name: .long, help: "Print the stored message; it is sent with CRLF line endings.")
    var raw = false

    @Option(name: .long, help: ArgumentHelp("Show only the part with this number.", valueName: "n"))
    var part: Int?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if raw, part != nil { throw ValidationError("--raw and --part exclude each other.") }
        if raw || part != nil { try output.refuseMachine("the message itself") }
    }

    func run(in context: CommandContext) throws {
        if let found = try? context.store().entity(EntityPrefix(id), kinds: [.outgoing, .chatMessage]),
            found.kind == .chatMessage
        {
            var show = try ChatMessageCommand.parse([found.id.text])
            show.output = output
            return try show.run(in: context)
        }
        let message = try context.outgoing(id)
        let file = try context.store().outgoingFile(message)
        if raw { return try context.copyFile(file) }
        if let part {
            return try context.writePart(
                part, isHTML: false, of: try context.readable(file, verifies: false).message, called: id)
        }
        try context.presentOutgoing(message, isMachine: output.isMachine)
    }
}

extension CommandContext {
    /// Presents an outgoing message with its text.
    /// - Throws: ``HelixError``.
    func presentOutgoing(_ message: OutgoingMessage, isMachine: Bool) throws {
        let file = try store().outgoingFile(message)
        let readable = try readable(file)
        let shown = EmailMessage(message, MessageSummary(readable.message))
        let item = try MessageItem(MailItem(message: shown), readable, hasAllHeaders: false)
        if isMachine { return try presentOutbox([message], text: item.text) }
        try presentOutbox([message])
        try present(MessageReport(items: [item]), ids: [message.id])
    }
}

extension EmailMessage {
    /// Creates a message to display from a queued one.
    fileprivate init(_ message: OutgoingMessage, _ summary: MessageSummary) {
        func lines(_ list: [MailAddress]) -> String { list.map(\.text).joined(separator: "\n") }
        let named = Set((summary.to + summary.cc).map { $0.address.lowercased() })
        // The message that is sent has no Bcc field.
        let hidden = message.recipients.filter { !named.contains(MailAddress(text: $0).address.lowercased()) }
        self.init(
            number: 0, id: message.id, messageID: message.messageID, thread: 0, account: "outbox", mailbox: "",
            date: summary.date ?? message.madeAt, subject: message.subject, from: message.sender, to: lines(summary.to),
            cc: lines(summary.cc), flags: [.seen], traits: summary.traits.rawValue, labels: [],
            attachments: summary.attachments, snippet: summary.snippet, size: message.size,
            bcc: hidden.joined(separator: "\n"))
    }
}
