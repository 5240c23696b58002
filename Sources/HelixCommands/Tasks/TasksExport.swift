import ArgumentParser
import FoundationEssentials
import HelixCalendar
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix tasks export`
struct TasksExport: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "export", abstract: "Export tasks for other programs.",
        discussion: """
            Default: all tasks, including completed ones. Unknown properties of imported tasks are written unchanged. libical \
            checks an export as iCalendar before it is written.

              helix tasks export --format taskwarrior | task import -
              helix tasks export -o tasks.ics
              helix tasks export 'project:house status:open' --format markdown
              helix tasks export --format csv -o tasks.csv
            """)
    static let reports: [PrintedReport] = []

    @Argument(
        help: ArgumentHelp("A filter.", valueName: "filter"), completion: .custom(CompletionLists.taskQuery))
    var filter: [String] = []

    @Option(name: .long, help: ArgumentHelp("taskwarrior, todotxt, ics, markdown or csv.", valueName: "form"))
    var format: TaskFormat?

    @Flag(inversion: .prefixedNo, help: "For ics: have libical check all tasks (the default).")
    var check = true

    @OptionGroup var target: ExportTarget

    @OptionGroup var output: OutputOptions

    func validate() throws { try output.refuseLimit("an export is whole") }

    func run(in context: CommandContext) throws {
        try output.refuseMachine("what other programs read")
        guard let form = format ?? target.out.flatMap({ TaskFormat(path: $0) }) else {
            throw HelixError(
                .usage, "no export format given", hint: "Pass --format taskwarrior, todotxt, ics, markdown or csv.")
        }
        let store = try context.store()
        // Without a filter, all tasks; with one, the tasks that 'list' shows.
        let whole = try context.filters.filter(QueryNoun.tasks.line(filter, dates: context.dates))
        let asked = filter.isEmpty ? whole : context.shown(whole)
        let tasks = try store.tasks(asked, order: .created, zone: context.zone, urgency: context.urgency).tasks
        if !filter.isEmpty, let rest = try context.unlisted(whole, tasks.count) { context.note(StyledText(rest)) }
        let text = try TaskWriter(context: context, tasks: Array(tasks.reversed()), isChecked: check).text(form)
        let lost = TaskWriter.losses(of: tasks, in: form, context)
        if !lost.isEmpty {
            let list = lost.map { "\($0.count) \($0.count == 1 ? $0.one : $0.many)" }.joined(separator: ", ")
            context.note(
                StyledText("Cannot be written in this format (\(form.rawValue)): \(list).", TextStyle(.yellow)))
        }
        try target.write(text, of: tasks.count, "task", "tasks", context)
    }
}
