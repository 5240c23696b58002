import HelixModel
import HelixSQLite

/// A saved view: a named filter.
public struct SavedView: Hashable, Sendable {
    /// The ID of the view.
    public var id: EntityID
    /// The unique, case-insensitive name; used as `@name`.
    public var name: String
    /// The filter's text.
    public var filter: String
}

extension Store {
    /// The saved views, sorted by name.
    /// - Throws: ``HelixError``.
    public func savedViews() throws -> [SavedView] {
        try read { db in
            let row = try Statement(db, "SELECT id, name, filter FROM saved_view ORDER BY name")
            var views: [SavedView] = []
            while try row.step() {
                views.append(
                    SavedView(
                        id: EntityID(stored: row.text(0) ?? ""), name: row.text(1) ?? "", filter: row.text(2) ?? ""))
            }
            return views
        }
    }

    /// The view called `name`.
    /// - Throws: ``HelixError``.
    public func savedView(named name: String) throws -> SavedView? {
        try savedViews().first { $0.name.lowercased() == name.lowercased() }
    }
}

extension Change {
    /// Saves a filter under a name; an existing view with that name is replaced.
    /// - Throws: ``HelixError``.
    public func saveView(_ name: String, filter: String) throws -> EntityID {
        guard !name.contains(where: \.isWhitespace), !name.isEmpty, !name.contains(where: { ":<>=()\"'@".contains($0) })
        else {
            throw HelixError(.usage, "'\(name)' is not a valid view name", hint: "Use one word of letters and digits.")
        }
        if let found = try String.fetchOne(db, sql: "SELECT id FROM saved_view WHERE name = ?", arguments: [name]) {
            let id = EntityID(stored: found)
            try update(.view, id, JournalFields(["name": name.databaseValue, "filter": filter.databaseValue]))
            return id
        }
        let id = EntityID()
        try create(.view, id, JournalFields(["name": name.databaseValue, "filter": filter.databaseValue]))
        return id
    }

    /// Deletes a saved view.
    /// - Throws: ``HelixError``.
    public func deleteView(_ id: EntityID) throws { try delete(.view, id) }
}
