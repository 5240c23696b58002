import ArgumentParser
import HelixModel
import HelixNetwork
import HelixStore
import HelixTerminal

/// `helix mail summarize`
struct MailSummarize: AssistantCommand {
    static let about = CommandConfiguration(
        commandName: "summarize", abstract: "Summarize messages by an assistant.",
        discussion: """
            Takes ids, or a query, of which it summarizes the newest 20 messages. A summary is kept, and made anew when the \
            messages are others. What is private is not sent; see assistant.may-see.

              helix mail summarize k3f7
              helix mail summarize k3f7 --thread
              helix mail summarize from:ana after:monday --dry-run
            """)
    static let reports: [PrintedReport] = [.json(AssistantReport.self), .json(SentReport.self, with: "--dry-run")]

    @Argument(
        help: ArgumentHelp("Messages by their ids, or a query.", valueName: "id|query"),
        completion: .custom(CompletionLists.messageIDs))
    var words: [String]

    @Flag(name: .long, help: "Summarize the whole conversation.")
    var thread = false

    @Flag(name: .long, help: "Make a new summary of the same messages.")
    var again = false

    @OptionGroup var mail: MailOptions
    @OptionGroup var assisting: AssistantOptions
    @OptionGroup var output: OutputOptions

    private static let most = 20
    private static let task = """
        Summarize the messages for the person who got them: first what they want of the person and until when, then what was \
        decided and what is open, then the rest. At most eight short lines; name people. If there are several messages, put the \
        id of a message in brackets after what it says.
        """

    func run(with assistant: Assistant, in context: CommandContext) throws {
        _ = try context.mailStore(mail)
        var remarks: [String] = []
        var read: [JSONText] = []
        let ids = try assistant.messageIDs(words, most: Self.most, remarks: &remarks)
        guard !ids.isEmpty else {
            let query = words.joined(separator: " ")
            throw HelixError(
                .notFound, "no message that assistants may see matches '\(query)'",
                hint: "'helix mail list \(query)' shows all that match.")
        }
        for id in ids {
            let json = try assistant.read(
                ["mail", "read", id] + (thread ? ["--thread"] : []), of: "the message \(id.prefix(6))")
            read += json["items"]?.elements ?? []
        }
        // Conversations of several messages may have some in common.
        var known: Set<String> = []
        read = read.filter { $0["id"]?.text.map { known.insert($0).inserted } ?? false }
        if thread {
            let ids = Set(read.compactMap { $0["id"]?.text })
            let own = try context.store()
            var all: Set<String> = []
            for json in read {
                guard let id = json["id"]?.text.flatMap(EntityID.init) else { continue }
                all.formUnion(try own.thread(own.message(id).thread).map(\.id.text))
            }
            remarks += Assistant.hidden(all.subtracting(ids).count, "message")
        }
        let (parts, remark) = assistant.fitting(read.map(Assistant.message), besides: Self.task)
        remarks += [remark].compactMap { $0 }
        try context.presentAssistant(
            .summary, assistant, Self.task, parts,
            about: read.prefix(parts.count).flatMap(AssistantSource.list), remarks: remarks,
            isKept: !again)
    }
}

extension Assistant {
    /// The ids of the messages that words select: ids, or a query, of which they are the newest.
    /// - Throws: ``HelixError`` of code `notFound`.
    func messageIDs(
        _ words: [String], most: Int, remarks: inout [String], where isWanted: (String) throws -> Bool = { _ in true }
    ) throws -> [String] {
        if let named = try namedMessages(words) { return named }
        var limit = most
        while true {
            let list = ["mail", "list"] + words + ["--limit=\(limit)"]
            let found = try read(list)
            let ids = (found["items"]?.elements ?? []).compactMap { $0["id"]?.text }
            let wanted = try ids.filter(isWanted)
            let isCut = found["truncated"]?.bool == true
            // Those that are not wanted must not hide older ones that are.
            if wanted.count < most, isCut {
                limit *= 8
                continue
            }
            remarks += Assistant.hidden(try hiddenCount(list, besides: Set(ids)), "message")
            if wanted.count > most || isCut { remarks.append("Only the newest \(most) messages that match.") }
            return Array(wanted.prefix(most))
        }
    }

    /// The ids that words are; nil if the first is none, since they are a query then.
    /// - Throws: ``HelixError`` of code `notFound` or `ambiguous` for a later one that is none.
    private func namedMessages(_ words: [String]) throws -> [String]? {
        guard let first = words.first, let id = try? context.messageID(first) else { return nil }
        return try [id.text] + words.dropFirst().map { try context.messageID($0).text }
    }
}

extension Assistant {
    /// A message as text, for a request.
    static func message(_ json: JSONText) -> String {
        func list(_ name: String) -> String { (json[name]?.elements ?? []).compactMap(\.text).joined(separator: ", ") }
        var lines = ["Message [\(json["id"]?.text ?? "")]", "From: \(list("from"))", "To: \(list("to"))"]
        if !list("cc").isEmpty { lines.append("Cc: \(list("cc"))") }
        lines += ["Date: \(json["date"]?.text ?? "")", "Subject: \(json["subject"]?.text ?? "")"]
        let files = (json["attachments"]?.elements ?? []).compactMap { $0["name"]?.text ?? $0.text }
        if !files.isEmpty { lines.append("Attachments: \(files.joined(separator: ", "))") }
        return lines.joined(separator: "\n") + "\n\n" + (json["text"]?.text ?? "")
    }
}

extension CommandContext {
    /// Asks an assistant for a text about entities, and presents it; a kept one of the same texts is presented without asking.
    ///
    /// - Parameter isKept: whether a kept text will do.
    /// - Throws: ``HelixError``; ``SentText`` in a dry run.
    func presentAssistant(
        _ purpose: AssistantItem.Purpose, _ assistant: Assistant, _ task: String, _ parts: [String],
        about sources: [AssistantSource], remarks: [String], isKept: Bool
    ) throws {
        let store = try store()
        let messages = assistant.messages(task, parts)
        let digest = Assistant.digest([
            .string(task), .strings(parts), .string(configuration.text(.assistantModel) ?? ""),
        ])
        let subject = sources.map(\.id).joined(separator: " ")
        let isShown = !output.isMachine && console.isOutputTerminal
        let known = Dictionary(sources.map { ($0.id, $0) }) { first, _ in first }
        if isKept, !assistant.isDryRun,
            let kept = try store.assistantText(purpose.rawValue, about: subject, from: digest)
        {
            let item = AssistantItem(
                purpose: purpose, text: kept.text, model: kept.model, madeAt: kept.madeAt, sources: sources,
                unknown: AssistantSearch.named(in: kept.text, among: known).unknown, isKept: true)
            return try present(AssistantReport(items: [item], remarks: remarks))
        }
        let answer = try assistant.answer(messages, isShown: isShown)
        let text = Assistant.withoutFences(answer.text).trimmingBlanks()
        let model = try assistant.modelName()
        try store.keep(
            AssistantText(
                kind: purpose.rawValue, subject: subject, source: digest, model: model, madeAt: clock, text: text))
        let item = AssistantItem(
            purpose: purpose, text: text, model: model, madeAt: clock, sources: sources,
            unknown: AssistantSearch.named(in: text, among: known).unknown, tokens: answer.tokens)
        try present(AssistantReport(items: [item], remarks: remarks, isShown: isShown))
    }
}
