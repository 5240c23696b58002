import ArgumentParser
import HelixMCP
import HelixModel
import HelixNetwork
import HelixStore
import HelixTerminal

/// `helix ask`
struct Ask: AssistantCommand {
    static let about = CommandConfiguration(
        commandName: "ask", abstract: "Answer a question from your mail, calendar, tasks, time and chat.",
        discussion: """
            The assistant reads what it needs, but nothing that is private (assistant.may-see), and names its sources by their \
            ids. What it would change is a proposal, which 'helix review' accepts or rejects; nothing is sent.

              helix ask 'What did Ana promise, and when am I free to meet her?'
              helix ask 'Which invoices are unpaid?' --dry-run
            """)
    static let reports: [PrintedReport] = [.json(AssistantReport.self), .json(SentReport.self, with: "--dry-run")]

    @Argument(help: "The question.")
    var words: [String] = []

    @OptionGroup var assisting: AssistantOptions
    @OptionGroup var output: OutputOptions

    func run(with assistant: Assistant, in context: CommandContext) throws {
        let question = words.joined(separator: " ").trimmingBlanks()
        guard !question.isEmpty else {
            throw HelixError(.usage, "no question given", hint: "Ask like this: helix ask 'When am I free tomorrow?'")
        }
        try context.presentAnswer(to: question, assistant)
    }
}

extension CommandContext {
    /// Answers a question from the store, and presents the answer.
    /// - Throws: ``HelixError``; ``SentText`` in a dry run.
    func presentAnswer(to question: String, _ assistant: Assistant) throws {
        var search = AssistantSearch(assistant)
        let isShown = !output.isMachine && console.isOutputTerminal
        let text = try search.answer(question, isShown: isShown)
        let (named, unknown) = search.named(in: text)
        let proposal = try store().proposals(isPending: true).first { $0.run == assistant.run }
        let item = AssistantItem(
            purpose: .answer, text: text, model: try assistant.modelName(), madeAt: clock, sources: named,
            unknown: unknown, tokens: search.tokens, proposal: proposal?.id.text)
        var remarks = search.remarks
        if named.isEmpty, search.known.isEmpty { remarks.append("It read nothing in the store.") }
        try present(AssistantReport(items: [item], remarks: remarks, isShown: isShown))
        guard let proposal else { return }
        let count = proposal.steps.count
        note(
            StyledText(
                "It proposes \(count) change\(count == 1 ? "" : "s"): 'helix review show \(proposal.id.text.prefix(4))'.",
                TextStyle(.magenta)))
    }
}

/// The search for an answer: a conversation in which the model calls the tools of the MCP server.
struct AssistantSearch {
    private let assistant: Assistant
    /// All that it has read, by identity.
    private(set) var known: [String: AssistantSource] = [:]
    /// The number of tokens sent and received, as the server tells it, or estimated.
    private(set) var tokens = 0
    /// Remarks about what was not done.
    private(set) var remarks: [String] = []

