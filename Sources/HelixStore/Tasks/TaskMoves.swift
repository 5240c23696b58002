import HelixModel
import HelixSQLite
import HelixTasks

/// The position in a column to which a card is moved.
public enum CardPlace: Hashable, Sendable {
    case end
    case start
    case before(EntityID)
    case after(EntityID)
}

extension Change {
    /// Moves a task to a column: it is completed by a column for completed tasks and reopened by any other.
    ///
    /// - Parameter overLimit: True to ignore the limit of a full column.
    /// - Returns: the result of completing it; nil if the move did not complete it.
    /// - Throws: ``HelixError`` of code `conflict` if the column is full.
    @discardableResult
    public func moveTask(
        _ id: EntityID, to column: BoardColumn, at place: CardPlace, overLimit: Bool, zone: Zone = .utc
    ) throws -> TaskCompletion? {
        var task = try store.bareTask(db, id)
        if column.id != task.column, let limit = column.limit, !column.isDone, !overLimit {
            let count = try cardCount(in: column.id)
            if count >= limit {
                throw HelixError(
                    .conflict,
                    "cannot move '\(task.title)' (\(id.text.prefix(6))) to '\(column.name)': the column holds \(count) of at most \(limit) tasks",
                    hint: "Move one out first, or pass --over-limit.")
            }
        }
        var completion: TaskCompletion?
        if column.isDone, task.state == .open {
            completion = try completeTask(id, zone: zone)
            task = try store.bareTask(db, id)
        } else if !column.isDone, task.state != .open {
            (task.state, task.completedAt) = (.open, nil)
        }
        task.column = column.id
        task.rank = try rank(in: column.id, at: place, moving: id)
        try save(task)
        return completion
    }

    private func rank(in column: EntityID, at place: CardPlace, moving id: EntityID) throws -> String {
        func neighbour(_ sql: String, _ rank: String? = nil) throws -> String? {
            try String.fetchOne(
                db,
                sql: "SELECT \(sql) FROM task WHERE column_id = ? AND id <> ?"
                    + (rank == nil ? "" : (sql.hasPrefix("MAX") ? " AND rank < ?" : " AND rank > ?")),
                arguments: rank.map { [column.text, id.text, $0] } ?? [column.text, id.text])
        }
        func own(_ other: EntityID) throws -> String {
            let task = try store.bareTask(db, other)
            guard task.column == column else {
                throw HelixError(
                    .usage, "'\(task.title)' (\(other.text.prefix(6))) is not in that column")
            }
            return task.rank
        }
        switch place {
        case .end: return Rank.between(try neighbour("MAX(rank)"), nil)
        case .start: return Rank.between(nil, try neighbour("MIN(rank)"))
        case .before(let other):
            let rank = try own(other)
            return Rank.between(try neighbour("MAX(rank)", rank), rank)
        case .after(let other):
            let rank = try own(other)
            return Rank.between(rank, try neighbour("MIN(rank)", rank))
        }
    }
}
