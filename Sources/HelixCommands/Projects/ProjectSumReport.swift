import FoundationEssentials
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// A project's totals, with their rows.
struct ProjectSumItem: DescribedItem {
    let item: ProjectItem
    let open: [TaskItem]
    /// The period of the report; nil for all time.
    let span: TimeRange?

    static let described =
        ProjectItem.described.of { (sum: ProjectSumItem) in sum.item }
        + list {
            Field("from", .time, required: false, "The first day of the report; absent for all time.") { item, viewer in
                item.span.map { ISO8601.text(viewer.zone.date($0.start)) }
            }
            Field("to", .time, required: false, "The last day of the report.") { item, viewer in
                item.span.map { ISO8601.text(viewer.zone.date($0.end - 1)) }
            }
            Field("hours", listing: \.item.hours, "The time by title and rate, the longest first.") {
                ReportField("title", .string, "The title.") { $0.name }
                ReportField("seconds", .seconds, "Duration.") { $0.seconds }
                ReportField("billable_seconds", .seconds, "Billable part of it.") { $0.billable }
                ReportField("rate", .string, required: false, "The hourly rate of its project.") { $0.rate?.price }
                ReportField("cost", .string, required: false, "Cost of the billable part, to the cent.") {
                    $0.cost?.money
                }
            }
            Field("materials", .array(.object(MaterialItem.fields)), "The materials.") { sum, viewer in
                sum.item.materials.map { MaterialItem(material: $0, project: sum.item.project).json(for: viewer) }
            }
            Field("open", .array(.string), "The identities of the open tasks, the most urgent first.") {
                $0.open.map(\.task.id.text)
            }
        }
}

/// A project's totals.
struct ProjectSumReport: Report {
    static let schema = "helix.projects.report/1"
    static let isList = false
    let items: [ProjectSumItem]

    private var item: ProjectItem { items[0].item }
    private var open: [TaskItem] { items[0].open }
    private var unit: String { item.project.currency.map { " " + $0 } ?? "" }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        ProjectReport.drawHead(item, on: &canvas, for: viewer)
        drawHours(on: &canvas)
        drawMaterials(on: &canvas)
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
            var table = Table([.init(), .init(right: true)])
            table.row([StyledText("Work", .dim), StyledText(work.money + unit)])
            table.row([StyledText("Materials", .dim), StyledText(item.materialCost.money + unit)])
            table.row([StyledText("Total", .bold), StyledText(item.cost.money + unit, .bold)])
            table.draw(on: &canvas)
        }
    }

    private func drawHours(on canvas: inout Canvas) {
        if item.hours.isEmpty { return }
        canvas.line()
        canvas.line(StyledText("Hours", TextStyle(.cyan, bold: true)))
        var chart = BarChart()
        for hour in item.hours.prefix(20) {
            chart.bar(
                StyledText(hour.name), value: Double(hour.seconds), text: DateWords.text(hours: hour.seconds),
                style: TextStyle(hour.billable > 0 ? .green : .blue))
        }
        chart.draw(on: &canvas, indent: 2)
        if item.hours.count > 20 { canvas.line(StyledText("  +\(item.hours.count - 20) more", .dim)) }
    }

    private func drawMaterials(on canvas: inout Canvas) {
        if item.materials.isEmpty { return }
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

    func csv() -> String {
        var lines = ["kind,date,name,quantity,unit,unit_price,cost,currency,supplier,billable_hours"]
        let currency = item.project.currency ?? ""
        for hour in item.hours {
            lines.append(
                [
                    "work", "", hour.name, ProjectHours.decimal(hour.seconds), "h", hour.rate?.price ?? "",
                    hour.cost?.money ?? "", currency, "", ProjectHours.decimal(hour.billable),
                ]
                .map(CSVField.text).joined(separator: ","))
        }
        for material in item.materials {
            lines.append(
                [
                    "material", material.boughtOn.map { ISO8601.text($0) } ?? "", material.name,
                    "\(material.quantity)", material.unit, material.unitPrice.price, material.cost.money, currency,
                    material.supplier ?? "", "",
                ].map(CSVField.text).joined(separator: ","))
        }
        return lines.map { $0 + "\r\n" }.joined()
    }

    func markdown(_ viewer: Viewer) -> String {
        func safe(_ text: String) -> String { SafeText.line(text).replacing("|", with: "\\|") }
        var out = "# \(safe(item.project.name))\n\n"
        if let customer = item.project.customer { out += "Customer: \(safe(customer))  \n" }
        if let span = items[0].span {
            let days = (viewer.zone.date(span.start), viewer.zone.date(span.end - 1))
            out += "Period: \(DateWords.text(days.0)) – \(DateWords.text(days.1))  \n"
        }
        out += "Date: \(DateWords.text(viewer.today))\n\n"
        if !item.hours.isEmpty {
            out += "## Work\n\n| what | hours | billable | rate | cost |\n|---|---:|---:|---:|---:|\n"
            for hour in item.hours {
                out +=
                    "| \(safe(hour.name)) | \(ProjectHours.decimal(hour.seconds)) | "
                    + "\(ProjectHours.decimal(hour.billable)) | \(hour.rate?.money ?? "") | \(hour.cost?.money ?? "") |\n"
            }
            out += "\n"
        }
        if !item.materials.isEmpty {
            out +=
                "## Materials\n\n| date | what | supplier | quantity | price | cost |\n|---|---|---|---:|---:|---:|\n"
            for material in item.materials {
                out +=
                    "| \(material.boughtOn.map { ISO8601.text($0) } ?? "") | \(safe(material.name)) "
                    + "| \(safe(material.supplier ?? "")) | \(material.quantity) \(safe(material.unit)) | \(material.unitPrice.price) | \(material.cost.money) |\n"
            }
            out += "\n"
        }
        out += "| | |\n|---|---:|\n"
        if let work = item.workCost { out += "| Work | \(work.money)\(unit) |\n" }
        out += "| Materials | \(item.materialCost.money)\(unit) |\n| **Total** | **\(item.cost.money)\(unit)** |\n"
        return out
    }
}
