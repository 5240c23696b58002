import HelixModel
import HelixSQLite

extension Store {
    /// The boards with their columns, in order of position.
    /// - Throws: ``HelixError``.
    public func boards() throws -> [Board] { try read(Store.boards) }

    static func boards(_ db: Database) throws -> [Board] {
        let row = try Statement(
            db,
            """
            SELECT b.id, b.name, b.is_default, c.id, c.name, c.wip_limit, c.is_done
            FROM board b LEFT JOIN board_column c ON c.board = b.id ORDER BY b.position, b.name, c.position
            """)
        var boards: [Board] = []
        while try row.step() {
            let id = (row.id(0) ?? EntityID(stored: ""))
            if boards.last?.id != id {
                boards.append(Board(id: id, name: row.text(1) ?? "", isDefault: row.integer(2) != 0, columns: []))
            }
            if row.isNull(3) { continue }
            boards[boards.count - 1].columns.append(
                BoardColumn(
                    id: (row.id(3) ?? EntityID(stored: "")), name: row.text(4) ?? "",
                    limit: row.isNull(5) ? nil : Int(row.integer(5)), isDone: row.integer(6) != 0))
        }
        return boards
    }

    /// The board called `name`, or the default one; nil if it is the usual one, which is not there yet.
    /// - Throws: ``HelixError`` of code `notFound` that lists the known boards.
    public func board(named name: String?) throws -> Board? {
        try read { try Store.board($0, named: name) }
    }

    /// The name of the board that the first task creates.
    static let usualBoard = "main"

    static func board(_ db: Database, named name: String?) throws -> Board? {
        let all = try boards(db)
        guard let name else { return all.first(where: \.isDefault) ?? all.first }
        let lower = name.lowercased()
        if let found = all.first(where: { $0.name.lowercased() == lower }) { return found }
        // The board that is shown before there is one, and that the first task creates.
        if all.isEmpty, lower == Store.usualBoard { return nil }
        let known = all.map { "'\($0.name)'" }.joined(separator: ", ")
        throw HelixError(
            .notFound, "unknown board '\(name)'",
            hint: known.isEmpty ? "'helix tasks boards add NAME' adds one." : "Use one of: \(known).")
    }
}

extension Change {
    /// The current boards.
    /// - Throws: ``HelixError``.
    public func boards() throws -> [Board] { try Store.boards(db) }

    /// The board called `name`, or the default board, created if there is none.
    /// - Throws: ``HelixError``.
    public func board(named name: String?) throws -> Board {
        if let found = try Store.board(db, named: name) { return found }
        return try addBoard(Store.usualBoard, columns: Board.usualColumns, isDefault: true)
    }

    /// Adds a board; its last column is for completed tasks.
    /// - Throws: ``HelixError`` of code `conflict` if the name is taken.
    public func addBoard(_ name: String, columns: [String], isDefault: Bool = false) throws -> Board {
        let all = try boards()
        try checkName(name, "board", among: all.map(\.name))
        let board = EntityID()
        let first = isDefault || all.isEmpty
        if first { for other in all where other.isDefault { try setDefault(other.id, false) } }
        try create(
            .board, board,
            JournalFields([
                "name": name.databaseValue, "is_default": (first ? 1 : 0).databaseValue,
                "position": all.count.databaseValue,
            ]))
        for (index, column) in columns.enumerated() {
            _ = try addColumn(column, to: board, isDone: index == columns.count - 1 && columns.count > 1)
        }
        return try boards().first { $0.id == board }
            ?? Board(id: board, name: name, isDefault: first, columns: [])
    }

    /// Sets the default board, which receives new tasks.
    /// - Throws: ``HelixError``.
    public func setDefaultBoard(_ id: EntityID) throws {
        for board in try boards() where board.isDefault != (board.id == id) {
            try setDefault(board.id, board.id == id)
        }
    }

    private func setDefault(_ id: EntityID, _ isDefault: Bool) throws {
        try update(.board, id, JournalFields(["is_default": (isDefault ? 1 : 0).databaseValue]))
    }

    /// Renames a board.
    /// - Throws: ``HelixError`` of code `conflict` if the name is taken.
    public func renameBoard(_ id: EntityID, to name: String) throws {
        try checkName(name, "board", among: try boards().filter { $0.id != id }.map(\.name))
        try update(.board, id, JournalFields(["name": name.databaseValue]))
    }

    /// Deletes a board without cards.
    /// - Throws: ``HelixError`` of code `conflict` if there are cards on it.
    public func deleteBoard(_ board: Board) throws {
        for column in board.columns { try deleteColumn(column, of: board, isLast: true) }
        try delete(.board, board.id)
        if board.isDefault, let next = try boards().first { try setDefault(next.id, true) }
    }

