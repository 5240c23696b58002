import HelixModel
import HelixSQLite

extension Store {
    /// The text stored under a name; nil if there is none. Notes are private to one program and are not in the journal.
    /// - Throws: ``HelixError``.
    public func note(_ name: String) throws -> String? {
        try read { try String.fetchOne($0, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name]) }
    }

    /// Stores a text under a name.
    /// - Throws: ``HelixError``.
    public func setNote(_ name: String, _ text: String) throws {
        try writeDerived { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", arguments: [name, text])
        }
    }

    /// The times at which an entity was created and last changed, according to the journal.
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
