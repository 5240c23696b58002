import HelixMail
import HelixModel
import HelixTerminal

/// Replies that an assistant suggests.
struct ReplySuggestion {
    /// The tone, in a word.
    let tone: String
    /// The text.
    let text: String

    private static let mailTask = """
        Write three replies to the newest message, in the person's name, of different tone: short, friendly and formal. Promise \
        nothing that the person did not say. Answer with JSON alone:
        {"replies": [{"tone": "short", "text": "…"}, {"tone": "friendly", "text": "…"}, {"tone": "formal", "text": "…"}]}
        """
    private static let chatTask = """
        Write three short answers that the person could give next in the conversation, of different meaning or tone. Answer \
        with JSON alone: {"replies": [{"tone": "…", "text": "…"}]}
        """

    /// Suggestions for a reply to a message.
    /// - Throws: ``HelixError``; ``SentText`` in a dry run.
    static func replies(toMail id: EntityID, _ assistant: Assistant) throws -> [ReplySuggestion] {
        let json = try assistant.read(
            ["mail", "read", id.text, "--thread"], of: "the message \(id.text.prefix(6))")
        let messages = json["items"]?.elements ?? []
        let own =
            messages.filter { $0["id"]?.text == id.text } + messages.filter { $0["id"]?.text != id.text }.reversed()
        let (parts, remark) = assistant.fitting(own.map(Assistant.message), besides: mailTask)
        assistant.note(remark)
        let name = assistant.context.configuration.text(.name) ?? ""
        return try replies(
            assistant, mailTask,
            parts + (name.isEmpty ? [] : ["The person's name: " + name])
                + ["Reply to the message [\(id.text)]."])
    }

    /// Suggestions for the next answer in a conversation.
    /// - Throws: ``HelixError``; ``SentText`` in a dry run.
    static func answers(_ lines: [String], _ assistant: Assistant) throws -> [ReplySuggestion] {
        let (parts, remark) = assistant.fitting(lines, besides: chatTask)
        assistant.note(remark)
        return try replies(assistant, chatTask, parts)
    }

    private static func replies(
        _ assistant: Assistant, _ task: String, _ parts: [String]
    ) throws -> [ReplySuggestion] {
        let (json, _) = try assistant.object(assistant.messages(task, parts), lists: ["replies"])
        let found = (json["replies"]?.elements ?? []).prefix(3).compactMap { item -> ReplySuggestion? in
            guard let text = item["text"]?.text.map({ Assistant.withoutFences($0).trimmingBlanks() }), !text.isEmpty
            else {
                return nil
            }
            return ReplySuggestion(tone: item["tone"]?.text ?? "", text: text)
        }
        guard !found.isEmpty else {
            throw HelixError(.protocol, "the assistant suggested nothing", hint: "Try again, or another model.")
        }
        return found
    }
}

extension CommandContext {
    /// Lets the person choose one of several suggestions; without a terminal it presents all of them.
    /// - Returns: the chosen text; nil if none is chosen, or all are presented.
    /// - Throws: ``HelixError``.
    func choose(
        _ suggestions: [ReplySuggestion], of assistant: Assistant, from sources: [AssistantSource], _ question: String
    ) throws -> String? {
        let model = try assistant.modelName()
        let items = suggestions.map {
            AssistantItem(
                purpose: .suggestion, text: $0.text, tone: $0.tone, model: model, madeAt: clock, sources: sources)
        }
        try present(AssistantReport(items: items))
        guard console.canAsk, !output.isMachine else { return nil }
        let answer = console.ask("\(question) [1-\(suggestions.count), nothing for none]")
        guard let number = Int(answer), suggestions.indices.contains(number - 1) else {
            note(
                StyledText(answer.isEmpty ? "None was chosen." : "'\(answer)' is none of them: nothing was done.", .dim)
            )
            return nil
        }
        return suggestions[number - 1].text
    }
}
