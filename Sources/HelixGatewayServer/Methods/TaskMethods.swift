import HelixGateway
import HelixModel
import HelixStore
import HelixTasks

/// `tasks.*` for the phone apps (docs/gateway.md, "Tasks").
enum TaskMethods {
    static let all: [GatewayMethod] = [
        .user("tasks.list", .read) { call, store in
            let board = try TaskWire.board(try call.params.identity("board_id"), store)
            let wanted = try call.params.texts("status", most: 8)?.map { try status($0, call.params) }
            let limit = try call.params.integer("limit", in: 1...500) ?? 50
            let offset = try call.params.integer("offset", in: 0...1_000_000) ?? 0
            try call.params.end()
            return .array(try TaskWire.list(TaskWire.filter(board, wanted), limit, offset, call, store))
        },
        .user("tasks.get", .read) { call, store in
            let id = try call.params.neededIdentity("id")
            try call.params.end()
            return try TaskWire.json([try store.task(id)], call, store)[0]
        },
        .user("tasks.create", .write) { call, store in
            let board = try TaskWire.board(try call.params.identity("board_id"), store)
            var changes = TaskChanges()
            changes.title = try call.params.needed("title", most: 10_000)
            try TaskWire.read(&call.params, into: &changes)
            let new = try call.newEntity(.task)
            try call.params.end()
            if try new.isMade(in: store) { return try TaskWire.json([try store.task(new.id)], call, store)[0] }
            (changes.board, changes.newID) = (board?.name, new.id)
            let id = try call.change("add '\(changes.title ?? "")'", in: store) { change, dates in
                try change.addTask(changes, dates: dates)
            }
            return try TaskWire.json([try store.task(id)], call, store)[0]
        },
        .user("tasks.update", .write) { call, store in
            let id = try call.params.neededIdentity("id")
            var changes = TaskChanges()
            changes.title = try call.params.text("title", most: 10_000)
            let column = try call.params.text("status").map { try status($0, call.params) }
            let before = try store.task(id)
            let tags = try TaskWire.read(&call.params, into: &changes)
            try call.params.end()
            if let tags { changes.removedTags = before.task.tags.filter { !tags.contains($0) } }
            try call.change("edit '\(before.task.title)'", in: store) { change, dates in
                _ = try change.editTask(id, changes, dates: dates)
                guard let column, let board = try change.boards().first(where: { $0.column(before.task.column) != nil })
                else { return }
                guard column != TaskStatus(of: try change.task(id).task, on: board) else { return }
                _ = try change.moveTask(id, to: column.column(of: board), at: .end, overLimit: true, zone: .utc)
            }
            return try TaskWire.json([try store.task(id)], call, store)[0]
        },
        .user("tasks.delete", .write) { call, store in
            let id = try call.params.neededIdentity("id")
            try call.params.end()
            let title = try store.task(id).task.title
            try call.change("delete '\(title)'", in: store) { change, _ in try change.deleteTask(id) }
            return ["id": .string(id.text), "deleted": true]
        },
        .user("tasks.subtasks.list", .read) { call, store in
            let id = try call.params.neededIdentity("task_id")
            try call.params.end()
            _ = try store.task(id)
            return .array(try TaskWire.parts(of: id, call, store).map(TaskWire.subtask))
        },
        .user("tasks.subtasks.create", .write) { call, store in
            let parent = try call.params.neededIdentity("task_id")
            var changes = TaskChanges()
            changes.title = try call.params.needed("title", most: 10_000)
            let new = try call.newEntity(.task, in: parent)
            try call.params.end()
            let whole = try store.task(parent)
            if try new.isMade(in: store) { return TaskWire.subtask(try store.task(new.id)) }
            (changes.parent, changes.board) = (.set(EntityPrefix(parent.text)), whole.board)
            changes.newID = new.id
            let id = try call.change("add '\(changes.title ?? "")'", in: store) { change, dates in
                try change.addTask(changes, dates: dates)
            }
            return TaskWire.subtask(try store.task(id))
        },
        .user("tasks.subtasks.toggle", .write) { call, store in
            let id = try call.params.neededIdentity("id")
            guard let isDone = try call.params.bool("is_completed") else {
                throw call.params.wrong("is_completed", "is required")
            }
            try call.params.end()
            let task = try store.task(id)
            if isDone != (task.task.state == .done) {
                try call.change((isDone ? "finish" : "reopen") + " '\(task.task.title)'", in: store) { change, _ in
                    if isDone { _ = try change.completeTask(id, zone: .utc) } else { try change.reopenTask(id) }
                }
            }
            return TaskWire.subtask(try store.task(id))
        },
        .user("tasks.boards.list", .read) { call, store in
            try call.params.end()
            return .array(try store.boards().map { try TaskWire.json($0, call, store) })
        },
        .user("tasks.boards.get", .read) { call, store in
            let id = try call.params.neededIdentity("id")
            try call.params.end()
            guard let board = try TaskWire.board(id, store) else { return .null }
            return try TaskWire.json(board, call, store)
        },
        .user("tasks.search", .read) { call, store in
            let limit = try call.params.integer("limit", in: 1...500) ?? 50
            var parts: [TaskFilter] = [.kind(.task)]
            if let words = try call.params.text("query"), !words.isEmpty { parts.append(.text(words)) }
            let wanted = try call.params.texts("status", most: 8)?.map { try status($0, call.params) }
            if let names = try call.params.texts("priority", most: 8) {
                let known = try names.map { name -> TaskPriority in
                    guard let found = TaskPriority(name) else {
                        throw call.params.wrong("priority", "is unknown: '\(name)'")
                    }
                    return found
                }
                parts.append(.any(known.map { .priority(.equal, $0) }))
            }
            if let who = try call.params.text("assignee_id") {
                parts.append(.property(TaskProperty.assignee.name, who))
            }
            let board = try call.params.identity("board_id").flatMap { try TaskWire.board($0, store) }
            for tag in try call.params.texts("tags", most: 50) ?? [] { parts.append(.tag(tag)) }
            if let has = try call.params.bool("has_subtasks") {
                parts.append(has ? .mark(.parent) : .not(.mark(.parent)))
            }
            if let late = try call.params.bool("is_overdue") {
                parts.append(late ? .mark(.overdue) : .not(.mark(.overdue)))
            }
            try call.params.end()
            if board != nil || wanted != nil { parts.append(TaskWire.filter(board, wanted)) }
            return .array(try TaskWire.list(.all(parts), limit, 0, call, store))
        },
        .user("tasks.analytics", .read) { call, store in
            let board = try call.params.identity("board_id").flatMap { try TaskWire.board($0, store) }
            try call.params.end()
            return try TaskNumbers.analytics(board, call, store)
        },
        .user("tasks.timetracking.start", .write) { call, store in
            let id = try call.params.neededIdentity("task_id")
            try call.params.end()
            let (task, now) = (try store.task(id), call.now)
            let entry = try call.change("start the clock for '\(task.task.title)'", in: store) { change, _ in
                if let running = try change.runningEntry(), running.entry.task == id { return running.entry.id }
                try change.stopTimer(at: now)
                var entry = TimeEntry(start: now)
                (entry.task, entry.project) = (id, task.task.project)
                _ = try change.addEntry(entry, adjusts: true)
                _ = try change.beginTask(id)
                return entry.id
            }
            return TaskWire.json(try store.timeEntry(entry), call)
        },
        .user("tasks.timetracking.stop", .write) { call, store in
            let id = try call.params.neededIdentity("task_id")
            try call.params.end()
            guard let running = try store.runningEntry(), running.entry.task == id else {
                throw HelixError(.conflict, "the clock does not run for this task")
            }
            let now = max(call.now, running.entry.start + 1)
            try call.change("stop the clock", in: store) { change, _ in _ = try change.stopTimer(at: now) }
            return TaskWire.json(try store.timeEntry(running.entry.id), call)
        },
        .user("tasks.timetracking.stats", .read) { call, store in
            try call.params.end()
            return try TaskNumbers.time(call, store)
        },
        .user("tasks.focustime.get", .read) { call, store in
            try call.params.end()
            return try FocusTime.read(store)
        },
        .user("tasks.focustime.update", .write) { call, store in try FocusTime.update(&call.params, store) },
    ]

    private static func status(_ word: String, _ params: Params) throws -> TaskStatus {
        guard let found = TaskStatus(word: word) else {
            throw params.wrong("status", "must be one of todo, in_progress, in_review, done")
        }
        return found
    }
}

extension MethodCall {
    /// Changes the user's store, and notifies their other devices.
    @discardableResult
    mutating func change<Value>(
        _ summary: String, in store: Store, _ body: (Change, DatePhraseParser) throws -> Value
    ) throws -> Value {
        let dates = DatePhraseParser(now: now, zone: .utc)
        let (name, device) = (params.method, session.deviceName)
        store.actor = ChangeActor(.device, name: device)
        let value = try store.change("\(summary) (\(device))", command: name, origin: .gateway) { try body($0, dates) }
        events.append(("sync.changed", ["ts": .integer(services.clock.milliseconds)]))
        return value
    }
}
