import ArgumentParser
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix tasks list`
struct TasksList: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List tasks.",
        discussion: """
            Default: open tasks that are not hidden. A filter consists of fields, +tags and words, which must all match; \
            'or' separates alternatives. Virtual tags: +overdue +today +blocked +blocking +started +waiting +recurring \
            +subtask +parent +done +dropped.

              helix tasks list
              helix tasks list 'project:house priority>=high due<fri +billing -waiting'
              helix tasks list 'status:done completed:"this week"' --sort completed
              helix tasks list 'urgency>8' --sort project,-priority
              helix tasks list due:today --ids | xargs helix tasks move --next

            Keys of --sort, besides the JSON fields: \(TaskOrder.Key.names.joined(separator: ", ")).
            """)
    static let reports: [PrintedReport] = [.json(TaskListReport.self)]

    @Argument(
        help: ArgumentHelp("A filter.", valueName: "filter"), completion: .custom(CompletionLists.taskQuery))
    var filter: [String] = []

    @Flag(name: .long, help: "Print the number of matches.")
    var count = false

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        var command = Self()
        (command.filter, command.count, command.list, command.output) = (words, false, .unset, .unset)
        return command
    }

    func validate() throws {
        if list.ids && count { throw ValidationError("--ids and --count exclude each other.") }
        if count || list.ids { try output.refuseMachine(count ? "a number" : "ids") }
    }

    func run(in context: CommandContext) throws {
        // The store sorts by its own keys, of which some are no JSON fields; other JSON fields are sorted by below.
        let keys = ListOptions.keys(list.sort ?? "").map(\.name)
        let isByFields =
            keys.contains { TaskOrder.Key($0.lowercased()) == nil }
            && keys.allSatisfy { name in TaskItem.fields.contains { $0.name == name } }
        let order = try TaskOrder(isByFields ? "due" : list.sort ?? "due")
        let store = try context.store()
        let filter = try context.filter(filter)
        if count { return try context.write("\(try store.taskCount(filter, zone: context.zone))\n") }
        let limit =
            list.after == nil && !isByFields ? output.limit ?? context.listLimit(50) : ListLimit.everything
        let found = try store.tasks(
            filter, order: list.reverse && !isByFields ? order.reversed : order, limit: limit, zone: context.zone,
            urgency: context.urgency)
        if !isByFields { (context.list.sort, context.list.reverse) = (nil, false) }
        if list.ids, list.after == nil, !isByFields {
            return try context.write(found.tasks.map { $0.task.id.text + "\n" }.joined())
        }
        let report = TaskListReport(
            items: try context.items(found.tasks), total: found.total,
            empty: self.filter.isEmpty ? "Nothing to do." : "No task matches.")
        try context.present(report, ids: output.isMachine ? [] : found.tasks.map(\.task.id))
        if found.total == 0 { try context.noteNothing(filter, self.filter) }
    }
}

/// `helix tasks next`
struct TasksNext: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "next", abstract: "List the most urgent tasks.",
        discussion: """
            Urgency is computed from due date, priority, age and dependencies; the settings urgency.* are the \
            coefficients.

              helix tasks next
              helix tasks next project:house --limit 3 --why
            """)
    static let reports: [PrintedReport] = [.json(TaskListReport.self), .json(UrgencyReport.self, with: "--why")]

    @Argument(
        help: ArgumentHelp("A filter.", valueName: "filter"), completion: .custom(CompletionLists.taskQuery))
    var filter: [String] = []

    @Flag(name: .long, help: "Explain the urgency of each task.")
    var why = false

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        var command = Self()
        (command.filter, command.why, command.output) = (words, false, .unset)
        command.list = .unset
        return command
    }

    func run(in context: CommandContext) throws {
        let filter = try context.filter(filter).and(.kind(.task))
        let found = try context.store().tasks(
            filter, order: .urgency, limit: context.listLimit(10), zone: context.zone,
            urgency: context.urgency)
        let ids = output.isMachine ? [] : found.tasks.map(\.task.id)
        let items = try context.items(found.tasks)
        if why {
            let reasons = items.map { context.urgency.terms($0.details.urgencyFacts) }
            let shown = zip(items, reasons).map(UrgencyItem.init)
            return try context.present(UrgencyReport(items: shown, isTruncated: found.total > shown.count), ids: ids)
        }
        try context.present(
            TaskListReport(items: items, total: found.total, showsUrgency: true), ids: ids)
    }
}

/// A task with the terms of its urgency.
struct UrgencyItem: DescribedItem {
    let item: TaskItem
    let terms: [Urgency.Term]

    static let described =
        TaskItem.described.of { (item: UrgencyItem) in item.item }
        + list {
            Field("why", listing: { $0.terms }, "The summands of the urgency.") {
                ReportField("name", .string, "The property.") { $0.name }
                ReportField("factor", .number, "From 0 to 1.") {
                    JSONValue.number(($0.factor * 1000).rounded() / 1000)
                }
                ReportField("value", .number, "Its contribution.") {
                    JSONValue.number(($0.value * 1000).rounded() / 1000)
                }
            }
        }
}

/// The most urgent tasks, with the terms of their urgency.
struct UrgencyReport: CuttableReport {
    static let schema = "helix.tasks.next/1"
    var items: [UrgencyItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("Nothing to do.", .dim)) }
        for (index, found) in items.enumerated() {
            if index > 0 { canvas.line() }
            var line = StyledText(viewer.short(found.item.task.id), .dim)
            line.append("  " + TaskListReport.number(found.item.urgency) + "  ", .bold)
            line.append(found.item.headline(viewer))
            canvas.line(line.fitted(canvas.textWidth))
            var table = Table([.init(), .init(right: true), .init(), .init(right: true)])
            for term in found.terms {
                let coefficient = term.factor == 0 ? 0 : term.value / term.factor
                table.row([
                    StyledText(term.name), StyledText(TaskListReport.number(coefficient), .dim),
                    StyledText("× \((term.factor * 100).rounded() / 100)", .dim),
                    StyledText(TaskListReport.number(term.value)),
                ])
            }
            table.draw(on: &canvas, indent: 8)
        }
    }
}

/// `helix tasks search`
struct TasksSearch: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "search", abstract: "Search tasks, including completed ones.",
        discussion: """
            Searches titles, notes and tags of tasks in all states. All words must match, as whole words or prefixes. \
            Fields as in 'helix tasks list'.

              helix tasks search invoice ana
              helix tasks search project:house paint
            """)
    static let reports: [PrintedReport] = [.json(TaskListReport.self)]

    @Argument(
        parsing: .allUnrecognized, help: "Search terms.", completion: .custom(CompletionLists.taskQuery))
    var words: [String]

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard !words.isEmpty else { return nil }
        var command = Self()
        (command.words, command.output) = (words, .unset)
        command.list = .unset
        return command
    }

    func run(in context: CommandContext) throws {
        let words = try words.plainWords(of: "tasks search")
        guard words.contains(where: { $0.contains { $0.isLetter || $0.isNumber } }) else {
            throw HelixError(.usage, "no search terms given", hint: "Example: helix tasks search invoice")
        }
        let asked = try context.filters.filter(QueryNoun.tasks.line(words, dates: context.dates))
        let found = try context.store().tasks(
            asked, order: .modified, limit: context.listLimit(50), zone: context.zone,
            urgency: context.urgency)
        try context.present(
            TaskListReport(items: try context.items(found.tasks), total: found.total, empty: "Nothing found."),
            ids: output.isMachine ? [] : found.tasks.map(\.task.id))
        if found.total == 0 { try context.noteNothing(asked, words) }
    }
}
