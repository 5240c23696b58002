import ArgumentParser
import FoundationEssentials
import Glibc
import HelixGateway
import HelixModel
import HelixNetwork
import HelixStore
import HelixSync
import HelixTerminal

/// `helix chat ask`
struct ChatAsk: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "ask", abstract: "Ask an assistant and stream the answer.",
        discussion: """
            Uses the configured assistant (assistant.url), else an agent of your gateway, else Ollama on this machine. \
            Sends only the question and standard input. Stores question and answer in an archived conversation; --in \
            continues one. Ctrl-C stops the answer.

              helix chat ask 'How do I say good morning in Basque?'
              git diff | helix chat ask 'Write a message for this commit'
              helix chat ask --in k3f7 'And in Catalan?'
            """)
    static let reports: [PrintedReport] = [.json(ChatReport.self)]

    @Argument(help: "The question.")
    var words: [String] = []

    @Option(
        name: .customLong("in"), help: ArgumentHelp("Continue this conversation.", valueName: "conversation"),
        completion: .custom(CompletionLists.conversations))
    var place: String?

    @Option(
        name: .long, help: ArgumentHelp("Use this gateway account.", valueName: "name"),
        completion: .custom(CompletionLists.gatewayAccounts))
    var account: String?

    @Flag(name: .long, help: "Ask from this machine, not at a gateway.")
    var local = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if local, account != nil { throw ValidationError("--local and --account exclude each other.") }
        if place != nil, local || account != nil { throw ValidationError("--in already selects the place.") }
    }

    func run(in context: CommandContext) throws {
        let question = try question(context.invocation)
        let store = try context.store()
        let conversation: Conversation
        if let place {
            conversation = try context.conversation(place)
            guard conversation.kind == .assistant else {
                throw HelixError(.usage, "'\(conversation.name)' is not a conversation with an assistant")
            }
            try context.checkWritable(conversation)
        } else {
            var new = try ChatNew.parse(["--assistant"])
            (new.account, new.local) = (account, local)
            let home = try new.account(for: .assistant, context)
            if let home { try context.checkWritable(home) }
            let title = question.split(whereSeparator: \.isNewline).first.map { String($0.prefix(60)) } ?? "Question"
            conversation = try store.change("ask an assistant", command: "chat ask") { change in
                let made = try change.addConversation(.assistant, name: title, account: home?.id)
                try change.setArchived(true, made.id)
                return try change.conversation(made.id)
            }
        }
        let sender = try context.chatName(in: conversation)
        let said = try store.change("ask in '\(conversation.name)'", command: "chat ask") { change in
            try change.say(question, in: conversation, sender: sender, keepsArchived: true)
        }
        if context.isDryRun {
            return try context.present(ChatReport(items: try context.chatItems([said])), ids: [said.id])
        }
        let answer: ChatMessage?
        let isBroken: Bool
        do { (answer, isBroken) = try context.answer(to: said, in: conversation, isShown: !output.isMachine) } catch let
            error
            as HelixError where [.offline, .configuration, .busy].contains(error.code)
        {
            // The question was not sent, and must not be sent later, when the user no longer waits for the answer.
            try withdraw(said, conversation, context)
            throw error
        }
        if output.isMachine {
            try context.present(ChatReport(items: try context.chatItems([answer].compactMap { $0 })))
        }
        try store.markChatRead(conversation.id)
        context.note(StyledText("\(conversation.id.text.prefix(6))  continues with --in.", .dim))
        if isBroken { Interrupt.end() }
    }

    /// Removes a question that was not sent.
    private func withdraw(_ said: ChatMessage, _ conversation: Conversation, _ context: CommandContext) throws {
        let store = try context.store()
        let present = try store.chatMessage(said.id)
        guard conversation.account == nil || present.number == nil else { return }
        try store.change("remove a question", command: "chat ask") { change in
            try change.delete(present)
            if place == nil { try change.delete(try change.conversation(conversation.id)) }
        }
    }

    /// The arguments, followed by standard input.
    private func question(_ invocation: Invocation) throws -> String {
        var parts = words.isEmpty || words == ["-"] ? [] : [words.joined(separator: " ")]
        if !invocation.console.isInputTerminal {
            let given = try ChatSend.words(["-"], invocation)
            if given.contains(where: { !$0.isWhitespace }) { parts.append(given) }
        }
        guard parts.contains(where: { $0.contains { !$0.isWhitespace } }) else {
            throw HelixError(.usage, "no question given", hint: "Ask like this: helix chat ask 'How …?'")
        }
        return parts.joined(separator: "\n\n")
    }
}

