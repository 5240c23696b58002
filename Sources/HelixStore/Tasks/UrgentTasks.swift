import HelixModel
import HelixSQLite
import HelixTasks

extension Store {
    /// The most urgent tasks. Urgency is calculated from a narrow index; whole rows are read only for the tasks shown.
    func mostUrgent(
        _ db: Database, _ filter: TaskFilter, limit: Int?, zone: Zone, _ urgency: Urgency
    ) throws -> (tasks: [TaskDetails], total: Int) {
        let condition = TaskFilterSQL(filter, now: now, zone: zone)
        var ranking = UrgencyRanking(limit: limit)
        // Tasks that are due soon come first, as these are the most urgent as a rule. If so, most of the others need not be read:
        // those that nobody has started, planned or waits for.
        let soon = now.seconds + UrgencyRanking.soon
        let isLater = "(t.due IS NULL OR t.due > \(soon))"
        if limit != nil {
            try rank(db, condition, "t.due <= \(soon)", urgency, &ranking)
            ranking.cut()
            let passed = urgency.bound(dueAfter: Instant(soon), without: [.blocking, .started, .scheduled])
            let isOutranked = passed < ranking.least
            let distinct = "(t.blocking > 0 OR t.started_at IS NOT NULL OR t.scheduled IS NOT NULL)"
            try rank(db, condition, isOutranked ? "\(isLater) AND \(distinct)" : isLater, urgency, &ranking)
        } else {
            try rank(db, condition, "1", urgency, &ranking)
        }
        let found = try tasks(db, numbers: ranking.numbers)
        return (found, limit == nil ? found.count : try count(db, condition))
    }

    private func rank(
        _ db: Database, _ condition: TaskFilterSQL, _ part: String, _ urgency: Urgency, _ ranking: inout UrgencyRanking
    ) throws {
        let row = try Statement(
            db,
            """
            SELECT t.n, t.kind = 'task' AND t.state = 'open', t.due, t.due_day, t.scheduled, t.scheduled_day, t.hidden_until,
                t.hidden_day, t.priority, t.created_at, t.started_at, t.blockers, t.blocking, t.project IS NOT NULL, t.tags
            FROM task t WHERE (\(condition.text)) AND \(part)
            """)
        row.bind(condition.arguments)
        while try row.step() {
            func time(_ column: Int32) -> TaskTime? {
                if row.isNull(column) { return nil }
                let seconds = row.integer(column)
                return row.integer(column + 1) != 0
                    ? .date(CivilDateTime(seconds: seconds).date) : .moment(Instant(seconds))
            }
            var facts = UrgencyFacts()
            facts.isTask = row.integer(1) != 0
            facts.due = time(2)
            facts.scheduled = time(4)
            facts.hiddenUntil = time(6)
            facts.priority = row.isNull(8) ? nil : TaskPriority(rawValue: Int(row.integer(8)))
            facts.createdAt = Instant(row.integer(9))
            facts.isStarted = !row.isNull(10)
            facts.blockers = Int(row.integer(11))
            facts.blocking = Int(row.integer(12))
            facts.hasProject = row.integer(13) != 0
            facts.tags = row.blanks(14)
            ranking.add(row.integer(0), urgency.value(facts))
        }
    }
}

/// The tasks with the greatest urgency of those that were added; equal ones in order of insertion.
private struct UrgencyRanking {
    /// Seconds from now until which a due time makes a task urgent.
    static let soon: Int64 = 7 * 86_400

    /// An urgency that a task needs to be among the first; below all others as long as there are not enough tasks.
    private(set) var least = -Double.infinity
    private let limit: Int?
    private var ranked: [(number: Int64, urgency: Double)] = []

    init(limit: Int?) { self.limit = limit }

    /// The row numbers, the most urgent first.
    var numbers: [Int64] {
        let sorted = ranked.sorted(by: UrgencyRanking.isBefore)
        return sorted.prefix(limit ?? sorted.count).map(\.number)
    }

    mutating func add(_ number: Int64, _ urgency: Double) {
        guard urgency >= least else { return }
        ranked.append((number, urgency))
        // With a limit, tasks that are less urgent than all of these are discarded at once.
        if let limit, ranked.count >= 2 * limit { cut() }
    }

    /// Discards the tasks beyond the limit.
    mutating func cut() {
        guard let limit, ranked.count >= limit, limit > 0 else { return }
        ranked.sort(by: UrgencyRanking.isBefore)
        ranked.removeLast(ranked.count - limit)
        least = ranked.last?.urgency ?? least
    }

    private static func isBefore(_ a: (number: Int64, urgency: Double), _ b: (number: Int64, urgency: Double)) -> Bool {
        a.urgency != b.urgency ? a.urgency > b.urgency : a.number < b.number
    }
}

extension Statement {
    /// The number of tags in ` a b `.
    fileprivate func blanks(_ column: Int32) -> Int { max(0, count(of: 0x20, in: column) - 1) }
}
