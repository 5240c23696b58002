/// A board: columns of tasks, shown as cards.
public struct Board: Hashable, Sendable {
    /// The identity.
    public var id: EntityID
    /// The name; unique, case-insensitive.
    public var name: String
    /// Whether new tasks are added to this board.
    public var isDefault: Bool
    /// The columns, from the left. A new board has some; one that was synced before its columns, or has lost them,
    /// has none.
    public var columns: [BoardColumn]

    /// Creates a board.
    public init(id: EntityID, name: String, isDefault: Bool, columns: [BoardColumn]) {
        self.id = id
        self.name = name
        self.isDefault = isDefault
        self.columns = columns
    }

    /// The board created with the first task if there is none.
    public static var usual: Board {
        let columns = usualColumns.map { BoardColumn(id: EntityID(), name: $0, isDone: $0 == usualColumns.last) }
        return Board(id: EntityID(), name: "main", isDefault: true, columns: columns)
    }

    /// The columns of a new board.
    public static let usualColumns = ["todo", "doing", "review", "done"]

    /// The column with that identity.
    public func column(_ id: EntityID) -> BoardColumn? { columns.first { $0.id == id } }

    /// The column called `name`, case-insensitive, or the only one with that prefix.
    public func column(named name: String) -> BoardColumn? {
        let lower = name.lowercased()
        if let exact = columns.first(where: { $0.name.lowercased() == lower }) { return exact }
        let found = columns.filter { $0.name.lowercased().hasPrefix(lower) }
        return found.count == 1 && !lower.isEmpty ? found[0] : nil
    }

    /// The column of new tasks.
    /// - Throws: ``HelixError`` of code `conflict` for a board without columns.
    public func firstColumn() throws -> BoardColumn {
        if let first = firstOpenColumn ?? columns.first { return first }
        throw HelixError(
            .conflict, "the board '\(name)' has no columns",
            hint: "Run 'helix doctor --repair' to add the default ones, or 'helix tasks columns add NAME'.")
    }

    /// The first column whose cards are done.
    public var doneColumn: BoardColumn? { columns.first(where: \.isDone) }
    /// The first column whose cards are not done.
    public var firstOpenColumn: BoardColumn? { columns.first { !$0.isDone } }
    /// The column for tasks in progress: the second open column, or the first.
    public var startedColumn: BoardColumn? {
        let open = columns.filter { !$0.isDone }
        return open.count > 1 ? open[1] : open.first
    }
}

/// A column of a board.
public struct BoardColumn: Hashable, Sendable {
    /// The identity.
    public var id: EntityID
    /// The name; unique on its board, case-insensitive.
    public var name: String
    /// The limit of cards in the column (work in progress).
    public var limit: Int?
    /// Whether cards in it are done.
    public var isDone: Bool

    /// Creates a column.
    public init(id: EntityID, name: String, limit: Int? = nil, isDone: Bool = false) {
        self.id = id
        self.name = name
        self.limit = limit
        self.isDone = isDone
    }
}
