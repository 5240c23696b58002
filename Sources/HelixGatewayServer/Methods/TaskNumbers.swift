import HelixGateway
import HelixModel
import HelixStore
import HelixTasks

/// Statistics of tasks and time.
enum TaskNumbers {
    static func analytics(_ board: Board?, _ call: MethodCall, _ store: Store) throws -> JSONText {
        let base: [TaskFilter] = [.kind(.task)] + (board.map { [.board($0.name)] } ?? [])
        func count(_ more: TaskFilter...) throws -> Int { try store.taskCount(.all(base + more), zone: .utc) }
        let (total, done) = (try count(), try count(.state(.done)))
        let week = TimeRange(start: call.now - 7 * 86_400, end: call.now + 1)
        let former = TimeRange(start: call.now - 14 * 86_400, end: call.now - 7 * 86_400)
        let flow = TaskFlow(try store.taskPasts(.all(base), zone: .utc), now: call.now, zone: .utc)
        let times = flow.leadTimes(in: TimeRange(start: Instant(0), end: call.now + 1))
        let average = times.isEmpty ? 0 : Double(times.reduce(0, +)) / Double(times.count) / 86_400
        // The status of a column depends on its board.
        let boards = try board.map { [$0] } ?? store.boards()
        func tasks(_ status: TaskStatus) throws -> Int {
            try boards.reduce(0) { try $0 + store.taskCount(TaskWire.filter($1, [status]), zone: .utc) }
        }
        let statuses = try TaskStatus.allCases.map {
            JSONText.Field(name: $0.rawValue, value: .integer(try tasks($0)))
        }
        let priorities = try TaskPriority.allCases.map { priority in
            // Tasks without a priority count as the apps show them.
            let number =
                try count(.priority(.equal, priority)) + (priority == .medium ? try count(.priority(.equal, nil)) : 0)
            return JSONText.Field(name: priority.name, value: .integer(number))
        }
        return [
            "total_tasks": .integer(total), "completed_tasks": .integer(done),
            "in_progress_tasks": .integer(try tasks(.inProgress)),
            "overdue_tasks": .integer(try count(.mark(.overdue))),
            "average_completion_days": .double((average * 10).rounded() / 10),
            "completion_rate": .integer((done * 100 + max(1, total) / 2) / max(1, total)),
            "velocity_this_week": .integer(flow.done(in: week).count),
            "velocity_last_week": .integer(flow.done(in: former).count),
            "priority_distribution": .object(priorities), "status_distribution": .object(statuses),
        ]
    }

    /// Statistics of the last thirty days.
    static func time(_ call: MethodCall, _ store: Store) throws -> JSONText {
        let range = TimeRange(start: call.now - 30 * 86_400, end: call.now + 1)
        let entries = try store.timeEntries(in: range, zone: .utc).map(\.entry)
        var (days, byTask): ([String: Int], [EntityID: Int]) = ([:], [:])
        for entry in entries {
            let seconds = entry.duration(at: call.now)
            days[ISO8601.text(Zone.utc.date(entry.start)), default: 0] += seconds
            if let task = entry.task { byTask[task, default: 0] += seconds }
        }
        let estimated = try store.tasks(Array(byTask.keys)).filter { $0.task.estimate != nil }
        // The ratio of the shorter to the longer of estimate and tracked time.
        let nearness = estimated.compactMap { details -> Double? in
            guard let wanted = details.task.estimate, let spent = byTask[details.task.id], wanted > 0, spent > 0 else {
                return nil
            }
            return Double(min(wanted, spent)) / Double(max(wanted, spent))
        }
        return [
            "total_minutes_tracked": .integer(days.values.reduce(0, +) / 60),
            "total_minutes_estimated": .integer(estimated.reduce(0) { $0 + ($1.task.estimate ?? 0) } / 60),
            "tasks_tracked": .integer(byTask.count),
            "average_accuracy": .double(
                nearness.isEmpty ? 0 : (nearness.reduce(0, +) / Double(nearness.count) * 100).rounded() / 100),
            "daily_totals": .object(
                days.sorted { $0.key < $1.key }.map { JSONText.Field(name: $0.key, value: .integer($0.value / 60)) }),
        ]
    }
}

/// The user's focus-time settings, in the apps' format.
enum FocusTime {
    private static let name = "gateway focus-time"
    private static let usual: JSONText = [
        "daily_goal_minutes": 60, "start_hour": 9, "end_hour": 17, "enable_notifications": true,
        "blocked_apps_url_patterns": [],
    ]

    static func read(_ store: Store) throws -> JSONText {
        guard let text = try store.note(name), let json = try? JSONText(Array(text.utf8)) else { return usual }
        return json
    }

    static func update(_ params: inout Params, _ store: Store) throws -> JSONText {
        let goal = try params.integer("daily_goal_minutes", in: 0...1440)
        let start = try params.integer("start_hour", in: 0...23)
        let end = try params.integer("end_hour", in: 1...24)
        let notifies = try params.bool("enable_notifications")
        let patterns = try params.texts("blocked_apps_url_patterns", most: 200, each: 512)
        try params.end()
        var json = try read(store)
        for (name, value) in [("daily_goal_minutes", goal), ("start_hour", start), ("end_hour", end)] {
            if let value { json = json.setting(name, .integer(value)) }
        }
        // A range that ends before it starts spans midnight; an empty one is rejected.
        guard json["start_hour"]?.integer != json["end_hour"]?.integer else {
            throw params.wrong("end_hour", "must differ from start_hour")
        }
        if let notifies { json = json.setting("enable_notifications", .bool(notifies)) }
        if let patterns { json = json.setting("blocked_apps_url_patterns", .strings(patterns)) }
        try store.setNote(name, json.compact)
        return json
    }
}
