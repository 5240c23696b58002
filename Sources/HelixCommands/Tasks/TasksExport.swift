import ArgumentParser
import Foundation
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
            Default: all tasks, including completed ones. Unknown properties of imported tasks are written unchanged.

              helix tasks export --format taskwarrior | task import -
              helix tasks export -o tasks.ics
              helix tasks export 'project:house status:open' --format markdown
              helix tasks export --format csv -o tasks.csv
            """)

    @Argument(
        help: ArgumentHelp("A filter.", valueName: "filter"), completion: .custom(CompletionLists.taskQuery))
    var filter: [String] = []

    @Option(name: .long, help: ArgumentHelp("taskwarrior, todotxt, ics, markdown or csv.", valueName: "form"))
    var format: TaskFormat?

    @Option(name: .shortAndLong, help: ArgumentHelp("Write to this file.", valueName: "file"), completion: .file())
    var out: String?

    @Flag(name: .long, help: "Overwrite an existing file.")
    var force = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try output.refuseMachine("what other programs read")
        guard let form = format ?? out.flatMap({ TaskFormat(path: $0) }) else {
            throw HelixError(
                .usage, "no export format given", hint: "Pass --format taskwarrior, todotxt, ics, markdown or csv.")
        }
        let store = try context.store()
        // Without a filter, all tasks; with one, the tasks that 'list' shows.
        let whole = try context.filters.filter(QueryNoun.tasks.line(filter, dates: context.dates))
        let asked = filter.isEmpty ? whole : context.shown(whole)
        let tasks = try store.tasks(asked, order: .created, zone: context.zone, urgency: context.urgency).tasks
        if !filter.isEmpty, let rest = try context.unlisted(whole, tasks.count) { context.note(StyledText(rest)) }
        let text = try TaskWriter(context: context, tasks: Array(tasks.reversed())).text(form)
        guard let out else { return try context.write(text) }
        if !force, !out.hasPrefix("/dev/"), FileManager.default.fileExists(atPath: out) {
            throw HelixError(.cannotCreate, "\(out) exists already", hint: "Name another file, or pass --force.")
        }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: out), options: out.hasPrefix("/dev/") ? [] : .atomic)
        } catch {
            throw HelixError(
                .cannotCreate, "cannot write \(out)",
                hint: "Check the permissions of its folder, and the free disk space.")
        }
        context.note("Exported \(tasks.count) task\(tasks.count == 1 ? "" : "s") to \(out).")
    }
}

/// Writes tasks in the formats of other programs.
struct TaskWriter {
    let context: CommandContext
    let tasks: [TaskDetails]

    func text(_ format: TaskFormat) throws -> String {
        switch format {
        case .taskwarrior:
            let uids = try uids {
                $0.uid.flatMap { UUID(uuidString: $0) } == nil ? TaskWriter.uuid($0.id) : $0.uid ?? ""
            }
            let blockers = try blockers(uids)
            let lines = tasks.map { details in
                TaskwarriorFormat.object(
                    details, uid: { uids[$0.id] ?? "" }, blockers: blockers[details.task.id] ?? [], now: context.now,
                    zone: context.zone
                ).compact
            }
            return "[\n" + lines.joined(separator: ",\n") + (lines.isEmpty ? "]\n" : "\n]\n")
        case .todotxt:
            // todo.txt has no dropped tasks.
            return tasks.filter { $0.task.state != .dropped }.map {
                TodoTxtFormat.line($0, now: context.now, zone: context.zone) + "\n"
            }.joined()
        case .ics:
            let form = VTodoFormat(now: context.now, zone: context.zone)
            let uids = try uids(\.calendarUID)
            let blockers = try blockers(uids)
            var export = CalendarExport(now: context.now)
            let known = Set(uids.values)
            let texts = tasks.map { details in
                // References to tasks that are not exported stay valid.
                let parent = details.task.parent.flatMap { uids[$0] }
                let ties = TaskTies(
                    parent: parent, blockers: blockers[details.task.id] ?? [], isKnown: known.contains)
                return form.text(details, ties)
            }
            for (text, details) in zip(texts, tasks) {
                export.note(text: text, zones: VTodoFormat.zones(of: details.task.source))
            }
            var bytes = export.header(name: nil)
            for (text, details) in zip(texts, tasks) {
                bytes += export.event(text, zones: VTodoFormat.zones(of: details.task.source))
            }
            return String(decoding: bytes + export.footer, as: UTF8.self)
        case .markdown: return MarkdownFormat.text(tasks, zone: context.zone)
        case .csv: return csv()
        }
    }

    /// The UIDs of the tasks and of their related tasks in the other program.
    private func uids(_ uid: (TodoTask) -> String) throws -> [EntityID: String] {
        var uids: [EntityID: String] = [:]
        for details in tasks { uids[details.task.id] = uid(details.task) }
        let missing = Set(tasks.compactMap(\.task.parent)).subtracting(uids.keys)
        for details in try context.store().tasks(Array(missing)) { uids[details.task.id] = uid(details.task) }
        return uids
    }

    private func blockers(_ uids: [EntityID: String]) throws -> [EntityID: [String]] {
        var blockers: [EntityID: [String]] = [:]
        for link in try context.store().dependencies() {
            if let uid = uids[link.a] { blockers[link.b, default: []].append(uid) }
        }
        return blockers
    }

    /// A UUID derived from an identity (RFC 9562 §5.8).
    private static func uuid(_ id: EntityID) -> String {
        var bytes = Array(id.text.utf8)
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
        return groups.joined(separator: "-")
    }

    private func csv() -> String {
        func text(_ time: TaskTime?) -> String {
            switch time {
            case .date(let date)?: ISO8601.text(date)
            case .moment(let instant)?: ISO8601.text(instant, in: context.zone)
            case nil: ""
            }
        }
        func instant(_ instant: Instant?) -> String { instant.map { ISO8601.text($0, in: context.zone) } ?? "" }
        var lines = [
            "id,title,status,board,column,priority,project,block,tags,due,scheduled,estimate_seconds,progress,assignee,created,completed,notes"
        ]
        for details in tasks {
            let task = details.task
            lines.append(
                [
                    task.id.text, task.title, task.state.rawValue, details.board, details.column,
                    task.priority?.name ?? "", details.project ?? "", task.block ?? "",
                    task.tags.joined(separator: " "), text(task.due), text(task.scheduled),
                    task.estimate.map { "\($0)" } ?? "", "\(details.progress)",
                    task.assignee ?? "", instant(task.createdAt), instant(task.completedAt), task.notes ?? "",
                ].map(TimeCSV.field).joined(separator: ","))
        }
        return lines.map { $0 + "\r\n" }.joined()
    }
}
