import HelixCalendar
import HelixModel
import HelixSQLite
import HelixTasks

/// The result of completing a task.
public struct TaskCompletion: Sendable {
    /// The task.
    public var task: EntityID
    /// The open tasks that still blocked it.
    public var blockers: [EntityID]
    /// The tasks that are no longer blocked.
    public var freed: [EntityID]
    /// The next instance of its series.
    public var next: EntityID?
    /// Its timer, if it was running.
    public var stoppedTimer: StoppedTimer?
}

extension Change {
    /// Adds a task.
    ///
    /// - Parameter dates: supplies the time zone and parses the recurrence.
    /// - Throws: ``HelixError``: no title, or an unknown board, column or parent.
    public func addTask(_ changes: TaskChanges, dates: DatePhraseParser) throws -> EntityID {
        guard let title = changes.title, !TodoTask.line(title).isEmpty else { throw Change.untitled }
        let board = try board(named: changes.board)
        let column = try changes.column.map { try self.column($0, of: board) } ?? board.firstColumn()
        if changes.column != nil, let limit = column.limit, !column.isDone, changes.kind != .info,
            try cardCount(in: column.id) >= limit
        {
            throw HelixError(
                .conflict,
                "cannot add '\(title)' to '\(column.name)': the column holds \(limit) of at most \(limit) tasks",
                hint: "Move one out first, or add it to another column.")
        }
        var task = TodoTask(
            id: changes.newID ?? EntityID(), title: title, column: column.id, rank: try endRank(of: column.id),
            createdAt: store.now)
        var rest = changes
        (rest.board, rest.column) = (nil, nil)
        try apply(rest, to: &task, dates: dates)
        if column.isDone { (task.state, task.completedAt) = (.done, store.now) }
        try insert(task)
        try link(changes, task.id)
        return task.id
    }

    func insert(_ task: TodoTask) throws { try create(.task, task.id, TaskRecord.layout.fields(task)) }

    /// Changes a task.
    /// - Returns: True if anything changed.
    /// - Throws: ``HelixError``.
    @discardableResult
    public func editTask(_ id: EntityID, _ changes: TaskChanges, dates: DatePhraseParser) throws -> Bool {
        let before = count
        var task = try store.bareTask(db, id)
        let old = task
        try apply(changes, to: &task, dates: dates)
        if task != old { try update(.task, id, TaskRecord.layout.fields(task), former: TaskRecord.layout.fields(old)) }
        if changes.board != nil || changes.column != nil {
            let boards = try boards()
            let current = boards.first { $0.column(task.column) != nil }
            let board = try changes.board.map { try self.board(named: $0) } ?? current ?? self.board(named: nil)
            let column = try changes.column.map { try self.column($0, of: board) }
            // On another board: the column with the same name, or the first one.
            let same = current?.column(task.column).flatMap { board.column(named: $0.name) }
            if let target = column ?? same ?? board.firstOpenColumn ?? board.columns.first, target.id != task.column {
                try moveTask(id, to: target, at: .end, overLimit: false)
            }
        }
        try link(changes, id)
        return count > before
    }

    /// Writes a changed task.
    func save(_ task: TodoTask) throws { try update(.task, task.id, TaskRecord.layout.fields(task)) }

    private func apply(_ changes: TaskChanges, to task: inout TodoTask, dates: DatePhraseParser) throws {
        if let title = changes.title {
            task.title = TodoTask.line(title)
            if task.title.isEmpty { throw Change.untitled }
        }
        task.notes = changes.notes.applied(to: task.notes)
        if let kind = changes.kind { task.kind = kind }
        task.priority = changes.priority.applied(to: task.priority)
        task.due = changes.due.applied(to: task.due)
        task.scheduled = changes.scheduled.applied(to: task.scheduled)
        task.hiddenUntil = changes.hiddenUntil.applied(to: task.hiddenUntil)
        for (name, time) in [("due", \TodoTask.due), ("scheduled", \.scheduled), ("wait", \.hiddenUntil)] {
            task[keyPath: time] = changes.moved(task[keyPath: time], name, dates)
        }
        if let tags = changes.replacedTags { task.tags = tags }
        task.estimate = changes.estimate.applied(to: task.estimate)
        for property in TaskProperty.all { property.set(&task, changes[property].applied(to: property.get(task))) }
        task.percent = changes.percent.applied(to: task.percent)
        let removed = Set(changes.removedTags.map { $0.lowercased() })
        task.tags.removeAll { removed.contains($0.lowercased()) }
        for tag in changes.addedTags where !task.tags.contains(where: { $0.lowercased() == tag.lowercased() }) {
            try TagChange.check(tag)
            task.tags.append(tag)
        }
        task.checklist += changes.addedSteps.map { ChecklistItem(TodoTask.line($0)) }
        try setProject(changes, of: &task)
        switch changes.parent {
        case .keep: break
        case .clear: task.parent = nil
        case .set(let prefix):
            let parent = try Store.entity(db, prefix, kinds: [.task]).id
            try checkParent(parent, of: task.id)
            task.parent = parent
        }
        switch changes.recurrence {
        case .keep: break
        case .clear: task.recurrence = nil
        case .set(let text):
            let first = task.due?.date(in: dates.zone) ?? dates.today
            task.recurrence = try TaskSeries.recurrence(
                text, first: first, dates: dates, keepsMonthEnd: changes.isDueMonthEnd)
            if let recurrence = task.recurrence, TaskSeries.isWithinDays(recurrence), task.due?.isDay ?? true {
                throw HelixError(
                    .usage, "'\(text)' needs a start time, but the task is due on a day",
                    hint: "Set a due time, for example due:'fri 9:00'.")
            }
            // A recurring task needs a due date.
            if task.due == nil {
                task.due = .date(task.recurrence.flatMap { TaskSeries.first($0, from: first) } ?? first)
            }
            if let recurrence = task.recurrence, let due = task.due, case .rule = recurrence,
                try TaskSeries.upcoming(recurrence, due: due, count: 1, zone: dates.zone).isEmpty
            {
                throw HelixError(
                    .usage, "'\(text)' has no occurrence after the due date of the task",
                    hint: "Set a later end, or omit the recurrence.")
            }
        }
    }

