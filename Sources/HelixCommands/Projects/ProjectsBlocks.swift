import ArgumentParser
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix projects blocks`
struct ProjectsBlocks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "blocks", abstract: "Manage the blocks of a project.",
        discussion:
            "'block:NAME' adds a task to a block: helix tasks add \"Knock down the wall project:house block:demolition\".",
        subcommands: [BlocksList.self, BlocksAdd.self, BlocksRename.self, BlocksMove.self, BlocksRemove.self],
        defaultSubcommand: BlocksList.self)
}

/// The options for the position of a block.
struct BlockPlaceOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Place it before this block.", valueName: "block"))
    var before: String?

    @Option(name: .long, help: ArgumentHelp("Place it after this block.", valueName: "block"))
    var after: String?

    @Flag(name: .long, help: "Place it first.")
    var first = false

    func validate() throws {
        if [before != nil, after != nil, first].count(where: { $0 }) > 1 {
            throw ValidationError("--before, --after and --first exclude each other.")
        }
    }

    var place: BlockPlace {
        if let before { return .before(before) }
        if let after { return .after(after) }
        return first ? .first : .last
    }
}

/// `helix projects blocks list`
struct BlocksList: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List the blocks of a project and their progress.",
        discussion: "  helix projects blocks list house")
    static let reports: [PrintedReport] = [.json(BlocksReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.presentBlocks(try context.store().project(named: project).id)
    }
}

/// `helix projects blocks add`
struct BlocksAdd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Add a block.",
        discussion: "  helix projects blocks add house Demolition\n  helix projects blocks add house Permits --first")
    static let reports: [PrintedReport] = [.json(BlocksReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @Argument(help: "The block's name.")
    var name: String

    @OptionGroup var place: BlockPlaceOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeBlocks(project, "add block '\(name)' to", "projects blocks add") {
            try $0.addBlock(name.trimmingBlanks(), to: $1, at: place.place)
        }
    }
}

/// `helix projects blocks rename`
struct BlocksRename: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "rename", abstract: "Rename a block.",
        discussion: "Its tasks stay in it.\n\n  helix projects blocks rename house Demolition \"Strip out\"")
    static let reports: [PrintedReport] = [.json(BlocksReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @Argument(help: "The block.")
    var block: String

    @Argument(help: "New name.")
    var name: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeBlocks(project, "rename block '\(block)' of", "projects blocks rename") {
            try $0.renameBlock(block, to: name.trimmingBlanks(), of: $1)
        }
    }
}

/// `helix projects blocks move`
struct BlocksMove: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "move", abstract: "Move a block.",
        discussion: "By default to the end.\n\n  helix projects blocks move house Finish --after \"Rough-in\"")
    static let reports: [PrintedReport] = [.json(BlocksReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @Argument(help: "The block.")
    var block: String

    @OptionGroup var place: BlockPlaceOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeBlocks(project, "move block '\(block)' of", "projects blocks move") {
            try $0.moveBlock(block, to: place.place, of: $1)
        }
    }
}

/// `helix projects blocks remove`
struct BlocksRemove: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "remove", abstract: "Remove a block.",
        discussion: "Its tasks stay in the project.\n\n  helix projects blocks remove house Demolition")
    static let reports: [PrintedReport] = [.json(BlocksReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @Argument(help: "The block.")
    var block: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        var count = 0
        try context.changeBlocks(project, "remove block '\(block)' of", "projects blocks remove") {
            count = try $0.removeBlock(block, of: $1)
        }
        if count > 0 { context.note("\(count == 1 ? "One task is" : "\(count) tasks are") without a block now.") }
    }
}

extension CommandContext {
    fileprivate func changeBlocks(
        _ name: String, _ what: String, _ command: String, _ body: (Change, EntityID) throws -> Void
    ) throws {
        let store = try store()
        let project = try store.project(named: name)
        try store.change("\(what) '\(project.name)'", command: command) { try body($0, project.id) }
        try presentBlocks(project.id)
    }

    fileprivate func presentBlocks(_ id: EntityID) throws {
        guard let project = try store().projects().first(where: { $0.id == id }) else { return }
        let tasks = try store().tasks(
            .all([.project(project.name), .not(.state(.dropped))]), order: .board, zone: zone, urgency: urgency
        ).tasks.filter { $0.task.project == id }
        let items = project.blocks.map { block in
            let own = tasks.filter { $0.task.block == block }
            return BlockItem(
                project: project.name, name: block, open: own.count { $0.task.state == .open },
                done: own.count { $0.task.state == .done })
        }
        try present(BlocksReport(items: items))
    }
}

/// A block of a project in a report.
struct BlockItem: DescribedItem {
    /// The project's name.
    let project: String
    let name: String
    let open: Int
    let done: Int

    static let described = list {
        Field("kind", .choice(["block"]), "The kind of the item.") { _ in "block" }
        Field("name", .string, "The block's name.") { $0.name }
        Field("project", .string, "The project's name.") { $0.project }
        Field("open_tasks", .integer, "Number of open tasks.") { $0.open }
        Field("done_tasks", .integer, "Number of done tasks.") { $0.done }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

}

/// The blocks of a project, in order.
struct BlocksReport: CuttableReport {
    static let schema = "helix.projects.blocks/1"
    var items: [BlockItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            canvas.line(StyledText("No blocks. 'helix projects blocks add PROJECT NAME' creates one.", .dim))
        }
        var table = Table([.init(right: true), .init(minimum: 10), .init(right: true), .init()])
        for (index, item) in items.enumerated() {
            let total = item.open + item.done
            table.row([
                StyledText("\(index + 1)", .dim), StyledText(item.name),
                StyledText(total > 0 ? "\(item.done)/\(total)" : "–", .dim),
                StyledText(total > 0 && item.open == 0 ? "✓" : "", TextStyle(.green)),
            ])
        }
        table.draw(on: &canvas)
    }
}
