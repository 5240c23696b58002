import FoundationEssentials
import HelixCalendar
import HelixModel
import HelixStore
import HelixTasks

/// Writes tasks in the formats of other programs.
struct TaskWriter {
    let context: CommandContext
    let tasks: [TaskDetails]
    /// Whether libical checks iCalendar.
    var isChecked = false

    func text(_ format: TaskFormat) throws -> String {
        switch format {
        case .taskwarrior:
            let uids = try uids(TaskWriter.uuid)
            let blockers = try blockers(uids)
            let lines = tasks.map { details in
                TaskwarriorFormat.object(
                    details, uid: { uids[$0.id] ?? "" }, blockers: blockers[details.task.id] ?? [],
                    parent: details.task.parent.flatMap { uids[$0] }, now: context.now,
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
            let boards = try boards()
            let texts = tasks.map { details in
                // References to tasks that are not exported stay valid.
                let parent = details.task.parent.flatMap { uids[$0] }
                let ties = TaskTies(
                    parent: parent, blockers: blockers[details.task.id] ?? [], isKnown: known.contains)
                return form.text(details, ties, board: boards[details.task.column], isExport: true)
            }
            for (text, details) in zip(texts, tasks) {
                export.note(text: text, zones: VTodoFormat.zones(of: details.task.source))
            }
            if isChecked { try TaskCheck(context).check(texts, of: tasks) }
            var bytes = export.header(name: nil)
            for (text, details) in zip(texts, tasks) {
                bytes += export.event(text, zones: VTodoFormat.zones(of: details.task.source))
            }
            return String(decoding: bytes + export.footer, as: UTF8.self)
        case .markdown: return MarkdownFormat.text(tasks, zone: context.zone)
        case .csv:
            let known = Dictionary(grouping: try context.store().dependencies(), by: \.b)
            return TaskCSVFormat.text(tasks, zone: context.zone) { details in
                TaskCSVFormat.Ties(
                    parent: details.task.parent?.text, blockers: (known[details.task.id] ?? []).map(\.a.text))
            }
        }
    }

    /// The UIDs of the tasks and of their related tasks in the other program.
    func uids(_ uid: (TodoTask) -> String) throws -> [EntityID: String] {
        var uids: [EntityID: String] = [:]
        for details in tasks { uids[details.task.id] = uid(details.task) }
        let missing = Set(tasks.compactMap(\.task.parent)).subtracting(uids.keys)
        for details in try context.store().tasks(Array(missing)) { uids[details.task.id] = uid(details.task) }
        return uids
    }

    /// The boards, by the identities of their columns.
    func boards() throws -> [EntityID: Board] {
        var boards: [EntityID: Board] = [:]
        for board in try context.store().boards() {
            for column in board.columns { boards[column.id] = board }
        }
        return boards
    }

    func blockers(_ uids: [EntityID: String]) throws -> [EntityID: [String]] {
        var blockers: [EntityID: [String]] = [:]
        for link in try context.store().dependencies() {
            if let uid = uids[link.a] { blockers[link.b, default: []].append(uid) }
        }
        return blockers
    }

    /// A field that a format may have no place for.
    private typealias Loss = (one: String, many: String, isLost: (TaskDetails) -> Bool)

    /// The numbers of fields that a format has no place for.
    static func losses(
        of tasks: [TaskDetails], in format: TaskFormat, _ context: CommandContext
    ) -> [(count: Int, one: String, many: String)] {
        var losses: [Loss] = [
            ("recurrence", "recurrences", { !writesRecurrence(of: $0.task, format, context) })
        ]
        // todo.txt and checklists are lists for people; the other formats carry every field.
        switch format {
        case .todotxt: losses += lossesOfLists(context) + lossesOfTodoTxt(context)
        case .markdown: losses += lossesOfLists(context) + lossesOfMarkdown(context)
        default: break
        }
        return losses.compactMap { loss in
            let count = tasks.count(where: loss.isLost)
            return count == 0 ? nil : (count, loss.one, loss.many)
        }
    }

    private static func lossesOfLists(_ context: CommandContext) -> [Loss] {
        let boards = (try? context.store().boards()) ?? []
        func isElsewhere(_ details: TaskDetails) -> Bool {
            guard let board = boards.first(where: { $0.name == details.board }) else { return false }
            let usual = details.task.state == .done ? board.doneColumn : board.firstOpenColumn
            return !board.isDefault || details.column != usual?.name
        }
        let fields: [Loss] = [
            ("column", "columns", { isElsewhere($0) }),
            ("start of work", "starts of work", { $0.task.startedAt != nil && $0.task.state == .open }),
            ("dropped task", "dropped tasks", { $0.task.state == .dropped }),
            ("note", "notes", { $0.task.notes != nil }), ("estimate", "estimates", { $0.task.estimate != nil }),
            ("scheduled time", "scheduled times", { $0.task.scheduled != nil }),
            ("block", "blocks", { $0.task.block != nil }),
            ("progress in percent", "progresses in percent", { $0.task.percent != nil }),
            ("card that only informs", "cards that only inform", { $0.task.kind == .info }),
            ("dependency", "dependencies", { $0.blockers > 0 }),
        ]
        return fields
            + TaskProperty.all.map { property in
                (property.name, property.plural, { property.get($0.task) != nil })
            }
    }

    private static func lossesOfTodoTxt(_ context: CommandContext) -> [Loss] {
        func hasClock(_ time: TaskTime?) -> Bool { time.map { !$0.isDay } ?? false }
        let (now, zone) = (context.now, context.zone)
        return [
            ("parent", "parents", { $0.task.parent != nil }),
            ("checklist", "checklists", { !$0.task.checklist.isEmpty }),
            ("blank in a project", "blanks in projects", { $0.project?.contains(where: \.isWhitespace) ?? false }),
            ("time of day", "times of day", { hasClock($0.task.due) || hasClock($0.task.hiddenUntil) }),
            (
                "title that reads as fields", "titles that read as fields",
                { TodoTxtFormat.readsAsFields($0.task.title, now: now, zone: zone) }
            ),
        ]
    }

    private static func lossesOfMarkdown(_ context: CommandContext) -> [Loss] {
        let dates = context.dates
        return [
            ("hidden time", "hidden times", { $0.task.hiddenUntil != nil }),
            ("checklist (now subtasks)", "checklists (now subtasks)", { !$0.task.checklist.isEmpty }),
            ("completion time", "completion times", { $0.task.state == .done }),
            (
                "title that reads as fields", "titles that read as fields",
                { MarkdownFormat.readsAsFields($0.task.title, dates: dates) }
            ),
        ]
    }

    /// Whether a format has the recurrence of a task; true for a task without one.
    static func writesRecurrence(of task: TodoTask, _ format: TaskFormat, _ context: CommandContext) -> Bool {
        guard let recurrence = task.recurrence, task.state == .open else { return true }
        let due = task.due?.date(in: context.zone)
        switch format {
        case .taskwarrior: return TaskwarriorFormat.canWrite(recurrence, due: due) || task.extra != nil
        case .todotxt: return TodoTxtFormat.canWrite(recurrence, due: due)
        case .ics, .csv: return true
        case .markdown: return false
        }
    }

    /// The UUID of a task in Taskwarrior.
    static func uuid(_ task: TodoTask) -> String {
        task.uid.flatMap { isUUID($0) ? $0 : nil } ?? uuid(task.id)
    }

    /// Whether a text is a UUID (RFC 9562 §4), without the parser of the C library, which took a twentieth of an export.
    private static func isUUID(_ text: String) -> Bool {
        guard text.utf8.count == 36 else { return false }
        return text.utf8.enumerated().allSatisfy { place, byte in
            switch place {
            case 8, 13, 18, 23: byte == UInt8(ascii: "-")
            default: (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
            }
        }
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
}
