import ArgumentParser
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix tasks move`
struct TasksMove: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "move", abstract: "Move tasks to another column or position.",
        discussion: """
            Moving a task into a done column completes it; moving it out reopens it. A full column refuses with status \
            80. Moves all tasks or none.

              helix tasks move k3f7 doing
              helix tasks move k3f7 x2b9 --next
              helix tasks move k3f7 --before x2b9
              helix tasks list due:today --ids | xargs helix tasks move --next
            """)
    static let reports: [PrintedReport] = [.json(TasksMoved.self)]

    @Argument(
        help: ArgumentHelp("Tasks by id (or '-', or a filter), then the column.", valueName: "tasks column"),
        completion: .custom(CompletionLists.tasksAndColumns))
    var words: [String]

    @Flag(name: .long, help: "Move to the next column on the right.")
    var next = false

    @Flag(name: .long, help: "Move to the next column on the left.")
    var prev = false

    @Flag(name: .long, help: "Move to the top of the column.")
    var first = false

    @Flag(name: .long, help: "Move to the bottom of the column.")
    var last = false

    @Option(
        name: .long, help: ArgumentHelp("Move above that task.", valueName: "id"),
        completion: .custom(CompletionLists.taskIDs))
    var before: String?

    @Option(
        name: .long, help: ArgumentHelp("Move below that task.", valueName: "id"),
        completion: .custom(CompletionLists.taskIDs))
    var after: String?

    @Flag(name: .long, help: "Ignore the limit of the column.")
    var overLimit = false

    @Flag(name: .long, help: "Show what would move, and change nothing.")
    var dryRun = false

    @OptionGroup var blocked: BlockedOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if next && prev { throw ValidationError("--next and --prev exclude each other.") }
        if [first, last, before != nil, after != nil].count(where: { $0 }) > 1 {
            throw ValidationError("--first, --last, --before and --after exclude each other.")
        }
    }

    static func plain(_ words: [String]) -> Self? {
        guard words.count > 1 else { return nil }
        var command = Self()
        (command.words, command.next, command.prev, command.first, command.last) = (words, false, false, false, false)
        (command.before, command.after, command.overLimit, command.dryRun) = (nil, nil, false, false)
        (command.blocked, command.output) = (.unset, .unset)
        return command
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let anchor = try (before ?? after).map { try context.task($0) }
        let staysInPlace = first || last || anchor != nil
        var tasks = words
        var column: String?
        // The last word is the column, unless an option sets the target, or it is a task.
        if !next && !prev {
            let boards = try store.boards()
            let isColumn = words.last.map { word in boards.contains { $0.column(named: word) != nil } } ?? false
            if !staysInPlace || isColumn && words.count > 1 { column = tasks.popLast() }
            if tasks.isEmpty {
                throw HelixError(
                    .usage, "no tasks or no column given", hint: "Example: helix tasks move k3f7 doing, or k3f7 --next")
            }
        }
        var moves: [TaskMoved] = []
        var remarks: [String] = []
        let ids = try context.taskIDs(tasks)
        var above: EntityID?
        try store.trying("move", command: "tasks move", isDryRun: dryRun) { change in
            for id in ids {
                let details = try change.task(id)
                let target = try self.target(details, named: column, anchor: anchor, change)
                let place: CardPlace
                if let above, first || before != nil || after != nil {
                    // Several tasks keep their order.
                    place = .after(above)
                } else if let anchor {
                    place = before != nil ? .before(anchor.task.id) : .after(anchor.task.id)
                } else {
                    place = first ? .start : .end
                }
                if target.id == details.task.column, !staysInPlace { continue }
                if target.isDone != (details.task.state == .done) || target.id != details.task.column {
                    try blocked.check(id, change, context, &remarks)
                }
                let completion = try change.moveTask(
                    id, to: target, at: place, overLimit: overLimit, zone: context.zone)
                if let completion { remarks += try CommandContext.remarks(completion, change, context) }
                above = id
                moves.append(TaskMoved(details: try change.task(id), from: details.column, to: target.name))
            }
            change.summary =
                moves.count == 1
                ? "move \(try change.described([moves[0].details.task.id])) to '\(moves[0].to)'"
                : "move \(moves.count) tasks"
        }
        try context.present(
            TasksMoved(items: moves, remarks: remarks, isDryRun: dryRun), ids: moves.map(\.details.task.id))
    }

    private func target(
        _ details: TaskDetails, named name: String?, anchor: TaskDetails?, _ change: Change
    ) throws -> BoardColumn {
        let boards = try change.boards()
        guard let board = boards.first(where: { $0.column(details.task.column) != nil }),
            let place = board.columns.firstIndex(where: { $0.id == details.task.column })
        else {
            throw HelixError(.unexpected, "'\(details.task.title)' is in no column", hint: "Run 'helix doctor'.")
        }
        if let name {
            if let found = board.column(named: name) { return found }
            return try change.column(name, of: board)
        }
        if let anchor {
            guard let column = boards.lazy.compactMap({ $0.column(anchor.task.column) }).first else {
                throw HelixError(.unexpected, "'\(anchor.task.title)' is in no column")
            }
            return column
        }
        let wanted = next ? place + 1 : prev ? place - 1 : place
        guard board.columns.indices.contains(wanted) else {
            throw HelixError(
                .conflict, "'\(details.task.title)' is in the \(next ? "last" : "first") column already")
        }
        return board.columns[wanted]
    }
}

/// A moved task.
struct TaskMoved: DescribedItem {
    let details: TaskDetails
    let from: String
    let to: String

    static let described = list {
        Field("kind", .choice(TaskKind.allCases.map(\.rawValue)), "The kind of card.") { $0.details.task.kind.rawValue }
        Field("id", .id, "The task's identity.") { $0.details.task.id.text }
        Field("title", .string, "Its title.") { $0.details.task.title }
        Field("board", .string, "The board's name.") { $0.details.board }
        Field("from", .string, "Its previous column.") { $0.from }
        Field("to", .string, "Its new column.") { $0.to }
        Field("status", .choice(TaskState.allCases.map(\.rawValue)), "Its state.") { $0.details.task.state.rawValue }
        Field("links", .array(.id), "Identities of entities it is linked with.") { _ in [String]() }
    }

}

/// Moved tasks.
struct TasksMoved: Report {
    static let schema = "helix.tasks.moved/1"
    let items: [TaskMoved]
    let remarks: [String]
    let isDryRun: Bool

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("Nothing moved.", .dim)) }
        for item in items {
            var line = StyledText(viewer.short(item.details.task.id) + "  ", .dim)
            line.append("\(isDryRun ? "would move " : "")\(item.from) → ", .dim)
            line.append(item.to, .bold)
            line.append("  " + item.details.task.title)
            canvas.line(line.fitted(canvas.textWidth))
        }
        for remark in remarks { canvas.paragraph(remark, style: .dim) }
    }
}
