import FoundationEssentials
import HelixModel
import HelixStore
import HelixTerminal

/// A project with its numbers.
struct ProjectItem: DescribedItem {
    let project: ProjectRecord
    let openTasks: Int
    let doneTasks: Int
    /// Its time, title by title.
    let hours: [ProjectHours]
    let materials: [MaterialRecord]

    /// Seconds.
    var seconds: Int { hours.reduce(0) { $0 + $1.seconds } }
    var billable: Int { hours.reduce(0) { $0 + $1.billable } }
    /// The cost of the billable hours, each at the rate of its project; nil without a rate.
    var workCost: Decimal? {
        let costs = hours.compactMap(\.cost)
        return project.hourlyRate == nil && costs.isEmpty ? nil : costs.reduce(0, +)
    }
    /// The cost of the materials.
    var materialCost: Decimal { materials.reduce(0) { $0 + $1.cost } }
    /// The total cost.
    var cost: Decimal { (workCost ?? 0) + materialCost }
    /// The amount over the budget of money; 0 if it is not exceeded.
    var overBudget: Decimal { max(0, cost - (project.budgetMoney ?? cost)) }
    /// The seconds over the budget of time; 0 if it is not exceeded.
    var overTime: Int { max(0, seconds - (project.budgetTime ?? seconds)) }

    static let described = list {
        Field("kind", .choice(["project"]), "The kind of the item.") { _ in "project" }
        Field("id", .id, "The project's identity.") { $0.project.id.text }
        Field("name", .string, "Its name.") { $0.project.name }
        Field("status", .choice(ProjectStatus.allCases.map(\.rawValue)), "The status.") { $0.project.status.rawValue }
        Field("customer", .string, required: false, "Customer.") { $0.project.customer }
        Field("start", .time, required: false, "Start date.") { item in
            item.project.start.map { ISO8601.text($0) }
        }
        Field("due", .time, required: false, "Due date.") { item in
            item.project.due.map { ISO8601.text($0) }
        }
        Field("assignee", .string, required: false, "Person in charge.") { $0.project.assignee }
        Field("budget_seconds", .seconds, required: false, "Budget in hours.") { $0.project.budgetTime }
        Field("budget", .string, required: false, "Budget in money.") { $0.project.budgetMoney?.money }
        Field("hourly_rate", .string, required: false, "Hourly rate.") { $0.project.hourlyRate?.price }
        Field("currency", .string, required: false, "The currency.") { $0.project.currency }
        Field("notes", .string, required: false, "Notes.") { $0.project.notes }
        Field("blocks", .array(.id), "The named blocks of its tasks.") { $0.project.blocks }
        Field("open_tasks", .integer, "Number of open tasks.") { $0.openTasks }
        Field("done_tasks", .integer, "Number of done tasks.") { $0.doneTasks }
        Field("seconds", .seconds, "Time spent.") { $0.seconds }
        Field("billable_seconds", .seconds, "Billable part of the time.") { $0.billable }
        Field("work_cost", .string, required: false, "Cost of the billable hours.") { $0.workCost?.money }
        Field("material_cost", .string, "Cost of the materials.") { $0.materialCost.money }
        Field("cost", .string, "Total cost.") { $0.cost.money }
        Field("over_budget", .bool, "Whether more time or money was spent than the budget allows.") {
            $0.overBudget > 0 || $0.overTime > 0
        }
        Field("links", .array(.id), "Always empty here; 'helix show' lists them.") { _ in [String]() }
    }

}

/// A list of projects.
struct ProjectListReport: CuttableReport {
    static let schema = "helix.projects.list/1"
    var items: [ProjectItem]
    var isTruncated = false

    /// Whether a filter was given.
    var isFiltered = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            return canvas.line(
                isFiltered
                    ? StyledText("No projects match.", .dim)
                    : StyledText("No projects. 'helix projects add' creates one, and so does project: in a task.", .dim)
            )
        }
        var table = Table([
            .init(), .init("project", minimum: 8), .init("customer", minimum: 6, importance: 1),
            .init("status", importance: 2), .init("due", importance: 4), .init("tasks", right: true, importance: 3),
            .init("time", right: true), .init("cost", right: true),
        ])
        for item in items {
            let total = item.openTasks + item.doneTasks
            table.row([
                StyledText(viewer.short(item.project.id), .dim),
                StyledText(item.project.name, TextStyle(.blue, bold: true)),
                StyledText(item.project.customer ?? ""),
                StyledText(item.project.status.rawValue.replacing("_", with: " "), .dim),
                StyledText(item.project.due.map { viewer.near(.date($0)) } ?? ""),
                StyledText(total > 0 ? "\(item.doneTasks)/\(total)" : ""),
                StyledText(
                    item.seconds > 0 ? DateWords.text(hours: item.seconds) : "",
                    TextStyle(item.overTime > 0 ? .red : nil)),
                StyledText(
                    item.cost > 0 ? item.cost.money + (item.project.currency.map { " " + $0 } ?? "") : "",
                    TextStyle(item.overBudget > 0 ? .red : nil)),
            ])
        }
        table.draw(on: &canvas)
    }
}
