import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix chat summarize`
struct ChatSummarize: AssistantCommand {
    static let about = CommandConfiguration(
        commandName: "summarize", abstract: "Summarize a conversation by an assistant.",
        discussion: """
            Summarizes the newest 200 messages, or those since a time.

              helix chat summarize house
              helix chat summarize house --since yesterday
            """)
    static let reports: [PrintedReport] = [.json(AssistantReport.self), .json(SentReport.self, with: "--dry-run")]

    @Argument(help: "The conversation.", completion: .custom(CompletionLists.conversations))
    var place: String

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Only messages since then.", valueName: "when"))
    var since: String?

    @OptionGroup var assisting: AssistantOptions
    @OptionGroup var output: OutputOptions

    private static let task = """
        Summarize the conversation for a member who was away: decisions, open questions, and what the person has to answer or \
        do. At most eight short lines; name people.
        """

    func run(with assistant: Assistant, in context: CommandContext) throws {
        let conversation = try context.conversation(place)
        let start = try since.map { try context.dates.moment($0).instant(in: context.zone) }
        let (lines, last, remarks) = try assistant.lines(of: conversation, since: start)
        guard let last else {
            throw HelixError(.notFound, "no messages in '\(conversation.name)'\(since.map { " since \($0)" } ?? "")")
        }
        let (parts, remark) = assistant.fitting([lines.joined(separator: "\n")], besides: Self.task)
        let source = AssistantSource(id: last, kind: "chat_message", title: conversation.name)
        try context.presentAssistant(
            .summary, assistant, Self.task, parts, about: [source], remarks: remarks + [remark].compactMap { $0 },
            isKept: true)
    }
}

/// `helix chat suggest`
struct ChatSuggest: AssistantCommand {
    static let about = CommandConfiguration(
        commandName: "suggest", abstract: "Suggest answers in a conversation by an assistant.",
        discussion: """
            At a terminal you choose one, which is sent; otherwise they are printed, and nothing is sent.

              helix chat suggest house
            """)
    static let reports: [PrintedReport] = [.json(AssistantReport.self), .json(SentReport.self, with: "--dry-run")]

    @Argument(help: "The conversation.", completion: .custom(CompletionLists.conversations))
    var place: String

    @OptionGroup var assisting: AssistantOptions
    @OptionGroup var output: OutputOptions

    func run(with assistant: Assistant, in context: CommandContext) throws {
        let conversation = try context.conversation(place)
        let (lines, last, _) = try assistant.lines(of: conversation, since: nil)
        guard let last else { throw HelixError(.notFound, "no messages in '\(conversation.name)'") }
        let found = try ReplySuggestion.answers([lines.suffix(40).joined(separator: "\n")], assistant)
        let source = AssistantSource(id: last, kind: "chat_message", title: conversation.name)
        guard let text = try context.choose(found, of: assistant, from: [source], "Send which?") else { return }
        try ChatSend.parse([conversation.id.text, "--", text]).run(in: context)
    }
}

/// `helix chat improve`
struct ChatImprove: AssistantCommand {
    static let about = CommandConfiguration(
        commandName: "improve", abstract: "Improve a text by an assistant, and show the difference.",
        discussion: """
            Prints the improved text, and sends nothing.

              helix chat improve fix 'i wil be their at ten'
              helix chat improve shorter - < notes.txt
            """)
    static let reports: [PrintedReport] = [.json(AssistantReport.self), .json(SentReport.self, with: "--dry-run")]

    @Argument(help: "The way: \(Improvement.words).")
    var way: Improvement

    @Argument(help: "The text, or '-' for standard input.")
    var words: [String]

    @OptionGroup var assisting: AssistantOptions
    @OptionGroup var output: OutputOptions

    func run(with assistant: Assistant, in context: CommandContext) throws {
        let text = try ChatSend.words(words, context.invocation)
        let improved = try way.improved(text, assistant)
        context.showDifference(text, improved)
        let item = AssistantItem(
            purpose: .text, text: improved, model: try assistant.modelName(), madeAt: context.clock)
        try context.present(AssistantReport(items: [item]))
    }
}

extension Assistant {
    /// The messages of a conversation as lines, the oldest first.
    /// - Returns: the lines, the id of the last message, and remarks.
    /// - Throws: ``HelixError``.
    func lines(of conversation: Conversation, since: Instant?) throws -> (
        lines: [String], last: String?, remarks: [String]
    ) {
        let json = try read(
            ["chat", "show", conversation.id.text, "--peek", "--limit=200"],
            of: "the conversation '\(conversation.name)'")
        let all = json["items"]?.elements ?? []
        let own = all.filter { item in
            guard let since, let at = item["sent_at"]?.text else { return true }
            return ISO8601Reader.instant(at).map { $0 >= since } ?? true
        }
        let lines = own.map { item in
            "\(item["sent_at"]?.text ?? "") \(item["sender"]?.text ?? ""): \(item["content"]?.text ?? item["text"]?.text ?? "")"
        }
        let isCut = json["truncated"]?.bool == true && own.count == all.count
        return (lines, own.last?["id"]?.text, isCut ? ["Only the newest 200 messages."] : [])
    }
}
