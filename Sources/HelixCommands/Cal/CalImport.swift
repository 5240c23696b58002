import ArgumentParser
import Foundation
import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// `helix cal import`
struct CalImport: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "import", abstract: "Import iCalendar files.",
        discussion: """
            Reads files, folders (vdir), or '-' for standard input. Importing again changes nothing; newer versions of \
            events update them, older ones are skipped. Invalid parts are reported with their line, and the rest is \
            imported. 'helix undo' reverts an import as a whole.

              helix cal import holidays.ics
              helix cal import ~/.calendars/work --calendar work
              curl -s https://example.com/cal.ics | helix cal import - --dry-run
            """)

    @Argument(
        help: ArgumentHelp("Files or folders; - is standard input.", valueName: "file"),
        completion: .file(extensions: ["ics", "ical", "vcs"]))
    var files: [String]

    @Option(
        name: [.customShort("c"), .long],
        help: ArgumentHelp("The calendar to import into; created if missing.", valueName: "name"),
        completion: .custom(CompletionLists.calendars))
    var calendar: String?

    @Flag(name: .long, help: "Show what would be done.")
    var dryRun = false

    @OptionGroup var conflicts: ConflictOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let sources = try files.flatMap { try ImportSource.sources($0) }
        let store = try context.store()
        let names = files.map { ($0 as NSString).lastPathComponent }.joined(separator: ", ")
        var result = ImportResult()
        do {
            try context.suggesting(conflicts.onConflict == .suggest ? .fail : conflicts.onConflict) {
                try store.change("import \(names)", command: "cal import") { change in
                    let target = try self.target(change, sources: sources, context)
                    let importer = try EventImporter(change, calendar: target.id)
                    result.calendar = target.name
                    for source in sources { try self.read(source, importer, &result) }
                    result.defects = importer.defects + result.defects
                    result.rejected += importer.rejectedCount
                    if result.isAllRejected { throw ImportStopped() }
                    try self.judge(change, &result, context)
                    change.summary = "import \(names): \(result.created.count) new, \(result.updated.count) updated"
                    if dryRun { throw ImportStopped() }
                }
            }
        } catch is ImportStopped {
            // Everything was rolled back; the report shows what would have happened.
        }
        result.isDryRun = dryRun
        for line in result.notes(limit: output.isMachine ? 0 : 20) { context.note(line) }
        try context.present(ImportReport(items: [result]))
        if result.isAllRejected {
            throw HelixError(
                .badInput, "no valid events in \(names); nothing was changed", hint: result.firstReason)
        }
    }

    /// The named calendar, or one named like the file, or the default one.
    private func target(_ change: Change, sources: [ImportSource], _ context: CommandContext) throws -> CalendarRecord {
        guard let calendar else { return try change.defaultCalendar() }
        do {
            return try change.calendar(named: calendar)
        } catch let error as HelixError where error.code == .notFound {
            return try change.addCalendar(calendar)
        }
    }

    private func read(_ source: ImportSource, _ importer: EventImporter, _ result: inout ImportResult) throws {
        let bytes = try source.open()
        var reader = CalendarFileReader(bytes)
        let manyFiles = files.count > 1 || source.isInFolder
        while let part = try reader.next() {
            switch part {
            case .events(let group):
                result.components += group.components.count
                switch try importer.add(group) {
                case .created(let id): result.created.append(id)
                case .updated(let id): result.updated.append(id)
                case .unchanged: result.unchanged += 1
                case .older: result.older.append(group.uid)
                case .rejected: break
                }
            case .other(let raw): result.others[raw.name, default: 0] += 1
            case .defect(var defect):
                if defect.part == "VEVENT" {
                    result.components += 1
                    result.rejected += 1
                }
                if manyFiles { defect.reason += " (\(source.name))" }
                result.defects.append(defect)
            case .calendarProperty: break
            }
        }
        if !reader.hasContent {
            result.emptyFiles += 1
            result.defects.append(
                ICalendarDefect(line: 1, part: "file", reason: "\(source.name) contains no iCalendar"))
        }
    }

    /// Checks the imported events for conflicts, from today on for a year.
    private func judge(_ change: Change, _ result: inout ImportResult, _ context: CommandContext) throws {
        let option = conflicts.onConflict
        guard option != .allow, !result.created.isEmpty || !result.updated.isEmpty else { return }
        let range = TimeRange(start: context.now, end: context.now + 366 * 86_400)
        let mine = Set(result.created + result.updated)
        let found = try change.conflicts(in: range, policy: context.conflictPolicy)
        let concerned = found.conflicts.filter { mine.contains($0.a.event) || mine.contains($0.b.event) }
        result.conflicts = concerned.count
        result.hasMoreConflicts = found.isTruncated
        guard let first = concerned.first else { return }
        if option == .fail || option == .suggest {
            throw HelixError(
                .conflict,
                "\(concerned.count) conflicts in the next year, the first of '\(first.a.title)' with '\(first.b.title)' at "
                    + "\(context.viewer.span(first.a.time)); nothing was imported",
                hint: option == .suggest
                    ? try suggestion(for: first, context) : "Pass --on-conflict warn to import anyway.")
        }
    }

    private func suggestion(for conflict: Conflict, _ context: CommandContext) throws -> String {
        let length = max(300, conflict.a.time.range(in: context.zone).duration)
        return
            "Import it with --on-conflict warn, then move overlapping events; 'helix cal free --duration \(length / 60)m' lists free times."
    }
}

/// An error that ends an import without saving it.
private struct ImportStopped: Error {}

/// A file or standard input to import from.
struct ImportSource {
    let path: String
    let isInFolder: Bool

    /// The name for messages.
    var name: String { path == "-" ? "standard input" : (path as NSString).lastPathComponent }

    /// The files of an argument: itself, or those in a folder, except hidden ones.
    /// - Throws: ``HelixError``: `notFound`, or `badInput` for a folder without calendars.
    static func sources(_ path: String) throws -> [ImportSource] {
        if path == "-" { return [ImportSource(path: path, isInFolder: false)] }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw HelixError(.notFound, "no file \(path)")
        }
        guard isFolder.boolValue else { return [ImportSource(path: path, isInFolder: false)] }
        let endings = [".ics", ".ical", ".ifb", ".vcs"]
        guard let walk = FileManager.default.enumerator(atPath: path) else {
            throw HelixError(.io, "the folder \(path) cannot be read")
        }
        var found: [String] = []
        for case let name as String in walk
        where endings.contains(where: { name.lowercased().hasSuffix($0) })
            && !name.split(separator: "/").contains(where: { $0.hasPrefix(".") })
        {
            found.append(name)
        }
        guard !found.isEmpty else { throw HelixError(.badInput, "no calendar files in the folder \(path)") }
        return found.sorted().map { ImportSource(path: path + "/" + $0, isInFolder: true) }
    }

    /// Opens the source; each call of the result returns a chunk of bytes, none at the end.
    /// - Throws: ``HelixError`` of code `io`.
    func open() throws -> () throws -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw HelixError(.io, "\(path) cannot be read", hint: "Check its permissions.") }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: path != "-")
        let name = name
        return {
            var bytes = [UInt8](repeating: 0, count: 1 << 18)
            while true {
                let count = bytes.withUnsafeMutableBytes { Glibc.read(handle.fileDescriptor, $0.baseAddress, $0.count) }
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else { throw HelixError(.io, "\(name) cannot be read") }
                bytes.removeSubrange(count...)
                return bytes
            }
        }
    }
}
