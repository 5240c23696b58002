/// A board: columns side by side, with tasks as cards in them.
public struct Board: Hashable, Sendable {
    /// Its identity.
    public var id: EntityID
    /// Unique, whatever the case of its letters.
    public var name: String
    /// Whether new tasks go here.
    public var isDefault: Bool
    /// Its columns, from the left. A board has some from the beginning; one that came from another device before its
    /// columns, or has lost them, has none.
    public var columns: [BoardColumn]

    /// A board.
    public init(id: EntityID, name: String, isDefault: Bool, columns: [BoardColumn]) {
        self.id = id
        self.name = name
        self.isDefault = isDefault
        self.columns = columns
    }

    /// The board that the first task makes, as long as there is none.
    public static var usual: Board {
        let columns = usualColumns.map { BoardColumn(id: EntityID(), name: $0, isDone: $0 == usualColumns.last) }
        return Board(id: EntityID(), name: "main", isDefault: true, columns: columns)
    }

    /// The columns of a new board.
    public static let usualColumns = ["todo", "doing", "review", "done"]

    /// The column with that identity.
    public func column(_ id: EntityID) -> BoardColumn? { columns.first { $0.id == id } }

    /// The column called `name`, whatever the case of its letters, or the only one that begins so.
    public func column(named name: String) -> BoardColumn? {
        let lower = name.lowercased()
        if let exact = columns.first(where: { $0.name.lowercased() == lower }) { return exact }
        let found = columns.filter { $0.name.lowercased().hasPrefix(lower) }
        return found.count == 1 && !lower.isEmpty ? found[0] : nil
    }

    /// The column in which a task begins.
    /// - Throws: ``HelixError`` of code `conflict` for a board without columns.
    public func firstColumn() throws -> BoardColumn {
        if let first = firstOpenColumn ?? columns.first { return first }
        throw HelixError(
            .conflict, "the board '\(name)' has no columns",
            hint: "'helix doctor --repair' gives it the usual ones; 'helix tasks columns add NAME' another.")
    }

    /// The first column whose cards are done.
    public var doneColumn: BoardColumn? { columns.first(where: \.isDone) }
    /// The first column whose cards are not done.
    public var firstOpenColumn: BoardColumn? { columns.first { !$0.isDone } }
    /// The column for what is being worked on: the second that is not done, or the first.
    public var startedColumn: BoardColumn? {
        let open = columns.filter { !$0.isDone }
        return open.count > 1 ? open[1] : open.first
    }
}

/// A column of a board.
public struct BoardColumn: Hashable, Sendable {
    /// Its identity.
    public var id: EntityID
    /// Unique on its board, whatever the case of its letters.
    public var name: String
    /// At most so many cards may stand in it (work in progress).
    public var limit: Int?
    /// Whether cards in it are done.
    public var isDone: Bool

    /// A column.
    public init(id: EntityID, name: String, limit: Int? = nil, isDone: Bool = false) {
        self.id = id
        self.name = name
        self.limit = limit
        self.isDone = isDone
    }
}