    private static var untitled: HelixError {
        HelixError(
            .usage, "the task has no title", hint: "Add one, for example: helix tasks add \"Buy milk\".")
    }

    private func checkParent(_ parent: EntityID, of task: EntityID) throws {
        var path = [task, parent]
        var next: EntityID? = parent
        while let current = next, current != task {
            next = try String.fetchOne(db, sql: "SELECT parent FROM task WHERE id = ?", arguments: [current.text])
                .map { EntityID(stored: $0) }
            if let next { path.append(next) }
            guard path.count < 1000 else { break }
        }
        guard next == task else { return }
        throw HelixError(
            .conflict, "a task cannot be its own subtask: \(try titles(path.reversed()))",
            hint: "Remove one of them first: helix tasks edit ID parent:none.")
    }

    func titles(_ ids: [EntityID]) throws -> String {
        try ids.map { "'\(try Store.title(db, .task, $0))' (\($0.text.prefix(6)))" }.joined(separator: " → ")
    }

    private func link(_ changes: TaskChanges, _ id: EntityID) throws {
        for prefix in changes.blockers {
            try addDependency(of: id, on: try Store.entity(db, prefix, kinds: [.task]).id)
        }
    }

    /// The column of a board with a name.
    /// - Throws: ``HelixError`` of code `notFound` that lists the known columns.
    public func column(_ name: String, of board: Board) throws -> BoardColumn {
        if let found = board.column(named: name) { return found }
        throw HelixError(
            .notFound, "unknown column '\(name)' on the board '\(board.name)'",
            hint: "Use one of: \(board.columns.map { "'\($0.name)'" }.joined(separator: ", ")).")
    }

    /// The rank for a new last card.
    func endRank(of column: EntityID) throws -> String {
        // In the index, state and kind precede the rank: the last of each is found at once, whereas a column for completed tasks
        // holds thousands.
        let each = TaskState.allCases.flatMap { state in
            TaskKind.allCases.map { kind in
                """
                SELECT MAX(rank) AS last FROM task
                WHERE column_id = ?1 AND state = '\(state.rawValue)' AND kind = '\(kind.rawValue)'
                """
            }
        }
        let last = try String.fetchOne(
            db, sql: "SELECT MAX(last) FROM (\(each.joined(separator: " UNION ALL ")))", arguments: [column.text])
        return Rank.between(last, nil)
    }

    /// Completes a task: moves it to the board's column for completed tasks, stops its timer and continues its series.
    ///
    /// - Parameter at: the time of completion.
    /// - Throws: ``HelixError``.
    public func completeTask(_ id: EntityID, at time: Instant? = nil, zone: Zone) throws -> TaskCompletion {
        let details = try store.task(db, id)
        var task = details.task
        var completion = TaskCompletion(task: id, blockers: [], freed: [])
        guard task.state == .open else { return completion }
        completion.blockers = try openBlockers(of: id)
        completion.stoppedTimer = try stopTimer(of: id)
        let done = time ?? store.now
        if done < task.createdAt {
            throw HelixError(.usage, "'\(task.title)' cannot be completed before it was created")
        }
        let board = try boards().first { $0.column(task.column) != nil }
        if let board, board.column(task.column)?.isDone == false, let column = board.doneColumn {
            task.column = column.id
            task.rank = try endRank(of: column.id)
        }
        task.state = .done
        task.completedAt = done
        try save(task)
        completion.freed = try waiting(for: id).filter { try store.task(db, $0).blockers == 0 }
        completion.next = try continueSeries(details, done: done, zone: zone, board: board)
        return completion
    }