    /// The characters of identities.
    private static let alphabet = Set("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    /// The number of requests for one question.
    private static let mostRounds = 12
    private static let task = """
        Answer the person's question from the store, which you read with the tools; call them as often as you need. Put the id \
        of the item in brackets, like [k3f7ab], after each statement that comes from one. If you find nothing, say that you \
        found nothing. Change something only if the person asks for it: then a tool makes a proposal, which the person reviews.
        """

    init(_ assistant: Assistant) { self.assistant = assistant }

    /// Those that read, and those whose changes can be proposed.
    private var tools: [MCPTool] {
        assistant.proposer.tools.filter { !["undo", "draft_mail"].contains($0.name) }
    }

    private var functions: [JSONText] {
        tools.map { tool in
            [
                "type": "function",
                "function": [
                    "name": .string(tool.name), "description": .string(tool.summary),
                    "parameters": MCPToolSchemas.input(of: tool),
                ],
            ]
        }
    }

    /// The answer to a question.
    /// - Throws: ``HelixError``; ``SentText`` in a dry run.
    mutating func answer(_ question: String, isShown: Bool) throws -> String {
        let functions = functions
        var messages = assistant.messages(Self.task, [question])
        let client = try assistant.client(for: messages, tools: functions)
        let fixed = Assistant.tokens(JSONText.array(functions).compact)
        let least = (fixed + Assistant.tokens(JSONText.array(messages).compact)) * 2
        guard assistant.budget >= least else {
            throw HelixError(
                .configuration,
                "the budget of \(assistant.budget) tokens is too small for a question, which needs \(least)",
                hint: "helix config set assistant.budget 60000")
        }
        for round in 1...Self.mostRounds {
            let size = Assistant.tokens(JSONText.array(messages).compact)
            // The last request has no tools: it must end in an answer.
            let isLast = round == Self.mostRounds || tokens + (size + fixed) * 2 > assistant.budget
            if isLast {
                messages.append(
                    CompletionClient.Turn(
                        role: "user", content: "Answer now with what you have, and say what is missing."
                    ).json)
                remarks.append(
                    round == Self.mostRounds
                        ? "It was stopped after \(round) requests: the answer may be incomplete."
                        : "The budget of \(assistant.budget) tokens (assistant.budget) was used up: the answer may be incomplete."
                )
            }
            let answer = try request(client, messages, isLast ? [] : functions, isShown: isShown)
            tokens += answer.tokens ?? size + (isLast ? 0 : fixed) + Assistant.tokens(answer.text)
            guard !answer.calls.isEmpty, !isLast else {
                let text = Assistant.withoutFences(answer.text).trimmingBlanks()
                guard !text.isEmpty else {
                    throw HelixError(
                        .protocol, "the assistant returned an empty answer", hint: "Try again, or another model.")
                }
                return text
            }
            messages.append(Self.message(answer))
            for call in answer.calls { messages.append(result(of: call)) }
        }
        throw HelixError(.protocol, "the assistant found no answer")
    }

    private func request(
        _ client: CompletionClient, _ messages: [JSONText], _ tools: [JSONText], isShown: Bool
    ) throws -> CompletionClient.Answer {
        do { return try assistant.stream(client, messages, tools: tools, isShown: isShown) } catch let error
            as HelixError
            where error.message.lowercased().contains("tool")
        {
            throw HelixError(
                .configuration, error.message,
                hint: "Choose a model that can call functions: helix config set assistant.model NAME")
        }
    }

    private static func message(_ answer: CompletionClient.Answer) -> JSONText {
        [
            "role": "assistant", "content": .string(answer.text),
            "tool_calls": .array(
                answer.calls.map { call in
                    [
                        "id": .string(call.id), "type": "function",
                        "function": ["name": .string(call.name), "arguments": .string(call.arguments)],
                    ]
                }),
        ]
    }

    /// Runs a tool.
    private mutating func result(of call: CompletionClient.Call) -> JSONText {
        let text: String
        do {
            let given = call.arguments.trimmingBlanks()
            let arguments = given.isEmpty ? [:] : try JSONText(Array(given.utf8))
            guard tools.contains(where: { $0.name == call.name }) else {
                throw HelixError(.usage, "there is no tool '\(call.name)'")
            }
            let isReading = tools.contains { $0.name == call.name && $0.effect == .reads }
            let answer: JSONText
            if call.name == "find_free_time", let tool = tools.first(where: { $0.name == call.name }) {
                let free = try assistant.freeTimes(tool.words(of: arguments).filter { $0 != "--json" })
                answer = [
                    "content": [["type": "text", "text": .string(free.compact)]], "structuredContent": free,
                    "isError": false,
                ]
            } else {
                answer = try (isReading ? assistant.caller : assistant.proposer).call(
                    ["name": .string(call.name), "arguments": arguments])
            }
            let verb = isReading ? "reads" : "proposes"
            let failed = answer["isError"]?.bool == true ? ": it failed" : ""
            assistant.context.note(StyledText("  \(verb) \(call.name) \(given == "{}" ? "" : given)\(failed)", .dim))
            if let json = answer["structuredContent"] { learn(json) }
            text = answer["content"]?.elements?.first?["text"]?.text ?? ""
        } catch let failure as MCPFailure {
            text = failure.message
        } catch let error as HelixError {
            text = error.message
        } catch {
            text = "the arguments are not JSON"
        }
        return ["role": "tool", "tool_call_id": .string(call.id), "content": .string(text)]
    }

    /// Remembers what was read.
    private mutating func learn(_ json: JSONText) {
        for source in AssistantSource.list(in: json) { known[source.id] = source }
        for field in json.fields ?? [] { learn(field.value) }
        for element in json.elements ?? [] { learn(element) }
    }

    /// The items that a text names by their ids in brackets, and the ids of no item that was read.
    func named(in text: String) -> (sources: [AssistantSource], unknown: [String]) {
        AssistantSearch.named(in: text, among: known)
    }

    /// The items that a text names by their ids in brackets, and the ids of none of the known ones.
    static func named(
        in text: String, among known: [String: AssistantSource]
    ) -> (sources: [AssistantSource], unknown: [String]) {
        var (sources, unknown): ([AssistantSource], [String]) = ([], [])
        for group in text.split(separator: "[").dropFirst() {
            // A control sequence has a bracket, too.
            guard let end = group.firstIndex(of: "]"), group[..<end].utf8.count <= 120 else { continue }
            for word in group[..<end].split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                let id = word.lowercased()
                guard (4...16).contains(id.utf8.count), id.utf8.allSatisfy({ Self.alphabet.contains($0) }) else {
                    continue
                }
                if let source = known.first(where: { $0.key.hasPrefix(id) })?.value {
                    if !sources.contains(source) { sources.append(source) }
                } else if id.contains(where: \.isNumber), !unknown.contains(id) {
                    unknown.append(id)
                }
            }
        }
        return (sources, unknown)
    }
}
