import HelixModel
import HelixSQLite
import HelixTasks

extension Change {
    /// Adds a dependency. Callers must know that it is new and creates no cycle.
    func insertQuickly(blocker: EntityID, blocked: EntityID, by insert: Statement) throws {
        insert.bind(1, EntityID().text)
        insert.bind(2, blocker.text)
        insert.bind(3, blocked.text)
        try insert.run()
    }

    /// The statement that inserts a dependency; ``didCreate(_:after:)`` journals it.
    func dependencyInsertion() throws -> Statement {
        try Statement(db, "INSERT INTO link (id, a, b, kind) VALUES (?1, ?2, ?3, 'blocks')")
    }

    /// The statement that inserts a task's row.
    func taskInsertion() throws -> Statement {
        try Statement(
            db,
            """
            INSERT INTO task (id, state, kind, column_id, rank, priority, due, due_day, scheduled, scheduled_day,
                hidden_until, hidden_day, estimate, project, parent, assignee, recurrence, series, percent, created_at,
                modified_at, started_at, completed_at, tags, title, checklist, uid, notes, source, extra,
                blockers, blocking, block)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
                ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33)
            """)
    }

    /// Inserts a task's row; ``didInsertTasks(after:)`` indexes and journals it.
    ///
    /// - Parameter ties: the numbers of its open blockers and of the tasks it blocks.
    func insertQuickly(
        _ task: TodoTask, _ ties: (blockers: Int64, blocking: Int64), by insert: Statement
    ) throws {
        func bind(_ place: Int32, _ time: TaskTime?) {
            switch time {
            case .date(let date)?:
                insert.bind(place, CivilDateTime(date).seconds)
                insert.bind(place + 1, 1 as Int64)
            case .moment(let instant)?:
                insert.bind(place, instant.seconds)
                insert.bind(place + 1, 0 as Int64)
            case nil:
                insert.bind(place, nil as Int64?)
                insert.bind(place + 1, 0 as Int64)
            }
        }
        let fields = TaskRecord.texts(task)
        insert.bind(1, task.id.text)
        insert.bind(2, task.state.rawValue)
        insert.bind(3, task.kind.rawValue)
        insert.bind(4, task.column.text)
        insert.bind(5, task.rank)
        insert.bind(6, task.priority.map { Int64($0.rawValue) })
        bind(7, task.due)
        bind(9, task.scheduled)
        bind(11, task.hiddenUntil)
        insert.bind(13, task.estimate.map { Int64($0) })
        insert.bind(14, task.project?.text)
        insert.bind(15, task.parent?.text)
        insert.bind(16, task.assignee)
        insert.bind(17, task.recurrence?.text)
        insert.bind(18, task.series?.text)
        insert.bind(19, task.percent.map { Int64($0) })
        insert.bind(20, task.createdAt.seconds)
        insert.bind(21, store.now.seconds)
        insert.bind(22, task.startedAt?.seconds)
        insert.bind(23, task.completedAt?.seconds)
        insert.bind(24, fields.tags)
        insert.bind(25, task.title)
        insert.bind(26, fields.checklist)
        insert.bind(27, task.uid)
        insert.bind(28, task.notes)
        insert.bind(29, task.source)
        insert.bind(30, task.extra)
        insert.bind(31, ties.blockers)
        insert.bind(32, ties.blocking)
        insert.bind(33, task.block)
        try insert.run()
    }

    /// Indexes and journals all inserted tasks in one statement each; for 20,000 tasks, separate statements take three times as
    /// long.
    func didInsertTasks(after row: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO task_text (rowid, title, tags, notes)
                SELECT n, title, tags, notes FROM task WHERE n > ? ORDER BY n
                """, arguments: [row])
        try didCreate(.task, after: row)
    }
}
