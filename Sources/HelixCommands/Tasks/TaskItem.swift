import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// A task in a report.
struct TaskItem: ReportItem {
    let details: TaskDetails
    let urgency: Double
    /// The open tasks it depends on, and those that depend on it.
    var blockedBy: [EntityID] = []
    var blocks: [EntityID] = []
    var links: [Link] = []
    /// Tracked time, in seconds.
    var timeSpent = 0

    var task: TodoTask { details.task }

    static let fields = [
        SchemaField("kind", .choice(TaskKind.allCases.map(\.rawValue)), "The kind of card."),
        SchemaField("id", .id, "The task's identity."),
        SchemaField("title", .string, "Its title."),
        SchemaField("status", .choice(TaskState.allCases.map(\.rawValue)), "Its state."),
        SchemaField("board", .string, "The board's name."),
        SchemaField("column", .string, "The column's name."),
        SchemaField(
            "priority", .choice(TaskPriority.allCases.map(\.name)), required: false, "Its priority."),
        SchemaField("project", .string, required: false, "The project's name."),
        SchemaField("block", .string, required: false, "Its block of the project."),
        SchemaField("tags", .array(.string), "Labels."),
        SchemaField("due", .time, required: false, "Due time; a date if it is all-day."),
        SchemaField("overdue", .bool, "Whether its due time has passed."),
        SchemaField("scheduled", .time, required: false, "Scheduled start."),
        SchemaField("hidden_until", .time, required: false, "Hidden from lists until then."),
        SchemaField("estimate", .seconds, required: false, "Estimated duration in seconds."),
        SchemaField("time_spent", .seconds, required: false, "Tracked time in seconds."),
        SchemaField("progress", .number, "Progress, from 0 to 1."),
        SchemaField("subtasks", .integer, required: false, "Number of subtasks."),
        SchemaField("completed_subtasks", .integer, required: false, "Number of completed subtasks."),
        SchemaField(
            "checklist",
            .array(
                .object([SchemaField("text", .string, "The step."), SchemaField("done", .bool, "Whether it is done.")])),
            required: false, "Checklist."),
        SchemaField("parent", .id, required: false, "Parent task."),
        SchemaField("blocked", .bool, "Whether it depends on an open task."),
        SchemaField("blocked_by", .array(.id), "The open tasks that it depends on."),
        SchemaField("blocks", .array(.id), "The open tasks that depend on it."),
        SchemaField("running", .bool, "Whether the timer runs for it."),
        SchemaField("assignee", .string, required: false, "Assignee."),
        SchemaField("recurrence", .string, required: false, "Recurrence: a rule of RFC 5545, or after:P7D."),
        SchemaField("series", .id, required: false, "The first task of its series."),
        SchemaField("notes", .string, required: false, "Notes."),
        SchemaField("urgency", .number, "Urgency."),
        SchemaField("created_at", .time, "Creation time."),
        SchemaField("updated_at", .time, "Time of the last change."),
        SchemaField("started_at", .time, required: false, "Start of work."),
        SchemaField("completed_at", .time, required: false, "Time of completion or dropping."),
        SchemaField("links", .array(.id), "Identities of entities it is linked with."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        func text(_ time: TaskTime?) -> String? {
            switch time {
            case .date(let date)?: ISO8601.text(date)
            case .moment(let instant)?: viewer.iso(instant)
            case nil: nil
            }
        }
        var json = JSONObject()
        json.set("kind", task.kind.rawValue)
        json.set("id", task.id.text)
        json.set("title", task.title)
        json.set("status", task.state.rawValue)
        json.set("board", details.board)
        json.set("column", details.column)
        json.set("priority", task.priority?.name)
        json.set("project", details.project)
        json.set("block", task.block)
        json.set("tags", task.tags)
        json.set("due", text(task.due))
        json.set("overdue", details.isOverdue(at: viewer.now, in: viewer.zone))
        json.set("scheduled", text(task.scheduled))
        json.set("hidden_until", text(task.hiddenUntil))
        json.set("estimate", task.estimate)
        json.set("time_spent", timeSpent > 0 ? timeSpent : nil)
        json.set("progress", .number((details.progress * 1000).rounded() / 1000))
        json.set("subtasks", details.parts > 0 ? details.parts : nil)
        json.set("completed_subtasks", details.parts > 0 ? details.doneParts : nil)
        if !task.checklist.isEmpty {
            json.set(
                "checklist",
                task.checklist.map { step in
                    var object = JSONObject()
                    object.set("text", step.text)
                    object.set("done", step.done)
                    return object
                })
        }
        json.set("parent", task.parent?.text)
        json.set("blocked", details.isBlocked)
        json.set("blocked_by", blockedBy.map(\.text))
        json.set("blocks", blocks.map(\.text))
        json.set("running", details.isRunning)
        json.set("assignee", task.assignee)
        json.set("recurrence", task.recurrence?.text)
        json.set("series", task.series?.text)
        json.set("notes", task.notes)
        json.set("urgency", .number((urgency * 100).rounded() / 100))
        json.set("created_at", viewer.iso(task.createdAt))
        json.set("updated_at", viewer.iso(task.modifiedAt))
        json.set("started_at", task.startedAt.map(viewer.iso))
        json.set("completed_at", task.completedAt.map(viewer.iso))
        json.set("links", links.map { ($0.a == task.id ? $0.b : $0.a).text })
        return json
    }
}

extension CommandContext {
    /// The report items of tasks; fields that only JSON has are read only for machine-readable output.
    /// - Throws: ``HelixError``.
    func items(_ tasks: [TaskDetails]) throws -> [TaskItem] {
        let urgency = urgency
        var items = tasks.map { TaskItem(details: $0, urgency: urgency.value($0.urgencyFacts)) }
        guard output.isMachine else { return items }
        let store = try store()
        let ids = tasks.map(\.task.id)
        let links = try store.links(of: ids)
        let others = Set(links.values.flatMap { $0.filter { $0.kind == .blocks }.flatMap { [$0.a, $0.b] } })
        let open = Set(try store.tasks(Array(others)).filter { $0.task.state == .open }.map(\.task.id))
        let spent = try store.timeSpent(on: ids)
        for index in items.indices {
            let id = items[index].task.id
            let own = links[id] ?? []
            items[index].links = own
            items[index].blockedBy = own.filter { $0.kind == .blocks && $0.b == id && open.contains($0.a) }.map(\.a)
            items[index].blocks = own.filter { $0.kind == .blocks && $0.a == id && open.contains($0.b) }.map(\.b)
            items[index].timeSpent = spent[id] ?? 0
        }
        return items
    }
}

extension TaskPriority {
    /// A mark that works without colours.
    var mark: String {
        switch self {
        case .critical: "!!"
        case .high: "!"
        case .medium: ""
        case .low: "↓"
        }
    }