extension CommandContext {
    /// Lets an assistant answer, and stores the answer.
    ///
    /// - Parameter isShown: whether to print the answer while it is streamed.
    /// - Returns: the answer, nil if it was aborted before it began; and whether it was aborted.
    /// - Throws: ``HelixError``.
    @discardableResult
    func answer(
        to message: ChatMessage, in conversation: Conversation, isShown: Bool
    ) throws -> (answer: ChatMessage?, isBroken: Bool) {
        var printer = AnswerPrinter(
            console, isShown: isShown, width: terminal.isInteractive ? terminal.width - 1 : nil)
        defer { printer.finish() }
        let wake = Interrupt.catchIt()
        defer { Interrupt.release() }
        let before = try store().lastChatRow()
        let isBroken =
            conversation.account == nil
            ? try answerHere(message, conversation, &printer) : try answerThere(message, conversation, &printer, wake)
        let answer = try store().chatMessages(afterRow: before).messages.last {
            $0.role == .assistant && $0.conversation == conversation.id
        }
        return (answer, isBroken)
    }

    /// The assistant that is configured on this machine, or a local one.
    /// - Throws: ``HelixError`` of code `configuration` if there is none.
    func assistant() throws -> CompletionClient {
        let url = configuration.text(.assistantURL)
        guard url != nil || CompletionClient.isThere(CompletionClient.local) else {
            throw HelixError(
                .configuration, "no assistant configured",
                hint: "Run 'helix config set assistant.url https://…/v1', start an Ollama, or use a gateway with one.")
        }
        let key = try configuration.text(.assistantKey).map { try Secrets.output(of: $0, for: "the assistant") }
        return try CompletionClient(
            url: url ?? CompletionClient.local, model: configuration.text(.assistantModel), key: key)
    }

    private func answerHere(
        _ message: ChatMessage, _ conversation: Conversation, _ printer: inout AnswerPrinter
    ) throws -> Bool {
        let store = try store()
        let client = try assistant()
        let most = max(1, Int(configuration.text(.assistantHistory) ?? "") ?? 40)
        let system =
            configuration.text(.assistantPrompt).map { [CompletionClient.Turn(role: "system", content: $0)] } ?? []
        let said = try store.chatMessages(in: conversation.id, limit: most).filter {
            !$0.isDeleted && $0.role != .system
        }
        let turns = try fitting(said, besides: system)
            .map { CompletionClient.Turn(role: $0.role.rawValue, content: $0.content) }
        var (shown, isBroken) = (printer, false)
        let answer = try client.answer(system + turns) { text in
            shown.show(text)
            isBroken = isBroken || Interrupt.wasPressed
            return !isBroken
        }
        shown.show(answer.text)
        printer = shown
        guard answer.text.contains(where: { !$0.isWhitespace }) else { return isBroken }
        let kept = ChatMessage.fitting(answer.text)
        let details = ChatDetails(thinking: answer.thinking.isEmpty ? nil : ChatMessage.fitting(answer.thinking))
        _ = try store.change("an answer in '\(conversation.name)'", command: "chat ask") { change in
            try change.say(
                kept, in: conversation, sender: "assistant", role: .assistant, details: details, keepsArchived: true)
        }
        return isBroken
    }

    /// The newest messages that fit into three quarters of the budget, which leaves room for an answer.
    /// - Throws: ``HelixError`` of code `configuration` if the last one does not fit.
    private func fitting(
        _ messages: [ChatMessage], besides system: [CompletionClient.Turn]
    ) throws -> ArraySlice<ChatMessage> {
        let budget = configuration.assistantBudget
        var left = budget * 3 / 4 - system.reduce(0) { $0 + Assistant.tokens($1.content) }
        var first = messages.endIndex
        while first > messages.startIndex {
            left -= Assistant.tokens(messages[first - 1].content)
            if left < 0 { break }
            first -= 1
        }
        if first == messages.endIndex, let last = messages.last {
            throw HelixError(
                .configuration,
                "the question has about \(Assistant.tokens(last.content)) tokens, and the budget is \(budget) tokens",
                hint: "Ask for less, or raise it: helix config set assistant.budget \(budget * 4).")
        }
        if first > 0 {
            explain(
                "The first \(first) of \(messages.count) messages were not sent: the budget is \(budget) tokens "
                    + "(assistant.budget).")
        }
        return messages[first...]
    }

    private func answerThere(
        _ message: ChatMessage, _ conversation: Conversation, _ printer: inout AnswerPrinter, _ wake: Int32
    ) throws -> Bool {
        let connection = try chatConnection(conversation)
        defer { connection.close() }
        connection.expect(answerTo: message.id)
        try connection.push()
        try checkSent(message.id)
        let end = ContinuousClock.now + .seconds(600)
        var isBroken = false
        while ContinuousClock.now < end {
            switch try connection.wait(milliseconds: 30_000, wake: wake) {
            case .answer(let stream):
                printer.show(stream.text)
                switch stream.end {
                case .failed(let reason)?: throw HelixError(.unexpected, "the assistant did not answer: \(reason)")
                case .final?, .aborted?: return isBroken
                case nil: break
                }
            case .woken:
                guard Interrupt.wasPressed else { continue }
                isBroken = true
                try connection.abort(message)
            case .messages, .changed, .typing, .nothing: break
            }
        }
        throw HelixError(
            .offline, "no answer from the assistant within ten minutes", hint: "Look later with 'helix chat show'.")
    }
}
