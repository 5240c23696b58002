import HelixModel
import HelixSQLite
import HelixTasks

extension Store {
    /// The tasks that match `filter`, in order.
    ///
    /// - Parameter limit: the maximum number of tasks to return.
    /// - Returns: the tasks, and the total number of matches.
    /// - Throws: ``HelixError``.
    public func tasks(
        _ filter: TaskFilter, order: TaskOrder, limit: Int? = nil, zone: Zone, urgency: Urgency
    ) throws -> (tasks: [TaskDetails], total: Int) {
        try read { db in
            // As the only key, urgency is calculated faster here than by the database.
            if order == .urgency { return try mostUrgent(db, filter, limit: limit, zone: zone, urgency) }
            let condition = TaskFilterSQL(filter, now: now, zone: zone)
            let terms = TaskOrderSQL(order, urgency: urgency, now: now, zone: zone).text
            let found = try tasks(db, condition, "ORDER BY \(terms)" + (limit.map { " LIMIT \($0)" } ?? ""))
            let total =
                limit.map { found.count < $0 } ?? true
                ? found.count : try count(db, condition)
            return (found, total)
        }
    }

    /// The number of tasks that match `filter`.
    /// - Throws: ``HelixError``.
    public func taskCount(_ filter: TaskFilter, zone: Zone) throws -> Int {
        try read { try count($0, TaskFilterSQL(filter, now: now, zone: zone)) }
    }

    /// The tags of all tasks, sorted by name.
    /// - Throws: ``HelixError``.
    public func taskTags() throws -> [String] {
        let lists = try read {
            try String.fetchAll($0, sql: "SELECT DISTINCT tags FROM task WHERE tags IS NOT NULL", arguments: [])
        }
        return Set(lists.flatMap { $0.split(separator: " ").map(String.init) }).sorted()
    }

    /// The task with an ID.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func task(_ id: EntityID) throws -> TaskDetails { try read { try task($0, id) } }

    func task(_ db: Database, _ id: EntityID) throws -> TaskDetails {
        guard let found = try tasks(db, ids: [id]).first else {
            throw HelixError(.notFound, "unknown task \(id.text)")
        }
        return found
    }

    /// The task itself, without the names of related entities.
    func bareTask(_ db: Database, _ id: EntityID) throws -> TodoTask {
        let row = try Statement(db, "SELECT \(TaskRecord.bareColumns) FROM task t WHERE t.id = ?1")
        row.bind(1, id.text)
        var found: TodoTask?
        while try row.step() { found = TaskRecord.details(row, TaskNames()).task }
        guard let found else { throw HelixError(.notFound, "unknown task \(id.text)") }
        return found
    }

    /// The tasks with these IDs, in the given order; deleted ones are omitted.
    /// - Throws: ``HelixError``.
    public func tasks(_ ids: [EntityID]) throws -> [TaskDetails] { try read { try tasks($0, ids: ids) } }

    func tasks(_ db: Database, ids: [EntityID]) throws -> [TaskDetails] {
        if ids.isEmpty { return [] }
        let names = try TaskNames(db)
        let row = try Statement(db, "SELECT \(TaskRecord.columns) FROM task t WHERE t.id = ?1")
        var found: [TaskDetails] = []
        for id in ids {
            row.bind(1, id.text)
            while try row.step() { found.append(TaskRecord.details(row, names)) }
        }
        return found
    }

    /// The IDs of the tasks that match `filter`, in order of insertion.
    /// - Throws: ``HelixError``.
    public func taskIDs(_ filter: TaskFilter, zone: Zone) throws -> [EntityID] {
        try read { try taskIDs($0, filter, zone: zone) }
    }

    func taskIDs(_ db: Database, _ filter: TaskFilter, zone: Zone) throws -> [EntityID] {
        let condition = TaskFilterSQL(filter, now: now, zone: zone)
        let ids = try String.fetchAll(
            db, sql: "SELECT t.id FROM task t WHERE \(condition.text) ORDER BY t.n",
            arguments: StatementArguments(condition.arguments))
        return ids.map { EntityID(stored: $0) }
    }

