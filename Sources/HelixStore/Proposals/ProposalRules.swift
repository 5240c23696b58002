import HelixModel
import HelixSQLite

/// Rules for all tasks and times, which commands keep: a proposal that was made before others changed them must not break them.
extension Change {
    /// Checks what proposed changes made.
    /// - Throws: ``HelixError`` of code `conflict`.
    func requireSound(_ changes: [ProposedChange]) throws {
        for change in changes where change.operation != .delete {
            switch change.kind {
            case .link: try requireNoCycle(of: change.id)
            case .task: try requireNoOwnParent(change.id)
            case .timeEntry:
                if try exists("time_entry", change.id) {
                    try makeRoom(for: store.timeEntry(db, change.id).entry, adjusts: false)
                }
            default: break
            }
        }
    }

    /// Refuses a task of a series that its agent completed, if it was changed since: the next one, which was made at once, would lack
    /// the changes.
    /// - Throws: ``HelixError`` of code `conflict`.
    func requireUnchangedSeries(_ changes: [ProposedChange]) throws {
        func series(_ change: ProposedChange) -> DatabaseValue? { change.after?.values["series"] }
        for next in changes where next.kind == .task && next.operation == .create {
            guard let id = series(next), id != .null, let made = next.after else { continue }
            for done in changes where done.kind == .task && done.operation == .update {
                // A series is named after its first task.
                guard let row = try JournaledTable.table(.task).row(db, done.id),
                    row.values["series"] == id || id == .string(done.id.text)
                else { continue }
                let differing = ["title", "notes", "tags", "priority", "estimate", "project", "assignee"].first {
                    row.values[$0] != made.values[$0]
                }
                guard let differing, done.after?.values[differing] == nil else { continue }
                throw HelixError(
                    .conflict,
                    "the recurring task \(done.id.text.prefix(6)) was changed since, too: \(differing); the next one would lack that"
                )
            }
        }
    }

    private func exists(_ table: String, _ id: EntityID) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE id = ?)", arguments: [id.text]) ?? false
    }

    /// Refuses a link by which tasks block each other.
    private func requireNoCycle(of link: EntityID) throws {
        let isCycle = try Bool.fetchOne(
            db,
            sql: """
                WITH RECURSIVE above(id) AS (
                    SELECT a FROM link WHERE id = ?1 AND kind = 'blocks'
                    UNION SELECT l.a FROM link l JOIN above ON l.b = above.id WHERE l.kind = 'blocks')
                SELECT EXISTS (SELECT 1 FROM above JOIN link l ON l.b = above.id WHERE l.id = ?1)
                """, arguments: [link.text])
        if isCycle == true { throw HelixError(.conflict, "the tasks would depend on each other") }
    }

    /// Refuses a task that is a part of itself.
    private func requireNoOwnParent(_ task: EntityID) throws {
        let isCycle = try Bool.fetchOne(
            db,
            sql: """
                WITH RECURSIVE above(id) AS (
                    SELECT parent FROM task WHERE id = ?1 AND parent IS NOT NULL
                    UNION SELECT t.parent FROM task t JOIN above ON t.id = above.id WHERE t.parent IS NOT NULL)
                SELECT EXISTS (SELECT 1 FROM above WHERE id = ?1)
                """, arguments: [task.text])
        if isCycle == true { throw HelixError(.conflict, "the task \(task.text.prefix(6)) would be a part of itself") }
    }

    /// The proposal whose open step creates an entity; nil if there is none.
    func creator(of id: EntityID) throws -> String? {
        try String.fetchOne(
            db,
            sql: """
                SELECT p.id FROM proposal_change c JOIN proposal p ON p.n = c.proposal
                JOIN proposal_step s ON s.proposal = c.proposal AND s.n = c.step
                WHERE c.entity = ? AND c.operation = 'create' AND s.state = 'pending' LIMIT 1
                """, arguments: [id.text])
    }
}
