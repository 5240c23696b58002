import HelixGateway
import HelixModel
import HelixStore
import HelixTasks

/// The status of a card, in the terms of the phone apps: helix's boards have columns of any name.
enum TaskStatus: String, CaseIterable {
    case todo
    case inProgress = "in_progress"
    case inReview = "in_review"
    case done

    /// Parses a status, also in the spelling of one of the apps: `InProgress`, `review`.
    init?(word: String) {
        switch word.lowercased().filter({ $0 != "_" }) {
        case "todo": self = .todo
        case "inprogress": self = .inProgress
        case "inreview", "review": self = .inReview
        case "done": self = .done
        default: return nil
        }
    }

    init(of task: TodoTask, on board: Board?) {
        if task.state != .open {
            self = .done
        } else {
            let open = board?.columns.filter { !$0.isDone } ?? []
            switch open.firstIndex(where: { $0.id == task.column }) {
            case 0, nil: self = .todo
            case 1: self = .inProgress
            default: self = .inReview
            }
        }
    }

    /// The column of a board with this status.
    func column(of board: Board) throws -> BoardColumn {
        let open = board.columns.filter { !$0.isDone }
        let fallback = try board.firstColumn()
        switch self {
        case .todo: return fallback
        case .inProgress: return open.count > 1 ? open[1] : fallback
        case .inReview: return open.count > 2 ? open[2] : open.last ?? fallback
        case .done: return board.doneColumn ?? board.columns.last ?? fallback
        }
    }
}

/// The wire format of tasks.
enum TaskWire {
    /// The board with an identity; for nil the default board, or nil if there is none yet.
    static func board(_ id: EntityID?, _ store: Store) throws -> Board? {
        let boards = try store.boards()
        guard let id else { return boards.first(where: \.isDefault) ?? boards.first }
        guard let found = boards.first(where: { $0.id == id }) else {
            throw HelixError(.notFound, "unknown board \(id.text)")
        }
        return found
    }

    /// A filter for the tasks of a board with certain statuses.
    static func filter(_ board: Board?, _ wanted: [TaskStatus]?) -> TaskFilter {
        var parts: [TaskFilter] = [.kind(.task)]
        if let board { parts.append(.board(board.name)) }
        if let wanted {
            parts.append(
                .any(
                    wanted.map { status in
                        guard status != .done else { return .not(.state(.open)) }
                        guard let board else { return .state(.open) }
                        let columns = board.columns.filter { column in
                            !column.isDone && TaskStatus.at(column, of: board) == status
                        }
                        return .all([.state(.open), .any(columns.map { .column($0.name) })])
                    }))
        }
        return .all(parts)
    }

    static func list(
        _ filter: TaskFilter, _ limit: Int, _ offset: Int, _ call: MethodCall, _ store: Store
    ) throws -> [JSONText] {
        let urgency = Urgency(now: call.now, zone: .utc)
        let found = try store.tasks(filter, order: .board, limit: limit + offset, zone: .utc, urgency: urgency).tasks
        return try json(Array(found.dropFirst(offset)), call, store)
    }

    static func parts(of id: EntityID, _ call: MethodCall, _ store: Store) throws -> [TaskDetails] {
        let urgency = Urgency(now: call.now, zone: .utc)
        return try store.tasks(
            .parent(EntityPrefix(id.text)), order: .created, limit: 1000, zone: .utc, urgency: urgency
        ).tasks.sorted { $0.task.createdAt < $1.task.createdAt }
    }

    /// Parses the fields that create and update have in common.
    /// - Returns: the tags, if present.
    @discardableResult
    static func read(_ params: inout Params, into changes: inout TaskChanges) throws -> [String]? {
        if params.has("description") {
            let text = try params.text("description", most: 1 << 20)
            changes.notes = text.map { $0.isEmpty ? .clear : .set($0) } ?? .clear
        }
        if let word = try params.text("priority") {
            guard let priority = TaskPriority(word) else {
                throw params.wrong("priority", "must be one of low, medium, high, critical")
            }
            changes.priority = .set(priority)
        }
        if params.has("due_date") {
            changes.due = try params.instant("due_date").map { .set(time($0)) } ?? .clear
        }
        if params.has("estimated_hours") {
            let hours = try params.number("estimated_hours", in: 0...100_000)
            changes.estimate = hours.map { $0 > 0 ? .set(Int($0 * 3600)) : .clear } ?? .clear
        }
        if params.has("assignee_name") || params.has("assignee_id") {
            let name = try params.text("assignee_name", most: 256)
            let id = try params.text("assignee_id", most: 256)
            changes[.assignee] = (name ?? id).map { .set($0) } ?? .clear
        }
        let tags = try params.texts("tags", most: 100, each: 256)
        if let tags { changes.addedTags = tags }
        return tags
    }

