import FoundationEssentials
import HelixModel
import HelixSystem
import HelixTasks

/// A file that contains tasks.
struct TaskSource {
    let path: String
    let format: TaskImportFormat
    private let bytes: [UInt8]

    /// The file's name in messages.
    var name: String { path == "-" ? "standard input" : path.lastPathComponent }

    /// The files of a path: for a folder, all files in it with a known extension.
    /// - Throws: ``HelixError``: `notFound`, `io`, or `usage` for an unknown format.
    static func list(
        _ path: String, format: TaskImportFormat?, _ invocation: Invocation
    ) throws -> [TaskSource] {
        var isFolder = false
        if path != "-", !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            throw HelixError(.notFound, "no file \(path)")
        }
        guard isFolder else { return [try TaskSource(path, format: format, invocation)] }
        // Folders of calendars have one for each collection.
        let listed = try? FileManager.default.subpathsOfDirectory(atPath: path)
        guard let names = listed else { throw HelixError(.io, "the folder \(path) cannot be read") }
        if names.contains("todo"), names.contains("apts") {
            return [try TaskSource(path + "/todo", format: .calcurse, invocation)]
        }
        let found = names.sorted().filter { name in
            !name.split(separator: "/").contains { $0.hasPrefix(".") }
                && (format.map { wanted in wanted.exchange.map { $0 == TaskFormat(path: name) } ?? true }
                    ?? (TaskFormat(path: name) == .ics))
        }
        if found.isEmpty {
            let isTaskwarrior = ["taskchampion.sqlite3", "pending.data"].contains(where: names.contains)
            throw HelixError(
                .notFound, "no .ics files in the folder \(path)",
                hint: isTaskwarrior
                    ? "It is Taskwarrior's own store: task export | helix tasks import -"
                    : "Name the files, or pass --format.")
        }
        return try found.map { try TaskSource(path + "/" + $0, format: format, invocation) }
    }

    private init(_ path: String, format: TaskImportFormat?, _ invocation: Invocation) throws {
        self.path = path
        let data: Data?
        if path == "-" {
            data = try invocation.inputData()
        } else {
            data = FileManager.default.contents(atPath: path)
        }
        guard let data else { throw HelixError(.io, "cannot read \(path)", hint: "Check its permissions.") }
        guard data.count <= 512 << 20 else { throw HelixError(.badInput, "\(path) is larger than 512 MB") }
        bytes = [UInt8](data)
        if let format {
            self.format = format
        } else if let found = TaskImportFormat(path: path, bytes: bytes) {
            self.format = found
        } else {
            throw HelixError(
                .usage, "unknown format of \(path == "-" ? "standard input" : path)",
                hint: "Pass --format: \(TaskImportFormat.names).")
        }
    }

    /// Reads the tasks of the file.
    /// - Throws: ``HelixError`` of code `badInput`.
    func read(_ context: CommandContext) throws -> ForeignTasks {
        switch format {
        case .taskwarrior: return try TaskwarriorFormat.read(bytes, now: context.now, zone: context.zone)
        case .todotxt: return try TodoTxtFormat.read(bytes, now: context.now, zone: context.zone)
        case .ics: return try VTodoFormat(now: context.now, zone: context.zone).read(bytes, name: name)
        case .markdown: return try MarkdownFormat.read(bytes, dates: context.dates)
        case .csv:
            let table = try CSVTable(bytes)
            guard TaskCSVFormat.isFormat(table) else {
                if bytes.isEmpty { throw HelixError(.badInput, "\(name) is empty") }
                let missing = ["id", "title", "status"].filter { !table.has($0) }
                throw HelixError(
                    .badInput,
                    "the CSV file has no column \(missing.joined(separator: ", ")); it has: "
                        + table.columns.prefix(6).joined(separator: ", "),
                    hint:
                        "Name the columns as 'helix tasks export --format csv' does: id, title, status, due and others."
                )
            }
            return TaskCSVFormat.read(table, now: context.now, zone: context.zone)
        case .todoist:
            let table = try CSVTable(bytes)
            guard TodoistFormat.isFormat(table) else {
                throw HelixError(.badInput, "\(name) has no columns TYPE and CONTENT, as Todoist's files have")
            }
            return TodoistFormat.read(table, name: name, dates: context.dates)
        case .google:
            guard let value = try? JSONText(bytes), GoogleTasksFormat.isFormat(value) else {
                throw HelixError(.badInput, "\(name) is not Google's Tasks.json")
            }
            return GoogleTasksFormat.read(value, now: context.now)
        case .org: return try OrgFormat.tasks(bytes, now: context.now, zone: context.zone)
        case .calcurse:
            return try CalcurseFormat.tasks(bytes, now: context.now, note: CalcurseNotes(besides: path).text)
        }
    }
}
