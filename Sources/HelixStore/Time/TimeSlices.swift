import HelixModel
import HelixSQLite
import HelixTasks

/// A stretch of time under what it is summed by.
public struct TimeSlice: Sendable {
    /// The stretch, cut to the range that was asked for.
    public var range: TimeRange
    /// Whether somebody pays for it.
    public var isBillable: Bool
    /// The name of the project or customer, the title, or the tags; nil for none, and where days are asked for.
    public var key: String?
    /// The task it was spent on, where tasks are asked for.
    public var task: EntityID?
    /// The same of what the sums stand under.
    public var group: String?
}

extension Store {
    /// Calls `body` with each stretch of time in `range`, in order of start. Only what a sum needs is read: a year is
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
                // What runs lasts until now; what is planned and runs already has not begun.
                let end = row.isNull(1) ? max(now, start) : Instant(row.integer(1))
                guard let part = TimeRange(start: start, end: end).intersection(range) else { continue }
                body(
                    TimeSlice(
                        range: part, isBillable: row.integer(2) != 0, key: row.text(3), task: row.id(4),
                        group: row.text(5)))
            }
        }
    }

    /// The column that a grouping sums by.
    private static func key(of grouping: TimeGrouping) -> String {
        switch grouping {
        case .day: "NULL"
        case .project: "p.name"
        case .customer: "p.customer"
        case .tag: "e.tags"
        case .task: "coalesce(e.title, t.title, '')"
        }
    }

    /// Whether entry `e` touches a range. Entries never overlap, so the one that runs into it is the last that starts
    /// before it.
    static func touches(_ range: TimeRange) -> String {
        """
        e.start >= ifnull((SELECT MAX(start) FROM time_entry WHERE start <= \(range.start.seconds)),
            \(range.start.seconds))
        AND e.start < \(range.end.seconds) AND ifnull(e."end", \(Int64.max)) > \(range.start.seconds)
        """
    }
}
