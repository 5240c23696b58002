import Foundation
import HelixModel
import HelixStore
import HelixTerminal

/// A project with its numbers.
struct ProjectItem: ReportItem {
    let project: ProjectRecord
    let openTasks: Int
    let doneTasks: Int
    /// Its time, title by title.
    let hours: [ProjectHours]
    let materials: [MaterialRecord]

    /// Seconds.
    var seconds: Int { hours.reduce(0) { $0 + $1.seconds } }
    var billable: Int { hours.reduce(0) { $0 + $1.billable } }
    /// What the billable hours cost; nil without a rate.
    var workCost: Decimal? {
        project.hourlyRate.map { rate in hours.reduce(0) { $0 + ($1.cost(rate: rate) ?? 0) } }
    }
    /// What the materials cost.
    var materialCost: Decimal { materials.reduce(0) { $0 + $1.cost } }
    /// Both together.
    var cost: Decimal { (workCost ?? 0) + materialCost }
    /// By how much the budget of money is exceeded; 0 if it is not.
    var overBudget: Decimal { max(0, cost - (project.budgetMoney ?? cost)) }
    /// By how many seconds the budget of time is exceeded; 0 if it is not.
    var overTime: Int { max(0, seconds - (project.budgetTime ?? seconds)) }

    static let fields = [
        SchemaField("kind", .choice(["project"]), "What the item is."),
        SchemaField("id", .id, "The project's identity."),
        SchemaField("name", .string, "Its name."),
        SchemaField("status", .choice(ProjectStatus.allCases.map(\.rawValue)), "Where it stands."),
        SchemaField("customer", .string, required: false, "Who pays for it."),
        SchemaField("start", .time, required: false, "The day on which it begins."),
        SchemaField("due", .time, required: false, "The day on which it must be done."),
        SchemaField("assignee", .string, required: false, "Person in charge."),
        SchemaField("budget_seconds", .seconds, required: false, "Budget in hours."),
        SchemaField("budget", .string, required: false, "Budget in money."),
        SchemaField("hourly_rate", .string, required: false, "Hourly rate."),
        SchemaField("currency", .string, required: false, "The currency."),
        SchemaField("notes", .string, required: false, "Notes."),
        SchemaField("blocks", .array(.id), "The named blocks of its tasks."),
        SchemaField("open_tasks", .integer, "How many tasks are open."),
        SchemaField("done_tasks", .integer, "How many are done."),
        SchemaField("seconds", .seconds, "How much time was spent."),
        SchemaField("billable_seconds", .seconds, "How much of it is billable."),
        SchemaField("work_cost", .string, required: false, "What the billable hours cost."),
        SchemaField("material_cost", .string, "What the materials cost."),
        SchemaField("cost", .string, "Both together."),
        SchemaField("over_budget", .bool, "Whether more time or money was spent than the budget allows."),
        SchemaField("links", .array(.id), "Always empty here; 'helix show' lists them."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        json.set("kind", "project")
        json.set("id", project.id.text)
        json.set("name", project.name)
        json.set("status", project.status.rawValue)
        json.set("customer", project.customer)
        json.set("start", project.start.map { ISO8601.text($0) })
        json.set("due", project.due.map { ISO8601.text($0) })
        json.set("assignee", project.assignee)
        json.set("budget_seconds", project.budgetTime)
        json.set("budget", project.budgetMoney?.money)
        json.set("hourly_rate", project.hourlyRate?.money)
        json.set("currency", project.currency)
        json.set("notes", project.notes)
        json.set("blocks", project.blocks)
        json.set("open_tasks", openTasks)
        json.set("done_tasks", doneTasks)
        json.set("seconds", seconds)
        json.set("billable_seconds", billable)
        json.set("work_cost", workCost?.money)
        json.set("material_cost", materialCost.money)
        json.set("cost", cost.money)
        json.set("over_budget", overBudget > 0 || overTime > 0)
        json.set("links", [String]())
        return json
    }
}

/// The projects.
struct ProjectListReport: OrderedReport {
    static let schema = "helix.projects.list/1"
    var items: [ProjectItem]
    var isTruncated = false

    func limited(to count: Int) -> ProjectListReport {
        ProjectListReport(items: Array(items.prefix(count)), isTruncated: items.count > count)
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            canvas.line(
                StyledText("No projects. 'helix projects add' makes one, and so does project: in a task.", .dim))
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
