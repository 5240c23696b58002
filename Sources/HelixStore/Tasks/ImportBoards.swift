import HelixModel
import HelixSQLite
import HelixTasks

/// The boards of imported tasks: one for all, or those that the file names.
struct ImportBoards {
    /// A board, with the columns of tasks for which the file names none.
    struct Target {
        var board: Board
        var open: EntityID
        var done: EntityID
        /// Whether this import created it, so that it gets the columns that the file names.
        var isNew = false

        /// - Throws: ``HelixError`` of code `conflict` if the board has no column.
        init(_ board: Board) throws {
            guard let open = board.firstOpenColumn ?? board.columns.first else {
                throw HelixError(.conflict, "the board '\(board.name)' has no column")
            }
            (self.board, self.open, done) = (board, open.id, board.doneColumn?.id ?? open.id)
        }
    }

    /// Whether tasks are put on the boards that the file names.
    let keepsNames: Bool
    private let standard: Target
    private var targets: [String: Target] = [:]
    /// Whether the store had no task before, so that its boards take the columns and the ranks of the file.
    let isEmpty: Bool

    /// - Throws: ``HelixError``.
    init(_ change: Change, default board: Board, keepsNames: Bool) throws {
        self.keepsNames = keepsNames
        standard = try Target(board)
        isEmpty = try Bool.fetchOne(change.db, sql: "SELECT NOT EXISTS (SELECT 1 FROM task)") ?? false
        var first = standard
        first.isNew = isEmpty
        targets[board.name.lowercased()] = first
    }

    /// The board of a task.
    /// - Throws: ``HelixError``.
    mutating func board(of foreign: ForeignTask, _ change: Change) throws -> Target {
        let named = foreign.board?.trimmingBlanks() ?? ""
        let name = keepsNames && !named.isEmpty && named.count <= 60 ? named : standard.board.name
        let key = name.lowercased()
        if targets[key] == nil {
            if let known = try Store.boards(change.db).first(where: { $0.name.lowercased() == key }) {
                targets[key] = try Target(known)
            } else {
                targets[key] = try Target(try change.addBoard(name, columns: Board.usualColumns))
                targets[key]?.isNew = true
            }
        }
        guard let found = targets[key] else { return standard }
        guard found.isNew, let column = foreign.column, !column.isEmpty, column.count <= 60,
            !found.board.columns.contains(where: { $0.name.lowercased() == column.lowercased() })
        else { return found }
        _ = try change.addColumn(column, to: found.board.id)
        guard let grown = try Store.boards(change.db).first(where: { $0.id == found.board.id }) else { return found }
        targets[key] = try Target(grown)
        targets[key]?.isNew = true
        return targets[key] ?? found
    }
}