    /// Reopens a completed or dropped task; it returns to its previous column.
    /// - Throws: ``HelixError``.
    public func reopenTask(_ id: EntityID) throws {
        var task = try store.bareTask(db, id)
        guard task.state != .open else { return }
        if let board = try boards().first(where: { $0.column(task.column) != nil }),
            board.column(task.column)?.isDone == true
        {
            let former = try formerColumn(of: id).flatMap { board.column($0) }
            if let column = former.flatMap({ $0.isDone ? nil : $0 }) ?? board.firstOpenColumn {
                task.column = column.id
                task.rank = try endRank(of: column.id)
            }
        }
        task.state = .open
        task.completedAt = nil
        try save(task)
    }

    /// The column of a task before it was completed.
    private func formerColumn(of id: EntityID) throws -> EntityID? {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT before FROM change WHERE entity = ? AND operation = 'update' ORDER BY change_set DESC, ordinal DESC
                """, arguments: [id.text])
        for row in rows {
            if case .string(let column)? = try JournalFields(json: row["before"]).values["column_id"] {
                return EntityID(stored: column)
            }
        }
        return nil
    }

    /// Drops a task; it stays in its column, hidden.
    /// - Throws: ``HelixError``.
    public func dropTask(_ id: EntityID) throws {
        var task = try store.bareTask(db, id)
        guard task.state == .open else { return }
        try stopTimer(of: id)
        task.state = .dropped
        task.completedAt = store.now
        try save(task)
    }

    /// Deletes a task. Its subtasks move to its parent; time spent on it is kept under its title.
    /// - Throws: ``HelixError``.
    public func deleteTask(_ id: EntityID) throws {
        let task = try store.bareTask(db, id)
        try stopTimer(of: id)
        let parts = try String.fetchAll(db, sql: "SELECT id FROM task WHERE parent = ?", arguments: [id.text])
        for part in parts {
            try update(
                .task, EntityID(stored: part),
                JournalFields(["parent": (task.parent?.text.databaseValue) ?? .null]))
        }
        try detachTime(from: task)
        try delete(.task, id)
    }

    /// The open subtasks of a task.
    /// - Throws: ``HelixError``.
    public func openParts(of id: EntityID) throws -> [EntityID] {
        try String.fetchAll(
            db, sql: "SELECT id FROM task WHERE parent = ? AND state = 'open' ORDER BY n", arguments: [id.text]
        ).map { EntityID(stored: $0) }
    }

    /// Starts work on a task: moves it out of the first column of its board, unless the target column is full.
    /// - Returns: the column, if it was full.
    /// - Throws: ``HelixError``.
    @discardableResult
    public func beginTask(_ id: EntityID) throws -> BoardColumn? {
        var task = try store.bareTask(db, id)
        guard task.state == .open else {
            throw HelixError(
                .conflict, "'\(task.title)' is \(task.state.rawValue)",
                hint: "Reopen it first: helix tasks reopen ID.")
        }
        if task.startedAt == nil { task.startedAt = store.now }
        var full: BoardColumn?
        if let board = try boards().first(where: { $0.column(task.column) != nil }),
            board.firstOpenColumn?.id == task.column, let target = board.startedColumn, target.id != task.column
        {
            if let limit = target.limit, try cardCount(in: target.id) >= limit {
                full = target
            } else {
                task.column = target.id
                task.rank = try endRank(of: target.id)
            }
        }
        try save(task)
        return full
    }

    func cardCount(in column: EntityID) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT COUNT(*) FROM task WHERE column_id = ? AND state <> 'dropped' AND kind = 'task'",
            arguments: [column.text]) ?? 0
    }
}

extension TodoTask {
    /// A title on one line, without leading or trailing spaces.
    static func line(_ text: String) -> String {
        // Most titles are one line, and an import has 20,000: the other line ends than ASCII's begin with these bytes.
        func mayEndLine(_ byte: UInt8) -> Bool { (0x0A...0x0D).contains(byte) || byte == 0xC2 || byte == 0xE2 }
        if !text.utf8.contains(where: mayEndLine) { return text.trimmingBlanks() }
        return text.split(whereSeparator: \.isNewline).joined(separator: " ").trimmingBlanks()
    }
}

extension Change {
    /// Tasks by title and ID, for messages.
    /// - Throws: ``HelixError``.
    public func described(_ ids: [EntityID]) throws -> String {
        try ids.map { "'\(try Store.title(db, .task, $0))' (\($0.text.prefix(6)))" }.joined(separator: ", ")
    }

    /// The current state of tasks.
    /// - Throws: ``HelixError``.
    public func tasks(_ ids: [EntityID]) throws -> [TaskDetails] { try store.tasks(db, ids: ids) }

    /// The current state of a task.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func task(_ id: EntityID) throws -> TaskDetails { try store.task(db, id) }
}

extension Change {
    /// Sets the checklist of a task.
    /// - Throws: ``HelixError``.
    public func setChecklist(_ id: EntityID, _ list: [ChecklistItem]) throws {
        var task = try store.bareTask(db, id)
        task.checklist = list
        try save(task)
    }
}
