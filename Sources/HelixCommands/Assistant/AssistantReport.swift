import HelixModel
import HelixTerminal

/// An entity that an assistant was given or named.
struct AssistantSource: Hashable, Sendable {
    var id: String
    var kind: String
    var title: String
}

/// A text by an assistant, in a report.
struct AssistantItem: DescribedItem {
    /// The purpose of a text.
    enum Purpose: String, CaseIterable, Sendable {
        case answer
        case summary
        case suggestion
        case text
    }

    var purpose: Purpose
    var text: String
    /// The tone of a suggestion, in a word.
    var tone: String?
    var model: String
    var madeAt: Instant
    var sources: [AssistantSource] = []
    /// Ids in the text that it was not given.
    var unknown: [String] = []
    /// The number of tokens sent and received.
    var tokens: Int?
    /// Whether it was made earlier, of the same texts.
    var isKept = false
    /// The proposal with what it would change.
    var proposal: String?

    static let described = list {
        Field("kind", .choice(Purpose.allCases.map(\.rawValue)), "The kind of the item.") { $0.purpose.rawValue }
        Field("text", .string, "The text, by a language model: it may be wrong.") { $0.text }
        Field("tone", .string, required: false, "The tone of a suggestion.") { $0.tone }
        Field("by", .choice(["assistant"]), "The author.") { _ in "assistant" }
        Field("model", .string, "The model.") { $0.model }
        Field("made_at", .time, "When it was made.") { $1.iso($0.madeAt) }
        Field("kept", .bool, "Whether it was made earlier, of the same texts.") { $0.isKept }
        Field("sources", listing: { $0.sources }, "The items that it was made of, or that it names.") {
            ReportField("id", .id, "The identity.") { $0.id }
            ReportField("kind", .string, "The kind.") { $0.kind }
            ReportField("title", .string, "The title.") { $0.title }
        }
        Field("unknown", .array(.string), "Ids in the text that it was not given.") { $0.unknown }
        Field("tokens", .integer, required: false, "The number of tokens sent and received.") { $0.tokens }
        Field("proposal", .id, required: false, "The proposal with what it would change.") { $0.proposal }
        Field("links", .array(.id), "The identities of its sources.") { $0.sources.map(\.id) }
    }
}

/// Texts by an assistant.
struct AssistantReport: Report {
    static let schema = "helix.assistant/1"
    let items: [AssistantItem]
    var remarks: [String] = []
    /// Whether the text was shown while it was streamed.
    var isShown = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        for (place, item) in items.enumerated() {
            if place > 0 { canvas.line("") }
            if items.count > 1 { canvas.line(StyledText("\(place + 1). \(item.tone ?? "")", .bold)) }
            if !isShown {
                for line in item.text.split(separator: "\n", omittingEmptySubsequences: false) {
                    canvas.paragraph(String(line), indent: items.count > 1 ? 3 : 0)
                }
            }
        }
        guard let item = items.first else { return }
        canvas.line("")
        for remark in remarks { canvas.paragraph(remark, style: TextStyle(.yellow)) }
        if !item.sources.isEmpty, item.purpose == .answer {
            canvas.line(StyledText("Sources", .bold))
            for source in item.sources {
                var line = StyledText("  \(source.id.prefix(6))  ", .dim)
                line.append(source.kind.padded(10) + " ", .dim)
                line.append(source.title)
                canvas.line(line.fitted(canvas.textWidth))
            }
        }
        if !item.unknown.isEmpty {
            canvas.paragraph(
                "It names \(item.unknown.joined(separator: ", ")), which it did not read: do not rely on that.",
                style: TextStyle(.yellow))
        }
        let when = item.isKept ? ", kept since \(viewer.brief(item.madeAt))" : ""
        let from = item.sources.isEmpty ? "" : " from \(item.sources.count) item\(item.sources.count == 1 ? "" : "s")"
        canvas.paragraph("By the model \(item.model)\(from)\(when). It may be wrong.", style: .dim)
    }
}

extension AssistantSource {
    /// The sources in the JSON of a command.
    static func list(in json: JSONText) -> [AssistantSource] {
        let items = json["items"]?.elements ?? [json]
        return items.compactMap { item in
            guard let id = item["id"]?.text, let kind = item["kind"]?.text else { return nil }
            let title = ["title", "subject", "name", "summary", "content", "text"].lazy.compactMap { item[$0]?.text }
                .first
            return AssistantSource(
                id: id, kind: kind, title: String(Assistant.withoutFences(title ?? "").prefix(120)))
        }
    }
}
