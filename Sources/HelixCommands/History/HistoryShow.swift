import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix history show`
struct HistoryShow: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "show", abstract: "Show a change with the difference that it made.",
        discussion: """
              helix history show 4h2k
              helix history show 4h2k --json
            """)
    static let reports: [PrintedReport] = [.json(ChangeReport.self)]

    @Argument(
        help: "The change, by a prefix of its id from 'helix history'.", completion: .custom(CompletionLists.changeSets)
    )
    var id: String

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let id = try context.changeSet(id)
        guard let change = try store.history(HistoryFilter(changeSet: id), limit: 1).first else {
            throw HelixError(.notFound, "unknown change \(id.text)")
        }
        try context.present(ChangeReport(items: [ChangeItem(change: change, entities: try store.difference(of: id))]))
    }
}

/// A change set with its difference.
struct ChangeItem: DescribedItem {
    let change: ChangeSetSummary
    let entities: [EntityDifference]

    static let described = list {
        HistoryItem.identity.of { HistoryItem(change: $0.change) }
        Field("entities", listing: { $0.entities }, "The changed items.") {
            EntityDifference.described
        }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }
}

extension EntityDifference {
    /// The fields of its JSON.
    @ReportFields<EntityDifference> static var described: [ReportField<EntityDifference>] {
        ReportField("kind", .choice(EntityKind.allCases.map(\.rawValue)), "Its kind.") { $0.kind.rawValue }
        ReportField("id", .id, "Its identity.") { $0.id.text }
        ReportField("title", .string, required: false, "Its title.") { $0.title }.foreign
        ReportField("operation", .choice(EntityDifference.Operation.allCases.map(\.rawValue)), "The operation.") {
            $0.operation.rawValue
        }
        ReportField("changes", listing: \.fields, "Its changed fields.") { FieldChange.described }
    }
}

extension FieldChange {
    /// The fields of its JSON.
    @ReportFields<FieldChange> static var described: [ReportField<FieldChange>] {
        ReportField("name", .string, "The field.") { $0.name }
        ReportField("before", .string, required: false, "The former value.") { $0.before }.foreign
        ReportField("after", .string, required: false, "The new value.") { $0.after }.foreign
    }
}

/// A change set with its difference: removed values in red, new ones in green.
struct ChangeReport: Report {
    static let schema = "helix.history.show/1"
    let items: [ChangeItem]

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        for item in items {
            let change = item.change
            let civil = viewer.zone.civil(change.madeAt)
            canvas.line(StyledText(change.summary, .bold).fitted(canvas.textWidth))
            var line = "\(change.id.text.prefix(6))  \(DateWords.text(civil.date)) \(viewer.clock(civil.secondOfDay))"
            if let actor = change.actor { line += "  by \(actor.shownName)" }
            if let run = change.actor?.run { line += ", run \(run)" }
            if change.isUndone { line += "  undone" }
            canvas.line(StyledText(line, .dim).fitted(canvas.textWidth))
            for entity in item.entities { entity.draw(on: &canvas, for: viewer) }
        }
    }
}

extension EntityDifference {
    /// Draws what was removed and what was added, each field on lines of its own.
    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        canvas.line("")
        var line = StyledText(operation.sign + " ", style(operation))
        line.append("\(kind.rawValue.replacing("_", with: " ")) ")
        line.append(title.map { "'\($0)'" } ?? id.text)
        line.append("  \(id.text.prefix(6))", .dim)
        canvas.line(line.fitted(canvas.textWidth))
        for field in fields {
            if let before = field.timeBefore.map(viewer.moment) ?? field.before {
                text("- \(field.name): \(before)", TextStyle(.red), &canvas)
            }
            if let after = field.timeAfter.map(viewer.moment) ?? field.after {
                text("+ \(field.name): \(after)", TextStyle(.green), &canvas)
            }
        }
    }

    private func style(_ operation: Operation) -> TextStyle {
        switch operation {
        case .create: TextStyle(.green)
        case .update: TextStyle(.yellow)
        case .delete: TextStyle(.red)
        }
    }

    private func text(_ text: String, _ style: TextStyle, _ canvas: inout Canvas) {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        canvas.paragraph(line, indent: 4, style: style)
    }
}

extension EntityDifference.Operation {
    fileprivate var sign: String {
        switch self {
        case .create: "+"
        case .update: "~"
        case .delete: "-"
        }
    }
}
