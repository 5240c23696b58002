import HelixModel
import HelixSQLite
import HelixTasks

extension TaskImporter {
    /// A task in a remark: by its title, since a dry run leaves no identity.
    func place(of task: EntityID) throws -> String {
        let title = try String.fetchOne(
            change.db, sql: "SELECT title FROM task WHERE id = ?", arguments: [task.text])
        return "task '\((title ?? task.text).prefix(60))'"
    }

    /// Makes a task a subtask of another one, unless that would make a cycle.
    func setParent(_ parent: EntityID, of task: EntityID, _ defects: inout [ForeignDefect]) throws {
        var next: EntityID? = parent
        var steps = 0
        while let current = next, steps < 1000 {
            if current == task {
                defects.append(
                    ForeignDefect(try place(of: task), "it would be its own subtask", isPartial: true))
                return
            }
            next = try String.fetchOne(
                change.db, sql: "SELECT parent FROM task WHERE id = ?", arguments: [current.text]
            ).map { EntityID(stored: $0) }
            steps += 1
        }
        var own = try change.store.bareTask(change.db, task)
        guard own.parent != parent else { return }
        own.parent = parent
        try change.save(own)
    }
}
