import ArgumentParser
import FoundationEssentials
import Glibc
import HelixGateway
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix chat follow`
struct ChatFollow: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "follow", abstract: "Follow conversations and print new messages.",
        discussion: """
            Follows one conversation or all. Reconnects automatically and sends queued messages. Prints edits and \
            deletions, too. Marks nothing as read without --read. Ctrl-C ends it.

              helix chat follow
              helix chat follow House \\
                  --jsonl | while read -r line; do notify-send "$line"; done
            """)
    // Messages arrive in another thread.
    static let usesThreads = true
    static let reports: [PrintedReport] = [.json(ChatReport.self)]

    @Argument(help: "The conversation.", completion: .custom(CompletionLists.conversations))
    var conversation: String?

    @Flag(name: .long, help: "Mark the printed messages as read.")
    var read = false

    @Option(name: .long, help: ArgumentHelp("Stop after N messages.", valueName: "n"))
    var count: Int?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be at least 1.") }
        if output.columns != nil { throw ValidationError("An endless list cannot be a table; use --jsonl.") }
        if output.json { throw ValidationError("An endless list cannot be a JSON object; use --jsonl.") }
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let only = try conversation.map { try context.conversation($0) }
        let live = context.chatLive(only)
        live.start()
        defer { live.stop() }
        var row = try store.lastChatRow()
        var lines = ChatLines(showsConversation: only == nil)
        var (left, known): (Int, Set<EntityID>) = (count ?? Int.max, [])
        while left > 0 {
            var waiting = pollfd(fd: live.descriptor, events: Int16(POLLIN), revents: 0)
            // Another process may have stored a message.
            poll(&waiting, 1, 1000)
            for event in live.take() {
                switch event {
                case .offline(let name, let error, _) where known.isEmpty:
                    context.note(StyledText("\(name): \(error.message).", TextStyle(.yellow)))
                case .changed(let id):
                    guard let message = try? store.chatMessage(id), only == nil || message.conversation == only?.id
                    else { continue }
                    if output.isMachine {
                        try show(message, &lines, context)
                    } else {
                        try context.write(ChatLines.change(of: message) + "\n")
                    }
                default: break
                }
            }
            let (messages, last) = try store.chatMessages(afterRow: row)
            row = last
            for message in messages where only == nil || message.conversation == only?.id {
                guard known.insert(message.id).inserted, left > 0 else { continue }
                try show(message, &lines, context)
                if read, let number = message.number { try store.markChatRead(message.conversation, upTo: number) }
                left -= 1
            }
        }
    }

    private func show(_ message: ChatMessage, _ lines: inout ChatLines, _ context: CommandContext) throws {
        for item in try context.chatItems([message]) {
            if output.isMachine {
                try context.present(ChatReport(items: [item]))
                continue
            }
            var canvas = Canvas(width: context.terminal.width, isASCII: context.terminal.isASCII)
            var viewer = context.viewer
            viewer.now = context.clock
            viewer.shortIDs = try context.store().shortIDs([message.id])
            lines.draw(item, on: &canvas, for: viewer)
            guard context.console.write(canvas.rendered(color: context.terminal.hasColor)) else {
                throw HelixError(.io, "cannot write the output")
            }
        }
    }
}

extension CommandContext {
    /// Connections to the gateway of a conversation, or to all gateways.
    func chatLive(_ conversation: Conversation?) -> ChatLive {
        let accounts = ((try? store().accounts()) ?? []).filter {
            $0.kind == .gateway && (conversation == nil || conversation?.account == $0.id)
        }
        return ChatLive(path: paths.store, accounts: accounts, access: gatewayMaker)
    }
}

/// `helix chat typing`
struct ChatTyping: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "typing", abstract: "Send or show typing notifications.",
        discussion: """
            --watch prints who starts typing in the next seconds.

              helix chat typing House
              helix chat typing House --watch 10
            """)
    static let reports: [PrintedReport] = []

    @Argument(help: "The conversation.", completion: .custom(CompletionLists.conversations))
    var conversation: String

    @Option(name: .long, help: ArgumentHelp("Print who types within N seconds.", valueName: "seconds"))
    var watch: Int?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try output.refuseMachine("names")
        if let watch, !(1...3600).contains(watch) { throw ValidationError("--watch must be 1 to 3600 seconds.") }
    }

    func run(in context: CommandContext) throws {
        let found = try context.conversation(conversation)
        guard found.account != nil, found.remote != nil else {
            throw HelixError(.usage, "no other members in '\(found.name)' to notify")
        }
        if context.isDryRun, watch == nil { return }
        let connection = try context.chatConnection(found)
        defer { connection.close() }
        guard let watch else {
            try connection.type(in: found)
            // The request must be sent before the connection is closed.
            _ = try connection.wait(milliseconds: 200)
            return
        }
        let end = ContinuousClock.now + .seconds(watch)
        while ContinuousClock.now < end {
            if case .typing(found.id, let name) = try connection.wait(milliseconds: 500) {
                try context.write(SafeText.line(name) + "\n")
            }
        }
    }
}
