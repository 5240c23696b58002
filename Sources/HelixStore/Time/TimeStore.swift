import HelixModel
import HelixSQLite
import HelixTasks

extension Store {
    private static let columns =
        "e.id, \(TimeRecord.layout.selection("e")), coalesce(e.title, t.title, ''), p.name, p.customer"
    static let tables = """
        time_entry e LEFT JOIN task t ON t.id = e.task LEFT JOIN project p ON p.id = coalesce(e.project, t.project)
        """

    /// The entries that overlap `range` and match `filter`, ordered by start.
    /// - Throws: ``HelixError``.
    public func timeEntries(
        in range: TimeRange, filter: TimeFilter = .everything, zone: Zone
    ) throws -> [TimeEntryDetails] {
        try read { db in
            let condition = TimeFilterSQL(filter, now: now, zone: zone)
            let sql = """
                SELECT \(Store.columns) FROM \(Store.tables) WHERE \(Store.touches(range)) AND \(condition.text)
                ORDER BY e.start
                """
            let row = try Statement(db, sql)
            row.bind(condition.arguments)
            return try Store.entries(row)
        }
    }

    /// The running entry.
    /// - Throws: ``HelixError``.
    public func runningEntry() throws -> TimeEntryDetails? {
        try read { db in
            try Store.entries(
                try Statement(db, "SELECT \(Store.columns) FROM \(Store.tables) WHERE e.\"end\" IS NULL")
            ).first
        }
    }

    /// The entry with an ID.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func timeEntry(_ id: EntityID) throws -> TimeEntryDetails { try read { try timeEntry($0, id) } }

    func timeEntry(_ db: Database, _ id: EntityID) throws -> TimeEntryDetails {
        let row = try Statement(db, "SELECT \(Store.columns) FROM \(Store.tables) WHERE e.id = ?1")
        row.bind(1, id.text)
        guard let found = try Store.entries(row).first else {
            throw HelixError(.notFound, "unknown time entry \(id.text)")
        }
        return found
    }

    /// The entry that ended last.
    /// - Throws: ``HelixError``.
    public func lastEntry() throws -> TimeEntryDetails? {
        try read { db in
            let row = try Statement(
                db,
                """
                SELECT \(Store.columns) FROM \(Store.tables)
                WHERE e."end" IS NOT NULL AND e.start <= ?1 ORDER BY e.start DESC LIMIT 1
                """)
            row.bind(1, now.seconds)
            return try Store.entries(row).first
        }
    }

    /// The seconds spent on tasks, by task.
    /// - Throws: ``HelixError``.
    public func timeSpent(on tasks: some Collection<EntityID>) throws -> [EntityID: Int] {
        try read { db in
            let row = try Statement(db, "SELECT SUM(ifnull(\"end\", ?2) - start) FROM time_entry WHERE task = ?1")
            row.bind(2, now.seconds)
            var spent: [EntityID: Int] = [:]
            for task in tasks {
                row.bind(1, task.text)
                while try row.step() { if !row.isNull(0) { spent[task] = Int(row.integer(0)) } }
            }
            return spent
        }
    }

    /// The seconds tracked in a range, up to now: planned time is not counted.
    /// - Throws: ``HelixError``.
    public func timeSpent(in range: TimeRange) throws -> Int {
        try read { db in
            let sql = """
                SELECT ifnull(SUM(max(0, min(ifnull(e."end", ?1), ?1, ?3) - max(e.start, ?2))), 0) FROM time_entry e
                WHERE \(Store.touches(range))
                """
            return try Int.fetchOne(
                db, sql: sql, arguments: [now.seconds, range.start.seconds, range.end.seconds]) ?? 0
        }
    }