    /// The text style of the priority.
    var style: TextStyle {
        switch self {
        case .critical: TextStyle(.red, bold: true)
        case .high: TextStyle(.yellow, bold: true)
        case .medium: .plain
        case .low: .dim
        }
    }
}

extension Viewer {
    /// `today 17:00`, `fri`, `27 Nov`, `3 Jan 2027`.
    func near(_ time: TaskTime) -> String {
        let date = time.date(in: zone)
        let days = date - today
        let day: String
        switch days {
        case 0: day = "today"
        case 1: day = "tomorrow"
        case -1: day = "yesterday"
        case 2...6: day = DateWords.name(date.weekday)
        default:
            let year = date.year == today.year ? "" : " \(date.year)"
            day = "\(date.day) \(DateWords.name(month: date.month))\(year)"
        }
        guard case .moment(let instant) = time else { return day }
        return day + " " + clock(instant)
    }
}

extension TaskItem {
    /// The title with its marks.
    func headline(_ viewer: Viewer) -> StyledText {
        var line = StyledText()
        if task.state == .done { line.append("✓ ", TextStyle(.green)) }
        if task.state == .dropped { line.append("✗ ", .dim) }
        if details.isRunning { line.append("▶ ", TextStyle(.green, bold: true)) }
        if details.isBlocked { line.append("⊘ ", TextStyle(.magenta)) }
        if let priority = task.priority, !priority.mark.isEmpty, task.state == .open {
            line.append(priority.mark + " ", priority.style)
        }
        line.append(task.title.isEmpty ? "(no title)" : task.title, titleStyle(viewer))
        if task.recurrence != nil { line.append(" ↻", .dim) }
        if details.parts > 0 {
            line.append(" \(details.doneParts)/\(details.parts)", .dim)
        } else if !task.checklist.isEmpty {
            line.append(" ☑\(task.checklist.count(where: \.done))/\(task.checklist.count)", .dim)
        }
        return line
    }

