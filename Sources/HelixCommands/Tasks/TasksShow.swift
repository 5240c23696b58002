import ArgumentParser
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix tasks show`
struct TasksShow: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "show", abstract: "Show a task.",
        discussion: "  helix tasks show k3f7")
    static let reports: [PrintedReport] = [.json(TaskReport.self)]

    @Argument(help: ArgumentHelp("The task.", valueName: "id"), completion: .custom(CompletionLists.taskIDs))
    var task: String

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws { try context.presentTask(context.task(task)) }
}

extension CommandContext {
    /// Shows a task with all its fields.
    /// - Throws: ``HelixError``.
    func presentTask(_ details: TaskDetails) throws {
        let store = try store()
        let item = try items([details])[0]
        let links = try store.links(of: details.task.id)
        let parts = try store.tasks(
            .parent(EntityPrefix(details.task.id.text)), order: .board, zone: zone, urgency: urgency
        ).tasks
        var others = Set(links.flatMap { [$0.a, $0.b] } + parts.map(\.task.id))
        if let parent = details.task.parent { others.insert(parent) }
        others.remove(details.task.id)
        let spent = try store.timeSpent(on: [details.task.id])[details.task.id] ?? 0
        let report = TaskReport(
            item: item, linked: links, entities: try store.entities(others), parts: try items(parts), spent: spent)
        try present(report, ids: output.isMachine ? [] : Array(others) + [details.task.id])
    }
}

/// A task with all its fields.
struct TaskReport: Report {
    static let schema = "helix.tasks.show/1"
    static let isList = false
    let item: TaskItem
    let linked: [Link]
    let entities: [EntityID: EntityCandidate]
    let parts: [TaskItem]
    /// Tracked time, in seconds.
    let spent: Int

    var items: [TaskItem] { [item] }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        let task = item.task
        canvas.paragraph(task.title.isEmpty ? "(no title)" : task.title, style: .bold)
        var table = Table([.init(), .init(minimum: 20)])
        func row(_ name: String, _ value: StyledText) { TaskReport.row(name, value, &table) }
        row("id", StyledText("\(viewer.short(task.id)) (\(task.id.text))"))
        row("status", status(viewer))
        row("column", StyledText("\(item.details.column) on \(item.details.board)"))
        if let priority = task.priority { row("priority", StyledText(priority.name, priority.style)) }
        if let project = item.details.project { row("project", StyledText(project, TextStyle(.blue))) }
        if let block = task.block { row("block", StyledText(block)) }
        if !task.tags.isEmpty { row("tags", item.tagLine) }
        drawTimes(in: &table, viewer)
        for property in TaskProperty.all {
            if let value = property.get(task) { row(property.name, StyledText(value)) }
        }
        if let recurrence = task.recurrence {
            row("repeats", StyledText(TaskSeries.phrase(recurrence, due: task.due, zone: viewer.zone)))
        }
        if !parts.isEmpty || !task.checklist.isEmpty || task.percent != nil {
            row("progress", StyledText("\(Int((item.details.progress * 100).rounded())) %"))
        }
        if task.state == .open { row("urgency", StyledText(TaskListReport.number(item.urgency))) }
        row("created", StyledText(viewer.moment(task.createdAt), .dim))
        if let parent = task.parent { row("part of", name(parent, viewer)) }
        drawLinks(in: &table, viewer)
        table.draw(on: &canvas)
        drawSteps(on: &canvas, viewer)
        if let notes = task.notes {
            canvas.line()
            canvas.paragraph(notes)
        }
    }

    private static func row(_ name: String, _ value: StyledText, _ table: inout Table) {
        table.row([StyledText(name, .dim), value])
    }

    private func status(_ viewer: Viewer) -> StyledText {
        let task = item.task
        var status = StyledText(task.state.rawValue, task.state == .open ? .plain : TextStyle(.green))
        if let completed = task.completedAt { status.append("  \(viewer.moment(completed))", .dim) }
        if task.state == .open, let started = task.startedAt {
            status.append("  started \(viewer.moment(started))", .dim)
        }
        if item.details.isRunning { status.append("  ▶ the clock runs", TextStyle(.green)) }
        return status
    }

    private func drawTimes(in table: inout Table, _ viewer: Viewer) {
        let task = item.task
        func row(_ name: String, _ value: StyledText) { TaskReport.row(name, value, &table) }
        if task.due != nil {
            var due = StyledText(viewer.full(task.due))
            if item.details.isOverdue(at: viewer.now, in: viewer.zone) {
                due.append("  overdue", TextStyle(.red, bold: true))
            }
            row("due", due)
        }
        if task.scheduled != nil { row("scheduled", StyledText(viewer.full(task.scheduled))) }
        if task.hiddenUntil != nil { row("hidden until", StyledText(viewer.full(task.hiddenUntil))) }
        if let estimate = task.estimate { row("estimate", StyledText(DateWords.text(duration: estimate))) }
        if spent > 0 { row("time spent", StyledText(DateWords.text(duration: spent))) }
    }

    private func drawLinks(in table: inout Table, _ viewer: Viewer) {
        for link in linked {
            let (kind, other) =
                switch (link.kind, link.a == item.task.id) {
                case (.blocks, true): ("blocks", link.b)
                case (.blocks, false): ("waits for", link.a)
                case (.duplicate, true): ("duplicate of", link.b)
                case (.duplicate, false): ("duplicated by", link.a)
                case (.related, let isOwn): ("linked with", isOwn ? link.b : link.a)
                }
            TaskReport.row(kind, name(other, viewer), &table)
        }
    }

    /// Draws the checklist and the parts.
    private func drawSteps(on canvas: inout Canvas, _ viewer: Viewer) {
        let task = item.task
        if !task.checklist.isEmpty || !parts.isEmpty { canvas.line() }
        for (index, step) in task.checklist.enumerated() {
            var line = StyledText(ISO8601.padded(index + 1, 2) + " ", .dim)
            line.append(step.done ? "☑ " : "☐ ", TextStyle(step.done ? .green : nil))
            line.append(step.text, step.done ? .dim : .plain)
            canvas.line(line.fitted(canvas.textWidth))
        }
        for part in parts {
            var line = StyledText(viewer.short(part.task.id) + "  ", .dim)
            line.append(part.task.state == .done ? "☑ " : part.task.state == .dropped ? "✗ " : "☐ ")
            line.append(part.headline(viewer))
            canvas.line(line.fitted(canvas.textWidth))
        }
    }

    private func name(_ id: EntityID, _ viewer: Viewer) -> StyledText {
        var line = StyledText(viewer.short(id), .dim)
        guard let entity = entities[id] else { return line }
        line.append("  " + (entity.title.isEmpty ? "(no title)" : entity.title))
        if entity.kind != .task { line.append("  \(entity.kind.name)", .dim) }
        return line
    }
}

extension Viewer {
    /// `Fri 27 Nov 2026 17:00`
    func moment(_ instant: Instant) -> String { "\(DateWords.text(zone.date(instant))) \(clock(instant))" }

    /// The date and the time of day, if any; in a zone other than the local one, both times.
    func everywhere(_ time: TaskTime) -> String {
        guard case .moment(let instant) = time, let home = atHome else { return full(time) }
        let date = home.zone.date(instant)
        let day = date == zone.date(instant) ? "" : DateWords.name(date.weekday) + " "
        return "\(full(time)) \(zone.identifier) (\(day)\(home.clock(instant)) \(home.zone.identifier))"
    }

    /// The date, and the time of day, if any.
    func full(_ time: TaskTime?) -> String {
        switch time {
        case .date(let date)?: day(date)
        case .moment(let instant)?: day(zone.date(instant)) + " " + clock(instant)
        case nil: ""
        }
    }
}
