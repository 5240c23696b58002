import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// The formats of exported conversations.
enum ChatFormat: String, ExpressibleByArgument, CaseIterable {
    case markdown
    case text
    case jsonl
}

/// `helix chat export`
struct ChatExport: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "export", abstract: "Export a conversation: Markdown, text, or JSON lines.",
        discussion: """
              helix chat export House > house.md
              helix chat export House --format jsonl -o house.jsonl
            """)
    static let reports: [PrintedReport] = []

    @Argument(help: "The conversation.", completion: .custom(CompletionLists.conversations))
    var conversation: String

    @Option(name: .long, help: ArgumentHelp("markdown, text or jsonl.", valueName: "form"))
    var format: ChatFormat = .markdown

    @Option(
        name: [.customShort("o"), .customLong("output"), .customLong("out")],
        help: ArgumentHelp("Write to this file.", valueName: "file"),
        completion: .file())
    var file: String?

    @Flag(name: .long, help: "Overwrite an existing file.")
    var force = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try output.refuseLimit("an export is whole")
        if output.isMachine { throw ValidationError("An export has its own format: use --format jsonl.") }
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let found = try context.conversation(conversation)
        let sink = try ExportSink(file, on: context.console, force: force)
        let viewer = context.viewer
        if format == .markdown { try sink.write(Array("# \(SafeText.line(found.name))\n".utf8)) }
        var day: CivilDate?
        var count = 0
        // In pages, the oldest first: a long conversation may exceed memory.
        var pages = try store.chatPages(of: found.id)
        while let messages = try pages.next() {
            for item in try context.chatItems(messages) {
                let message = item.message
                count += 1
                if format == .jsonl {
                    try sink.write(Array((JSONValue.object(item.json(for: viewer)).text() + "\n").utf8))
                    continue
                }
                let date = viewer.zone.date(message.sentAt)
                if date != day {
                    let line =
                        format == .markdown
                        ? "\n## \(DateWords.text(date))\n" : "\(day == nil ? "" : "\n")\(DateWords.text(date))\n"
                    try sink.write(Array(line.utf8))
                    day = date
                }
                try sink.write(Array(text(message, viewer, answered: try answered(message, store)).utf8))
            }
        }
        try sink.finish()
        if file != nil { context.note("Exported \(count) message\(count == 1 ? "" : "s").") }
    }

    /// The beginning of the message that another one replies to, with its sender.
    private func answered(_ message: ChatMessage, _ store: Store) throws -> String? {
        guard let id = message.replyTo, let original = try HelixError.ifFound({ try store.chatMessage(id) }) else {
            return nil
        }
        let words = original.isDeleted ? "(deleted)" : SafeText.line(original.content).fitted(80)
        return "\(SafeText.line(original.sender)): \(words)"
    }

    private func text(_ message: ChatMessage, _ viewer: Viewer, answered: String?) -> String {
        let clock = viewer.clock(message.sentAt)
        let words = message.isDeleted ? "(deleted)" : SafeText.lines(message.content).joined(separator: "\n")
        let files = message.attachments.map { "[\(SafeText.line($0.name)), \(ByteCount.text($0.size))]" }
        let body = ([words] + files).filter { !$0.isEmpty }.joined(separator: "\n")
        // System messages have no sender.
        if message.role == .system { return format == .markdown ? "\n*\(body)* \(clock)\n" : "\(clock) \(body)\n" }
        if format == .markdown {
            let quote = answered.map { "> \($0)\n\n" } ?? ""
            return "\n**\(SafeText.line(message.sender))** \(clock)\n\n\(quote)\(body)\n"
        }
        let indented = body.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n    ")
        let quote = answered.map { "(to \($0))\n    " } ?? ""
        return "\(clock) \(SafeText.line(message.sender)): \(quote)\(indented)\n"
    }
}
