import ArgumentParser
import Foundation
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// An exchange format of tasks.
enum TaskFormat: String, ExpressibleByArgument, CaseIterable {
    case taskwarrior
    case todotxt
    case ics
    case markdown
    case csv

    /// The format with a name, also with the names that other programs give them.
    init?(argument: String) {
        switch argument.lowercased() {
        case "todo.txt", "todo": self = .todotxt
        case "vtodo", "icalendar", "ical": self = .ics
        case "md": self = .markdown
        case "task", "json": self = .taskwarrior
        case let name: self.init(rawValue: name)
        }
    }

    /// Derives the format from a file name.
    init?(path: String) {
        switch (path as NSString).pathExtension.lowercased() {
        case "json": self = .taskwarrior
        case "txt": self = .todotxt
        case "ics", "ical", "ifb": self = .ics
        case "md", "markdown": self = .markdown
        case "csv": self = .csv
        default: return nil
        }
    }
}

/// `helix tasks import`
struct TasksImport: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "import", abstract: "Import tasks of other programs.",
        discussion: """
            Reads Taskwarrior JSON, todo.txt, VTODOs in .ics files and folders, and Markdown checklists, by file \
            extension or --format. Unknown properties are kept for export. Importing again changes nothing. 'helix undo' \
            reverts an import as a whole.

              task export | helix tasks import - --format taskwarrior
              helix tasks import ~/todo.txt
              helix tasks import ~/.calendars/todos --board house
              helix tasks import plan.md --dry-run
            """)

    @Argument(
        help: ArgumentHelp("Files or folders, or '-' for standard input.", valueName: "file"), completion: .file())
    var files: [String]

    @Option(name: .long, help: ArgumentHelp("taskwarrior, todotxt, ics or markdown.", valueName: "form"))
    var format: TaskFormat?

    @Option(
        name: .long, help: ArgumentHelp("The board for new tasks; created if missing.", valueName: "name"),
        completion: .custom(CompletionLists.boards))
    var board: String?

    @Flag(name: .long, help: "Show what would be imported, and change nothing.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let sources = try files.flatMap { try TaskSource.list($0, format: format) }
        let names = files.count == 1 ? "'\(files[0])'" : "\(files.count) files"
        let present = try context.store().tasks(
            .everything, order: .created, zone: context.zone, urgency: context.urgency
        ).tasks
        let writer = TaskWriter(context: context, tasks: Array(present.reversed()))
        let result = try context.store().trying("import \(names)", command: "tasks import", isDryRun: dryRun) {
            change in
            var found = TaskImportResult(isDryRun: dryRun)
            let target: Board
            do { target = try change.board(named: board) } catch let error as HelixError where error.code == .notFound {
                target = try change.addBoard(board ?? "main", columns: Board.usualColumns)
            }
            let importer = try TaskImporter(change, board: target)
            for source in sources {
                let tasks = try source.read(context)
                found.defects += tasks.defects.map {
                    sources.count > 1 ? ForeignDefect("\(source.name), \($0.place)", $0.reason) : $0
                }
                found.kept.merge(tasks.kept) { $0 + $1 }
                importer.recognize(try writer.forms(source.format))
                try importer.expect(tasks.tasks)
                for task in tasks.tasks {
                    switch try importer.add(task) {
                    case .created: found.created += 1
                    case .updated: found.updated += 1
                    case .unchanged: found.unchanged += 1
                    case .older: found.older += 1
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
            change.summary = "import \(found.created + found.updated) tasks from \(names)"
            return found
        }
        for defect in result.defects.prefix(output.isMachine ? 0 : 20) {
            context.note(StyledText("  \(defect.place): \(defect.reason)", TextStyle(.yellow)))
        }
        if result.defects.count > 20 { context.note("  … and \(result.defects.count - 20) more.") }
        try context.present(TaskImportReport(items: [result]))
    }
}

/// A file that contains tasks.
struct TaskSource {
    let path: String
    let format: TaskFormat

    /// The file's name in messages.
    var name: String { path == "-" ? "standard input" : (path as NSString).lastPathComponent }

    /// The files of a path: for a folder, all files in it with a known extension.
    /// - Throws: ``HelixError`` of code `notFound` or `usage`.
    static func list(_ path: String, format: TaskFormat?) throws -> [TaskSource] {
        if path == "-" {
            guard let format else {
                throw HelixError(
                    .usage, "unknown format of standard input", hint: "Pass --format taskwarrior.")
            }
            return [TaskSource(path: path, format: format)]
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw HelixError(.notFound, "no file \(path)")
        }
        if isFolder.boolValue {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            let found = names.sorted().filter { !$0.hasPrefix(".") }.compactMap { name in
                (format ?? TaskFormat(path: name)).map { TaskSource(path: path + "/" + name, format: $0) }
            }.filter { $0.format == format ?? .ics }
            if found.isEmpty { throw HelixError(.notFound, "no .ics files in the folder \(path)") }
            return found
        }
        guard let known = format ?? TaskFormat(path: path) else {
            throw HelixError(
                .usage, "unknown format of \(path)",
                hint: "Pass --format taskwarrior, todotxt, ics or markdown.")
        }
        return [TaskSource(path: path, format: known)]
    }

    /// Reads the tasks of the file.
    /// - Throws: ``HelixError`` of code `badInput` or `io`.
    func read(_ context: CommandContext) throws -> ForeignTasks {
        let data: Data?
        if path == "-" {
            data = try? FileHandle.standardInput.readToEnd() ?? Data()
        } else {
            data = FileManager.default.contents(atPath: path)
        }
        guard let data else { throw HelixError(.io, "cannot read \(path)", hint: "Check its permissions.") }
        guard data.count <= 512 << 20 else { throw HelixError(.badInput, "\(name) is larger than 512 MB") }
        let bytes = [UInt8](data)
        switch format {
        case .taskwarrior: return try TaskwarriorFormat.read(bytes, now: context.now)
        case .todotxt: return try TodoTxtFormat.read(bytes, now: context.now, zone: context.zone)
        case .ics: return try VTodoFormat(now: context.now, zone: context.zone).read(bytes, name: name)
        case .markdown: return try MarkdownFormat.read(bytes, dates: context.dates)
        case .csv:
            throw HelixError(
                .usage, "cannot import CSV",
                hint: "Use taskwarrior, todotxt, ics or markdown.")
        }
    }
}

/// The result of an import.
struct TaskImportResult: ReportItem {
    var isDryRun: Bool
    var created = 0
    var updated = 0
    var unchanged = 0
    var older = 0
    var defects: [ForeignDefect] = []
    var kept: [String: Int] = [:]

    static let fields = [
        SchemaField("kind", .choice(["import"]), "The kind of item."),
        SchemaField("dry_run", .bool, "Whether it was a dry run: nothing was saved."),
        SchemaField("created", .integer, "New tasks."),
        SchemaField("updated", .integer, "Existing tasks that are newer in the file."),
        SchemaField("unchanged", .integer, "Existing tasks that are equal in the file."),
        SchemaField("older", .integer, "Existing tasks that are older in the file."),
        SchemaField(
            "kept",
            .array(
                .object([SchemaField("name", .string, "The property."), SchemaField("count", .integer, "Its count.")])),
            "Properties without a field in helix, kept for export or omitted."),
        SchemaField(
            "defects",
            .array(
                .object([SchemaField("place", .string, "The location."), SchemaField("reason", .string, "The reason.")])
            ),
            "Parts that could not be imported."),
        SchemaField("links", .array(.id), "Always empty."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        json.set("kind", "import")
        json.set("dry_run", isDryRun)
        json.set("created", created)
        json.set("updated", updated)
        json.set("unchanged", unchanged)
        json.set("older", older)
        json.set(
            "kept",
            kept.sorted { $0.key < $1.key }.map { name, count in
                var object = JSONObject()
                object.set("name", name)
                object.set("count", count)
                return object
            })
        json.set(
            "defects",
            defects.map { defect in
                var object = JSONObject()
                object.set("place", defect.place)
                object.set("reason", defect.reason)
                return object
            })
        json.set("links", [String]())
        return json
    }
}

/// A report of an import.
struct TaskImportReport: Report {
    static let schema = "helix.tasks.import/1"
    static let isList = false
    let items: [TaskImportResult]

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        guard let result = items.first else { return }
        let verb = result.isDryRun ? "Would import" : "Imported"
        var parts = ["\(result.created) new"]
        if result.updated > 0 { parts.append("\(result.updated) updated") }
        if result.unchanged > 0 { parts.append("\(result.unchanged) unchanged") }
        if result.older > 0 { parts.append("\(result.older) older than stored and skipped") }
        canvas.paragraph("\(verb) \(parts.joined(separator: ", ")).")
        if !result.kept.isEmpty {
            let list = result.kept.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
            canvas.paragraph("Kept for export or omitted: \(list).", style: .dim)
        }
        if !result.defects.isEmpty {
            canvas.paragraph(
                "\(result.defects.count) part\(result.defects.count == 1 ? "" : "s") could not be imported.",
                style: TextStyle(.yellow))
        }
    }
}
