import GRDB
import HelixModel

extension Store {
    /// The names of all projects.
    /// - Throws: ``HelixError``.
    public func projectNames() throws -> [String] {
        try read { try String.fetchAll($0, sql: "SELECT name FROM project ORDER BY name") }
    }
}

extension Change {
    /// The project called `name`, made if there is none.
    func projectNamed(_ name: String) throws -> EntityID {
        if let found = try String.fetchOne(db, sql: "SELECT id FROM project WHERE name = ?", arguments: [name]) {
            return EntityID(stored: found)
        }
        try checkName(name, "project", among: [])
        let id = EntityID()
        try create(
            .project, id,
            JournalFields([
                "name": name.databaseValue, "status": "active".databaseValue,
                "created_at": store.now.seconds.databaseValue,
            ]))
        return id
    }
}
