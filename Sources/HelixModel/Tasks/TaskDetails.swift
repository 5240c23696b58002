/// A task with what the store knows around it.
public struct TaskDetails: Hashable, Sendable {
    /// The task.
    public var task: TodoTask
    /// The board's name.
    public var board: String
    /// The column's name.
    public var column: String
    /// The project's name.
    public var project: String?
    /// How many open tasks it waits for.
    public var blockers: Int
    /// How many open tasks wait for it.
    public var blocking: Int
    /// How many parts it has, dropped ones left out.
    public var parts: Int
    /// How many of them are done.
    public var doneParts: Int
    /// Whether the clock runs for it.
    public var isRunning: Bool

    /// A task and its surroundings.
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

    /// How much is done, from 0 to 1: of its parts, else of its checklist, else what was said.
    public var progress: Double {
        if parts > 0 { return Double(doneParts) / Double(parts) }
        if !task.checklist.isEmpty {
            return Double(task.checklist.count(where: \.done)) / Double(task.checklist.count)
        }
        if let percent = task.percent { return Double(percent) / 100 }
        return task.state == .done ? 1 : 0
    }

    /// Whether it waits for an open task.
    public var isBlocked: Bool { blockers > 0 && task.state == .open }

    /// Whether it should have been done before `now`, days being those of `zone`.
    public func isOverdue(at now: Instant, in zone: Zone) -> Bool {
        task.state == .open && task.kind == .task && task.due.map { $0.end(in: zone) <= now } ?? false
    }
}

/// Two entities that belong together.
public struct Link: Hashable, Sendable {
    /// What the one is to the other. The raw value stands in the store and in JSON.
    public enum Kind: String, Sendable, CaseIterable {
        /// `b` can only be done after `a`.
        case blocks
        /// `a` says the same as `b`.
        case duplicate
        case related
    }

    /// Its identity.
    public var id: EntityID
    /// The one.
    public var a: EntityID
    /// The other.
    public var b: EntityID
    /// What `a` is to `b`.
    public var kind: Kind

    /// A link.
    public init(id: EntityID = EntityID(), a: EntityID, b: EntityID, kind: Kind) {
        self.id = id
        self.a = a
        self.b = b
        self.kind = kind
    }
}
