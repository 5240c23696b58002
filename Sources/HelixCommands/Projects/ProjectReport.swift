import FoundationEssentials
import HelixModel
import HelixStore
import HelixTerminal

/// One project.
struct ProjectReport: Report {
    static let schema = "helix.projects.show/1"
    static let isList = false
    let items: [ProjectItem]
    /// Its tasks, dropped ones left out, in the order of their columns.
    var tasks: [TaskItem] = []
    var files: [FileItem] = []

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        guard let item = items.first else { return }
        ProjectReport.drawHead(item, on: &canvas, for: viewer)
        drawBlocks(item, on: &canvas, for: viewer)
        if !files.isEmpty {
            canvas.line()
            canvas.line(StyledText("Files", TextStyle(.cyan, bold: true)))
            FileReport.table(files, viewer, hasProject: false).draw(on: &canvas, indent: 2)
        }
        if let notes = item.project.notes {
            canvas.line()
            canvas.paragraph(notes)
        }
    }

    /// Draws the project's fields and progress.
    static func drawHead(_ item: ProjectItem, on canvas: inout Canvas, for viewer: Viewer) {
        let project = item.project
        canvas.line(StyledText(project.name, .bold))
        var table = Table([.init(), .init(minimum: 20)])
        func row(_ name: String, _ text: String?, warning: String? = nil) {
            guard let text else { return }
            var cell = StyledText(text)
            if let warning { cell.append((text.isEmpty ? "" : "  ") + warning, TextStyle(.red, bold: true)) }
            table.row([StyledText(name, .dim), cell])
        }
        let unit = project.currency.map { " " + $0 } ?? ""
        row("id", "\(viewer.short(project.id)) (\(project.id.text))")
        row("status", project.status.rawValue.replacing("_", with: " "))
        row("customer", project.customer)
        row("start", project.start.map { viewer.day($0) })
        let isLate = project.status != .done && (project.due.map { $0 < viewer.today } ?? false)
        row("due", project.due.map { viewer.day($0) }, warning: isLate ? "overdue" : nil)
        row("assignee", project.assignee)
        row("rate", project.hourlyRate.map { $0.price + unit + " an hour" })
        row("tasks", "\(item.openTasks) open, \(item.doneTasks) done")
        let budgetTime =
            project.budgetTime.map { " of \(DateWords.text(hours: $0)) (\(item.seconds * 100 / max(1, $0)) %)" } ?? ""
        row("time", DateWords.text(hours: item.seconds) + budgetTime)
        if item.overTime > 0 { row("", "", warning: "\(DateWords.text(hours: item.overTime)) over budget") }
        if item.workCost != nil, item.seconds > 0 {
            let free = item.seconds - item.billable
            row("billable", DateWords.text(hours: item.billable))
            if free > 0 { row("not billable", DateWords.text(hours: free)) }
        }
        if item.materialCost > 0 { row("materials", item.materialCost.money + unit) }
        let budget = project.budgetMoney.map { " of \($0.money)" } ?? ""
        if item.cost > 0 || !budget.isEmpty {
            row("cost", item.cost.money + budget + unit)
            if item.overBudget > 0 { row("", "", warning: "\(item.overBudget.money)\(unit) over budget") }
        }
        table.draw(on: &canvas)
    }

    /// Draws each block with its open tasks, and the number of done ones.
    private func drawBlocks(_ item: ProjectItem, on canvas: inout Canvas, for viewer: Viewer) {
        let hasBlocks = !item.project.blocks.isEmpty
        for block in item.project.blocks.map({ $0 as String? }) + [nil] {
            // Tasks without a block, and those of subprojects, are last.
            let own = tasks.filter { task in
                block == nil
                    ? task.task.block == nil || task.task.project != item.project.id
                    : task.task.block == block && task.task.project == item.project.id
            }
            let open = own.filter { $0.task.state == .open }
            if block == nil, open.isEmpty { continue }
            canvas.line()
            var head = StyledText(block ?? (hasBlocks ? "No block" : "Tasks"), TextStyle(.cyan, bold: true))
            head.append(own.isEmpty ? "  no tasks" : "  \(own.count - open.count)/\(own.count)", .dim)
            if !own.isEmpty, open.isEmpty { head.append(" ✓", TextStyle(.green)) }
            canvas.line(head.fitted(canvas.textWidth))
            var table = Table([.init(), .init(minimum: 12), .init(importance: 1), .init(importance: 2)])
            for task in open.prefix(20) {
                table.row([
                    StyledText(viewer.short(task.task.id), .dim), task.headline(viewer), task.due(viewer),
                    StyledText(task.details.column, .dim),
                ])
            }
            table.draw(on: &canvas, indent: 2)
            if open.count > 20 { canvas.line(StyledText("  +\(open.count - 20) more", .dim)) }
        }
    }
}