    /// The text style of the title.
    func titleStyle(_ viewer: Viewer) -> TextStyle {
        switch task.state {
        case .done: TextStyle(dim: true)
        case .dropped: TextStyle(dim: true, struck: true)
        case .open:
            task.kind == .info ? TextStyle(.cyan) : task.startedAt != nil ? .bold : .plain
        }
    }

    /// The due time, coloured by proximity; `!` marks overdue tasks, also without colours.
    func due(_ viewer: Viewer) -> StyledText {
        guard let due = task.due else { return "" }
        if task.state != .open { return StyledText(viewer.near(due), .dim) }
        if details.isOverdue(at: viewer.now, in: viewer.zone) {
            return StyledText(viewer.near(due) + " !", TextStyle(.red, bold: true))
        }
        let isToday = due.date(in: viewer.zone) == viewer.today
        return StyledText(viewer.near(due), isToday ? TextStyle(.yellow) : .plain)
    }

    /// The tags, each with a `+`.
    var tagLine: StyledText { StyledText(task.tags.map { "+" + $0 }.joined(separator: " "), TextStyle(.cyan)) }
}

/// A list of tasks.
struct TaskListReport: OrderedReport {
    static let schema = "helix.tasks.list/1"
    var items: [TaskItem]
    var total: Int
    /// The text for an empty list.
    var empty = "Nothing to do."
    /// Whether urgency is shown.
    var showsUrgency = false
    var isTruncated: Bool { items.count < total }

    func limited(to count: Int) -> TaskListReport {
        var copy = self
        copy.items = Array(items.prefix(count))
        return copy
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            canvas.line(StyledText(empty, .dim))
            return
        }
        let wide = canvas.width >= 60
        let boards = Set(items.map(\.details.board))
        var table = Table([
            .init(), .init(right: true), .init(minimum: 12), .init(), .init(minimum: 6), .init(minimum: 5),
            .init(minimum: 4),
        ])
        for item in items {
            let place = boards.count > 1 ? "\(item.details.board)/\(item.details.column)" : item.details.column
            table.row([
                StyledText(viewer.short(item.task.id), .dim),
                StyledText(showsUrgency ? TaskListReport.number(item.urgency) : "", .dim),
                item.headline(viewer), item.due(viewer),
                StyledText(wide ? item.details.project ?? "" : "", TextStyle(.blue)), wide ? item.tagLine : "",
                StyledText(wide ? place : "", .dim),
            ])
        }
        table.draw(on: &canvas)
        if isTruncated { canvas.line(StyledText("\(items.count) of \(total); --limit all shows all.", .dim)) }
    }

    /// A number with one decimal digit.
    static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}

/// Changed tasks, with remarks.
struct TaskChangeReport: Report {
    static let schema = "helix.tasks.changed/1"
    /// The change: `added`, `done`, `moved to 'doing'`.
    var verb: String
    var items: [TaskItem]
    /// The number of changed tasks that are not shown.
    var further = 0
    /// Further remarks, one per line.
    var remarks: [String] = []
    /// Whether it was a dry run: nothing was saved.
    var isDryRun = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("Nothing changed.", .dim)) }
        let count = items.count + further
        for item in items.prefix(Self.shown(of: count)) {
            var line = StyledText(viewer.short(item.task.id), .dim)
            line.append("  \(isDryRun ? "would be " : "")\(verb)  ", TextStyle(.green))
            line.append(item.headline(viewer))
            if item.task.state == .open, item.task.due != nil {
                line.append("  due ", .dim)
                line.append(item.due(viewer))
            }
            if let project = item.details.project { line.append("  " + project, TextStyle(.blue)) }
            if !item.task.tags.isEmpty { line.append("  ") }
            line.append(item.tagLine)
            canvas.line(line.fitted(canvas.textWidth))
        }
        if count == 1, let item = items.first, Self.namesFields.contains(verb) { item.drawFields(on: &canvas, viewer) }
        let shown = Self.shown(of: count)
        if count > shown { canvas.line(StyledText("… and \(count - shown) more.", .dim)) }
        for remark in remarks { canvas.paragraph(remark, style: .dim) }
    }

    /// The verbs after which all stored fields are shown.
    private static let namesFields: Set<String> = ["added", "changed"]

    /// The number of tasks to show, of `count`.
    static func shown(of count: Int) -> Int { count > 30 ? 20 : count }
}
