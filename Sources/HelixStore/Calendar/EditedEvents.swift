import HelixModel
import HelixSQLite

extension Store {
    /// The events whose text helix wrote last, by a command of the user, each with the text of a server or a file that the first
    /// of these commands changed; nil if helix created the event.
    /// - Throws: ``HelixError``.
    public func editedEvents() throws -> [EntityID: String?] {
        try read { db in
            var edited: [EntityID: String?] = [:]
            // Few change sets are of commands: the rest of the journal is not read.
            try Row.forEach(
                db,
                sql: """
                    SELECT c.entity, s.origin, c.operation, json_extract(c.before, '$.text'), e.uid FROM change c
                    JOIN change_set s ON s.n = c.change_set JOIN event e ON e.id = c.entity
                    WHERE c.kind = 'event' AND (c.operation = 'create' OR json_type(c.after, '$.text') IS NOT NULL)
                        AND c.entity IN (
                            SELECT inner_change.entity FROM change_set mine CROSS JOIN change inner_change
                                ON inner_change.change_set = mine.n
                            WHERE mine.origin = 'command' AND inner_change.kind = 'event')
                    ORDER BY c.change_set, c.ordinal
                    """, arguments: []
            ) { row in
                let id = EntityID(stored: row[0])
                guard row[1] == ChangeOrigin.command.rawValue else {
                    edited[id] = nil
                    return
                }
                // A command that files an invitation creates the event of another program.
                let uid: String = row[4]
                if row[2] == "create", !uid.hasSuffix("@helix") { return }
                if edited[id] == nil { edited.updateValue(row[2] == "create" ? nil : row[3] as String?, forKey: id) }
            }
            return edited
        }
    }

    /// Whether the text of an event other than `id` contains `line`.
    /// - Throws: ``HelixError``.
    public func isLine(_ line: String, ofEventBesides id: EntityID) throws -> Bool {
        try read { db in
            try Int64.fetchOne(
                db, sql: "SELECT 1 FROM event WHERE id <> ? AND instr(text, ?) LIMIT 1",
                arguments: [id.text, "\n\(line)\n"]) != nil
        }
    }
}
