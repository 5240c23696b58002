import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix outbox changes`
struct OutboxChanges: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "changes", abstract: "List changes that the next sync will send.",
        discussion: """
            Changes to events, tasks, mail and the like, with the number of failed attempts to sync since each. Messages to \
            be sent are in 'helix outbox list'.

              helix outbox changes
              helix outbox changes --json
            """)
    static let reports: [PrintedReport] = [.json(OutboxChangesReport.self)]

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let changes = try context.store().waitingChanges(zone: context.zone)
        let live = changes.filter { $0.operation != .delete }.compactMap(\.id)
        try context.present(
            OutboxChangesReport(items: changes.map { WaitingChangeItem(change: $0) }), ids: live.uniqued)
    }
}

/// A waiting change in a report.
struct WaitingChangeItem: DescribedItem {
    let change: WaitingChange

    /// The position in the order in which sync sends kinds: containers before what they contain.
    var priority: Int { 2 + (EntityDescriptor.of(change.kind).replicaOrder ?? 0) }

    static let described = list {
        Field("kind", .choice(["change"]), "The kind of the item.") { _ in "change" }
        Field("entity", .choice(EntityKind.allCases.map(\.rawValue)), "The kind of what was changed.") {
            $0.change.kind.rawValue
        }
        Field("id", .id, required: false, "The identity of what was changed; none for messages of a mailbox.") {
            $0.change.id
        }
        Field("title", .string, required: false, "Its title, or the name of the mailbox.") {
            $0.change.title.isEmpty ? nil : $0.change.title
        }
        Field(
            "operation", .choice(WaitingChange.Operation.allCases.map(\.rawValue)), "The operation at the server."
        ) { $0.change.operation.rawValue }
        Field("count", .integer, "The number of changed items.") { $0.change.count }
        Field("account", .string, "The account that it is sent to.") { $0.change.account }
        Field("sync_status", .choice(["pending", "failed"]), "Whether the last attempt to send it failed.") {
            $0.change.tries > 0 ? "failed" : "pending"
        }
        Field("priority", .integer, "The order of sending: smaller numbers first.") { $0.priority }
        Field("tries", .integer, "The number of failed attempts since the change.") { $0.change.tries }
        Field("problem", .string, required: false, "The reason why the last attempt failed.") { $0.change.problem }
        Field("changed_at", .time, required: false, "The time of the change.") { $0.change.changedAt.map($1.iso) }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }
}

/// A report of waiting changes.
struct OutboxChangesReport: OrderedReport {
    static let schema = "helix.outbox.changes/1"
    var items: [WaitingChangeItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { return canvas.line(StyledText("Everything is synced.", .dim)) }
        var table = Table([.init(), .init(), .init(), .init(minimum: 10), .init(minimum: 6)])
        for item in items {
            let change = item.change
            let name = change.count == 1 ? change.kind.name : change.kind.counted(change.count)
            let id = change.id.map { change.operation == .delete ? String($0.text.prefix(6)) : viewer.short($0) } ?? ""
            table.row([
                StyledText(id, .dim), StyledText(change.operation.rawValue), StyledText(name, TextStyle(.cyan)),
                StyledText(change.title),
                change.tries > 0
                    ? StyledText("\(change.account), \(change.tries) failed", TextStyle(.red))
                    : StyledText(change.account, .dim),
            ])
        }
        table.draw(on: &canvas)
        for problem in Set(items.compactMap(\.change.problem)).sorted() {
            canvas.paragraph(problem, indent: 2, style: TextStyle(.red))
        }
        if isTruncated { canvas.line(StyledText("More results: raise --limit.", .dim)) }
    }
}
