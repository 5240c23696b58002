import HelixModel
import HelixSQLite

/// Calendars, boards, columns and projects, which other proposed entities are in.
///
/// A proposal may need one that another proposal creates, and one of the same name may have been made since: then that one is
/// used. So proposals can be accepted in any order.
extension Change {
    static let containers: [EntityKind: String] = [
        .calendar: "calendar", .board: "board", .column: "board_column", .project: "project",
    ]

    /// The proposed values, with containers that stand for proposed ones, which are created if they are missing.
    /// - Throws: ``HelixError``.
    func settled(_ fields: JournalFields) throws -> JournalFields {
        var settled = fields
        for (column, value) in fields.values {
            guard case .string(let text) = value, EntityID(text) != nil,
                let standing = try standIn(EntityID(stored: text))
            else { continue }
            settled.values[column] = standing.text.databaseValue
        }
        return settled
    }

    /// A container of the same name in the same place as a proposed one; nil if there is none, or for another kind.
    func namesake(_ kind: EntityKind, _ fields: JournalFields) throws -> EntityID? {
        guard let table = Change.containers[kind], let name = fields.values["name"] else { return nil }
        let board = kind == .column ? fields.values["board"] : nil
        return try String.fetchOne(
            db, sql: "SELECT id FROM \(table) WHERE name = ?" + (board == nil ? "" : " AND board = ?"),
            arguments: StatementArguments([name] + (board.map { [$0] } ?? []))
        ).map { EntityID(stored: $0) }
    }

    /// The container that a proposed one became, or that has its name; it is created if there is none. Nil for an identity of
    /// anything else, or of something that is there.
    private func standIn(_ id: EntityID) throws -> EntityID? {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT kind, after FROM proposal_change
                WHERE entity = ? AND operation = 'create' AND kind IN ('calendar', 'board', 'column', 'project')
                """, arguments: [id.text])
        guard let row = rows.first, let kind = EntityKind(rawValue: try row["kind"]),
            try JournaledTable.table(kind).row(db, id) == nil
        else { return nil }
        let fields = try settled(try JournalFields(json: row["after"]))
        if let known = try namesake(kind, fields) { return known }
        try create(kind, id, fields)
        return nil
    }
}
