import HelixModel
import HelixSQLite
import HelixTasks

extension Store {
    /// The entities of all kinds that have all words of `text`, the best of each kind first.
    /// - Throws: ``HelixError`` of code `usage` if there is no word.
    public func search(_ text: String, limit: Int) throws -> [EntityCandidate] {
        guard let match = TaskFilterSQL.match(text) else {
            throw HelixError(.usage, "there is no word to search for", hint: "helix search invoice ana")
        }
        return try read { db in
            var found: [EntityCandidate] = []
            func take(_ kind: EntityKind, _ sql: String, _ argument: String) throws {
                let row = try Statement(db, sql + " LIMIT \(limit)")
                row.bind(1, argument)
                while try row.step() {
                    let id = (row.id(0) ?? EntityID(stored: ""))
                    if !found.contains(where: { $0.id == id }) {
                        found.append(EntityCandidate(id: id, kind: kind, title: row.text(1) ?? ""))
                    }
                }
            }
            try take(
                .task,
                """
                SELECT t.id, t.title FROM task_text x JOIN task t ON t.n = x.rowid WHERE task_text MATCH ?1
                ORDER BY t.state <> 'open', x.rank
                """, match)
            try take(
                .event,
                """
                SELECT e.id, c.title FROM event_text x JOIN component c ON c.n = x.rowid JOIN event e ON e.n = c.event
                WHERE event_text MATCH ?1 ORDER BY x.rank
                """, match)
            try take(
                .message,
                """
                SELECT m.id, m.subject FROM message_text x CROSS JOIN message m ON m.n = x.rowid
                    CROSS JOIN mailbox b ON b.n = m.mailbox
                WHERE message_text MATCH ?1 AND b.role IS NOT 'deleted' ORDER BY x.rowid DESC
                """, match)
            try take(
                .chatMessage,
                """
                SELECT m.id, substr(m.content, 1, 200) FROM chat_message_text x CROSS JOIN chat_message m ON m.n = x.rowid
                WHERE chat_message_text MATCH ?1 ORDER BY x.rowid DESC
                """, match)
            // Projects are few, and time entries have short titles: they are read through, by the same tokenizer as the
            // full-text indexes.
            let words = text.split { !($0.isLetter || $0.isNumber) }.prefix(100).map { String($0) }
            func all(_ columns: [String]) -> String {
                let joined = columns.map { "ifnull(\($0), '')" }.joined(separator: " || ' ' || ")
                return words.map { "helix_has(\(joined), '\($0)')" }.joined(separator: " AND ")
            }
            try take(
                .project,
                "SELECT id, name FROM project WHERE \(all(["name", "customer", "notes"])) AND ?1 <> '' ORDER BY name",
                text)
            try take(
                .timeEntry,
                "SELECT id, title FROM time_entry WHERE \(all(["title", "note"])) AND ?1 <> '' ORDER BY start DESC",
                text)
            try take(
                .conversation, "SELECT id, name FROM conversation WHERE \(all(["name"])) AND ?1 <> '' ORDER BY n DESC",
                text)
            try take(
                .file, "SELECT id, name FROM attachment WHERE \(all(["name"])) AND ?1 <> '' ORDER BY n DESC", text)
            try take(
                .material,
                "SELECT id, name FROM material WHERE \(all(["name", "supplier"])) AND ?1 <> '' ORDER BY n DESC", text)
            return Array(found.prefix(limit))
        }
    }
}
