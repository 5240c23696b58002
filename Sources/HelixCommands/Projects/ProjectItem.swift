import Foundation
import HelixModel
import HelixStore
import HelixTerminal

/// A project with its numbers.
struct ProjectItem: ReportItem {
    let project: ProjectRecord
    let openTasks: Int
    let doneTasks: Int
    /// Seconds.
    let seconds: Int
    let billable: Int
    let materials: [MaterialRecord]

    /// What the billable hours cost; nil without a rate.
    var workCost: Decimal? { project.hourlyRate.map { ($0 * Decimal(billable) / 3600).roundedToCents } }
    /// What the materials cost.
    var materialCost: Decimal { materials.reduce(0) { $0 + $1.cost } }
    /// Both together.
    var cost: Decimal { (workCost ?? 0) + materialCost }

    static let fields = [
        SchemaField("kind", .choice(["project"]), "What the item is."),
        SchemaField("id", .string, "The project's identity."),
        SchemaField("name", .string, "Its name."),
        SchemaField("status", .choice(ProjectStatus.allCases.map(\.rawValue)), "Where it stands."),
        SchemaField("customer", .string, required: false, "Who pays for it."),
        SchemaField("start", .time, required: false, "The day on which it begins."),
        SchemaField("due", .time, required: false, "The day on which it must be done."),
        SchemaField("assignee", .string, required: false, "Who is in charge."),
        SchemaField("budget_seconds", .integer, required: false, "How much time it may take."),
        SchemaField("budget", .string, required: false, "How much it may cost."),
        SchemaField("hourly_rate", .string, required: false, "What an hour of work costs."),
        SchemaField("currency", .string, required: false, "The currency."),
        SchemaField("notes", .string, required: false, "Further text."),
        SchemaField("blocks", .array(.string), "The named blocks of its tasks."),
        SchemaField("open_tasks", .integer, "How many tasks are open."),
        SchemaField("done_tasks", .integer, "How many are done."),
        SchemaField("seconds", .integer, "How much time was spent."),
        SchemaField("billable_seconds", .integer, "How much of it is billable."),
        SchemaField("work_cost", .string, required: false, "What the billable hours cost."),
        SchemaField("material_cost", .string, "What the materials cost."),
        SchemaField("cost", .string, "Both together."),
        SchemaField("links", .array(.string), "Always empty here; 'helix show' lists them."),
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
        json.set("links", [String]())
        return json
    }
}

/// The projects.
struct ProjectListReport: Report {
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
            .init("", right: false), .init("project", minimum: 8), .init("customer", minimum: 6), .init("status"),
            .init("due"),
            .init("tasks", right: true), .init("time", right: true), .init("cost", right: true),
        ])
        let wide = canvas.width >= 70
        for item in items {
            let total = item.openTasks + item.doneTasks
            table.row([
                StyledText(viewer.short(item.project.id), .dim),
                StyledText(item.project.name, TextStyle(.blue, bold: true)),
                StyledText(wide ? item.project.customer ?? "" : ""),
                StyledText(item.project.status.rawValue.replacing("_", with: " "), .dim),
                StyledText(item.project.due.map { viewer.near(.date($0)) } ?? ""),
                StyledText(total > 0 ? "\(item.doneTasks)/\(total)" : ""),
                StyledText(item.seconds > 0 ? DateWords.text(hours: item.seconds) : ""),
                StyledText(item.cost > 0 ? item.cost.money + (item.project.currency.map { " " + $0 } ?? "") : ""),
            ])
        }
        table.draw(on: &canvas)
    }
}

/// One project.
struct ProjectReport: Report {
    static let schema = "helix.projects.show/1"
    static let isList = false
    let items: [ProjectItem]

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        guard let item = items.first else { return }
        let project = item.project
        canvas.line(StyledText(project.name, .bold))
        var table = Table([.init(), .init(minimum: 20)])
        func row(_ name: String, _ text: String?) {
            if let text { table.row([StyledText(name, .dim), StyledText(text)]) }
        }
        let unit = project.currency.map { " " + $0 } ?? ""
        row("id", "\(viewer.short(project.id)) (\(project.id.text))")
        row("status", project.status.rawValue.replacing("_", with: " "))
        row("customer", project.customer)
        row("start", project.start.map { viewer.day($0) })
        row("due", project.due.map { viewer.day($0) })
        row("assignee", project.assignee)
        row("rate", project.hourlyRate.map { $0.money + unit + " an hour" })
        row("tasks", "\(item.openTasks) open, \(item.doneTasks) done")
        let budgetTime =
            project.budgetTime.map { " of \(DateWords.text(hours: $0)) (\(item.seconds * 100 / max(1, $0)) %)" } ?? ""
        row(
            "time",
            DateWords.text(hours: item.seconds) + budgetTime
                + (item.billable > 0 ? ", \(DateWords.text(hours: item.billable)) billable" : ""))
        if item.materialCost > 0 { row("materials", item.materialCost.money + unit) }
        let budget = project.budgetMoney.map { " of \($0.money)" } ?? ""
        if item.cost > 0 || !budget.isEmpty { row("cost", item.cost.money + budget + unit) }
        if !project.blocks.isEmpty { row("blocks", project.blocks.joined(separator: " · ")) }
        table.draw(on: &canvas)
        if let notes = project.notes {
            canvas.line()
            canvas.paragraph(notes)
        }
    }
}