    /// Sorts row numbers first and reads whole rows afterwards: related entities are looked up only for the tasks shown.
    private func tasks(_ db: Database, _ condition: TaskFilterSQL, _ tail: String) throws -> [TaskDetails] {
        let row = try Statement(db, "SELECT t.n FROM task t WHERE \(condition.text) \(tail)")
        row.bind(condition.arguments)
        var numbers: [Int64] = []
        while try row.step() { numbers.append(row.integer(0)) }
        return try tasks(db, numbers: numbers)
    }

    private func tasks(_ db: Database, numbers: some Sequence<Int64>) throws -> [TaskDetails] {
        let names = try TaskNames(db)
        let whole = try Statement(db, "SELECT \(TaskRecord.columns) FROM task t WHERE t.n = ?1")
        var found: [TaskDetails] = []
        for number in numbers {
            whole.bind(1, number)
            while try whole.step() { found.append(TaskRecord.details(whole, names)) }
        }
        return found
    }

    private func count(_ db: Database, _ condition: TaskFilterSQL) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT COUNT(*) FROM task t WHERE \(condition.text)",
            arguments: StatementArguments(condition.arguments)) ?? 0
    }

    /// The most urgent tasks. Urgency is calculated from a narrow index; whole rows are read only for the tasks shown.
    private func mostUrgent(
        _ db: Database, _ filter: TaskFilter, limit: Int?, zone: Zone, _ urgency: Urgency
    ) throws -> (tasks: [TaskDetails], total: Int) {
        let condition = TaskFilterSQL(filter, now: now, zone: zone)
        let row = try Statement(
            db,
            """
            SELECT t.n, t.kind = 'task', t.due, t.due_day, t.scheduled, t.scheduled_day, t.hidden_until, t.hidden_day, t.priority,
                t.created_at, t.started_at, t.blockers, t.blocking, t.project IS NOT NULL, t.tags
            FROM task t WHERE \(condition.text)
            """)
        row.bind(condition.arguments)
        var ranked: [(number: Int64, urgency: Double)] = []
        var total = 0
        var least = -Double.infinity
        func isBefore(_ a: (number: Int64, urgency: Double), _ b: (number: Int64, urgency: Double)) -> Bool {
            a.urgency != b.urgency ? a.urgency > b.urgency : a.number < b.number
        }
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
            total += 1
            let own = (number: row.integer(0), urgency: urgency.value(facts))
            // With a limit, tasks that are less urgent than all of these are discarded at once.
            if let limit, ranked.count >= 2 * limit {
                ranked.sort(by: isBefore)
                ranked.removeLast(ranked.count - limit)
                least = ranked.last?.urgency ?? least
            }
            if own.urgency >= least { ranked.append(own) }
        }
        ranked.sort(by: isBefore)
        let found = try tasks(db, numbers: ranked.prefix(limit ?? total).lazy.map(\.number))
        return (found, total)
    }
}

extension TaskDetails {
    /// The facts that determine its urgency.
    public var urgencyFacts: UrgencyFacts {
        var facts = UrgencyFacts()
        facts.isTask = task.kind == .task && task.state == .open
        facts.due = task.due
        facts.scheduled = task.scheduled
        facts.hiddenUntil = task.hiddenUntil
        facts.priority = task.priority
        facts.createdAt = task.createdAt
        facts.isStarted = task.startedAt != nil
        facts.blockers = blockers
        facts.blocking = blocking
        facts.hasProject = task.project != nil
        facts.tags = task.tags.count
        return facts
    }
}

extension Statement {
    /// The number of tags in ` a b `.
    fileprivate func blanks(_ column: Int32) -> Int { max(0, count(of: 0x20, in: column) - 1) }
}
