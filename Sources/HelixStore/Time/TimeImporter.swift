import HelixModel
import HelixSQLite
import HelixTasks

extension Change {
    /// Imports time entries of another program.
    ///
    /// - Returns: the numbers of created and existing entries, and the entries that overlap others.
    /// - Throws: ``HelixError``.
    public func importEntries(
        _ entries: [ForeignTimeEntry]
    ) throws -> (created: Int, unchanged: Int, taken: [TimeEntry]) {
        let others = try Statement(
            db,
            """
            SELECT e.start, e."end", ifnull(e.title, t.title) FROM time_entry e LEFT JOIN task t ON t.id = e.task
            WHERE \(Store.touches(start: "?1", end: "?2", of: "e."))
            """)
        let insert = try Statement(db, TimeRecord.layout.insertion(into: "time_entry"))
        var projects: [String: EntityID] = [:]
        var result = (created: 0, unchanged: 0, taken: [TimeEntry]())
        for foreign in entries.sorted(by: { $0.entry.start < $1.entry.start }) {
            let entry = foreign.entry
            let end = entry.end?.seconds ?? .max
            guard end > entry.start.seconds else {
                result.taken.append(entry)
                continue
            }
            var isTaken = false
            var isKnown = false
            others.bind(1, entry.start.seconds)
            others.bind(2, end)
            while try others.step() {
                isTaken = true
                let otherEnd = others.isNull(1) ? Int64.max : others.integer(1)
                if others.integer(0) == entry.start.seconds, otherEnd == end,
                    (others.text(2) ?? "") == (entry.title ?? "")
                {
                    isKnown = true
                }
            }
            if isKnown {
                result.unchanged += 1
                continue
            }
            if isTaken {
                result.taken.append(entry)
                continue
            }
            let task = try foreign.task.flatMap { try hasTask($0) ? $0 : nil }
            // A task gives its entries the title and the project.
            var own = entry
            (own.task, own.origin) = (task, nil)
            own.title = task == nil ? entry.title : nil
            own.project = task == nil ? try projectOfEntry(foreign, &projects) : nil
            TimeRecord.layout.bind(own.id, own, to: insert)
            try insert.run()
            try didCreate(.timeEntry, entry.id)
            result.created += 1
        }
        return result
    }

    private func hasTask(_ id: EntityID) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM task WHERE id = ?)", arguments: [id.text]) ?? false
    }

    /// The project of an entry, created with its customer if there is none of that name.
    private func projectOfEntry(_ foreign: ForeignTimeEntry, _ projects: inout [String: EntityID]) throws -> EntityID? {
        guard let name = foreign.project?.trimmingBlanks().prefix(200), !name.isEmpty else { return nil }
        if let known = projects[name.lowercased()] { return known }
        let isThere = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM project WHERE name = ?)", arguments: [String(name)])
        let id: EntityID
        if isThere == true {
            id = try projectNamed(String(name))
        } else {
            var record = ProjectRecord(name: String(name), createdAt: store.now)
            record.customer = foreign.customer
            id = try addProject(record)
        }
        projects[name.lowercased()] = id
        return id
    }
}
