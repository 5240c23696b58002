import HelixModel
import HelixSQLite

extension Store {
    /// Descriptions of boards without columns and of tasks whose column is missing.
    func boardProblems(_ db: Database) throws -> [String] {
        var problems = try Store.boards(db).filter(\.columns.isEmpty).map { "the board '\($0.name)' has no columns" }
        let lost = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM task WHERE \(Store.isInNoColumn)") ?? 0
        if lost > 0 { problems.append("\(lost) task\(lost == 1 ? " is" : "s are") in no column") }
        return problems
    }

    private static let isInNoColumn = "column_id NOT IN (SELECT id FROM board_column)"

    /// Adds the default columns to boards that have none, and recreates the missing columns of tasks.
    /// - Throws: ``HelixError``.
    func repairBoards() throws {
        let isWhole = try read { db in
            let orphans = try Int.fetchOne(
                db, sql: "SELECT COUNT(*) FROM board_column WHERE board NOT IN (SELECT id FROM board)")
            return try orphans == 0 && boardProblems(db).isEmpty
        }
        if isWhole { return }
        try change("repair boards", command: "doctor", origin: .repair) { change in
            let boards = try String.fetchAll(
                change.db, sql: "SELECT DISTINCT board FROM board_column WHERE board NOT IN (SELECT id FROM board)")
            for id in boards { try restoreBoard(EntityID(stored: id), change) }
            let columns = try Row.fetchAll(
                change.db,
                sql: """
                    SELECT column_id, MIN(state <> 'open') FROM task WHERE \(Store.isInNoColumn)
                    GROUP BY column_id ORDER BY MIN(n)
                    """)
            let home =
                try columns.isEmpty ? nil : change.boards().first(where: \.columns.isEmpty) ?? change.board(named: nil)
            var names = Set(home?.columns.map { $0.name.lowercased() } ?? [])
            for (index, row) in columns.enumerated() {
                guard let home else { break }
                let id = EntityID(stored: row[0])
                // The original name is unknown.
                let name = (1...).lazy.map { "found \($0)" }.first { !names.contains($0) } ?? id.text
                names.insert(name)
                try change.create(
                    .column, id,
                    JournalFields([
                        "board": home.id.text.databaseValue, "name": name.databaseValue,
                        "position": (home.columns.count + index).databaseValue, "wip_limit": .null,
                        "is_done": (row[1] as Bool ? 1 : 0).databaseValue,
                    ]))
            }
            for board in try change.boards() {
                // A board needs a column for new tasks and one for completed tasks.
                let (first, last) = (Board.usualColumns.first ?? "todo", Board.usualColumns.last ?? "done")
                let missing =
                    board.columns.isEmpty
                    ? Board.usualColumns
                    : (board.firstOpenColumn == nil ? [first] : []) + (board.doneColumn == nil ? [last] : [])
                for name in missing { _ = try change.addColumn(name, to: board.id, isDone: name == last) }
            }
        }
    }

    /// Recreates a board whose columns are all that is left.
    private func restoreBoard(_ id: EntityID, _ change: Change) throws {
        let others = try change.boards()
        let names = Set(others.map { $0.name.lowercased() })
        let name = others.isEmpty ? "main" : (1...).lazy.map { "found \($0)" }.first { !names.contains($0) } ?? id.text
        try change.create(
            .board, id,
            JournalFields([
                "name": name.databaseValue, "is_default": (others.isEmpty ? 1 : 0).databaseValue,
                "position": others.count.databaseValue,
            ]))
    }
}
