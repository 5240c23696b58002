import HelixModel

/// A task as another program has it, before it has a place here.
public struct ForeignTask: Hashable, Sendable {
    /// Its fields; the column is not known yet.
    public var task: TodoTask
    /// The project's name.
    public var project: String?
    /// The project's block in which it stands.
    public var block: String?
    /// The name of its column, where helix wrote one.
    public var column: String?
    /// Its place in the column, likewise.
    public var rank: String?
    /// The UID of the task it is a part of.
    public var parentUID: String?
    /// The UIDs of the tasks it waits for.
    public var blockerUIDs: [String] = []
    /// When the other program last changed it.
    public var modifiedAt: Instant?

    /// A task of which only the title is known.
    public init(title: String, createdAt: Instant) {
        task = TodoTask(title: title, column: EntityID(stored: ""), rank: "", createdAt: createdAt)
    }

    /// The column of a board that it belongs in, by its state and the name it brings; nil if it names one that the board has
    /// not.
    public func column(on board: Board) -> BoardColumn? { VTodoExtras.column(of: self, on: board) }
}

/// Something in a file that could not be carried over.
public struct ForeignDefect: Hashable, Sendable {
    /// Where: a line, or the number of the task.
    public var place: String
    /// What.
    public var reason: String

    /// Such a thing.
    public init(_ place: String, _ reason: String) {
        self.place = place
        self.reason = reason
    }
}

/// What a file of another program holds.
public struct ForeignTasks: Sendable {
    /// The tasks, in the order of the file.
    public var tasks: [ForeignTask] = []
    /// What could not be carried over.
    public var defects: [ForeignDefect] = []
    /// What is only kept for the way back, by name: `annotations`.
    public var kept: [String: Int] = [:]

    /// Nothing yet.
    public init() {}
}
