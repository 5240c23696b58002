import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix tasks columns`
struct TasksColumns: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "columns", abstract: "List and change the columns of a board.",
        subcommands: [ColumnsList.self, ColumnsAdd.self, ColumnsEdit.self, ColumnsDelete.self],
        defaultSubcommand: ColumnsList.self)
}

/// The option that selects a board.
struct BoardOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("The board.", valueName: "name"), completion: .custom(CompletionLists.boards))
    var board: String?

    /// No options given.
    static var unset: BoardOptions {
        var options = BoardOptions()
        options.board = nil
        return options
    }
}

/// `helix tasks columns list`
struct ColumnsList: ListingCommand {
    static let about = CommandConfiguration(commandName: "list", abstract: "List the columns of a board.")
    static let reports: [PrintedReport] = [.json(ColumnsReport.self)]
    @OptionGroup var board: BoardOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws { try context.presentColumns(of: board.board) }
}

/// `helix tasks columns add`
struct ColumnsAdd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Add a column.",
        discussion: "  helix tasks columns add testing --limit-to 3 --before done")
    static let reports: [PrintedReport] = [.json(ColumnsReport.self)]

    @Argument(help: "Its name.")
    var name: String

    @Option(name: .long, help: ArgumentHelp("Limit the number of tasks.", valueName: "n"))
    var limitTo: Int?

    @Option(
        name: .long, help: ArgumentHelp("Insert it to the left of that column.", valueName: "name"),
        completion: .custom(CompletionLists.columns))
    var before: String?

    @Flag(name: .long, help: "Count tasks in it as done.")
    var done = false

    @OptionGroup var board: BoardOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try output.refuseLimit(for: "--limit-to")
        if let limitTo, limitTo < 1 { throw ValidationError("--limit-to takes a number from 1.") }
    }

    func run(in context: CommandContext) throws {
        try context.store().change("add column '\(name)'", command: "tasks columns add") { change in
            let target = try change.board(named: board.board)
            let next = try before.map { try change.column($0, of: target).id }
            _ = try change.addColumn(name, to: target.id, isDone: done, limit: limitTo, before: next)
        }
        try context.presentColumns(of: board.board)
    }
}

/// `helix tasks columns edit`
struct ColumnsEdit: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "edit", abstract: "Edit a column: its name, limit, position, or whether it counts as done.",
        discussion: """
              helix tasks columns edit doing --limit-to 3
              helix tasks columns edit review --rename checking --position 3
              helix tasks columns edit doing --no-limit
            """)
    static let reports: [PrintedReport] = [.json(ColumnsReport.self)]

    @Argument(help: "The column.", completion: .custom(CompletionLists.columns))
    var column: String

    @Option(name: .long, help: ArgumentHelp("Its new name.", valueName: "name"))
    var rename: String?

    @Option(name: .long, help: ArgumentHelp("Limit the number of tasks.", valueName: "n"))
    var limitTo: Int?

    @Flag(name: .long, help: "Remove the limit.")
    var noLimit = false

    @Option(name: .long, help: ArgumentHelp("Position, from 1.", valueName: "n"))
    var position: Int?

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Count tasks in it as done (--no-done: as open).")
    var done: Bool?

    @OptionGroup var board: BoardOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try output.refuseLimit(for: "--limit-to")
        if let limitTo, limitTo < 1 { throw ValidationError("--limit-to takes a number from 1.") }
        if limitTo != nil && noLimit { throw ValidationError("--limit-to and --no-limit exclude each other.") }
        if let position, position < 1 { throw ValidationError("--position takes a number from 1.") }
        if rename == nil && limitTo == nil && !noLimit && position == nil && done == nil {
            throw ValidationError("No changes given: use --rename, --limit-to, --no-limit, --position or --done.")
        }
    }

    func run(in context: CommandContext) throws {
        try context.store().change("change column '\(column)'", command: "tasks columns edit") { change in
            let target = try change.board(named: board.board)
            let limit: Int?? = noLimit ? .some(nil) : limitTo.map { .some($0) }
            try change.changeColumn(
                try change.column(column, of: target), of: target, name: rename, limit: limit, isDone: done,
                position: position.map { $0 - 1 })
        }
        try context.presentColumns(of: board.board)
    }
}

/// `helix tasks columns delete`
struct ColumnsDelete: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "delete", abstract: "Delete an empty column.",
        discussion: "  helix tasks columns delete review")
    static let reports: [PrintedReport] = [.json(ColumnsReport.self)]

    @Argument(help: "The column.", completion: .custom(CompletionLists.columns))
    var column: String

    @OptionGroup var board: BoardOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.store().change("delete column '\(column)'", command: "tasks columns delete") { change in
            let target = try change.board(named: board.board)
            try change.deleteColumn(try change.column(column, of: target), of: target)
        }
        try context.presentColumns(of: board.board)
    }
}

extension CommandContext {
    /// The board of that name, or the default one; in a store without boards, the one that the first task will create.
    /// Reading it changes nothing.
    /// - Throws: ``HelixError``.
    func board(_ name: String?) throws -> Board {
        let store = try store()
        return try store.board(named: name) ?? .usual
    }

    fileprivate func presentColumns(of name: String?) throws {
        let board = try board(name)
        let counts = try store().cardCounts(of: board)
        try present(
            ColumnsReport(
                items: board.columns.map { ColumnItem(board: board.name, column: $0, count: counts[$0.id] ?? 0) }))
    }
}

/// A column in a report.
struct ColumnItem: DescribedItem {
    let board: String
    let column: BoardColumn
    let count: Int

    static let described = list {
        Field("kind", .choice(["column"]), "The kind of item.") { _ in "column" }
        Field("id", .id, "The column's identity.") { $0.column.id.text }
        Field("name", .string, "Its name.") { $0.column.name }
        Field("board", .string, "The board's name.") { $0.board }
        Field("limit", .integer, required: false, "The limit on the number of tasks.") { $0.column.limit }
        Field("done", .bool, "Whether tasks in it count as done.") { $0.column.isDone }
        Field("count", .integer, "Number of tasks.") { $0.count }
    }

}

/// The columns of a board.
struct ColumnsReport: CuttableReport {
    static let schema = "helix.tasks.columns/1"
    var items: [ColumnItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var table = Table([
            .init("", right: true), .init("column"), .init("tasks", right: true), .init("limit", right: true), .init(),
        ])
        for (index, item) in items.enumerated() {
            let isOver = item.column.limit.map { item.count > $0 } ?? false
            table.row([
                StyledText("\(index + 1)", .dim), StyledText(item.column.name, .bold),
                StyledText("\(item.count)", isOver ? TextStyle(.red, bold: true) : .plain),
                StyledText(item.column.limit.map { "\($0)" } ?? "", .dim),
                StyledText(item.column.isDone ? "done" : "", TextStyle(.green)),
            ])
        }
        table.draw(on: &canvas)
    }
}
