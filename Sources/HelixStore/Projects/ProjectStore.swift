import FoundationEssentials
import HelixModel
import HelixSQLite

extension Store {
    /// The names of all projects.
    /// - Throws: ``HelixError``.
    public func projectNames() throws -> [String] {
        try read { try String.fetchAll($0, sql: "SELECT name FROM project ORDER BY name") }
    }

    /// The projects, by name.
    /// - Throws: ``HelixError``.
    public func projects() throws -> [ProjectRecord] { try read(Store.projects) }

    static func projects(_ db: Database) throws -> [ProjectRecord] {
        let row = try Statement(db, "SELECT p.id, \(ProjectRecord.layout.selection("p")) FROM project p ORDER BY name")
        var found: [ProjectRecord] = []
        while try row.step() {
            var project = ProjectRecord(name: "", createdAt: Instant(0))
            project.id = row.id(0) ?? project.id
            ProjectRecord.layout.read(row, from: 1, into: &project)
            found.append(project)
        }
        return found
    }

    /// The project called `name`, or whose ID begins with `name`.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func project(named name: String) throws -> ProjectRecord {
        let all = try projects()
        if let exact = all.first(where: { $0.name.lowercased() == name.lowercased() }) { return exact }
        let prefix = EntityPrefix(name).text
        let byID = name.count >= 4 ? all.filter { $0.id.text.hasPrefix(prefix) } : []
        if byID.count == 1 { return byID[0] }
        let near = EditDistance.suggestion(for: name.lowercased(), among: all.map { $0.name.lowercased() })
        let meant = all.first { $0.name.lowercased() == near }.map { "Did you mean '\($0.name)'? " } ?? ""
        throw HelixError(
            .notFound, "unknown project '\(name)'",
            hint: meant + "'helix projects list' lists projects; 'helix projects add' adds one.")
    }

    /// The materials of a project, ordered by purchase date.
    /// - Throws: ``HelixError``.
    public func materials(of project: EntityID) throws -> [MaterialRecord] {
        try read { db in
            let row = try Statement(
                db,
                """
                SELECT m.id, \(MaterialRecord.layout.selection("m")) FROM material m WHERE m.project = ?1
                ORDER BY bought_on, n
                """)
            row.bind(1, project.text)
            var found: [MaterialRecord] = []
            while try row.step() {
                var material = MaterialRecord(project: project, name: "", quantity: 0, unit: "", unitPrice: 0)
                material.id = row.id(0) ?? material.id
                MaterialRecord.layout.read(row, from: 1, into: &material)
                found.append(material)
            }
            return found
        }
    }
}

extension Change {
    /// The project called `name`, created if it does not exist.
    /// - Parameter isTyped: True if a user typed the name; a new project is then reported.
    func projectNamed(_ name: String, isTyped: Bool = false) throws -> EntityID {
        if let found = try String.fetchOne(db, sql: "SELECT id FROM project WHERE name = ?", arguments: [name]) {
            return EntityID(stored: found)
        }
        // Using a new name creates a project, so a mistyped name creates one, too.
        let others = try String.fetchAll(db, sql: "SELECT name FROM project")
        let made = try addProject(ProjectRecord(name: name, createdAt: store.now))
        guard isTyped else { return made }
        if let near = EditDistance.suggestion(for: name.lowercased(), among: others.map { $0.lowercased() }),
            let meant = others.first(where: { $0.lowercased() == near }), !name.hasPrefix(meant + ".")
        {
            store.warnings.append("'\(name)' is a new project; did you mean '\(meant)'? 'helix undo' removes it.")
        } else {
            store.remarks.append("'\(name)' is a new project.")
        }
        return made
    }

    /// The project called `name`, created if it does not exist.
    /// - Throws: ``HelixError``.
    public func project(named name: String) throws -> EntityID {
        try projectNamed(name.trimmingBlanks(), isTyped: true)
    }

