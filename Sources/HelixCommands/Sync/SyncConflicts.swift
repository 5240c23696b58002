import ArgumentParser
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix sync conflicts`
struct SyncConflicts: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "conflicts", abstract: "List sync conflicts, both versions side by side.",
        discussion: """
            Only accounts with 'helix account edit NAME --strategy ask' have pending conflicts; others use their strategy. \
            Both versions stay unchanged until you resolve a conflict.

              helix sync conflicts
              helix sync resolve k3f7 --keep local
            """)
    static let reports: [PrintedReport] = [.json(SyncConflictReport.self)]

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let choices = try SyncChoices(try context.store(), zone: context.zone).list()
        try context.present(SyncConflictReport(items: choices.map { SyncConflictItem(choice: $0) }))
    }
}

/// `helix sync resolve`
struct SyncResolve: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "resolve", abstract: "Resolve a sync conflict.",
        discussion: """
            Changes made on one side only are always kept. 'both' keeps the server's version, and yours as a copy. The \
            result is sent with the next sync; the other version remains in 'helix history ID'.

              helix sync resolve k3f7 --keep local
              helix sync resolve k3f7 p2wd --keep server
            """)
    static let reports: [PrintedReport] = [.json(SyncConflictReport.self)]

    @Argument(
        help: ArgumentHelp("Ids of entities in conflict, as shown by 'helix sync conflicts'.", valueName: "id"),
        completion: .custom(CompletionLists.conflictIDs))
    var ids: [String]

    @Option(name: .long, help: ArgumentHelp("Version to keep: local, server or both.", valueName: "which"))
    var keep: SyncDecision

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let choices = SyncChoices(store, zone: context.zone)
        let waiting = try choices.list()
        let chosen = try ids.map { text in
            let prefix = EntityPrefix(text).text
            let found = waiting.filter { $0.id.text.hasPrefix(prefix) }
            guard let one = found.first else {
                throw HelixError(
                    .notFound, "no sync conflict '\(text)'", hint: "'helix sync conflicts' lists them.")
            }
            guard found.count == 1 else {
                throw HelixError(
                    .ambiguous, "several sync conflicts begin with '\(text)'", hint: "Type more characters.")
            }
            return one
        }
        // All or none: a choice that is impossible for one leaves the others as they are.
        if keep == .both, let other = chosen.first(where: { !$0.canKeepBoth }) {
            throw HelixError(
                .usage, "two versions of the \(other.kind.name) '\(other.title)' cannot stand beside each other",
                hint: "Keep one: helix sync resolve \(other.id.text.prefix(6)) --keep local|server.")
        }
        for choice in chosen { try choices.resolve(choice, keep) }
        try context.present(
            SyncConflictReport(
                items: chosen.map { SyncConflictItem(choice: $0, kept: keep.rawValue) }, isPlan: context.isDryRun))
    }
}

extension SyncDecision: ExpressibleByArgument {}

/// An entity with a sync conflict.
struct SyncConflictItem: DescribedItem {
    let choice: SyncChoice
    var kept: String?

    static let described = list {
        Field("kind", .choice(["sync_conflict"]), "The kind of the item.") { _ in "sync_conflict" }
        Field("id", .id, "The entity.") { $0.choice.id.text }
        Field("type", .choice(ReplicaRecord.kinds.map(\.rawValue)), "The type of the entity.") {
            $0.choice.kind.rawValue
        }
        Field("title", .string, "The local title.") { $0.choice.title }
        Field("account", .string, "The account.") { $0.choice.account }
        Field("found", .string, "When the conflict was found.") { ISO8601.text($0.choice.foundAt, in: $1.zone) }
        Field(
            "differences", listing: { $0.choice.differences },
            "The fields that were changed differently on both sides."
        ) {
            ReportField("name", .string, "The field in conflict.") { $0.name }
            ReportField("before", .string, required: false, "The value as of the last sync.") { $0.before }
            ReportField("here", .string, required: false, "The local value.") { $0.here }
            ReportField("there", .string, required: false, "The value on the server.") { $0.there }
        }
        Field("kept", .choice(SyncDecision.allCases.map(\.rawValue)), required: false, "The version chosen just now.") {
            $0.kept
        }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

}

/// The sync conflicts, with both versions side by side.
struct SyncConflictReport: CuttableReport {
    static let schema = "helix.sync.conflicts/1"
    var items: [SyncConflictItem]
    /// Whether it is a dry run.
    var isPlan = false
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { return canvas.paragraph("No sync conflicts.", style: .dim) }
        for (place, item) in items.enumerated() {
            if let kept = item.kept {
                canvas.line(
                    StyledText(item.choice.title, .bold)
                        + StyledText(
                            "  \(isPlan ? "would keep" : "kept") \(kept == "both" ? "both" : "the \(kept == "local" ? "local one" : "server's")")"
                        ))
                continue
            }
            if place > 0 { canvas.line("") }
            let id = StyledText(viewer.short(item.choice.id) + "  ", TextStyle(.yellow))
            let account = StyledText("  \(item.choice.account)", .dim)
            let whole = id + StyledText(item.choice.title, .bold) + account
            if whole.width <= canvas.width {
                canvas.line(whole)
            } else {
                canvas.line(id + account)
                canvas.paragraph(item.choice.title, indent: 2, style: .bold)
            }
            draw(item.choice.differences, on: &canvas)
        }
        if items.contains(where: { $0.kept == nil }) {
            canvas.line("")
            let both = items.contains { $0.kept == nil && $0.choice.canKeepBoth } ? "|both" : ""
            canvas.paragraph("Choose: helix sync resolve ID --keep local|server\(both)", style: .dim)
        }
    }
    /// Draws the versions side by side if they fit, else one below the other: nothing that a choice depends on is cut.
    private func draw(_ differences: [SyncChoice.Difference], on canvas: inout Canvas) {
        func cell(_ text: String?, _ style: TextStyle) -> StyledText {
            guard let text, !text.isEmpty else { return StyledText("–", .dim) }
            return StyledText(text.split(whereSeparator: \.isNewline).joined(separator: " "), style)
        }
        let rows = differences.map { difference in
            [
                StyledText(difference.name, .dim), cell(difference.here, TextStyle(.green)),
                cell(difference.there, TextStyle(.cyan)), cell(difference.before, .dim),
            ]
        }
        let names = ["", "here", "there", "before"]
        let widths = names.indices.map { column in
            max(TextWidth.of(names[column]), rows.map { $0[column].width }.max() ?? 0)
        }
        if widths.reduce(2 + 2 * (names.count - 1), +) <= canvas.width {
            var table = Table(names.map { .init($0) })
            for row in rows { table.row(row) }
            return table.draw(on: &canvas, indent: 2)
        }
        for row in rows {
            canvas.line(StyledText("  ") + row[0])
            let isShort = row.dropFirst().allSatisfy { $0.width + 12 <= canvas.width }
            for column in 1..<names.count {
                let label = names[column] + String(repeating: " ", count: isShort ? 8 - names[column].count : 0)
                canvas.line(StyledText("    " + label, .dim) + (isShort ? row[column] : StyledText("")))
                if !isShort { canvas.paragraph(row[column].plain, indent: 6) }
            }
        }
    }
}
