import HelixModel
import HelixSQLite
import HelixTasks

/// A slice of time with the keys by which it is summed.
public struct TimeSlice: Sendable {
    /// The time range, clipped to the requested one.
    public var range: TimeRange
    /// True if it is billable.
    public var isBillable: Bool
    /// The name of the project or customer, the title, or the tags; nil for none, or if grouped by day.
    public var key: String?
    /// The task, if grouped by task.
    public var task: EntityID?
    /// The key of the outer group.
    public var group: String?
}

extension Store {
    /// Calls `body` with each slice of time in `range`, ordered by start. Only the columns that sums need are read: a year has
    /// ten thousand entries and more.
    /// - Throws: ``HelixError``.
    public func timeSlices(
        in range: TimeRange, by grouping: TimeGrouping, within outer: TimeGrouping? = nil,
        filter: TimeFilter = .everything, billable: Bool = false,
        zone: Zone, _ body: (TimeSlice) -> Void
    ) throws {
        let key = Store.key(of: grouping)
        let group = outer.map(Store.key) ?? "NULL"
        let task = grouping == .task ? "e.task" : "NULL"
        try read { db in
            let condition = TimeFilterSQL(filter, now: now, zone: zone)
            let row = try Statement(
                db,
                """
                SELECT e.start, e."end", e.is_billable, \(key), \(task), \(group) FROM \(Store.tables)
                WHERE \(Store.touches(range)) AND \(condition.text)\(billable ? " AND e.is_billable" : "") ORDER BY e.start
                """)
            row.bind(condition.arguments)
            while try row.step() {
                let start = Instant(row.integer(0))
                // A running entry lasts until now; a planned one that is already open has not begun.
                let end = row.isNull(1) ? max(now, start) : Instant(row.integer(1))
                guard let part = TimeRange(start: start, end: end).intersection(range) else { continue }
                body(
                    TimeSlice(
                        range: part, isBillable: row.integer(2) != 0, key: row.text(3), task: row.id(4),
                        group: row.text(5)))
            }
        }
    }

    /// The column that holds the key of a grouping.
    private static func key(of grouping: TimeGrouping) -> String {
        switch grouping {
        case .day: "NULL"
        case .project: "p.name"
        case .customer: "p.customer"
        case .tag: "e.tags"
        case .task: "coalesce(e.title, t.title, '')"
        }
    }

    /// The condition that entry `e` overlaps a range. An entry that extends into the range starts at most a day before it, but
    /// for the running one and the few that last longer, which have an index of their own. (Entries of one device never overlap
    /// each other; those of two may.)
    static func touches(_ range: TimeRange) -> String {
        touches(start: "\(range.start.seconds)", end: "\(range.end.seconds)", of: "e.")
    }

    /// The condition that an entry overlaps a range of SQL expressions.
    /// - Parameter alias: the table's alias with a dot; empty for none.
    static func touches(start: String, end: String, of alias: String) -> String {
        // The sign keeps SQLite from looking for the minimum in the index of starts, through all entries, if there is none.
        """
        \(alias)start >= min(\(start) - 86400,
            ifnull((SELECT MIN(+start) FROM time_entry WHERE "end" - start > 86400 AND "end" > \(start)), \(start)),
            ifnull((SELECT MIN(+start) FROM time_entry WHERE "end" IS NULL), \(start)))
        AND \(alias)start < \(end) AND ifnull(\(alias)"end", \(Int64.max)) > \(start)
        """
    }
}