    /// Adds a project.
    /// - Throws: ``HelixError`` of code `conflict` if the name is taken.
    @discardableResult
    public func addProject(_ project: ProjectRecord) throws -> EntityID {
        try checkName(project.name, "project", among: try String.fetchAll(db, sql: "SELECT name FROM project"))
        try create(.project, project.id, ProjectRecord.layout.fields(project))
        return project.id
    }

    /// Changes a project.
    /// - Throws: ``HelixError`` of code `conflict` if its new name is taken.
    public func saveProject(_ project: ProjectRecord) throws {
        let others = try String.fetchAll(
            db, sql: "SELECT name FROM project WHERE id <> ?", arguments: [project.id.text])
        try checkName(project.name, "project", among: others)
        let old = try String.fetchOne(db, sql: "SELECT name FROM project WHERE id = ?", arguments: [project.id.text])
        try update(.project, project.id, ProjectRecord.layout.fields(project))
        // Subprojects are renamed, too; otherwise their hours would be missing from the project's total.
        guard let old, old != project.name else { return }
        for below in try Store.projects(db) where below.name.lowercased().hasPrefix(old.lowercased() + ".") {
            try update(
                .project, below.id,
                JournalFields(["name": (project.name + below.name.dropFirst(old.count)).databaseValue]))
        }
    }

    /// Deletes a project that is not in use.
    /// - Throws: ``HelixError`` of code `conflict` that lists the tasks, time entries, materials and files that use it.
    public func deleteProject(_ project: ProjectRecord) throws {
        let name = project.name
        let kinds = [
            ("task", "task", "tasks", "helix tasks edit 'project:\(name) status:all' project:OTHER"),
            ("time_entry", "time entry", "time entries", "helix time edit --where 'project:\(name)' project:OTHER"),
            ("material", "material", "materials", "helix projects material delete ID"),
            ("attachment", "file", "files", "helix projects files remove ID"),
        ]
        let invoices = try Int.fetchOne(
            db, sql: "SELECT COUNT(*) FROM invoice WHERE project = ?", arguments: [project.id.text])
        if let invoices, invoices > 0 {
            throw HelixError(
                .conflict, "cannot delete '\(name)': it has \(EntityKind.invoice.counted(invoices))",
                hint: "A project with invoices is kept; 'helix projects complete \(name)' closes it.")
        }
        var (left, ways): ([String], [String]) = ([], [])
        for (table, one, many, way) in kinds {
            let count = try Int.fetchOne(
                db, sql: "SELECT COUNT(*) FROM \(table) WHERE project = ?", arguments: [project.id.text])
            guard let count, count > 0 else { continue }
            left.append("\(count) \(count == 1 ? one : many)")
            ways.append(way)
        }
        guard left.isEmpty else {
            throw HelixError(
                .conflict, "cannot delete '\(name)': it still has \(left.joined(separator: ", "))",
                hint: "Move them to another project or delete them first: \(ways.joined(separator: "; ")).")
        }
        try delete(.project, project.id)
    }

    /// Adds a material.
    /// - Throws: ``HelixError``.
    public func addMaterial(_ material: MaterialRecord) throws {
        var material = material
        material.createdAt = store.now
        try create(.material, material.id, MaterialRecord.layout.fields(material))
    }

    /// The task whose ID begins with `prefix`, if it is unique.
    /// - Throws: ``HelixError``.
    public func taskIfUnique(_ prefix: EntityPrefix) throws -> TaskDetails? {
        let found = try Store.candidates(db, prefix, kinds: [.task], limit: 2)
        return found.count == 1 ? try store.task(db, found[0].id) : nil
    }
}

extension Store {
    /// Whether exactly one task has an ID that begins with `prefix`.
    /// - Throws: ``HelixError``.
    public func isTask(_ prefix: EntityPrefix) throws -> Bool {
        try read { db in try Store.candidates(db, prefix, kinds: [.task], limit: 2).count == 1 }
    }
}
