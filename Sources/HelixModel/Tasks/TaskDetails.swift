/// A task with related data of the store.
public struct TaskDetails: Hashable, Sendable {
    /// The task.
    public var task: TodoTask
    /// The board's name.
    public var board: String
    /// The column's name.
    public var column: String
    /// The project's name.
    public var project: String?
    /// The number of open tasks that block it.
    public var blockers: Int
    /// The number of open tasks that it blocks.
    public var blocking: Int
    /// The number of subtasks, without dropped ones.
    public var parts: Int
    /// The number of subtasks that are done.
    public var doneParts: Int
    /// Whether a timer runs for it.
    public var isRunning: Bool

    /// Creates the details of a task.
    public init(
        task: TodoTask, board: String, column: String, project: String?, blockers: Int, blocking: Int, parts: Int,
        doneParts: Int, isRunning: Bool
    ) {
        self.task = task
        self.board = board
        self.column = column
        self.project = project
        self.blockers = blockers
        self.blocking = blocking
        self.parts = parts
        self.doneParts = doneParts
        self.isRunning = isRunning
    }

    /// The progress, from 0 to 1: of its subtasks, else of its checklist, else the value set by the user.
    public var progress: Double {
        if parts > 0 { return Double(doneParts) / Double(parts) }
        if !task.checklist.isEmpty {
            return Double(task.checklist.count(where: \.done)) / Double(task.checklist.count)
        }
        if let percent = task.percent { return Double(percent) / 100 }
        return task.state == .done ? 1 : 0
    }

    /// Whether an open task blocks it.
    public var isBlocked: Bool { blockers > 0 && task.state == .open }

    /// Whether it was due before `now`, with days in `zone`.
    public func isOverdue(at now: Instant, in zone: Zone) -> Bool {
        task.state == .open && task.kind == .task && task.due.map { $0.end(in: zone) <= now } ?? false
    }
}

/// A link between two entities.
public struct Link: Hashable, Sendable {
    /// The kind of a link. The raw value is written to the store and to JSON.
    public enum Kind: String, Sendable, CaseIterable {
        /// `b` can only be done after `a`.
        case blocks
        /// `a` is a duplicate of `b`.
        case duplicate
        case related
    }

    /// The identity.
    public var id: EntityID
    /// The first entity.
    public var a: EntityID
    /// The second entity.
    public var b: EntityID
    /// The kind.
    public var kind: Kind

    /// Creates a link.
    public init(id: EntityID = EntityID(), a: EntityID, b: EntityID, kind: Kind) {
        self.id = id
        self.a = a
        self.b = b
        self.kind = kind
    }
}
