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

extension Change {
    /// The project of that name, made if there is none.
    /// - Throws: ``HelixError``.
    public func project(named name: String) throws -> EntityID { try projectNamed(name.trimmingBlanks()) }

    /// The task whose id begins so, if there is exactly one.
    /// - Throws: ``HelixError``.
    public func taskIfUnique(_ prefix: EntityPrefix) throws -> TaskDetails? {
        let found = try Store.candidates(db, prefix, kinds: [.task], limit: 2)
        return found.count == 1 ? try store.task(db, found[0].id) : nil
    }
}
