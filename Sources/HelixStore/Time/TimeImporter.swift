import HelixModel
import HelixSQLite
import HelixTasks

/// The outcome of an import of time entries.
public struct TimeImportOutcome: Sendable {
    /// The number of new entries.
    public var created = 0
    /// The number of those that were there.
    public var unchanged = 0
    /// Those that overlap others, and are left out.
    public var taken: [TimeEntry] = []
    /// Those that end when or before they start, and are left out.
    public var reversed: [TimeEntry] = []
    /// Those without an end that cannot be running: others begin after them, or they begin later than now. They are left out.
    public var endless: [TimeEntry] = []
    /// The one that runs from now on.
    public var running: TimeEntry?
    /// Those that are there with other fields, and are left as they are.
    public var differing: [TimeEntry] = []
    /// Clocks that ran here and ended in the file.
    public var ended: [TimeEntry] = []
    /// Those whose task does not exist here, imported without it.
    public var untied: [TimeEntry] = []
    /// Customers of entries whose project belongs to another one here, or to none, with the name of the project.
    public var otherCustomers: Set<[String]> = []
}

extension Change {
    /// Imports time entries of another program.
    ///
    /// - Returns: the numbers of created and existing entries, and the entries that overlap others.
    /// - Throws: ``HelixError``.
    public func importEntries(_ entries: [ForeignTimeEntry]) throws -> TimeImportOutcome {
        let others = try OverlappingEntries(db, now: store.now)
        let insert = try Statement(db, TimeRecord.layout.insertion(into: "time_entry"))
        var projects: [String: EntityID] = [:]
        var result = TimeImportOutcome()
        let latest = entries.map(\.entry.start).filter { $0 <= store.now }.max() ?? store.now
        for foreign in entries.sorted(by: { $0.entry.start < $1.entry.start }) {
            let entry = foreign.entry
            // A clock that runs takes time until now; what is planned later does not prevent it.
            let end = entry.end?.seconds ?? max(entry.start, store.now).seconds + 1
            guard end > entry.start.seconds else {
                result.reversed.append(entry)
                continue
            }
            if entry.end == nil, entry.start < latest || entry.start > store.now {
                result.endless.append(entry)
                continue
            }
            switch try others.match(entry, end: end) {
            case .same(let differs):
                result.unchanged += 1
                if differs { result.differing.append(entry) }
            case .runningClock(let clock):
                var own = try timeEntry(clock).entry
                own.end = entry.end
                _ = try saveEntry(own, adjusts: false)
                result.ended.append(own)
            case .other: result.taken.append(entry)
            case .none: try create(foreign, by: insert, &projects, &result)
            }
        }
        return result
    }

    private func create(
        _ foreign: ForeignTimeEntry, by insert: Statement, _ projects: inout [String: EntityID],
        _ result: inout TimeImportOutcome
    ) throws {
        let entry = foreign.entry
        let task = try foreign.task.flatMap { try hasTask($0) ? $0 : nil }
        if task == nil, foreign.task != nil { result.untied.append(entry) }
        // A task gives its entries the title and the project.
        var own = entry
        (own.task, own.origin) = (task, nil)
        own.title = task == nil ? entry.title : nil
        own.project = task == nil ? try projectOfEntry(foreign, &projects) : nil
        if let project = own.project, let customer = foreign.customer?.trimmingBlanks(), !customer.isEmpty,
            try customerName(of: project)?.lowercased() != customer.lowercased()
        {
            result.otherCustomers.insert([customer, foreign.project ?? ""])
        }
        TimeRecord.layout.bind(own.id, own, to: insert)
        try insert.run()
        try didCreate(.timeEntry, entry.id)
        if entry.end == nil { result.running = entry }
        result.created += 1
    }

    private func customerName(of project: EntityID) throws -> String? {
        try String.fetchOne(db, sql: "SELECT customer FROM project WHERE id = ?", arguments: [project.text])
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

/// Finds the stored entries that overlap an imported one.
private struct OverlappingEntries {
    enum Match {
        case none
        /// The entry is there.
        case same(differs: Bool)
        /// The clock that runs here has ended there since.
        case runningClock(EntityID)
        /// Another entry takes its time.
        case other
    }

    private let rows: Statement

    init(_ db: Database, now: Instant) throws {
        rows = try Statement(
            db,
            """
            SELECT e.start, e."end", ifnull(e.title, t.title), ifnull(e.tags, ''), e.is_billable, ifnull(e.note, ''), e.id
            FROM time_entry e LEFT JOIN task t ON t.id = e.task
            WHERE \(Store.touches(start: "?1", end: "?2", of: "e."))
                AND (e."end" IS NOT NULL OR ?1 <= \(now.seconds))
            """)
    }

    /// - Parameter end: the second at which the entry ends, or that follows now for a running one.
    func match(_ entry: TimeEntry, end: Int64) throws -> Match {
        var match = Match.none
        rows.bind(1, entry.start.seconds)
        rows.bind(2, end)
        defer { rows.reset() }
        while try rows.step() {
            let isRunning = rows.isNull(1)
            let isSame =
                rows.integer(0) == entry.start.seconds && (rows.text(2) ?? "") == (entry.title ?? "")
            if isSame, isRunning ? entry.end == nil : rows.integer(1) == end {
                let differs =
                    (rows.text(3) ?? "").split(separator: " ").map(String.init) != entry.tags
                    || rows.text(5) != entry.note ?? "" || (rows.integer(4) != 0) != entry.isBillable
                return .same(differs: differs)
            }
            if isSame, isRunning {
                match = .runningClock(EntityID(stored: rows.text(6) ?? ""))
            } else if case .none = match {
                match = .other
            }
        }
        return match
    }
}