    private static func entries(_ row: Statement) throws -> [TimeEntryDetails] {
        var found: [TimeEntryDetails] = []
        while try row.step() {
            var entry = TimeEntry(id: row.id(0) ?? EntityID(stored: ""), start: Instant(0), end: nil)
            TimeRecord.layout.read(row, from: 1, into: &entry)
            let next = 1 + TimeRecord.layout.count
            found.append(
                TimeEntryDetails(
                    entry: entry, title: row.text(next) ?? "", project: row.text(next + 1),
                    customer: row.text(next + 2)))
        }
        return found
    }
}

/// The existing entries that were adjusted to make room for an entry.
public struct TimeAdjustment: Hashable, Sendable {
    /// Entries that were trimmed at one end.
    public var trimmed: [EntityID] = []
    /// Entries that were split in two.
    public var divided: [EntityID] = []
    /// Entries that were removed because no time was left.
    public var removed: [EntityID] = []

    /// Creates an empty adjustment.
    public init() {}
}

/// The entry that a stopped timer leaves.
public struct StoppedTimer: Hashable, Sendable {
    /// The entry.
    public var entry: TimeEntry
    /// Whether it was deleted, because it had only just started.
    public var isDiscarded = false
    /// The planned entries that made room for it.
    public var adjustment = TimeAdjustment()
}

extension Change {
    /// Adds an entry.
    ///
    /// - Parameter adjusts: True to trim overlapping entries; otherwise they are an error.
    /// - Throws: ``HelixError`` of code `conflict` if it overlaps another entry, `usage` if it ends before it starts.
    @discardableResult
    public func addEntry(_ entry: TimeEntry, adjusts: Bool) throws -> TimeAdjustment {
        let adjustment = try makeRoom(for: entry, adjusts: adjusts)
        try create(.timeEntry, entry.id, TimeRecord.layout.fields(entry))
        return adjustment
    }

    /// Changes an entry, including its times.
    /// - Throws: as ``addEntry(_:adjusts:)``.
    @discardableResult
    public func saveEntry(_ entry: TimeEntry, adjusts: Bool) throws -> TimeAdjustment {
        let adjustment = try makeRoom(for: entry, adjusts: adjusts)
        try update(.timeEntry, entry.id, TimeRecord.layout.fields(entry))
        try tellIfBilled(entry.id, isGone: false)
        return adjustment
    }

    /// Deletes an entry.
    /// - Throws: ``HelixError``.
    public func deleteEntry(_ id: EntityID) throws {
        try delete(.timeEntry, id)
        try tellIfBilled(id, isGone: true)
    }

    /// The entry with an ID.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func timeEntry(_ id: EntityID) throws -> TimeEntryDetails { try store.timeEntry(db, id) }

    /// The running entry.
    /// - Throws: ``HelixError``.
    public func runningEntry() throws -> TimeEntryDetails? {
        guard let id = try String.fetchOne(db, sql: "SELECT id FROM time_entry WHERE \"end\" IS NULL") else {
            return nil
        }
        return try store.timeEntry(db, EntityID(stored: id))
    }

    /// Stops the running entry.
    /// - Returns: the stopped entry, which is deleted if it has zero length; nil if none is running.
    /// - Throws: ``HelixError`` of code `usage` for an end before its start.
    @discardableResult
    public func stopTimer(at time: Instant) throws -> StoppedTimer? {
        guard var entry = try runningEntry()?.entry else { return nil }
        if time < entry.start {
            throw HelixError(
                .usage, "the running entry started later than that",
                hint: "'helix time status' shows its start; 'helix time cancel' discards it.")
        }
        if time == entry.start {
            try deleteEntry(entry.id)
            return StoppedTimer(entry: entry, isDiscarded: true)
        }
        entry.end = time
        // Actual time takes precedence over planned time, but not over what another device tracked meanwhile.
        let adjustment = try makeRoom(for: entry, adjusts: true, keepsReceived: true)
        try update(.timeEntry, entry.id, TimeRecord.layout.fields(entry))
        return StoppedTimer(entry: entry, adjustment: adjustment)
    }

