import ArgumentParser
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix undo`
struct Undo: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "undo", abstract: "Undo the last change.",
        discussion: """
            Undoes one command as a whole. 'helix redo' redoes it.

              helix undo
              helix undo --list
              helix undo 4h2k
            """)
    static let reports: [PrintedReport] = [.json(HistoryReport.self)]

    @Argument(
        help: "A change by its id; default: the last one.",
        completion: .custom(CompletionLists.changeSets))
    var id: String?

    @Flag(name: .long, help: "List what can be undone, next first.")
    var list = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        if list {
            let all = try store.undoable(limit: output.isMachine ? ListLimit.everything : context.listLimit(20))
            return try context.present(
                HistoryReport(items: all.map { HistoryItem(change: $0) }, empty: "Nothing to undo."))
        }
        let target = try id.map { try context.changeSet($0) } ?? store.undoable(limit: 1).first?.id
        guard let target else { throw HelixError(.notFound, "nothing to undo") }
        do {
            try context.present(
                HistoryReport(
                    items: [
                        HistoryItem(change: try context.reversing(target) { try store.undo(target) }, verb: "Undid:")
                    ], empty: ""))
        } catch let error as HelixError where id == nil && error.code != .busy && error.code != .io {
            // A change that cannot be undone does not block those before it.
            let rest = try store.undoable(limit: 50)
            guard let place = rest.firstIndex(where: { $0.id == target }),
                // The next one that can be undone by itself.
                let next = rest[(place + 1)...].prefix(20).first(where: { store.canUndo($0.id) })
            else { throw error }
            throw HelixError(
                error.code, error.message,
                hint: [
                    error.hint,
                    "The next that can be undone: 'helix undo \(next.id.text.prefix(6))' (\(next.summary)).",
                ]
                .compactMap { $0 }.joined(separator: " "))
        }
    }
}

/// `helix redo`
struct Redo: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "redo", abstract: "Redo the last undone change.",
        discussion: """
            Works until something else is changed.

              helix redo
              helix redo --list
            """)
    static let reports: [PrintedReport] = [.json(HistoryReport.self)]

    @Flag(name: .long, help: "List what can be redone, next first.")
    var list = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        if list {
            let all = try store.redoable(limit: output.isMachine ? ListLimit.everything : context.listLimit(20))
            return try context.present(
                HistoryReport(items: all.map { HistoryItem(change: $0) }, empty: "Nothing to redo."))
        }
        guard let target = try store.redoable(limit: 1).first else {
            throw HelixError(
                .notFound, "nothing to redo",
                hint: "Only the last undone change can be redone, until something else is changed.")
        }
        try context.present(
            HistoryReport(
                items: [
                    HistoryItem(change: try context.reversing(target.id) { try store.redo(target.id) }, verb: "Redid:")
                ], empty: ""))
    }
}

/// `helix history`
struct HistoryCommand: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "history", abstract: "List changes, newest first.",
        discussion: """
              helix history
              helix history k3f7        # of one item, with each changed field
              helix history --limit 5 --json
            """)
    static let reports: [PrintedReport] = [.json(HistoryReport.self)]

    @Argument(
        help: "Show only changes to this item, by a prefix of its id.",
        completion: .custom(CompletionLists.eventIDs))
    var id: String?

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let limit = context.listLimit(30)
        let entity = try id.map { try context.anyEntity($0) }
        let found = try store.history(of: entity, limit: limit + 1)
        try context.present(
            HistoryReport(
                items: try found.prefix(limit).map { change in
                    HistoryItem(
                        change: change, fields: try entity.map { try store.fieldChanges(change.id, of: $0) } ?? [])
                }, isTruncated: found.count > limit,
                empty: "No changes yet."))
    }
}

extension CommandContext {
    /// Undoes or redoes a change set; one of a mailbox must not meet a sync of its account.
    /// - Throws: ``HelixError``.
    fileprivate func reversing<Value>(_ id: EntityID, _ body: () throws -> Value) throws -> Value {
        let store = try store()
        guard let change = try store.mailboxChange(id),
            let account = try store.accounts().first(where: { $0.id == change.account })
        else { return try body() }
        return try AccountSync.alone(store, account, body)
    }

    /// The change set whose id begins with `text`.
    /// - Throws: ``HelixError``.
    func changeSet(_ text: String) throws -> EntityID {
        let prefix = EntityPrefix(text).text
        // `undo 3` may be meant as three steps, and would undo any change whose id begins with 3.
        guard prefix.count >= 4 else {
            throw HelixError(
                .usage, "'\(text)' is too short for the id of a change, which needs at least 4 characters",
                hint: "'helix history' lists them. 'helix undo' undoes the last one; run it again for the one before.")
        }
        let found = try store().history(limit: 10_000).filter { $0.id.text.hasPrefix(prefix) }
        if found.count == 1 { return found[0].id }
        throw HelixError(
            found.isEmpty ? .notFound : .ambiguous,
            found.isEmpty ? "no change '\(text)'" : "'\(text)' begins more than one change",
            hint: "'helix history' lists them.")
    }

    /// The entity whose id begins with `text`, also a deleted one that only the history has.
    /// - Throws: ``HelixError``.
    func anyEntity(_ text: String) throws -> EntityID {
        do {
            return try store().entity(EntityPrefix(text), kinds: EntityKind.allCases).id
        } catch let error as HelixError where error.code == .notFound {
            if let gone = try store().formerEntity(EntityPrefix(text)) { return gone }
            throw error
        }
    }
}

/// A change set in a report.
struct HistoryItem: DescribedItem {
    let change: ChangeSetSummary
    var verb: String?
    /// Its changes of the requested entity.
    var fields: [FieldChange] = []

    static let described = list {
        Field("kind", .choice(["change"]), "The kind of the item.") { _ in "change" }
        Field("id", .id, "The change set's identity.") { $0.change.id.text }
        Field("made_at", .time, "When it was made.") { $1.iso($0.change.madeAt) }
        Field("command", .string, "The command that made it.") { $0.change.command }
        Field("origin", .choice(ChangeOrigin.allCases.map(\.rawValue)), "The origin of the change.") {
            $0.change.origin.rawValue
        }
        Field("summary", .string, "The change in words.") { $0.change.summary }
        Field("count", .integer, "Number of changed entities.") { $0.change.count }
        Field("undone", .bool, "Whether it was undone.") { $0.change.isUndone }
        Field("changes", listing: { $0.fields }, "Its changes of the requested entity.") {
            ReportField("name", .string, "The field.") { $0.name }
            ReportField("before", .string, required: false, "The former value.") { $0.before }
            ReportField("after", .string, required: false, "The new value.") { $0.after }
        }
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
        if let verb = items.first?.verb, let change = items.first?.change {
            var line = StyledText(verb + " ", TextStyle(.green))
            line.append(change.summary)
            if change.count > 1 { line.append("  (\(change.count) items)", .dim) }
            canvas.line(line.fitted(canvas.textWidth))
            return
        }
        var table = Table([
            .init(), .init(), .init(minimum: 12), .init(right: true, importance: 1), .init(minimum: 6, importance: 2),
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
