import ArgumentParser
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix projects gantt`
struct ProjectsGantt: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "gantt", abstract: "Show the tasks of a project as bars on an axis of days.",
        discussion: """
            A bar begins when work on the task began, else at its scheduled start, else so long before its due date as it is \
            estimated, else on the day on which it was created. It ends when it was done, else at its due date, else after its \
            estimate; past its due date it goes on to today. Tasks without any of these are listed below. A day has eight \
            hours of work.

              helix projects gantt house
              helix projects gantt house --all --json
            """)
    static let reports: [PrintedReport] = [.json(GanttReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @Flag(name: .long, help: "Include tasks that are done.")
    var all = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let project = try store.project(named: project)
        let own = TaskFilter.all([.project(project.name), .kind(.task)])
        let wanted = all ? own.and(.any([.state(.open), .state(.done)])) : own.and(.state(.open))
        let found = try store.tasks(wanted, order: .due, zone: context.zone, urgency: context.urgency).tasks
        let items = try context.items(found).map { GanttItem($0, context.viewer) }
        let report = GanttReport(items: GanttItem.ordered(items), project: project.name)
        try context.present(report, ids: items.map(\.item.task.id))
    }
}

/// A task on the axis of days.
struct GanttItem: DescribedItem {
    /// The source of a date.
    enum Source: String, CaseIterable, Sendable {
        case started, scheduled, estimate, created, done, due, open
    }

    let item: TaskItem
    /// The first day, and the day after the last one; nil if nothing says when it is.
    let days: Range<Int>?
    let startSource: Source
    let endSource: Source
    /// Whether it is open after its due date.
    let isLate: Bool

    /// The seconds of work of a day.
    private static let workday = 8 * 3600

    init(_ item: TaskItem, _ viewer: Viewer) {
        self.item = item
        let (task, zone, today) = (item.task, viewer.zone, viewer.today)
        // '3d' are three days, and hours are parts of a day of work.
        let length = task.estimate.map {
            $0 > 0 && $0 % 86_400 == 0 ? $0 / 86_400 : max(1, ($0 + GanttItem.workday - 1) / GanttItem.workday)
        }
        let due = task.due?.date(in: zone)
        isLate = item.details.isOverdue(at: viewer.now, in: zone)
        var start: CivilDate?
        if let began = task.startedAt {
            (start, startSource) = (zone.date(began), .started)
        } else if let planned = task.scheduled?.date(in: zone) {
            (start, startSource) = (planned, .scheduled)
        } else if let due, let length {
            (start, startSource) = (due - (length - 1), .estimate)
        } else {
            (start, startSource) = (
                due == nil && length == nil && task.completedAt == nil ? nil : zone.date(task.createdAt), .created
            )
        }
        guard var first = start else {
            (days, endSource) = (nil, .open)
            return
        }
        var last: CivilDate
        if let done = task.completedAt {
            (last, endSource) = (zone.date(done), .done)
        } else if let due {
            (last, endSource) = (due, .due)
        } else if let length {
            (last, endSource) = (first + (length - 1), .estimate)
        } else {
            (last, endSource) = (max(first, today), .open)
        }
        if isLate { last = max(last, today) }
        // A task may be due before the day on which it was written down.
        if last < first { first = last }
        days = first.dayNumber..<(last.dayNumber + 1)
    }

    static let described = list {
        Field("kind", .choice(["bar"]), "The kind of the item.") { _ in "bar" }
        Field("id", .id, "The task's identity.") { $0.item.task.id }
        Field("title", .string, "Its title.") { $0.item.task.title }
        Field("status", .choice(TaskState.allCases.map(\.rawValue)), "Its state.") { $0.item.task.state.rawValue }
        Field("start", .time, required: false, "The first day; none if nothing says when it is.") {
            $0.days.map { ISO8601.text(CivilDate(dayNumber: $0.lowerBound)) }
        }
        Field("end", .time, required: false, "The last day.") {
            $0.days.map { ISO8601.text(CivilDate(dayNumber: $0.upperBound - 1)) }
        }
        Field("start_source", .choice(Source.allCases.map(\.rawValue)), "The source of the first day.") {
            $0.startSource.rawValue
        }
        Field("end_source", .choice(Source.allCases.map(\.rawValue)), "The source of the last day.") {
            $0.endSource.rawValue
        }
        Field("late", .bool, "Whether it is open after its due date.") { $0.isLate }
        Field("progress", .number, "Progress, from 0 to 1.") {
            JSONValue.number(($0.item.details.progress * 1000).rounded() / 1000)
        }
        Field("blocked_by", .array(.id), "The open tasks it depends on.") { $0.item.blockedBy }
        Field("links", .array(.id), "Identities of entities it is linked with.") { _ in [String]() }
    }

    /// Tasks by their first days; those without days last.
    static func ordered(_ items: [GanttItem]) -> [GanttItem] {
        items.enumerated().sorted { one, two in
            let (a, b) = (one.element.days?.lowerBound ?? .max, two.element.days?.lowerBound ?? .max)
            if a != b { return a < b }
            let (c, d) = (one.element.days?.upperBound ?? .max, two.element.days?.upperBound ?? .max)
            return (c, one.offset) < (d, two.offset)
        }.map(\.element)
    }
}

/// The tasks of a project on an axis of days.
struct GanttReport: CuttableReport {
    static let schema = "helix.projects.gantt/1"
    var items: [GanttItem]
    var isTruncated = false
    var project = ""

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        canvas.line(StyledText(project, .bold))
        if items.isEmpty { canvas.line(StyledText("No open tasks.", .dim)) }
        let dated = items.filter { $0.days != nil }
        let rows = dated.map { row($0, viewer) }
        let name: @Sendable (Int) -> String = { day in
            let date = CivilDate(dayNumber: day)
            return "\(date.day) \(DateWords.name(month: date.month))"
        }
        GanttChart(rows, today: viewer.today.dayNumber, label: name).draw(on: &canvas)
        let others = items.filter { $0.days == nil }
        if !others.isEmpty {
            canvas.line()
            canvas.line(StyledText("Without dates", .dim))
            for item in others {
                canvas.line(
                    (StyledText("  " + viewer.short(item.item.task.id) + "  ", .dim) + item.item.headline(viewer))
                        .fitted(canvas.textWidth))
            }
        }
        if dated.contains(where: \.isLate) { canvas.line(StyledText("▓ after the due date", TextStyle(.red))) }
    }

    private func row(_ item: GanttItem, _ viewer: Viewer) -> GanttChart.Row {
        let task = item.item.task
        let days = item.days ?? 0..<1
        var label = StyledText(viewer.short(task.id) + "  ", .dim)
        label.append(task.title.isEmpty ? "(no title)" : task.title, item.item.titleStyle(viewer))
        let isDone = task.state == .done
        var late = 0..<0
        if item.isLate, let due = task.due?.date(in: viewer.zone).dayNumber, due + 1 < days.upperBound {
            late = max(days.lowerBound, due + 1)..<days.upperBound
        }
        let blocked = item.item.blockedBy.map { viewer.short($0) }
        return GanttChart.Row(
            label: label, days: days, marked: late,
            style: isDone ? TextStyle(.green) : item.item.blockedBy.isEmpty ? TextStyle(.blue) : TextStyle(.magenta),
            markStyle: TextStyle(.red), fill: isDone ? "▒" : "█",
            remark: StyledText(blocked.isEmpty ? "" : "⊘ " + blocked.joined(separator: " "), .dim))
    }
}
