import ArgumentParser
import HelixGraphics
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// The measure of the work of a task.
enum WorkMeasure: String, CaseIterable, ExpressibleByArgument, Sendable {
    case tasks, estimate
}

/// `helix projects burndown`
struct ProjectsBurndown: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "burndown", abstract: "Show the open tasks of a project day by day, beside its plan.",
        discussion: """
            The plan falls from the tasks of the first day that has any to none at the project's due date. The first day is the start date of \
            the project, else that on which its first task was created. With '--by estimate', tasks count by their estimates.

              helix projects burndown house
              helix projects burndown house --by estimate --output house.svg
            """)
    static let reports: [PrintedReport] = [.json(BurndownReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @Option(name: .long, help: ArgumentHelp("tasks, or estimate.", valueName: "measure"))
    var by = WorkMeasure.tasks

    @OptionGroup var charts: ChartOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let project = try store.project(named: project)
        let filter = TaskFilter.all([.project(project.name), .kind(.task)])
        let pasts = try store.taskPasts(filter, zone: context.zone)
        var estimates: [EntityID: Int] = [:]
        if by == .estimate {
            for task in try store.tasks(pasts.map(\.id)) { estimates[task.task.id] = task.task.estimate }
        }
        let line = BurnDown(
            pasts, start: project.start, due: project.due, now: context.now, zone: context.zone,
            weight: { by == .tasks ? 1 : estimates[$0] ?? 0 })
        if line.days.count > BurndownReport.longest {
            throw HelixError(
                .usage, "the project lasts \(line.days.count) days, and a burn-down shows \(BurndownReport.longest)",
                hint: "Set its start: helix projects edit '\(project.name)' --start DATE.")
        }
        let report = BurndownReport(
            items: line.days.map { BurndownDay(day: $0, measure: by) }, project: project,
            unknown: by == .estimate ? pasts.count { estimates[$0.id] == nil } : 0)
        try context.present(report, charts: charts)
    }
}

/// A day of a burn-down.
struct BurndownDay: DescribedItem {
    let day: BurnDown.Day
    let measure: WorkMeasure

    static let described = list {
        Field("kind", .choice(["day"]), "The kind of the item.") { _ in "day" }
        Field("date", .time, "The day.") { ISO8601.text($0.day.date) }
        Field("measure", .choice(WorkMeasure.allCases.map(\.rawValue)), "The unit: tasks, or seconds of estimates.") {
            $0.measure.rawValue
        }
        Field("open", .integer, required: false, "The work open at the end of the day; none for a day to come.") {
            $0.day.open
        }
        Field("added", .integer, "The work that was added on it.") { $0.day.added }
        Field("closed", .integer, "The work that was done or dropped on it.") { $0.day.closed }
        Field("planned", .number, required: false, "The work that the plan leaves open; none without a due date.") {
            $0.day.planned.map { JSONValue.number(($0 * 100).rounded() / 100) }
        }
    }

    func text(_ work: Int) -> String { measure == .tasks ? "\(work)" : DateWords.text(hours: work) }
}

/// The burn-down of a project.
struct BurndownReport: ChartedReport {
    static let schema = "helix.projects.burndown/1"
    /// The most days.
    static let longest = 3660
    let items: [BurndownDay]
    let project: ProjectRecord
    /// The number of tasks without an estimate, which count nothing.
    let unknown: Int

    /// The latest day that is not to come.
    private var latest: BurndownDay? { items.last { $0.day.open != nil } }

    private func summary(_ viewer: Viewer) -> String {
        guard let latest, let open = latest.day.open else { return "No tasks." }
        var text = "\(latest.text(open)) open"
        if let planned = latest.day.planned { text += ", \(latest.text(Int(planned.rounded()))) planned" }
        if let due = project.due { text += ", due \(DateWords.text(due))" }
        if unknown > 0 { text += "; \(unknown) task\(unknown == 1 ? "" : "s") without an estimate left out" }
        return text
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        canvas.line(StyledText(project.name, .bold))
        canvas.paragraph(summary(viewer), style: .dim)
        guard !items.isEmpty else { return }
        // A line for each day would fill pages; the first and the latest one are always shown.
        let step = max(1, (items.count + 29) / 30)
        let shown = items.indices.filter { $0 % step == 0 || $0 == items.count - 1 || items[$0].day == latest?.day }
        canvas.line()
        canvas.bars(
            shown.compactMap { place in
                let item = items[place]
                let label = "\(item.day.date.day) \(DateWords.name(month: item.day.date.month))"
                let plan = item.day.planned.map { "plan \(item.text(Int($0.rounded())))" }
                let text = [item.day.open.map { item.text($0) } ?? "–", plan].compactMap { $0 }.joined(separator: ", ")
                let isLate = item.day.open.map { Double($0) > (item.day.planned ?? .infinity) } ?? false
                return ChartBar(
                    label, value: Double(item.day.open ?? 0), text: text, color: isLate ? .orange : .blue)
            })
    }

    func charts(for viewer: Viewer) -> ChartPage {
        let isOneYear = Set(items.map(\.day.date.components.year)).count <= 1
        let labels = items.map { item -> String in
            let day = "\(item.day.date.day) \(DateWords.name(month: item.day.date.month))"
            return isOneYear ? day : "\(day) \(item.day.date.components.year)"
        }
        let open = ChartSeries("open", items.map { $0.day.open.map(Double.init) }, color: .blue)
        let plan = ChartSeries("plan", items.map(\.day.planned), color: .gray, dashed: true)
        let unit: ChartUnit = items.first?.measure == .estimate ? .seconds : .number
        let hasPlan = items.contains { $0.day.planned != nil }
        return ChartPage(
            project.name, subtitle: summary(viewer),
            panels: items.isEmpty
                ? []
                : [ChartPanel("Burn-down", .lines(labels: labels, hasPlan ? [open, plan] : [open], unit))])
    }
}
