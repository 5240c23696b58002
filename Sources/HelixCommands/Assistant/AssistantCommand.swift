import ArgumentParser
import HelixModel
import HelixTerminal

/// A command that asks an assistant.
protocol AssistantCommand: DryRunCommand {
    /// The options common to these commands.
    var assisting: AssistantOptions { get }
    /// Runs the command with an assistant.
    func run(with assistant: Assistant, in context: CommandContext) throws
}

extension AssistantCommand {
    var dryRun: Bool { assisting.dryRun }

    func run(in context: CommandContext) throws {
        let assistant = try Assistant(context, isDryRun: dryRun)
        try context.presentingSentText { try run(with: assistant, in: context) }
    }
}

/// The options of commands that ask an assistant.
struct AssistantOptions: ParsableArguments {
    @Flag(name: .long, help: "Show what would be sent to the assistant, and send nothing.")
    var dryRun = false
}

extension CommandContext {
    /// Runs a command that asks an assistant; in a dry run it presents what would be sent.
    /// - Throws: ``HelixError``.
    func presentingSentText(_ body: () throws -> Void) throws {
        do { try body() } catch let sent as SentText { try present(SentReport(items: [SentItem(sent: sent)])) }
    }
}

/// The request in a report.
struct SentItem: DescribedItem {
    let sent: SentText

    static let described = list {
        Field("kind", .choice(["request"]), "The kind of the item.") { _ in "request" }
        Field("address", .string, "The address of the assistant.") { $0.sent.address }
        Field("tokens", .integer, "The number of tokens, estimated.") { $0.tokens }
        Field("messages", listing: { $0.sent.messages }, "The messages.") {
            ReportField("role", .string, "system or user.") { $0["role"]?.text }
            ReportField("text", .string, "The text.") { $0["content"]?.text }
        }
        Field("tools", .array(.string), "The functions that the model may call, which read more.") {
            $0.sent.tools.compactMap { $0["function"]?["name"]?.text }
        }
        Field("functions", listing: { $0.functions }, "The functions as they are described to the model.") {
            ReportField("name", .string, "The name.") { $0["name"]?.text }
            ReportField("description", .string, "The purpose.") { $0["description"]?.text }
            ReportField("parameters", .string, "The JSON Schema of its arguments.") { $0["parameters"]?.compact }
        }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

    var functions: [JSONText] { sent.tools.compactMap { $0["function"] } }

    var tokens: Int { (sent.messages + sent.tools).reduce(0) { $0 + Assistant.tokens($1.compact) } }
}

/// The request that a command would send to an assistant.
struct SentReport: Report {
    static let schema = "helix.assistant.request/1"
    let items: [SentItem]

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        for item in items {
            canvas.paragraph(
                "Nothing was sent. About \(item.tokens) tokens would go to \(item.sent.address):", style: .bold)
            for message in item.sent.messages {
                canvas.line("")
                canvas.line(StyledText((message["role"]?.text ?? "") + ":", TextStyle(.cyan)))
                for line in (message["content"]?.text ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
                    canvas.paragraph(String(line), indent: 2)
                }
            }
            if item.functions.isEmpty { continue }
            canvas.line("")
            canvas.line(StyledText("functions:", TextStyle(.cyan)))
            for function in item.functions {
                canvas.paragraph(
                    "\(function["name"]?.text ?? ""): \(function["description"]?.text ?? "") "
                        + "\(function["parameters"]?.compact ?? "")", indent: 2)
            }
            canvas.line("")
            canvas.paragraph(
                "The assistant may then read more with these functions; each answer is sent, too.", style: .dim)
        }
    }
}
