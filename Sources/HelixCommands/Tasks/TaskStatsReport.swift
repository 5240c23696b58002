import HelixGraphics
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// A report of a board's statistics.
struct TaskStatsReport: ChartedReport {
    static let schema = "helix.tasks.stats/1"
    static let isList = false
    let items: [TaskStatsItem]

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        guard let item = items.first else { return }
        var head = StyledText(item.board.name, .bold)
        head.append("  \(item.samples.last?.openTotal ?? 0) open, \(item.inProgress) in progress", .dim)
        if item.overdue > 0 {
            head.append(", ")
            head.append("\(item.overdue) overdue", TextStyle(.red, bold: true))
        }
        canvas.line(head)
        var table = Table([.init(), .init(right: true), .init()])
        func row(_ name: String, _ value: String?, _ note: String = "") {
            table.row([StyledText(name, .dim), StyledText(value ?? "–"), StyledText(note, .dim)])
        }
        func length(_ seconds: Int?) -> String? { seconds.map(TaskStatsReport.days) }
        row("done this week", "\(item.throughput.last ?? 0)", "\(item.throughput.dropLast().last ?? 0) last week")
        row(
            "lead time", length(TaskFlow.percentile(item.lead, 0.5)),
            length(TaskFlow.percentile(item.lead, 0.85)).map { "85 % within \($0)" } ?? "")
        row(
            "cycle time", length(TaskFlow.percentile(item.cycle, 0.5)),
            length(TaskFlow.percentile(item.cycle, 0.85)).map { "85 % within \($0)" } ?? "")
        if let rate = item.completionRate { row("completed", "\(Int((rate * 100).rounded())) %", "of those created") }
        table.draw(on: &canvas)
        section("Done by week", on: &canvas)
        let shown = item.shownWeeks
        if let first = shown.first, first > 0 {
            canvas.line(StyledText("No tasks before \(label(item.weeks[first])).", .dim))
        }
        canvas.bars(
            shown.map { index in
                let count = item.throughput[index]
                return ChartBar(label(item.weeks[index]), value: Double(count), text: "\(count)", color: .green)
            })
        section("Open at the end of the week", on: &canvas)
        canvas.bars(
            shown.map { index in
                let open = item.samples[index].openTotal
                return ChartBar(label(item.weeks[index]), value: Double(open), text: "\(open)")
            })
        drawFlow(item, on: &canvas)
        if !item.aging.isEmpty {
            section("Worked on for longest", on: &canvas)
            var list = Table([.init(), .init(right: true), .init(minimum: 10)])
            for old in item.aging {
                guard let details = item.agingTasks.first(where: { $0.task.id == old.task }) else { continue }
                list.row([
                    StyledText(viewer.short(old.task), .dim), StyledText(TaskStatsReport.days(old.seconds)),
                    StyledText(details.task.title),
                ])
            }
            list.draw(on: &canvas)
        }
    }

    private static let colors: [TerminalColor] = [.blue, .yellow, .magenta, .cyan, .orange, .red]

    func charts(for viewer: Viewer) -> ChartPage {
        guard let item = items.first else { return ChartPage("Tasks", panels: []) }
        let shown = item.shownWeeks
        let labels = shown.map { label(item.weeks[$0]) }
        func values(_ count: (Int) -> Int) -> [Double?] { shown.map { Double(count($0)) } }
        let open = item.board.columns.filter { !$0.isDone }
        // As on the terminal: tasks completed before the range would leave no room for changes.
        let base = item.samples.first?.done ?? 0
        let done = ChartSeries("done", values { item.samples[$0].done - base }, color: .green)
        let columns = open.enumerated().reversed().map { place, column in
            ChartSeries(
                column.name, values { item.samples[$0].open[column.id] ?? 0 },
                color: TaskStatsReport.colors[place % TaskStatsReport.colors.count])
        }
        let overdue = item.overdue > 0 ? ", \(item.overdue) overdue" : ""
        return ChartPage(
            item.board.name,
            subtitle: "\(item.samples.last?.openTotal ?? 0) open, \(item.inProgress) in progress\(overdue)",
            panels: [
                ChartPanel(
                    "Done by week",
                    .columns(labels: labels, [ChartSeries("", values { item.throughput[$0] }, color: .green)], .number)),
                ChartPanel(
                    "Open at the end of the week",
                    .columns(
                        labels: labels, [ChartSeries("", values { item.samples[$0].openTotal }, color: .blue)], .number)
                ),
                ChartPanel("Cumulative flow", .areas(labels: labels, [done] + columns, .number)),
            ])
    }

    private static let signs = ["░", "▒", "▓", "•", "▪"]

    /// Draws the cumulative flow: a band for each column, done first.
    private func drawFlow(_ item: TaskStatsItem, on canvas: inout Canvas) {
        let colors = TaskStatsReport.colors
        let open = item.board.columns.filter { !$0.isDone }
        // Tasks completed before the range would leave no room for changes.
        let base = item.samples.first?.done ?? 0
        let largest = item.samples.map { $0.openTotal + $0.done - base }.max() ?? 0
        guard largest > 0 else { return }
        section("Cumulative flow", on: &canvas)
        let room = max(10, min(60, canvas.width - 10))
        for index in item.shownWeeks {
            let sample = item.samples[index]
            var line = StyledText(label(item.weeks[index]).padded(6) + "  ", .plain)
            var total = 0
            var drawn = 0
            func band(_ count: Int, _ color: TerminalColor, _ sign: String) {
                total += count
                let end = Int((Double(total) / Double(largest) * Double(room)).rounded())
                line.append(String(repeating: sign, count: max(0, end - drawn)), TextStyle(color))
                drawn = max(drawn, end)
            }
            band(sample.done - base, .green, "█")
            // From right to left: the column nearest to done is drawn next to it.
            for (index, column) in open.enumerated().reversed() {
                band(
                    sample.open[column.id] ?? 0, colors[index % colors.count],
                    TaskStatsReport.signs[index % TaskStatsReport.signs.count])
            }
            canvas.line(line)
        }
        let legend = open.enumerated().reversed().map { index, column in
            StyledText(
                TaskStatsReport.signs[index % TaskStatsReport.signs.count] + " " + column.name,
                TextStyle(colors[index % colors.count]))
        }
        canvas.flow([StyledText("█ done", TextStyle(.green))] + legend)
    }

    private func section(_ name: String, on canvas: inout Canvas) {
        canvas.line()
        canvas.line(StyledText(name, TextStyle(.cyan, bold: true)))
    }

    private func label(_ week: CivilDate) -> String { "\(week.day) \(DateWords.name(month: week.month))" }

    /// `3.5 days`, `40m`
    private static func days(_ seconds: Int) -> String {
        seconds >= 86_400 ? "\((Double(seconds) / 8640).rounded() / 10) days" : DateWords.text(hours: seconds)
    }
}
