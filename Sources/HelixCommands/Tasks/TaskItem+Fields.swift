import HelixModel
import HelixTasks
import HelixTerminal

extension TaskItem {
    /// Draws all fields of a task except its title, project and tags, one per line.
    func drawFields(on canvas: inout Canvas, _ viewer: Viewer) {
        var table = Table([.init(), .init(minimum: 20)])
        var hasRows = false
        func row(_ name: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            hasRows = true
            table.row([StyledText("  " + name, .dim), StyledText(value)])
        }
        if task.state == .open { row("due", task.due.map(viewer.everywhere)) }
        row("scheduled", task.scheduled.map(viewer.everywhere))
        row("board", "\(details.board), \(details.column)")
        if task.kind == .info { row("kind", "information, nothing to do") }
        row("progress", task.percent.map { "\($0) %" })
        row("hidden until", task.hiddenUntil.map(viewer.everywhere))
        row("estimate", task.estimate.map { DateWords.text(duration: $0) })
        for property in TaskProperty.all { row(property.name, property.get(task)) }
        row("block", task.block)
        row("part of", task.parent.map(viewer.short))
        if details.blockers > 0 { row("waits for", "\(details.blockers) open task\(details.blockers == 1 ? "" : "s")") }
        if let recurrence = task.recurrence {
            row("repeats", TaskSeries.phrase(recurrence, due: task.due, zone: viewer.zone))
            if let due = task.due {
                let next = (try? TaskSeries.upcoming(recurrence, due: due, count: 3, zone: viewer.zone)) ?? []
                row("then", next.map(viewer.full).joined(separator: ", "))
            }
        }
        if !task.checklist.isEmpty { row("steps", "\(task.checklist.count)") }
        row("notes", task.notes.map { $0.split(whereSeparator: \.isNewline).first.map(String.init) ?? "" })
        if hasRows { table.draw(on: &canvas) }
    }
}
