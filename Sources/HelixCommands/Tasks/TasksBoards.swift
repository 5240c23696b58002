import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix tasks boards`
struct TasksBoards: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "boards", abstract: "List and change boards.",
        subcommands: [BoardsList.self, BoardsAdd.self, BoardsRename.self, BoardsDelete.self, BoardsDefault.self],
        defaultSubcommand: BoardsList.self)
}

/// `helix tasks boards list`
struct BoardsList: ListingCommand {
    static let about = CommandConfiguration(commandName: "list", abstract: "List boards.")
    static let reports: [PrintedReport] = [.json(BoardsReport.self)]
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws { try context.presentBoards() }
}

/// `helix tasks boards add`
struct BoardsAdd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Create a board.",
        discussion: """
            Default columns: todo, doing, review, done. Tasks in the last column are done. The board is local; with \
            --account its tasks are synced with that account, in its calendar of the same name or in a new one.

              helix tasks boards add house
              helix tasks boards add hiring applied invited offered hired
              helix tasks boards add house --account dav
            """)
    static let reports: [PrintedReport] = [.json(BoardsReport.self)]

    @Argument(help: "Its name.")
    var name: String

    @Argument(help: "Columns, from left to right.")
    var columns: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Sync its tasks with this account.", valueName: "name"),
        completion: .custom(CompletionLists.allAccounts))
    var account: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let other = try account.map { try context.calendarAccount($0) }
        // An existing calendar of the account with the board's name.
        let calendar = try context.store().calendars().first { $0.name.lowercased() == name.lowercased() }?.id
        let same = try other.flatMap { other in
            try context.store().remoteCalendars(other).first {
                $0.calendar != nil && $0.calendar == calendar && $0.board == nil && !$0.isReadOnly
            }
        }
        try context.changeBoards("add board '\(name)'", "tasks boards add") { change in
            let made = try change.addBoard(name, columns: columns.isEmpty ? Board.usualColumns : columns)
            if var same {
                same.board = made.id
                try change.remoteCalendars.save(same)
            } else if let other {
                try change.remoteCalendars.addWaiting(calendar: nil, board: made.id, of: other)
            }
        }
        if let other {
            context.note("'helix sync' syncs its tasks with '\(other.name)'.")
        } else if let calendar, let owner = try context.store().accountTakingTasks(into: calendar) {
            context.note(
                "It is local. To sync it, run 'helix tasks boards delete \(name)', then 'helix tasks boards add \(name) --account \(owner)'."
            )
        }
    }
}

/// `helix tasks boards rename`
struct BoardsRename: ChangingCommand {
    static let about = CommandConfiguration(commandName: "rename", abstract: "Rename a board.")
    static let reports: [PrintedReport] = [.json(BoardsReport.self)]

    @Argument(help: "The board.", completion: .custom(CompletionLists.boards))
    var name: String

    @Argument(help: "Its new name.")
    var newName: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeBoards("rename board '\(name)' to '\(newName)'", "tasks boards rename") { change in
            try change.renameBoard(try change.board(named: name).id, to: newName)
        }
    }
}

/// `helix tasks boards delete`
struct BoardsDelete: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "delete", abstract: "Delete an empty board.")
    static let reports: [PrintedReport] = [.json(BoardsReport.self)]

    @Argument(help: "The board.", completion: .custom(CompletionLists.boards))
    var name: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeBoards("delete board '\(name)'", "tasks boards delete") { change in
            try change.deleteBoard(try change.board(named: name))
        }
    }
}

/// `helix tasks boards default`
struct BoardsDefault: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "default", abstract: "Set the default board for new tasks.")
    static let reports: [PrintedReport] = [.json(BoardsReport.self)]

    @Argument(help: "The board.", completion: .custom(CompletionLists.boards))
    var name: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeBoards("make board '\(name)' the default", "tasks boards default") { change in
            try change.setDefaultBoard(try change.board(named: name).id)
        }
    }
}

extension CommandContext {
    fileprivate func changeBoards(_ summary: String, _ command: String, _ body: (Change) throws -> Void) throws {
        try store().change(summary, command: command, body)
        try presentBoards()
    }

    fileprivate func presentBoards() throws {
        let store = try store()
        let counts = try store.cardCounts()
        let boards = try store.boards()
        try present(
            BoardsReport(items: (boards.isEmpty ? [.usual] : boards).map { BoardItem(board: $0, counts: counts) }))
    }
}

/// A board in a report.
struct BoardItem: DescribedItem {
    let board: Board
    let counts: [EntityID: Int]

    static let described = list {
        Field("kind", .choice(["board"]), "The kind of item.") { _ in "board" }
        Field("id", .id, "The board's identity.") { $0.board.id.text }
        Field("name", .string, "Its name.") { $0.board.name }
        Field("default", .bool, "Whether new tasks are added to it by default.") { $0.board.isDefault }
        Field("columns", .array(.string), "The names of its columns, from left to right.") {
            $0.board.columns.map(\.name)
        }
        Field("count", .integer, "Number of tasks.") { $0.count }
    }

    var count: Int { board.columns.reduce(0) { $0 + (counts[$1.id] ?? 0) } }
}

/// The boards.
struct BoardsReport: CuttableReport {
    static let schema = "helix.tasks.boards/1"
    var items: [BoardItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var table = Table([.init(minimum: 8), .init(right: true), .init(minimum: 10), .init()])
        for item in items {
            table.row([
                StyledText(item.board.name, .bold), StyledText("\(item.count) task\(item.count == 1 ? "" : "s")"),
                StyledText(item.board.columns.map(\.name).joined(separator: " · "), .dim),
                StyledText(item.board.isDefault ? "default" : "", .dim),
            ])
        }
        table.draw(on: &canvas)
    }
}
