import ArgumentParser
import Foundation
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix projects report`
struct ProjectsReport: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "report", abstract: "Hours, materials, costs, budget and open tasks of a project.",
        discussion: """
            Enough to write an invoice from.

              helix projects report house
              helix projects report house 2026-11 --markdown > invoice.md
              helix projects report house --csv
            """)

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @Argument(help: ArgumentHelp("Only time and materials of those days.", valueName: "range"))
    var range: [String] = []

    @Flag(name: .long, help: "Print time and materials as CSV.")
    var csv = false

    @Flag(name: .long, help: "Print Markdown.")
    var markdown = false

    @OptionGroup var bounds: RangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if csv && markdown { throw ValidationError("--csv and --markdown exclude each other.") }
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let project = try store.project(named: project)
        let isWhole = range.isEmpty && bounds.from == nil && bounds.to == nil
        let span =
            isWhole
            ? TimeRange(start: Instant(-100_000_000_000), end: .distantFuture) : try context.timeRange(range, bounds)
        let days = (context.zone.date(span.start), context.zone.date(span.end - 1))
        let entries = try store.timeEntries(in: span, filter: .project(project.name), zone: context.zone)
        let materials = try store.materials(of: project.id).filter { material in
            isWhole || material.boughtOn.map { $0 >= days.0 && $0 <= days.1 } ?? false
        }
        let open = try store.tasks(
            .all([.state(.open), .project(project.name)]), order: .urgency, zone: context.zone, urgency: context.urgency
        )
        var hours: [String: (seconds: Int, billable: Int)] = [:]
        for entry in entries {
            let part = entry.entry.range(at: max(context.now, entry.entry.start)).intersection(span)?.duration ?? 0
            let name = entry.title.isEmpty ? "(no title)" : entry.title
            hours[name, default: (0, 0)].seconds += part
            if entry.entry.isBillable { hours[name, default: (0, 0)].billable += part }
        }
        let item = ProjectItem(
            project: project, openTasks: open.total,
            doneTasks: try store.taskCount(.all([.state(.done), .project(project.name)]), zone: context.zone),
            seconds: hours.values.reduce(0) { $0 + $1.seconds }, billable: hours.values.reduce(0) { $0 + $1.billable },
            materials: materials)
        let sums = hours.map { ProjectHours(name: $0, seconds: $1.seconds, billable: $1.billable) }
            .sorted { $0.seconds != $1.seconds ? $0.seconds > $1.seconds : $0.name < $1.name }
        let report = ProjectSumReport(
            items: [item], hours: sums, open: try context.items(open.tasks), span: isWhole ? nil : span)
        if csv {
            try output.refuseMachine("CSV")
            return try context.write(report.csv())
        }
        if markdown {
            try output.refuseMachine("Markdown")
            return try context.write(report.markdown(context.viewer))
        }
        try context.present(report, ids: [project.id] + open.tasks.map(\.task.id))
    }
}

/// Time under one title.
struct ProjectHours: Sendable {
    let name: String
    let seconds: Int
    let billable: Int
}

/// A project's sums.
struct ProjectSumReport: Report {
    static let schema = "helix.projects.report/1"
    static let isList = false
    let items: [ProjectItem]
    let hours: [ProjectHours]
    let open: [TaskItem]
    let span: TimeRange?

    private var item: ProjectItem { items[0] }
    private var unit: String { item.project.currency.map { " " + $0 } ?? "" }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        ProjectReport(items: items).draw(on: &canvas, for: viewer)
        if !hours.isEmpty {
            canvas.line()
            canvas.line(StyledText("Hours", TextStyle(.cyan, bold: true)))
            var chart = BarChart()
            for hour in hours.prefix(20) {
                chart.bar(
                    StyledText(hour.name), value: Double(hour.seconds), text: DateWords.text(hours: hour.seconds),
                    style: TextStyle(hour.billable > 0 ? .green : .blue))
            }
            chart.draw(on: &canvas, indent: 2)
            if hours.count > 20 { canvas.line(StyledText("  +\(hours.count - 20) more", .dim)) }
        }
        if !item.materials.isEmpty {
            canvas.line()
            canvas.line(StyledText("Materials", TextStyle(.cyan, bold: true)))
            var table = Table([.init(minimum: 10), .init(right: true), .init(), .init(right: true)])
            for material in item.materials {
                table.row([
                    StyledText(material.name), StyledText("\(material.quantity)"), StyledText(material.unit, .dim),
                    StyledText(material.cost.money),
                ])
            }
            table.draw(on: &canvas, indent: 2)
        }
        if !open.isEmpty {
            canvas.line()
            canvas.line(StyledText("Open tasks", TextStyle(.cyan, bold: true)))
            var table = Table([.init(), .init(minimum: 10), .init()])
            for task in open.prefix(20) {
                table.row([StyledText(viewer.short(task.task.id), .dim), task.headline(viewer), task.due(viewer)])
            }
            table.draw(on: &canvas, indent: 2)
            if open.count > 20 { canvas.line(StyledText("  +\(open.count - 20) more", .dim)) }
        }
        if let work = item.workCost {
            canvas.line()
            var sum = StyledText("Work \(work.money) + materials \(item.materialCost.money) = ", .dim)
            sum.append(item.cost.money + unit, .bold)
            canvas.line(sum.fitted(canvas.width))
        }
    }

    func csv() -> String {
        var lines = ["kind,name,quantity,unit,unit_price,cost,billable"]
        for hour in hours {
            let quantity = (Decimal(hour.seconds) / 3600).roundedToCents
            let billable = (Decimal(hour.billable) / 3600).roundedToCents
            let cost = item.project.hourlyRate.map { ($0 * Decimal(hour.billable) / 3600).roundedToCents.money } ?? ""
            lines.append(
                [
                    "work", hour.name, quantity.money, "h", item.project.hourlyRate.map { "\($0)" } ?? "", cost,
                    billable.money,
                ]
                .map(TimeCSV.field).joined(separator: ","))
        }
        for material in item.materials {
            lines.append(
                [
                    "material", material.name, "\(material.quantity)", material.unit, "\(material.unitPrice)",
                    material.cost.money, "",
                ].map(TimeCSV.field).joined(separator: ","))
        }
        return lines.map { $0 + "\r\n" }.joined()
    }

    func markdown(_ viewer: Viewer) -> String {
        func safe(_ text: String) -> String { SafeText.line(text).replacing("|", with: "\\|") }
        var out = "# \(safe(item.project.name))\n\n"
        if let customer = item.project.customer { out += "Customer: \(safe(customer))  \n" }
        if let span {
            out +=
                "Period: \(DateWords.text(viewer.zone.date(span.start))) – \(DateWords.text(viewer.zone.date(span.end - 1)))  \n"
        }
        out += "Date: \(DateWords.text(viewer.today))\n\n"
        if !hours.isEmpty {
            out += "## Work\n\n| what | hours | billable |\n|---|---:|---:|\n"
            for hour in hours {
                let all = (Decimal(hour.seconds) / 3600).roundedToCents.money
                let billable = (Decimal(hour.billable) / 3600).roundedToCents.money
                out += "| \(safe(hour.name)) | \(all) | \(billable) |\n"
            }
            out += "\n"
        }
        if !item.materials.isEmpty {
            out += "## Materials\n\n| what | quantity | price | cost |\n|---|---:|---:|---:|\n"
            for material in item.materials {
                out +=
                    "| \(safe(material.name)) | \(material.quantity) \(safe(material.unit)) | \(material.unitPrice) | \(material.cost.money) |\n"
            }
            out += "\n"
        }
        out += "| | |\n|---|---:|\n"
        if let work = item.workCost { out += "| Work | \(work.money)\(unit) |\n" }
        out += "| Materials | \(item.materialCost.money)\(unit) |\n| **Total** | **\(item.cost.money)\(unit)** |\n"
        return out
    }
}
