import HelixModel
import HelixSQLite
import HelixTasks

extension Store {
    /// The histories of the tasks that match `filter`: their moves between columns, from the journal.
    /// - Throws: ``HelixError``.
    public func taskPasts(_ filter: TaskFilter, zone: Zone) throws -> [TaskHistory] {
        try read { db in
            // Changes that moved a card are those with a column.
            var moves: [EntityID: [(at: Instant, from: EntityID?, to: EntityID)]] = [:]
            let changes = try Statement(
                db,
                """
                SELECT c.entity, s.made_at, c.before, c.after FROM change c JOIN change_set s ON s.n = c.change_set
                WHERE c.kind = 'task' AND c.after LIKE '%"column_id"%' ORDER BY c.change_set, c.ordinal
                """)
            while try changes.step() {
                func column(_ json: String?) throws -> EntityID? {
                    guard case .string(let id)? = try JournalFields(json: json).values["column_id"] else {
                        return nil
                    }
                    return EntityID(stored: id)
                }
                guard let task = changes.id(0), let to = try column(changes.text(3)) else { continue }
                moves[task, default: []].append((Instant(changes.integer(1)), try column(changes.text(2)), to))
            }
            let condition = TaskFilterSQL(filter, now: now, zone: zone)
            let row = try Statement(
                db,
                """
                SELECT t.id, t.created_at, t.completed_at, t.state, t.due, t.due_day, t.started_at, t.column_id
                FROM task t WHERE t.kind = 'task' AND \(condition.text)
                """)
            row.bind(condition.arguments)
            let firstColumns = try Store.firstColumns(db)
            var pasts: [TaskHistory] = []
            while try row.step() {
                guard let id = row.id(0), let column = row.id(7) else { continue }
                let own = moves[id] ?? []
                let due: TaskTime? =
                    row.isNull(4)
                    ? nil
                    : row.integer(5) != 0
                        ? .date(CivilDateTime(seconds: row.integer(4)).date) : .moment(Instant(row.integer(4)))
                let state = TaskState(rawValue: row.text(3) ?? "") ?? .open
                // A task that was done before it was imported starts in the board's first column.
                let first = own.first?.from ?? (state == .done ? firstColumns[column] ?? column : column)
                pasts.append(
                    TaskHistory(
                        id: id, createdAt: Instant(row.integer(1)),
                        completedAt: row.isNull(2) ? nil : Instant(row.integer(2)), state: state, due: due,
                        startedAt: row.isNull(6) ? nil : Instant(row.integer(6)), firstColumn: first,
                        moves: own.map { (at: $0.at, column: $0.to) }))
            }
            return pasts
        }
    }

    /// The first column of each column's board.
    private static func firstColumns(_ db: Database) throws -> [EntityID: EntityID] {
        var first: [EntityID: EntityID] = [:]
        for board in try boards(db) {
            guard let start = try? board.firstColumn() else { continue }
            for column in board.columns { first[column.id] = start.id }
        }
        return first
    }
}
