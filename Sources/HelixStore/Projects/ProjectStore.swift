import Foundation
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
        try Row.fetchAll(db, sql: "SELECT * FROM project ORDER BY name").map { row in
            var project = try ProjectRecord(name: row["name"], createdAt: Instant(row["created_at"]))
            project.id = try EntityID(stored: row["id"])
            project.status = try ProjectStatus(rawValue: row["status"]) ?? .active
            project.customer = try row["customer"]
            project.start = try (row["start"] as String?).flatMap(Store.date)
            project.due = try (row["due"] as String?).flatMap(Store.date)
            project.assignee = try row["assignee"]
            project.budgetTime = try row["budget_time"]
            project.budgetMoney = try (row["budget_money"] as String?).flatMap { Decimal(money: $0) }
            project.hourlyRate = try (row["hourly_rate"] as String?).flatMap { Decimal(money: $0) }
            project.currency = try row["currency"]
            project.notes = try row["notes"]
            project.blocks =
                try (row["blocks"] as String?).flatMap {
                    try? JSONDecoder().decode([String].self, from: Data($0.utf8))
                } ?? []
            return project
        }
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
            try Row.fetchAll(
                db, sql: "SELECT * FROM material WHERE project = ? ORDER BY bought_on, n", arguments: [project.text]
            )
            .map {
                row in
                var material = try MaterialRecord(
                    project: project, name: row["name"], quantity: Decimal(money: row["quantity"]) ?? 0,
                    unit: row["unit"], unitPrice: Decimal(money: row["unit_price"]) ?? 0)
                material.id = try EntityID(stored: row["id"])
                material.supplier = try row["supplier"]
                material.receipt = try (row["receipt"] as String?).map { EntityID(stored: $0) }
                material.boughtOn = try (row["bought_on"] as String?).flatMap(Store.date)
                return material
            }
        }
    }

    private static func date(_ text: String) -> CivilDate? {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        return parts.count == 3 ? CivilDate(validYear: parts[0], month: parts[1], day: parts[2]) : nil
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
        try create(.project, project.id, fields(project))
        return project.id
    }

    /// Changes a project.
    /// - Throws: ``HelixError`` of code `conflict` if its new name is taken.
    public func saveProject(_ project: ProjectRecord) throws {
        let others = try String.fetchAll(
            db, sql: "SELECT name FROM project WHERE id <> ?", arguments: [project.id.text])
        try checkName(project.name, "project", among: others)
        let old = try String.fetchOne(db, sql: "SELECT name FROM project WHERE id = ?", arguments: [project.id.text])
        try update(.project, project.id, fields(project))
        // Subprojects are renamed, too; otherwise their hours would be missing from the project's total.
        guard let old, old != project.name else { return }
        for below in try Store.projects(db) where below.name.lowercased().hasPrefix(old.lowercased() + ".") {
            try update(
                .project, below.id,
                JournalFields(["name": (project.name + below.name.dropFirst(old.count)).databaseValue]))
        }
    }

    private func fields(_ project: ProjectRecord) throws -> JournalFields {
        let blocks =
            project.blocks.isEmpty ? nil : String(decoding: try JSONEncoder().encode(project.blocks), as: UTF8.self)
        return JournalFields([
            "name": project.name.databaseValue, "status": project.status.rawValue.databaseValue,
            "customer": project.customer?.databaseValue ?? .null,
            "start": project.start.map { ISO8601.text($0).databaseValue } ?? .null,
            "due": project.due.map { ISO8601.text($0).databaseValue } ?? .null,
            "assignee": project.assignee?.databaseValue ?? .null,
            "budget_time": project.budgetTime?.databaseValue ?? .null,
            "budget_money": project.budgetMoney.map { "\($0)".databaseValue } ?? .null,
            "hourly_rate": project.hourlyRate.map { "\($0)".databaseValue } ?? .null,
            "currency": project.currency?.databaseValue ?? .null, "notes": project.notes?.databaseValue ?? .null,
            "blocks": blocks?.databaseValue ?? .null, "created_at": project.createdAt.seconds.databaseValue,
        ])
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
        try create(
            .material, material.id,
            JournalFields([
                "project": material.project.text.databaseValue, "name": material.name.databaseValue,
                "quantity": "\(material.quantity)".databaseValue, "unit": material.unit.databaseValue,
                "unit_price": "\(material.unitPrice)".databaseValue,
                "supplier": material.supplier?.databaseValue ?? .null,
                "receipt": material.receipt?.text.databaseValue ?? .null,
                "bought_on": material.boughtOn.map { ISO8601.text($0).databaseValue } ?? .null,
                "created_at": store.now.seconds.databaseValue,
            ]))
    }

    /// The task whose ID begins with `prefix`, if it is unique.
    /// - Throws: ``HelixError``.
    public func taskIfUnique(_ prefix: EntityPrefix) throws -> TaskDetails? {
        let found = try Store.candidates(db, prefix, kinds: [.task], limit: 2)
        return found.count == 1 ? try store.task(db, found[0].id) : nil
    }
}