    /// Adds a column at the right, but before the columns for completed tasks, unless it is one of these.
    /// - Throws: ``HelixError`` of code `conflict` if the name is taken.
    public func addColumn(
        _ name: String, to board: EntityID, isDone: Bool = false, limit: Int? = nil, before: EntityID? = nil
    ) throws -> EntityID {
        let columns = try boards().first { $0.id == board }?.columns ?? []
        try checkName(name, "column", among: columns.map(\.name))
        let id = EntityID()
        let next = before ?? (isDone ? nil : columns.first(where: \.isDone)?.id)
        let place = columns.firstIndex { $0.id == next } ?? columns.count
        for (index, column) in columns.enumerated() where index >= place {
            try update(.column, column.id, JournalFields(["position": (index + 1).databaseValue]))
        }
        try create(
            .column, id,
            JournalFields([
                "board": board.text.databaseValue, "name": name.databaseValue, "position": place.databaseValue,
                "wip_limit": limit.map(\.databaseValue) ?? .null, "is_done": (isDone ? 1 : 0).databaseValue,
            ]))
        return id
    }

    /// Changes a column's name, limit, position or purpose; nil keeps it. If the column becomes one for completed tasks, the
    /// tasks in it are unchanged.
    /// - Throws: ``HelixError`` of code `conflict` if the name is taken.
    public func changeColumn(
        _ column: BoardColumn, of board: Board, name: String? = nil, limit: Int?? = nil, isDone: Bool? = nil,
        position: Int? = nil
    ) throws {
        var fields: [String: DatabaseValue] = [:]
        if let name {
            try checkName(name, "column", among: board.columns.filter { $0.id != column.id }.map(\.name))
            fields["name"] = name.databaseValue
        }
        if let limit { fields["wip_limit"] = limit.map(\.databaseValue) ?? .null }
        if isDone == false { try checkDone(column, of: board) }
        if let isDone { fields["is_done"] = (isDone ? 1 : 0).databaseValue }
        try update(.column, column.id, JournalFields(fields))
        guard let position else { return }
        var order = board.columns.map(\.id).filter { $0 != column.id }
        order.insert(column.id, at: min(max(0, position), order.count))
        for (index, id) in order.enumerated() {
            try update(.column, id, JournalFields(["position": index.databaseValue]))
        }
    }

    /// Deletes a column without cards.
    /// - Throws: ``HelixError`` of code `conflict` if there are cards in it, or if it is the last one.
    public func deleteColumn(_ column: BoardColumn, of board: Board, isLast: Bool = false) throws {
        let count =
            try Int.fetchOne(
                db, sql: "SELECT COUNT(*) FROM task WHERE column_id = ?", arguments: [column.id.text]) ?? 0
        if count > 0 {
            throw HelixError(
                .conflict, "'\(column.name)' of '\(board.name)' has \(count) task\(count == 1 ? "" : "s")",
                hint: isLast
                    ? "Move them to another board first: helix tasks edit 'board:\(board.name) status:all' board:OTHER."
                    : "Move them first: helix tasks move 'board:\(board.name) column:\(column.name) status:all' OTHER.")
        }
        if board.columns.count == 1, !isLast {
            throw HelixError(.conflict, "cannot delete '\(column.name)', the last column of '\(board.name)'")
        }
        if !isLast { try checkDone(column, of: board) }
        try delete(.column, column.id)
    }

    /// Checks that a board keeps a column for completed tasks; without one, they would stay among the open ones.
    private func checkDone(_ column: BoardColumn, of board: Board) throws {
        guard column.isDone, board.columns.count(where: \.isDone) == 1 else { return }
        throw HelixError(
            .conflict, "'\(column.name)' is the only column of '\(board.name)' for completed tasks",
            hint: "Set another one first: helix tasks columns edit NAME --done.")
    }

    func checkName(_ name: String, _ what: String, among others: [String]) throws {
        guard !name.trimmingBlanks().isEmpty, !name.contains(where: \.isNewline), name.count <= 200 else {
            throw HelixError(
                .usage, "'\(name)' is not a valid \(what) name", hint: "Use one line of 1 to 200 characters.")
        }
        if others.contains(where: { $0.lowercased() == name.lowercased() }) {
            throw HelixError(.conflict, "the \(what) '\(name)' already exists", hint: "Choose another name.")
        }
    }
}

extension Store {
    /// The number of tasks in each column, without dropped tasks and those of kind `info`.
    ///
    /// - Parameter board: the board whose columns are counted; nil for all.
    /// - Throws: ``HelixError``.
    public func cardCounts(of board: Board? = nil) throws -> [EntityID: Int] {
        try read { db in
            let list = board?.columns.map { "'\($0.id.text)'" }.joined(separator: ",")
            let filter = list.map { " AND column_id IN (\($0))" } ?? ""
            let row = try Statement(
                db,
                """
                SELECT column_id, COUNT(*) FROM task WHERE state IN ('open', 'done') AND kind = 'task'\(filter)
                GROUP BY column_id
                """)
            var counts: [EntityID: Int] = [:]
            while try row.step() { if let column = row.id(0) { counts[column] = Int(row.integer(1)) } }
            return counts
        }
    }
}
