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
            let terms = TaskOrderSQL(order, urgency: urgency, now: now, zone: zone)
            let numbers =
                try limit.flatMap { try firstDue(db, filter, condition, order, limit: $0) }
                ?? numbers(
                    db, "\(condition.text) ORDER BY \(terms.text)" + (limit.map { " LIMIT \($0)" } ?? ""), condition)
            let found = try tasks(db, numbers: numbers)
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

    /// Row numbers are sorted first and whole rows read afterwards: related entities are looked up only for the tasks shown.
    private func numbers(_ db: Database, _ text: String, _ condition: TaskFilterSQL) throws -> [Int64] {
        let row = try Statement(db, "SELECT t.n FROM task t WHERE \(text)")
        row.bind(condition.arguments)
        var numbers: [Int64] = []
        while try row.step() { numbers.append(row.integer(0)) }
        return numbers
    }

    /// The first open tasks by due time, of which the index on open tasks reads no more than these; nil if another query is
    /// as fast.
    private func firstDue(
        _ db: Database, _ filter: TaskFilter, _ condition: TaskFilterSQL, _ order: TaskOrder, limit: Int
    ) throws -> [Int64]? {
        guard order.terms.count == 1, order.terms[0].key == .due, filter.isOpen, condition.arguments.isEmpty
        else { return nil }
        let due = "due" + (order.terms[0].isReversed ? " DESC" : "")
        // The index begins with the kind, and is in order for each.
        let kinds = TaskKind.allCases.map { kind in
            """
            SELECT * FROM (SELECT t.n AS n, t.due AS due, ifnull(t.priority, 0) AS level FROM task t
            WHERE \(condition.text) AND t.kind = '\(kind.rawValue)' AND t.due IS NOT NULL
            ORDER BY \(due), level DESC, n LIMIT \(limit))
            """
        }
        var numbers = try Int64.fetchAll(
            db,
            sql:
                "SELECT n FROM (\(kinds.joined(separator: " UNION ALL "))) ORDER BY \(due), level DESC, n LIMIT \(limit)",
            arguments: [])
        if numbers.count < limit {
            numbers += try self.numbers(
                db,
                "\(condition.text) AND t.due IS NULL ORDER BY ifnull(t.priority, 0) DESC, t.n LIMIT \(limit - numbers.count)",
                condition)
        }
        return numbers
    }

    func tasks(_ db: Database, numbers: some Sequence<Int64>) throws -> [TaskDetails] {
        let names = try TaskNames(db)
        let whole = try Statement(db, "SELECT \(TaskRecord.columns) FROM task t WHERE t.n = ?1")
        var found: [TaskDetails] = []
        for number in numbers {
            whole.bind(1, number)
            while try whole.step() { found.append(TaskRecord.details(whole, names)) }
        }
        return found
    }

    func count(_ db: Database, _ condition: TaskFilterSQL) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT COUNT(*) FROM task t WHERE \(condition.text)",
            arguments: StatementArguments(condition.arguments)) ?? 0
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
