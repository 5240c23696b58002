import HelixModel
import HelixSQLite

extension Store {
    /// A text that was kept under a name; nil if there is none. Not in the journal: what one program keeps for itself.
    /// - Throws: ``HelixError``.
    public func note(_ name: String) throws -> String? {
        try read { try String.fetchOne($0, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name]) }
    }

    /// Keeps a text under a name.
    /// - Throws: ``HelixError``.
    public func setNote(_ name: String, _ text: String) throws {
        try writeDerived { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", arguments: [name, text])
        }
    }

    /// When an entity was made and when it was changed last, as far as the journal knows.
    /// - Throws: ``HelixError``.
    public func lifetime(of id: EntityID) throws -> (made: Instant, changed: Instant) {
        try read { db in
            let row = try Statement(
                db,
                """
                SELECT MIN(s.made_at), MAX(s.made_at) FROM change c JOIN change_set s ON s.n = c.change_set
                WHERE c.entity = ?1
                """)
            row.bind(1, id.text)
            defer { row.reset() }
            guard try row.step() else { return (now, now) }
            return (Instant(row.integer(0)), Instant(row.integer(1)))
        }
    }
}
