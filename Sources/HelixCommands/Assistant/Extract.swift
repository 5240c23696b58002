import ArgumentParser
import FoundationEssentials
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// `helix extract`
struct Extract: AssistantCommand {
    static let about = CommandConfiguration(
        commandName: "extract", abstract: "Propose events and tasks found in a message or in notes by an assistant.",
        discussion: """
            Takes a message's id, a file with text or a mail message, or '-' for standard input, such as the notes of a meeting. Each event and task \
            comes with the sentence that it is from; what is in no sentence of the text is left out.

              helix extract k3f7
              helix extract notes.md
              pbpaste | helix extract -
            """)
    static let reports: [PrintedReport] = [.json(ProposalReport.self), .json(SentReport.self, with: "--dry-run")]

    @Argument(help: ArgumentHelp("A message's id, a file, or '-'.", valueName: "id|file"), completion: .file())
    var place: String

    @OptionGroup var assisting: AssistantOptions
    @OptionGroup var output: OutputOptions

    private static let task = """
        Find the appointments and the things to do in the text: what the person who reads it has to do, or in notes also what \
        others have to do. Dates are relative to the date of the message, else to now. Answer with JSON alone:
        {"events": [{"title": "…", "start": "2026-12-01T10:00", "end": "2026-12-01T11:00", "location": "…", "sentence": "…"}], \
        "tasks": [{"title": "…", "due": "2026-12-01", "assignee": "…", "sentence": "…"}]}
        'sentence' is the sentence of the text that says so, word by word. Leave out what the text does not say.
        """

    func run(with assistant: Assistant, in context: CommandContext) throws {
        let (text, message) = try source(assistant, context)
        let (parts, remark) = assistant.fitting([text], besides: Self.task)
        let (answer, _) = try assistant.object(assistant.messages(Self.task, parts), lists: ["events", "tasks"])
        var proposal = AssistantProposal(assistant, remarks: [remark].compactMap { $0 })
        var reasons: [String] = []
        let plain = Self.squeezed(Assistant.withoutFences(text))
        let lines = Set(Assistant.withoutFences(text).split(separator: "\n").map { Self.squeezed(String($0)) })
        for (kind, item) in ["events", "tasks"].flatMap({ kind in (answer[kind]?.elements ?? []).map { (kind, $0) } }) {
            guard let title = item["title"]?.text.map({ Assistant.withoutFences($0).trimmingBlanks() }), !title.isEmpty
            else {
                proposal.remark("Not proposed: one of the \(kind), which has no title.")
                continue
            }
            let sentence = Assistant.withoutFences(item["sentence"]?.text ?? "").trimmingBlanks()
            let words = Self.squeezed(sentence)
            guard words.utf8.count >= 8 || lines.contains(words), plain.contains(words) else {
                proposal.remark("Not proposed: '\(title)': the text has no such sentence: '\(sentence)'.")
                continue
            }
            func option(_ name: String, _ value: String?) -> [String] {
                guard let value = value?.trimmingBlanks(), !value.isEmpty else { return [] }
                return ["--\(name)=\(Assistant.withoutFences(value))"]
            }
            let made: JSONText?
            let origin = message.map { ["--from-mail=\($0)"] } ?? []
            if kind == "events" {
                guard let start = item["start"]?.text else {
                    proposal.remark("Not proposed: the event '\(title)', which has no time.")
                    continue
                }
                made = proposal.propose(
                    ["cal", "add", "--title=\(title)", "--start=\(start)", "--description=\(sentence)"]
                        + option("end", item["end"]?.text) + option("location", item["location"]?.text) + origin,
                    "the event '\(title)'")
            } else {
                made = proposal.propose(
                    ["tasks", "add", "--title=\(title)", "--notes=\(sentence)"] + option("due", item["due"]?.text)
                        + option("assignee", item["assignee"]?.text) + origin,
                    "the task '\(title)'")
            }
            if made != nil { reasons.append("\(title): “\(sentence)”") }
        }
        try proposal.present(nothing: "The assistant found no events and no tasks in it.", reasons: reasons)
    }

    /// The text, and the message that it is from.
    private func source(_ assistant: Assistant, _ context: CommandContext) throws -> (text: String, message: String?) {
        if place != "-", !FileManager.default.fileExists(atPath: place) {
            let id = try context.messageID(place).text
            let json = try assistant.read(["mail", "read", id], of: "the message \(id.prefix(6))")
            guard let item = json["items"]?.elements?.first else {
                throw HelixError(.notFound, "no message '\(place)'")
            }
            return (Assistant.message(item), id)
        }
        let bytes: [UInt8]
        if place == "-" {
            bytes = Array(try context.invocation.inputData())
        } else {
            guard let data = FileManager.default.contents(atPath: place) else {
                throw HelixError(.io, "\(place) cannot be read", hint: "Check its permissions.")
            }
            bytes = Array(data)
        }
        if let text = try Self.message(bytes) { return (TextFence().fenced(text), nil) }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw HelixError(
                .badInput, "\(place == "-" ? "standard input" : place) is not UTF-8 text",
                hint: "Convert it first: pdftotext, pandoc, iconv -t utf-8.")
        }
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw HelixError(.badInput, "\(place == "-" ? "standard input" : place) has no text")
        }
        return (TextFence().fenced(text), nil)
    }

    /// The text of a mail message (RFC 5322), as `mail read` shows it; nil for bytes that begin with no head of one.
    private static func message(_ bytes: [UInt8]) throws -> String? {
        let head = bytes.prefix { $0 != 0x0A }
        guard let colon = head.firstIndex(of: 0x3A), colon > head.startIndex,
            head[..<colon].allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        MIMEMessage.prepare()
        let message = try MIMEMessage(bytes)
        guard message.header("From") != nil, message.header("Date") != nil || message.header("Message-ID") != nil else {
            return nil
        }
        let heads = ["From", "To", "Cc", "Date", "Subject"].compactMap { name in
            message.text(of: name).map { "\(name): \($0)" }
        }
        let text = try MessageText(message, body: MessageBody(message)).plain
        return (heads + ["", text]).joined(separator: "\n")
    }

    /// A text with single blanks, without quotes and in small letters, to find a sentence in it.
    private static func squeezed(_ text: String) -> String {
        text.lowercased().split(whereSeparator: { $0.isWhitespace || $0 == ">" || $0 == "*" }).joined(separator: " ")
    }
}
