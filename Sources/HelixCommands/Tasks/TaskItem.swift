import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// A task in a report.
struct TaskItem: DescribedItem {
    let details: TaskDetails
    let urgency: Double
    /// The open tasks it depends on, and those that depend on it.
    var blockedBy: [EntityID] = []
    var blocks: [EntityID] = []
    var links: [Link] = []
    /// Tracked time, in seconds.
    var timeSpent = 0

    var task: TodoTask { details.task }

    /// Whether its texts may be those of a message or an event: it is linked with one.
    @Sendable private static func isTaken(_ item: TaskItem) -> Bool { item.links.contains { $0.kind == .related } }

    static let described = list {
        Field("kind", .choice(TaskKind.allCases.map(\.rawValue)), "The kind of card.") { $0.task.kind.rawValue }
        Field("id", .id, "The task's identity.") { $0.task.id }
        Field("title", .string, "Its title.") { $0.task.title }.foreign(if: isTaken)
        Field("status", .choice(TaskState.allCases.map(\.rawValue)), "Its state.") { $0.task.state.rawValue }
        Field("board", .string, "The board's name.") { $0.details.board }
        Field("column", .string, "The column's name.") { $0.details.column }
        Field("priority", .choice(TaskPriority.allCases.map(\.name)), required: false, "Its priority.") {
            $0.task.priority?.name
        }
        Field("project", .string, required: false, "The project's name.") { $0.details.project }
        Field("block", .string, required: false, "Its block of the project.") { $0.task.block }
        Field("tags", .array(.string), "Labels.") { $0.task.tags }
        Field("due", .time, required: false, "Due time; a date if it is all-day.") { $1.iso($0.task.due) }
        Field("overdue", .bool, "Whether its due time has passed.") {
            $0.details.isOverdue(at: $1.now, in: $1.zone)
        }
        Field("scheduled", .time, required: false, "Scheduled start.") { $1.iso($0.task.scheduled) }
        Field("hidden_until", .time, required: false, "Hidden from lists until then.") { $1.iso($0.task.hiddenUntil) }
        Field("estimate", .seconds, required: false, "Estimated duration in seconds.") { $0.task.estimate }
        Field("time_spent", .seconds, required: false, "Tracked time in seconds.") {
            $0.timeSpent > 0 ? $0.timeSpent : nil
        }
        Field("progress", .number, "Progress, from 0 to 1.") {
            JSONValue.number(($0.details.progress * 1000).rounded() / 1000)
        }
        Field("subtasks", .integer, required: false, "Number of subtasks.") {
            $0.details.parts > 0 ? $0.details.parts : nil
        }
        Field("completed_subtasks", .integer, required: false, "Number of completed subtasks.") {
            $0.details.parts > 0 ? $0.details.doneParts : nil
        }
        Field(
            "checklist", listing: { $0.task.checklist.isEmpty ? nil : $0.task.checklist }, required: false, "Checklist."
        ) {
            ReportField("text", .string, "The step.") { $0.text }
            ReportField("done", .bool, "Whether it is done.") { $0.done }
        }
        .foreign(if: isTaken)
        Field("parent", .id, required: false, "Parent task.") { $0.task.parent }
        Field("blocked", .bool, "Whether it depends on an open task.") { $0.details.isBlocked }
        Field("blocked_by", .array(.id), "The open tasks that it depends on.") { $0.blockedBy }
        Field("blocks", .array(.id), "The open tasks that depend on it.") { $0.blocks }
        Field("running", .bool, "Whether the timer runs for it.") { $0.details.isRunning }
        TaskProperty.all.map { property in
            if case .number = property.kind {
                Field(property.name, .integer, required: false, property.doc) {
                    property.get($0.task).flatMap { Int($0) }
                }
            } else {
                Field(property.name, property.kind == .day ? .time : .string, required: false, property.doc) {
                    property.get($0.task)
                }
            }
        }
        Field("recurrence", .string, required: false, "Recurrence: a rule of RFC 5545, or after:P7D.") {
            $0.task.recurrence?.text
        }
        Field("series", .id, required: false, "The first task of its series.") { $0.task.series }
        Field("notes", .string, required: false, "Notes.") { $0.task.notes }.foreign(if: isTaken)
        Field("urgency", .number, "Urgency.") { JSONValue.number(($0.urgency * 100).rounded() / 100) }
        Field("created_at", .time, "Creation time.") { $1.iso($0.task.createdAt) }
        Field("updated_at", .time, "Time of the last change.") { $1.iso($0.task.modifiedAt) }
        Field("started_at", .time, required: false, "Start of work.") { $0.task.startedAt.map($1.iso) }
        Field("completed_at", .time, required: false, "Time of completion or dropping.") {
            $0.task.completedAt.map($1.iso)
        }
        Field("links", .array(.id), "Identities of entities it is linked with.") { item in
            item.links.map { $0.a == item.task.id ? $0.b : $0.a }
        }
    }
}

extension Viewer {
    /// A day or a time of a task in JSON; nil if it has none.
    func iso(_ time: TaskTime?) -> String? {
        switch time {
        case .date(let date)?: ISO8601.text(date)
        case .moment(let instant)?: iso(instant)
        case nil: nil
        }
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
