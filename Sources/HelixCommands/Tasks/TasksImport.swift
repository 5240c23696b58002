import ArgumentParser
import FoundationEssentials
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix tasks import`
struct TasksImport: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "import", abstract: "Import tasks of other programs.",
        discussion: """
            Reads Taskwarrior JSON, todo.txt, VTODOs in .ics files and folders, Markdown checklists, Org files, \
            Todoist's CSV, Google's Tasks.json, calcurse's tasks, and what 'helix tasks export' writes. The format \
            follows from the name and the content of a file, or is set by --format. Unknown properties are kept for \
            export. Importing again changes nothing. 'helix undo' reverts an import as a whole.

              task export | helix tasks import -
              helix tasks import ~/todo.txt
              helix tasks import ~/.calendars/todos --board house
              helix tasks import ~/Takeout/Tasks/Tasks.json
              helix tasks import ~/org/work.org --dry-run
              helix tasks import ~/.local/share/calcurse
            """)
    static let reports: [PrintedReport] = [.json(TaskImportReport.self)]

    @Argument(
        help: ArgumentHelp("Files or folders, or '-' for standard input.", valueName: "file"), completion: .file())
    var files: [String]

    @Option(name: .long, help: ArgumentHelp("\(TaskImportFormat.names).", valueName: "form"))
    var format: TaskImportFormat?

    @Option(
        name: .long, help: ArgumentHelp("The board for new tasks; created if missing.", valueName: "name"),
        completion: .custom(CompletionLists.boards))
    var board: String?

    @Flag(name: .long, help: "Show what would be imported, and change nothing.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let sources = try files.flatMap { try TaskSource.list($0, format: format, context.invocation) }
        let names = files.count == 1 ? "'\(files[0])'" : "\(files.count) files"
        let present = try context.store().tasks(
            .everything, order: .created, zone: context.zone, urgency: context.urgency
        ).tasks
        let writer = TaskWriter(context: context, tasks: Array(present.reversed()))
        let result = try context.store().trying(
            "import \(names)", command: "tasks import", origin: .importing, isDryRun: dryRun
        ) {
            change in
            var found = TaskImportResult(isDryRun: dryRun)
            let target: Board
            do { target = try change.board(named: board) } catch let error as HelixError where error.code == .notFound {
                target = try change.addBoard(board ?? "main", columns: Board.usualColumns)
            }
            let importer = try TaskImporter(change, board: target, keepsBoards: board == nil)
            for source in sources {
                let tasks = try source.read(context)
                found.defects += tasks.defects.map {
                    sources.count > 1
                        ? ForeignDefect("\(source.name), \($0.place)", $0.reason, isPartial: $0.isPartial) : $0
                }
                found.kept.merge(tasks.kept) { $0 + $1 }
                found.omitted.merge(tasks.omitted) { $0 + $1 }
                if let format = source.format.exchange { importer.recognize(try writer.forms(format)) }
                try importer.expect(tasks.tasks)
                for task in tasks.tasks {
                    switch try importer.add(task) {
                    case .created: found.created += 1
                    case .updated: found.updated += 1
                    case .unchanged: found.unchanged += 1
                    case .older:
                        found.older += 1
                        let reason = "was changed here since the file was written, and stays as it is; export it again"
                        found.defects.append(
                            ForeignDefect("task '\(task.task.title.prefix(60))'", reason, isPartial: true))
                    }
                }
            }
            found.defects += try importer.finish()
            if found.created + found.updated + found.unchanged + found.older == 0, let first = found.defects.first {
                for defect in found.defects.prefix(output.isMachine ? 0 : 20) {
                    context.note(StyledText("  \(defect.place): \(defect.reason)", TextStyle(.yellow)))
                }
                throw HelixError(
                    .badInput, "no usable tasks in \(names); nothing was changed",
                    hint: "\(first.place): \(first.reason).")
            }
            change.summary = "import \(EntityKind.task.counted(found.created + found.updated)) from \(names)"
            return found
        }
        for defect in result.defects.prefix(output.isMachine ? 0 : 20) {
            context.note(StyledText("  \(defect.place): \(defect.reason)", TextStyle(.yellow)))
        }
        if result.defects.count > 20 { context.note("  … and \(result.defects.count - 20) more.") }
        try context.present(TaskImportReport(items: [result]))
    }
}