    /// Stops the timer if it is running for a task.
    @discardableResult
    func stopTimer(of task: EntityID) throws -> StoppedTimer? {
        guard let entry = try runningEntry()?.entry, entry.task == task else { return nil }
        // A system clock that was set back must not prevent completing a task.
        return try stopTimer(at: max(entry.start, store.now))
    }

    /// Keeps the time spent on a task that is being deleted, under the task's title.
    func detachTime(from task: TodoTask) throws {
        let ids = try String.fetchAll(db, sql: "SELECT id FROM time_entry WHERE task = ?", arguments: [task.id.text])
        for id in ids {
            var entry = try store.timeEntry(db, EntityID(stored: id)).entry
            entry.title = entry.title ?? task.title
            entry.project = entry.project ?? task.project
            entry.task = nil
            try update(.timeEntry, entry.id, TimeRecord.layout.fields(entry))
        }
    }

    /// Whether the last change of an entity came from another device.
    private func isReceived(_ id: String) throws -> Bool {
        try String.fetchOne(
            db,
            sql: """
                SELECT s.origin FROM change c JOIN change_set s ON s.n = c.change_set WHERE c.entity = ?
                ORDER BY c.change_set DESC LIMIT 1
                """, arguments: [id]) == ChangeOrigin.sync.rawValue
    }

    /// Resolves overlaps, since entries of one device never overlap: others are trimmed if `adjusts` is true, or `entry` is rejected.
    /// - Parameter keepsReceived: whether entries that came from another device stay as they are.
    @discardableResult
    func makeRoom(for entry: TimeEntry, adjusts: Bool, keepsReceived: Bool = false) throws -> TimeAdjustment {
        var adjustment = TimeAdjustment()
        // A running entry occupies time only until now: later entries are planned, and do not prevent a start.
        let end = entry.end?.seconds ?? max(entry.start, store.now).seconds + 1
        guard end > entry.start.seconds else {
            throw HelixError(
                .usage, "the time entry ends before it starts", hint: "Enter it like 9-11:30, or 14:00 for 45m.")
        }
        let found = try String.fetchAll(
            db,
            sql: """
                SELECT id FROM time_entry WHERE id <> ? AND
                \(Store.touches(start: "\(entry.start.seconds)", end: "\(end)", of: "")) ORDER BY start
                """,
            arguments: [entry.id.text])
        if found.isEmpty { return adjustment }
        guard adjusts else {
            let first = try store.timeEntry(db, EntityID(stored: found[0]))
            let isRunning = first.entry.end == nil
            throw HelixError(
                .conflict,
                "that time overlaps \(isRunning ? "the running entry" : "an entry") for '\(first.title)' (\(found[0].prefix(6)))",
                hint: "Pass --adjust to trim existing entries, or choose another time ('helix time log' lists them).")
        }
        for id in found {
            if keepsReceived, try isReceived(id) { continue }
            var other = try store.timeEntry(db, EntityID(stored: id)).entry
            let otherEnd = other.end?.seconds ?? .max
            let keepsHead = other.start < entry.start
            let keepsTail = otherEnd > end
            if keepsHead && keepsTail {
                var tail = other
                tail.id = EntityID()
                tail.start = Instant(end)
                other.end = entry.start
                try update(.timeEntry, other.id, TimeRecord.layout.fields(other))
                try create(.timeEntry, tail.id, TimeRecord.layout.fields(tail))
                adjustment.divided.append(other.id)
            } else if keepsHead {
                other.end = entry.start
                try update(.timeEntry, other.id, TimeRecord.layout.fields(other))
                adjustment.trimmed.append(other.id)
            } else if keepsTail {
                other.start = Instant(end)
                try update(.timeEntry, other.id, TimeRecord.layout.fields(other))
                adjustment.trimmed.append(other.id)
            } else {
                try deleteEntry(other.id)
                adjustment.removed.append(other.id)
            }
        }
        return adjustment
    }
}
