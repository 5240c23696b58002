import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// `helix mail triage`
struct MailTriage: AssistantCommand {
    static let about = CommandConfiguration(
        commandName: "triage", abstract: "Propose labels, tasks and replies for unread mail by an assistant.",
        discussion: """
            Reads the newest unread messages, those with some ids, or those that match a query, and makes a proposal, which 'helix review' accepts \
            whole or in part. Messages that were triaged before are left out, except with --again. Replies wait in \
            the outbox until you release or cancel them.

              helix mail triage
              helix mail triage from:ana --most 5
            """)
    static let reports: [PrintedReport] = [.json(ProposalReport.self), .json(SentReport.self, with: "--dry-run")]

    @Argument(
        help: ArgumentHelp("Messages by their ids, or a query; default: unread ones.", valueName: "id|query"),
        completion: .custom(CompletionLists.messageIDs))
    var query: [String] = []

    @Option(name: .long, help: ArgumentHelp("The number of messages to read.", valueName: "n"))
    var most = 15

    @Flag(name: .long, help: "Include messages that were triaged before.")
    var again = false

    @OptionGroup var mail: MailOptions
    @OptionGroup var assisting: AssistantOptions
    @OptionGroup var output: OutputOptions

    private static let kind = "triage"
    private static let task = """
        Sort the person's new messages. For each decide on labels (few, in small letters, such as billing, travel, family, \
        newsletter), on a task if the person has to do something, and on a short reply if one is expected that you can write \
        without inventing anything. Answer with JSON alone:
        {"messages": [{"id": "ID", "labels": ["billing"], "task": {"title": "Pay the invoice", "due": "2026-12-01"}, \
        "reply": "Thank you, …", "reason": "one short sentence"}]}
        Leave out task and reply where they are not needed.
        """

    func validate() throws {
        if !(1...100).contains(most) { throw ValidationError("--most takes 1 to 100.") }
    }

    func run(with assistant: Assistant, in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        var remarks: [String] = []
        let words = query.isEmpty ? ["is:unread"] : query
        var done = 0
        let ids = try assistant.messageIDs(words, most: most, remarks: &remarks) { id in
            if again { return true }
            let isDone = try store.hasAssistantText(Self.kind, about: id)
            if isDone { done += 1 }
            return !isDone
        }
        var messages: [(id: String, source: AssistantSource, text: String)] = []
        for id in ids {
            let json = try assistant.read(["mail", "read", id], of: "the message \(id.prefix(6))")
            guard let item = json["items"]?.elements?.first, let source = AssistantSource.list(in: json).first else {
                continue
            }
            let text = Assistant.message(item)
            let isDone = try store.assistantText(Self.kind, about: source.id, from: Self.digest(text)) != nil
            if again || !isDone { messages.append((source.id, source, text)) }
        }
        guard !messages.isEmpty else {
            return try context.present(
                ProposalReport(
                    items: [],
                    empty: !ids.isEmpty || done > 0
                        ? "All these messages were triaged before; --again does it anew." : "No messages to triage.",
                    remarks: remarks))
        }
        let (parts, remark) = assistant.fitting(messages.map(\.text), besides: Self.task)
        remarks += [remark].compactMap { $0 }
        messages.removeSubrange(parts.count...)
        let (answer, _) = try assistant.object(assistant.messages(Self.task, parts), lists: ["messages"])
        var proposal = AssistantProposal(assistant, remarks: remarks)
        var reasons: [String] = []
        for item in answer["messages"]?.elements ?? [] {
            guard let id = item["id"]?.text, id.count >= 4,
                let message = messages.first(where: { $0.id.hasPrefix(id) })
            else {
                proposal.remark(
                    "Not proposed: anything for '\(item["id"]?.text ?? "")', which is none of the messages.")
                continue
            }
            let isOwn = context.ownAddresses.contains { own in
                message.text.split(separator: "\n").first { $0.hasPrefix("From:") }?.lowercased().contains(
                    own.address.lowercased())
                    ?? false
            }
            Self.propose(item, for: message.source, isOwn: isOwn, &proposal)
            if let reason = item["reason"]?.text {
                reasons.append("\(message.source.title): \(Assistant.withoutFences(reason))")
            }
            try store.keep(
                AssistantText(
                    kind: Self.kind, subject: message.id, source: Self.digest(message.text),
                    model: try assistant.modelName(), madeAt: context.clock, text: item.compact))
        }
        try proposal.present(nothing: "The assistant proposes nothing.", reasons: reasons)
    }

    private static func digest(_ text: String) -> String { Assistant.digest([.string(text)]) }

    private static func propose(
        _ item: JSONText, for message: AssistantSource, isOwn: Bool, _ proposal: inout AssistantProposal
    ) {
        for (name, isWanted) in [
            ("labels", item["labels"]?.elements != nil), ("task", item["task"]?.fields != nil),
            ("reply", item["reply"]?.text != nil),
        ] where !isWanted && item[name]?.isNull == false {
            proposal.remark("Not proposed: the \(name) for '\(message.title)', which has the wrong form.")
        }
        var labels: [String] = []
        for label in item["labels"]?.elements ?? [] {
            let word = (label.text ?? "").lowercased().trimmingBlanks().replacing(" ", with: "-")
            // A label that hides messages from assistants is for the person to set.
            let isGood =
                word.first?.isLetter == true && word.utf8.count <= 40 && word != "private"
                && word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            if isGood {
                labels.append(word)
            } else {
                proposal.remark("Not proposed: the label \(label.compact.prefix(60)) for '\(message.title)'.")
            }
        }
        if labels.count > 5 {
            proposal.remark("Not proposed: \(labels.count - 5) more labels for '\(message.title)'.")
        }
        if !labels.isEmpty {
            proposal.propose(
                ["mail", "label", message.id] + labels.prefix(5).map { "+" + $0 }, "labels for '\(message.title)'")
        }
        if let title = item["task"]?["title"]?.text?.trimmingBlanks(), !title.isEmpty {
            let due = item["task"]?["due"]?.text.map { ["--due=\($0)"] } ?? []
            proposal.propose(
                ["tasks", "add", "--title=\(Assistant.withoutFences(title))", "--from-mail=\(message.id)"] + due,
                "the task '\(title)'")
        }
        if !isOwn, let reply = item["reply"]?.text.map({ Assistant.withoutFences($0).trimmingBlanks() }),
            !reply.isEmpty,
            proposal.propose(
                ["mail", "reply", message.id, "--body=\(reply)", "--send"], "a reply to '\(message.title)'") != nil
        {
            proposal.remark(
                "A reply to '\(message.title)' waits in the outbox until you release it; it is cancelled if you reject all of "
                    + "this: “\(reply)”")
        }
    }
}
