import HelixModel
import HelixSQLite

/// A mail query with a name.
public struct SavedSearch: Hashable, Sendable {
    /// The ID of the saved search.
    public var id: EntityID
    /// The unique, case-insensitive name; used as `@name`.
    public var name: String
    /// The text of the query.
    public var query: String
}

extension Store {
    /// The saved searches, ordered by name.
    /// - Throws: ``HelixError``.
    public func savedSearches() throws -> [SavedSearch] {
        try read { db in
            let row = try Statement(db, "SELECT id, name, query FROM saved_search ORDER BY name")
            var searches: [SavedSearch] = []
            while try row.step() {
                searches.append(
                    SavedSearch(
                        id: row.id(0) ?? EntityID(stored: ""), name: row.text(1) ?? "", query: row.text(2) ?? ""))
            }
            return searches
        }
    }
}

extension Change {
    /// Saves a query under a name, replacing an existing one.
    /// - Throws: ``HelixError``.
    @discardableResult
    public func saveSearch(_ name: String, query: String) throws -> EntityID {
        guard !name.isEmpty, name.count <= 60, !name.contains(where: { $0.isWhitespace || ":()\"'@*-".contains($0) })
        else {
            throw HelixError(.usage, "invalid search name '\(name)'", hint: "Use one word of letters and digits.")
        }
        let fields = JournalFields(["name": name.databaseValue, "query": query.databaseValue])
        if let found = try String.fetchOne(db, sql: "SELECT id FROM saved_search WHERE name = ?", arguments: [name]) {
            let id = EntityID(stored: found)
            try update(.search, id, fields)
            return id
        }
        let id = EntityID()
        try create(.search, id, fields)
        return id
    }

    /// Deletes a saved search.
    /// - Throws: ``HelixError``.
    public func deleteSearch(_ id: EntityID) throws { try delete(.search, id) }
}
