import HelixModel

/// A task of another program, before it is imported.
public struct ForeignTask: Hashable, Sendable {
    /// Its fields; the column is not set yet.
    public var task: TodoTask
    /// The name of the project.
    public var project: String?
    /// The block of the project.
    public var block: String?
    /// The name of its board, if helix wrote one.
    public var board: String?
    /// The name of its column, if helix wrote one.
    public var column: String?
    /// Its rank in the column, if helix wrote one.
    public var rank: String?
    /// The UID of its parent.
    public var parentUID: String?
    /// The UIDs of its blockers.
    public var blockerUIDs: [String] = []
    /// Whether the file says when it was created; else that is the time of the import.
    public var namesCreation = false
    /// The time at which the other program last changed it.
    public var modifiedAt: Instant?

    /// Creates a task that has only a title.
    public init(title: String, createdAt: Instant) {
        task = TodoTask(title: title, column: EntityID(stored: ""), rank: "", createdAt: createdAt)
    }

    /// The column of a board for the task, by its state and its column name; nil if the board has no column of that name.
    public func column(on board: Board) -> BoardColumn? { VTodoExtras.column(of: self, on: board) }
}

/// The contents of a file of another program.
public struct ForeignTasks: Sendable {
    /// The tasks, in the order of the file.
    public var tasks: [ForeignTask] = []
    /// The parts that could not be imported.
    public var defects: [ForeignDefect] = []
    /// The numbers of items that are left out, by name: `deleted tasks`.
    public var omitted: [String: Int] = [:]
    /// The numbers of items that are kept only for exports, by name: `annotations`.
    public var kept: [String: Int] = [:]

    /// Creates an empty result.
    public init() {}
}
