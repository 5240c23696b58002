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
        try Statement(db, TaskRecord.layout.insertion(into: "task", others: ["blockers", "blocking"]))
    }

    /// Inserts a task's row; ``didInsertTasks(after:)`` indexes and journals it.
    ///
    /// - Parameter ties: the numbers of its open blockers and of the tasks it blocks.
    func insertQuickly(
        _ task: TodoTask, _ ties: (blockers: Int64, blocking: Int64), by insert: Statement
    ) throws {
        var task = task
        task.modifiedAt = store.now
        TaskRecord.layout.bind(task.id, task, others: [.int64(ties.blockers), .int64(ties.blocking)], to: insert)
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
