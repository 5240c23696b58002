import HelixModel
import HelixStore
import HelixTerminal

/// A change set in a report.
struct HistoryItem: DescribedItem {
    let change: ChangeSetSummary
    var verb: String?
    /// Its changes of the requested entity.
    var fields: [FieldChange] = []

    /// The fields of the change set itself.
    static let identity = list {
        Field("kind", .choice(["change"]), "The kind of the item.") { _ in "change" }
        Field("id", .id, "The change set's identity.") { $0.change.id.text }
        Field("made_at", .time, "When it was made.") { $1.iso($0.change.madeAt) }
        Field("command", .string, "The command that made it.") { $0.change.command }
        Field("origin", .choice(ChangeOrigin.allCases.map(\.rawValue)), "The origin of the change.") {
            $0.change.origin.rawValue
        }
        Field("actor", .choice(ChangeActor.Kind.allCases.map(\.rawValue)), required: false, "The class of its actor.") {
            $0.change.actor?.kind.rawValue
        }
        Field("by", .string, required: false, "The agent or device that made it.") { $0.change.actor?.name }
        Field("run", .string, required: false, "The agent's run.") { $0.change.actor?.run }
        Field("summary", .string, "The change in words.") { $0.change.summary }.foreign
        Field("count", .integer, "Number of changed entities.") { $0.change.count }
        Field("undone", .bool, "Whether it was undone.") { $0.change.isUndone }
    }

    static let described = list {
        identity
        Field("changes", listing: { $0.fields }, "Its changes of the requested entity.") { FieldChange.described }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

}

/// Change sets.
struct HistoryReport: Report {
    static let schema = "helix.history/1"
    let items: [HistoryItem]
    var isTruncated = false
    let empty: String

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText(empty, .dim)) }
        if items.first?.verb != nil {
            for item in items {
                var line = StyledText((item.verb ?? "") + " ", TextStyle(.green))
                line.append(item.change.summary)
                if item.change.count > 1 { line.append("  (\(item.change.count) items)", .dim) }
                canvas.line(line.fitted(canvas.textWidth))
            }
            return
        }
        var table = Table([
            .init(), .init(), .init(minimum: 12), .init(right: true, importance: 1), .init(importance: 2),
            .init(minimum: 6, importance: 2),
        ])
        let isNarrow = canvas.textWidth < 60
        for item in items {
            let civil = viewer.zone.civil(item.change.madeAt)
            let style: TextStyle = item.change.isUndone ? TextStyle(dim: true, struck: true) : .plain
            table.row([
                StyledText(String(item.change.id.text.prefix(6)), .dim),
                StyledText(
                    isNarrow
                        ? viewer.brief(item.change.madeAt)
                        : "\(DateWords.text(civil.date)) \(viewer.clock(civil.secondOfDay))"),
                StyledText(item.change.summary, style),
                StyledText(item.change.count == 1 ? "" : "\(item.change.count)", .dim),
                StyledText(item.change.actor?.name ?? "", TextStyle(.magenta)),
                StyledText(item.change.isUndone ? "undone" : "", .dim),
            ])
        }
        if items.contains(where: { !$0.fields.isEmpty }) {
            drawFields(on: &canvas, for: viewer)
        } else {
            table.draw(on: &canvas)
        }
        if isTruncated { canvas.line(StyledText("More results: raise --limit.", .dim)) }
    }

    /// Draws the changes of one entity, with each changed field in full.
    private func drawFields(on canvas: inout Canvas, for viewer: Viewer) {
        func said(_ text: String?) -> String {
            text.map { "'" + $0.split(whereSeparator: \.isNewline).joined(separator: " ") + "'" } ?? "nothing"
        }
        for item in items {
            let civil = viewer.zone.civil(item.change.madeAt)
            var line = StyledText(String(item.change.id.text.prefix(6)) + "  ", .dim)
            line.append("\(DateWords.text(civil.date)) \(viewer.clock(civil.secondOfDay))  \(item.change.summary)")
            if item.change.isUndone { line.append("  undone", .dim) }
            canvas.line(line.fitted(canvas.textWidth))
            for field in item.fields {
                canvas.paragraph("\(field.name): \(said(field.before)) → \(said(field.after))", indent: 8, style: .dim)
            }
        }
    }
}
