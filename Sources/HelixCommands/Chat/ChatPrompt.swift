import FoundationEssentials
import Glibc
import HelixGateway
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// A conversation at a prompt: typed lines are sent, and new messages appear above it.
final class ChatPrompt {
    let context: CommandContext
    let store: Store
    private let live: ChatLive
    private var editor = LineEditor()
    private var screen: PromptScreen?
    private(set) var current: Conversation?
    private var row: Int64
    private var lines = ChatLines()
    /// The members who are typing, each with the time until which that is shown.
    private var typing: [String: ContinuousClock.Instant] = [:]
    private var offline: [String: HelixError] = [:]
    /// The answer that is being streamed.
    private var answer: (message: ChatMessage, text: String)?
    private var hint = ""
    private var told = ContinuousClock.now - .seconds(60)
    private var failed: Set<EntityID> = []
    private var hasAborted: EntityID?
    private var isOver = false
    /// The oldest message that was shown.
    private var oldest: EntityID?

    init(_ context: CommandContext) throws {
        self.context = context
        store = try context.store()
        live = context.chatLive(nil)
        row = try store.lastChatRow()
        failed = Set(try store.chatOutbox().filter { $0.state == .parked }.map(\.id))
    }

    deinit { live.stop() }

    // The main loop

    func run() throws {
        let screen = PromptScreen(context.console)
        self.screen = screen
        defer {
            screen.giveBack()
            self.screen = nil
        }
        live.start()
        if current == nil { say("No conversation is open: /new starts one, /help lists the commands.", .dim) }
        draw()
        while !isOver {
            var descriptors = [
                pollfd(fd: context.console.input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: live.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            poll(&descriptors, 2, 1000)
            if descriptors[0].revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = read(context.console.input, &bytes, bytes.count)
                if count <= 0 { break }
                editor.take(Array(bytes[..<count]))
                while !isOver, let outcome = editor.next() { try take(outcome) }
            }
            try news()
            draw()
        }
    }

    /// Without a terminal, each line is a message or a command.
    func runLines() throws {
        while let line = readLine(), !isOver { try use(line) }
        guard let current, current.account != nil, try !store.chatOutbox().isEmpty else { return }
        context.deliverChat(current)
    }

    private func take(_ outcome: LineEditor.Outcome) throws {
        hint = ""
        switch outcome {
        case .line(let text): try use(text)
        case .interrupt:
            if let known = answer {
                live.abort(known.message)
                // A second Ctrl-C does not wait for the gateway.
                if hasAborted == known.message.id { answer = nil }
                hasAborted = known.message.id
            } else if editor.text.isEmpty {
                hint = "Press Ctrl-D to quit."
            } else {
                editor.clear()
            }
        case .end: isOver = true
        case .complete: try complete()
        case .redraw: screen?.print("\u{1B}[2J\u{1B}[H")
        case .older: try showOlder()
        case .changed:
            // Others receive typing notifications, every few seconds at most.
            if let current, current.account != nil, !editor.text.isEmpty, editor.text.first != "/",
                told.duration(to: .now) > .seconds(4)
            {
                told = .now
                live.type(in: current)
            }
        }
    }

    /// Sends a line, or runs it as a command. Errors are printed and do not end the prompt.
    private func use(_ line: String) throws {
        let text = line.trimmingBlanks()
        if text.isEmpty { return }
        do {
            if text.hasPrefix("/"), !text.hasPrefix("//") {
                // Commands may ask for confirmation; Ctrl-C means no then.
                screen?.giveBack()
                context.noticeSize()
                Interrupt.catchIt()
                defer {
                    Interrupt.release()
                    screen?.takeKeys()
                }
                if try !ChatSlash(self).run(text) { isOver = true }
            } else {
                try say(text.hasPrefix("//") ? String(line.drop { $0 == " " }.dropFirst()) : line)
            }
        } catch let error as HelixError {
            say(error.message + "." + (error.hint.map { " " + $0 } ?? ""), TextStyle(.red))
        }
    }

    private func say(_ text: String) throws {
        // Two conversations that were started at the same time may have been merged.
        if let known = current, (try? store.conversation(known.id)) == nil {
            current = try? store.conversation(named: known.name)
        }
        guard let current else {
            throw HelixError(.usage, "no conversation is open", hint: "Use /open NAME or /new.")
        }
        try context.checkWritable(current)
        let sender = try context.chatName(in: current)
        store.now = context.clock
        let said = try store.change("send a message in '\(current.name)'", command: "chat open") {
            try $0.say(text, in: current, sender: sender)
        }
        try show()
        told = .now - .seconds(60)
        guard current.kind == .assistant else { return live.push() }
        if current.account == nil {
            // While the answer is streamed, Ctrl-C is a signal; typed text is kept for the prompt.
            screen?.giveSignals()
            defer { screen?.takeKeys() }
            context.noticeSize()
            say("assistant", .bold)
            try context.answer(to: said, in: current, isShown: true)
            row = try store.lastChatRow()
            try store.markChatRead(current.id)
            return
        }
        answer = (said, "")
        live.expect(answerTo: said)
        live.push()
    }

    // News

    private func news() throws {
        store.didServe()
        for event in live.take() {
            switch event {
            case .news, .online:
                if case .online(let name) = event { offline[name] = nil }
            case .offline(let name, let error, let isFinal):
                if isFinal, offline[name] == nil {
                    say("\(name): \(error.message)." + (error.hint.map { " " + $0 } ?? ""), TextStyle(.red))
                }
                offline[name] = error
                if answer != nil {
                    answer = nil
                    say("The answer was cut off: \(error.message).", TextStyle(.yellow))
                }
            case .note(let text): say(text + ".", TextStyle(.yellow))
            case .typing(let id, let name): if id == current?.id { typing[name] = .now + .seconds(6) }
            case .changed(let id):
                guard let message = try? store.chatMessage(id), message.conversation == current?.id else { continue }
                say(ChatLines.change(of: message), .dim)
            case .answer(let stream):
                guard let known = answer, known.message.id.text == stream.run else { continue }
                answer?.text = stream.text
                if stream.end != nil { answer = nil }
                if case .failed(let reason)? = stream.end { say("No answer: \(reason).", TextStyle(.red)) }
            }
        }
        typing = typing.filter { $0.value > .now }
        try show()
        for item in try store.chatOutbox() where item.state == .parked && failed.insert(item.id).inserted {
            say("Not sent: '\(item.subject)': \(item.problem ?? "").", TextStyle(.red))
        }
    }

    /// Prints new messages.
    private func show(skipsOwn: Bool = false) throws {
        let (messages, last) = try store.chatMessages(afterRow: row)
        row = last
        var newest: Int64?
        for message in messages {
            if message.isMine, skipsOwn { continue }
            if message.conversation == current?.id {
                if message.role == .assistant { answer = nil }
                typing[message.sender] = nil
                try draw(message)
                if !message.isMine { newest = max(newest ?? 0, message.number ?? 0) }
            } else if !message.isMine, message.role == .user {
                let other = try store.conversation(message.conversation)
                if other.isMuted { continue }
                let place = other.name == message.sender ? "" : "\(other.name): "
                say("── \(place)\(message.sender): \(message.brief)", TextStyle(.cyan))
            }
        }
        if let newest, let current {
            try store.markChatRead(current.id, upTo: newest)
            live.push()
        }
    }

    // Drawing

    private func draw(_ message: ChatMessage) throws {
        for var item in try context.chatItems([message]) {
            // The delivery state is not known yet, and printed text cannot change.
            item.isLocal = true
            try print(item)
        }
    }

    private func print(_ item: ChatMessageItem) throws {
        var canvas = Canvas(width: width, isASCII: context.terminal.isASCII)
        var viewer = context.viewer
        viewer.now = context.clock
        viewer.shortIDs = try store.shortIDs([item.message.id])
        lines.draw(item, on: &canvas, for: viewer)
        out(canvas)
    }

    private func out(_ canvas: Canvas) {
        let text = canvas.rendered(color: context.terminal.hasColor)
        if let screen { screen.print(text) } else { _ = context.console.write(text) }
    }

    /// Prints a notice.
    func say(_ text: String, _ style: TextStyle) {
        var canvas = Canvas(width: width, isASCII: context.terminal.isASCII)
        canvas.paragraph(text, style: style)
        out(canvas)
    }

    /// Prints terms with descriptions: side by side, or below each other on a narrow terminal.
    func show(_ list: [(String, String)]) {
        var canvas = Canvas(width: width, isASCII: context.terminal.isASCII)
        var table = Table([.init(), .init(minimum: 10)])
        for (what, why) in list {
            if width >= 70 {
                table.row([StyledText(what, .bold), StyledText(why, .dim)])
            } else {
                canvas.line(StyledText(what, .bold))
                canvas.paragraph(why, indent: 4, style: .dim)
            }
        }
        table.draw(on: &canvas)
        out(canvas)
    }

    /// The current width of the terminal.
    private var width: Int { max(20, Terminal(context.console, environment: context.environment).width) }

    private func draw() {
        guard let screen else { return }
        let terminal = Terminal(context.console, environment: context.environment)
        var rows: [StyledText] = []
        if let answer {
            // The last rows of a streamed answer; the complete one is printed for good.
            let all = SafeText.lines(answer.text).flatMap { $0.wrapped(width - 7) }
            for line in all.suffix(max(3, (terminal.height ?? 24) / 2)) {
                rows.append(StyledText("      " + line, .dim))
            }
            rows.append(StyledText("assistant is writing, Ctrl-C stops it", .dim))
        }
        if let words = editor.searched { rows.append(StyledText("search: \(words)", .dim).fitted(width - 1)) }
        if !hint.isEmpty { rows += hint.wrapped(width - 1).prefix(8).map { StyledText($0, .dim) } }
        if !typing.isEmpty {
            let names = typing.keys.sorted().joined(separator: ", ")
            rows.append(StyledText("\(names) \(typing.count == 1 ? "is" : "are") writing…", .dim).fitted(width - 1))
        }
        let name = current?.account.flatMap { id in (try? store.accounts())?.first { $0.id == id }?.name }
        var prompt = StyledText((current?.name ?? "helix"), TextStyle(.cyan, bold: true)).fitted(24)
        if let name, offline[name] != nil { prompt.append(" (offline)", TextStyle(.yellow)) }
        // The delivery state of the user's last message.
        if let current, current.account != nil,
            let last = (try? store.chatMessages(in: current.id, limit: 1))?.last, last.isMine
        {
            prompt.append(" ")
            prompt.append(ChatLines.mark(last.state))
        }
        prompt.append("> ", .bold)
        let typed = editor.rows(behind: prompt.width, width: width)
        let indent = String(repeating: " ", count: prompt.width)
        let above = rows.count
        for (at, line) in typed.rows.enumerated() {
            rows.append(at == 0 ? prompt + StyledText(line) : StyledText(indent + line))
        }
        var canvas = Canvas(width: width, isASCII: context.terminal.isASCII)
        for row in rows { canvas.line(row) }
        let drawn = canvas.rendered(color: context.terminal.hasColor).split(
            separator: "\n", omittingEmptySubsequences: false
        )
        .map(String.init).dropLast()
        screen.draw(
            Array(drawn), row: above + typed.row, column: typed.column, widths: rows.map(\.width),
            height: terminal.height ?? 24)
    }

    // Opening and completing

    /// Opens a conversation: prints its latest messages and marks them as read.
    func open(_ conversation: Conversation) throws {
        current = conversation
        answer = nil
        typing = [:]
        lines = ChatLines()
        if let summary = try store.conversations(only: conversation.id).first {
            say(ChatShow.title(summary), .bold)
        }
        let messages = try store.chatMessages(in: conversation.id, limit: 20)
        oldest = messages.first?.id
        lines.fit(messages)
        for message in messages { try draw(message) }
        if messages.isEmpty { say("No messages yet.", .dim) }
        editor.history = messages.filter { $0.isMine && $0.role == .user && !$0.isDeleted }.map(\.content)
        try store.markChatRead(conversation.id)
        live.push()
    }

    /// Prints the messages before the oldest one shown.
    private func showOlder() throws {
        guard let current, let oldest else { return }
        let messages = try store.chatMessages(in: current.id, before: oldest, limit: 20)
        guard let first = messages.first else {
            hint = "There is nothing before."
            return
        }
        // They are printed below newer ones: with their dates, and a line at either end.
        lines = ChatLines()
        lines.fit(messages)
        say("── earlier messages ──", .dim)
        for message in messages { try draw(message) }
        say("── end of the earlier messages ──", .dim)
        lines = ChatLines()
        self.oldest = first.id
    }

    /// Refreshes the open conversation after a rename or deletion.
    func refresh() throws {
        guard let id = current?.id else { return }
        current = try? store.conversation(id)
        // News since then; the user's own messages were printed by the command.
        try show(skipsOwn: true)
        live.push()
    }

    private func complete() throws {
        let completion = try ChatCompletion(editor.before, in: current, context)
        if let text = completion.insertion { editor.replace(last: completion.length, with: text) }
        if completion.candidates.count > 1 {
            hint = completion.candidates.prefix(40).map { SafeText.line($0.label) }.joined(separator: "  ")
        }
    }
}