    /// Converts a time; midnight in UTC is the apps' form of a date.
    private static func time(_ instant: Instant) -> TaskTime {
        instant.seconds % 86_400 == 0 ? .date(Zone.utc.date(instant)) : .moment(instant)
    }

    static func text(_ instant: Instant) -> JSONText { .string(ISO8601.text(instant, in: .utc)) }

    private static func hours(_ seconds: Int) -> JSONText { .double((Double(seconds) / 36).rounded() / 100) }

    static func json(_ tasks: [TaskDetails], _ call: MethodCall, _ store: Store) throws -> [JSONText] {
        let boards = try store.boards()
        let spent = try store.timeSpent(on: tasks.map(\.task.id))
        let links = try store.links(of: tasks.map(\.task.id))
        return tasks.map { details in
            let task = details.task
            let board = boards.first { $0.column(task.column) != nil }
            let own = (links[task.id] ?? []).filter { $0.kind == .blocks }
            let actual = spent[task.id] ?? 0
            return [
                "id": .string(task.id.text), "userId": .string(call.session.user.id.text),
                "boardId": .string(board?.id.text ?? ""), "title": .string(task.title),
                "description": .string(task.notes ?? ""),
                "status": .string(TaskStatus(of: task, on: board).rawValue),
                "priority": .string((task.priority ?? .medium).name),
                "due_date": task.due.map { text($0.start(in: .utc)) },
                "completed_at": task.completedAt.map { text($0) },
                "assignee_id": task.assignee.map { .string($0) }, "assignee_name": task.assignee.map { .string($0) },
                "estimated_hours": task.estimate.map { hours($0) }, "actual_hours": actual > 0 ? hours(actual) : nil,
                "subtask_count": .integer(details.parts), "completed_subtask_count": .integer(details.doneParts),
                "tags": .strings(task.tags),
                "depends_on_task_ids": .strings(own.filter { $0.b == task.id }.map(\.a.text).sorted()),
                "blocks_task_ids": .strings(own.filter { $0.a == task.id }.map(\.b.text).sorted()),
                "created_at": text(task.createdAt), "updated_at": text(task.modifiedAt), "is_deleted": false,
            ]
        }
    }

    static func subtask(_ details: TaskDetails) -> JSONText {
        let task = details.task
        return [
            "id": .string(task.id.text), "taskId": .string(task.parent?.text ?? ""), "title": .string(task.title),
            "is_completed": .bool(task.state != .open), "completed_at": task.completedAt.map { text($0) },
            "created_at": text(task.createdAt), "updated_at": text(task.modifiedAt),
        ]
    }

    static func json(_ board: Board, _ call: MethodCall, _ store: Store) throws -> JSONText {
        let (made, changed) = try store.lifetime(of: board.id)
        return [
            "id": .string(board.id.text), "userId": .string(call.session.user.id.text), "name": .string(board.name),
            "is_default": .bool(board.isDefault), "column_order": .strings(board.columns.map(\.id.text)),
            "columns": .array(
                board.columns.enumerated().map { place, column in
                    [
                        "id": .string(column.id.text), "boardId": .string(board.id.text), "name": .string(column.name),
                        "status": .string(TaskStatus.at(column, of: board).rawValue), "position": .integer(place),
                        "wip_limit": column.limit.map { .integer($0) }, "created_at": text(made),
                        "updated_at": text(changed),
                    ]
                }),
            "created_at": text(made), "updated_at": text(changed),
        ]
    }

    /// A time entry; a running one ends now, because the apps cannot parse one without an end.
    static func json(_ details: TimeEntryDetails, _ call: MethodCall) -> JSONText {
        let entry = details.entry
        return [
            "id": .string(entry.id.text), "taskId": .string(entry.task?.text ?? ""),
            "userId": .string(call.session.user.id.text), "description": .string(details.title),
            "duration_minutes": .integer(entry.duration(at: call.now) / 60), "started_at": text(entry.start),
            "ended_at": text(entry.end ?? max(entry.start, call.now)), "is_running": .bool(entry.end == nil),
        ]
    }
}

extension TaskStatus {
    /// The status of a column.
    static func at(_ column: BoardColumn, of board: Board) -> TaskStatus {
        if column.isDone { return .done }
        switch board.columns.filter({ !$0.isDone }).firstIndex(of: column) ?? 0 {
        case 0: return .todo
        case 1: return .inProgress
        default: return .inReview
        }
    }
}
