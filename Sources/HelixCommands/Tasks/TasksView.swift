import ArgumentParser
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix tasks view`
struct TasksView: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view", abstract: "Save filters and use them as @NAME.",
        subcommands: [ViewList.self, ViewSave.self, ViewDelete.self], defaultSubcommand: ViewList.self)
}

/// `helix tasks view list`
struct ViewList: ListingCommand {
    static let about = CommandConfiguration(commandName: "list", abstract: "List saved filters.")
    static let reports: [PrintedReport] = [.json(ViewsReport.self)]
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.present(ViewsReport(items: try context.store().savedViews()))
    }
}

/// `helix tasks view save`
struct ViewSave: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "save", abstract: "Save a filter.",
        discussion: """
              helix tasks view save mine 'assignee:me -waiting'
              helix tasks list @mine due:today
            """)
    static let reports: [PrintedReport] = [.json(ViewsReport.self)]

    @Argument(help: "Its name.")
    var name: String

    @Argument(help: "The filter.")
    var filter: [String]

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let text = QueryNoun.tasks.line(filter, dates: context.dates)
        _ = try context.filters(besides: name).filter(text)
        try context.store().change("save view '\(name)'", command: "tasks view save") { change in
            _ = try change.saveView(name, filter: text)
        }
        try context.present(ViewsReport(items: try context.store().savedViews().filter { $0.name == name }))
    }
}

/// `helix tasks view delete`
struct ViewDelete: ChangingCommand {
    static let about = CommandConfiguration(commandName: "delete", abstract: "Delete a saved filter.")
    static let reports: [PrintedReport] = [.json(ViewsReport.self)]

    @Argument(help: "Its name.", completion: .custom(CompletionLists.views))
    var name: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        guard let view = try context.store().savedView(named: name) else {
            throw HelixError(
                .notFound, "no saved view '\(name)'", hint: "'helix tasks view list' lists them.")
        }
        try context.store().change("delete view '\(name)'", command: "tasks view delete") { try $0.deleteView(view.id) }
        let left = try context.store().savedViews()
        let users = left.filter { $0.filter.lowercased().contains("@" + view.name.lowercased()) }
        for user in users { context.note("'@\(user.name)' refers to it and cannot be used now.") }
        try context.present(ViewsReport(items: left))
    }
}

extension SavedView: DescribedItem {
    static let described = list {
        Field("kind", .choice(["view"]), "The kind of item.") { _ in "view" }
        Field("id", .id, "The view's identity.") { $0.id }
        Field("name", .string, "Its name.") { $0.name }
        Field("filter", .string, "The filter.") { $0.filter }
    }
}

/// Saved filters.
struct ViewsReport: CuttableReport {
    static let schema = "helix.tasks.views/1"
    var items: [SavedView]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("No saved filters. 'helix tasks view save' saves one.", .dim)) }
        var table = Table([.init(), .init(minimum: 10)])
        for view in items { table.row([StyledText("@" + view.name, .bold), StyledText(view.filter)]) }
        table.draw(on: &canvas)
    }
}
