import HelixModel
import HelixSQLite
import HelixTasks

extension Change {
    /// Creates the next instance of a recurring task. Its ID is derived from series and time, so that all machines create the
    /// same instance.
    func continueSeries(_ details: TaskDetails, done: Instant, zone: Zone, board: Board?) throws -> EntityID? {
        let task = details.task
        guard let recurrence = task.recurrence, let due = task.due,
            let rest = TaskSeries.rest(recurrence),
            let next = try TaskSeries.next(recurrence, due: due, done: done, zone: zone)
        else { return nil }
        let series = task.series ?? task.id
        let id = TaskSeries.instance(of: series, at: next)
        if try Bool.fetchOne(db, sql: "SELECT 1 FROM task WHERE id = ?", arguments: [id.text]) == true { return nil }
        guard let column = board?.firstOpenColumn?.id ?? board?.columns.first?.id else { return nil }
        var copy = task
        copy.id = id
        copy.series = series
        copy.state = .open
        copy.due = next
        // Times keep their distance from the due time.
        let shift = next.start(in: zone) - due.start(in: zone)
        func shifted(_ time: TaskTime?) -> TaskTime? {
            switch time {
            case .date(let date)?: .date(date + (next.date(in: zone) - due.date(in: zone)))
            case .moment(let instant)?: .moment(instant + shift)
            case nil: nil
            }
        }
        copy.scheduled = shifted(task.scheduled)
        copy.hiddenUntil = shifted(task.hiddenUntil)
        copy.checklist = task.checklist.map { ChecklistItem($0.text) }
        copy.column = column
        copy.rank = try endRank(of: column)
        (copy.startedAt, copy.completedAt, copy.percent) = (nil, nil, nil)
        // Other programs know the completed task by that ID.
        (copy.uid, copy.extra) = (nil, nil)
        copy.recurrence = rest
        // Properties that other programs wrote to it continue with the series.
        copy.source = task.source.map { VTodoFormat.next($0, uid: copy.calendarUID) }
        copy.createdAt = store.now
        try insert(copy)
        // The links with messages and events continue; all machines make the same ones.
        for link in try Store.links(db, of: task.id) where link.kind == .related {
            let (a, b) = link.a == task.id ? (id, link.b) : (link.a, id)
            try create(
                .link, TaskSeries.instance(of: link.id, at: next),
                JournalFields([
                    "a": a.text.databaseValue, "b": b.text.databaseValue, "kind": link.kind.rawValue.databaseValue,
                ]))
        }
        return id
    }
}
