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
    /// The cost of the billable hours; nil without a rate.
    var workCost: Decimal? {
        project.hourlyRate.map { rate in hours.reduce(0) { $0 + ($1.cost(rate: rate) ?? 0) } }
    }
    /// The cost of the materials.
    var materialCost: Decimal { materials.reduce(0) { $0 + $1.cost } }
    /// The total cost.
    var cost: Decimal { (workCost ?? 0) + materialCost }
    /// The amount over the budget of money; 0 if it is not exceeded.
    var overBudget: Decimal { max(0, cost - (project.budgetMoney ?? cost)) }
    /// The seconds over the budget of time; 0 if it is not exceeded.
    var overTime: Int { max(0, seconds - (project.budgetTime ?? seconds)) }

    static let fields = [
        SchemaField("kind", .choice(["project"]), "The kind of the item."),
        SchemaField("id", .id, "The project's identity."),
        SchemaField("name", .string, "Its name."),
        SchemaField("status", .choice(ProjectStatus.allCases.map(\.rawValue)), "The status."),
        SchemaField("customer", .string, required: false, "Customer."),
        SchemaField("start", .time, required: false, "Start date."),
        SchemaField("due", .time, required: false, "Due date."),
        SchemaField("assignee", .string, required: false, "Person in charge."),
        SchemaField("budget_seconds", .seconds, required: false, "Budget in hours."),
        SchemaField("budget", .string, required: false, "Budget in money."),
        SchemaField("hourly_rate", .string, required: false, "Hourly rate."),
        SchemaField("currency", .string, required: false, "The currency."),
        SchemaField("notes", .string, required: false, "Notes."),
        SchemaField("blocks", .array(.id), "The named blocks of its tasks."),
        SchemaField("open_tasks", .integer, "Number of open tasks."),
        SchemaField("done_tasks", .integer, "Number of done tasks."),
        SchemaField("seconds", .seconds, "Time spent."),
        SchemaField("billable_seconds", .seconds, "Billable part of the time."),
        SchemaField("work_cost", .string, required: false, "Cost of the billable hours."),
        SchemaField("material_cost", .string, "Cost of the materials."),
        SchemaField("cost", .string, "Total cost."),
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

/// A list of projects.
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
                StyledText("No projects. 'helix projects add' creates one, and so does project: in a task.", .dim))
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
