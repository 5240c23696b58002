import HelixModel

/// Tasks in helix's own CSV: all fields of a task, in a table that spreadsheets open.
public enum TaskCSVFormat {
    /// The relations of a task, by UID.
    public struct Ties {
        /// The UID of the parent.
        public var parent: String?
        /// The UIDs of the blockers.
        public var blockers: [String]

        /// Creates relations.
        public init(parent: String?, blockers: [String]) {
            (self.parent, self.blockers) = (parent, blockers)
        }
    }

    private static let columns =
        [
            "id", "title", "status", "board", "column", "priority", "project", "block", "tags", "due", "scheduled",
            "estimate_seconds", "progress", "percent",
        ] + TaskProperty.all.map(\.name) + [
            "created", "completed", "notes", "recurrence", "wait", "kind", "parent", "depends", "steps", "started",
            "rank", "modified",
        ]

    /// Whether a table has these columns.
    public static func isFormat(_ table: CSVTable) -> Bool { table.has("id", "title", "status") }

    /// The table of tasks.
    /// - Parameter ties: the relations of a task; the UID of a task itself is its ID.
    public static func text(_ tasks: [TaskDetails], zone: Zone, ties: (TaskDetails) -> Ties) -> String {
        func text(_ time: TaskTime?) -> String {
            switch time {
            case .date(let date)?: ISO8601.text(date)
            case .moment(let instant)?: ISO8601.text(instant, in: zone)
            case nil: ""
            }
        }
        func instant(_ instant: Instant?) -> String { instant.map { ISO8601.text($0, in: zone) } ?? "" }
        var lines = [columns.joined(separator: ",")]
        for details in tasks {
            let (task, ties) = (details.task, ties(details))
            var fields = [
                task.id.text, task.title, task.state.rawValue, details.board, details.column,
                task.priority?.name ?? "", details.project ?? "", task.block ?? "", task.tags.joined(separator: " "),
                text(task.due), text(task.scheduled), task.estimate.map { "\($0)" } ?? "", "\(details.progress)",
                task.percent.map { "\($0)" } ?? "",
            ]
            fields += TaskProperty.all.map { $0.get(task) ?? "" }
            fields += [
                instant(task.createdAt), instant(task.completedAt), task.notes ?? "",
                task.recurrence?.text ?? "", text(task.hiddenUntil), task.kind == .task ? "" : task.kind.rawValue,
                ties.parent ?? "", ties.blockers.sorted().joined(separator: " "),
                TaskSteps.text(task.checklist), instant(task.startedAt), task.rank, instant(task.modifiedAt),
            ]
            lines.append(fields.map(CSVField.text).joined(separator: ","))
        }
        return lines.map { $0 + "\r\n" }.joined()
    }

    /// Reads the tasks of a table.
    /// - Parameter zone: the time zone of days in place of times.
    public static func read(_ table: CSVTable, now: Instant, zone: Zone) -> ForeignTasks {
        var found = ForeignTasks()
        found.defects = table.surplus
        for column in table.columns where !columns.contains(column) && !column.isEmpty {
            found.omitted["column '\(column)'"] = table.records.count
        }
        var lines: [String: Int] = [:]
        for record in table.records {
            func text(_ column: String) -> String? {
                record.whole(column).map(CSVField.value).flatMap { $0.isEmpty ? nil : $0 }
            }
            func wrong(_ reason: String, isPartial: Bool = true) {
                found.defects.append(ForeignDefect("line \(record.line)", reason, isPartial: isPartial))
            }
            func time(_ column: String) -> TaskTime? {
                let text = record[column]
                if text.isEmpty { return nil }
                if let time = TaskCSVFormat.time(text) { return time }
                wrong("unknown \(column) '\(text)'")
                return nil
            }
            if !record["id"].isEmpty, let other = lines.updateValue(record.line, forKey: record["id"]) {
                wrong("the row on line \(other) has its id '\(record["id"])', and is imported", isPartial: false)
                lines[record["id"]] = other
                continue
            }
            guard let title = text("title") else {
                wrong("the task has no title", isPartial: false)
                continue
            }
            var foreign = ForeignTask(title: title, createdAt: time("created")?.start(in: zone) ?? now)
            if let state = TaskState(rawValue: record["status"].isEmpty ? "open" : record["status"]) {
                foreign.task.state = state
            } else {
                wrong("unknown status '\(record["status"])'; the task is open")
            }
            foreign.task.uid = record["id"].isEmpty ? "csv \(title)" : uid(record["id"])
            foreign.parentUID = record["parent"].isEmpty ? nil : uid(record["parent"])
            foreign.blockerUIDs = record["depends"].split(separator: " ").map { uid(String($0)) }
            if !record["priority"].isEmpty {
                foreign.task.priority = TaskPriority(record["priority"])
                if foreign.task.priority == nil { wrong("unknown priority '\(record["priority"])'") }
            }
            (foreign.project, foreign.block) = (text("project"), text("block"))
            (foreign.board, foreign.column) = (text("board"), text("column"))
            foreign.rank = text("rank").flatMap { Rank.isValid($0) ? $0 : nil }
            if foreign.rank == nil, text("rank") != nil { wrong("unknown rank '\(record["rank"])'") }
            foreign.task.tags = text("tags")?.split(separator: " ").map(String.init) ?? []
            (foreign.task.due, foreign.task.scheduled) = (time("due"), time("scheduled"))
            foreign.task.hiddenUntil = time("wait")
            foreign.task.startedAt = time("started")?.start(in: zone)
            foreign.modifiedAt = time("modified")?.start(in: zone)
            let completed = time("completed")?.start(in: zone)
            if foreign.task.state != .open {
                foreign.task.completedAt = completed ?? now
            } else if completed != nil {
                wrong("it is open, and has a time of completion, which is left out")
            }
            if !record["percent"].isEmpty {
                foreign.task.percent = Int(record["percent"]).flatMap { (0...100).contains($0) ? $0 : nil }
                if foreign.task.percent == nil { wrong("unknown percent '\(record["percent"])'") }
            }
            if !record["estimate_seconds"].isEmpty {
                foreign.task.estimate = Int(record["estimate_seconds"]).flatMap { $0 > 0 ? $0 : nil }
                if foreign.task.estimate == nil { wrong("unknown estimate '\(record["estimate_seconds"])'") }
            }
            for property in TaskProperty.all {
                let value = text(property.name)
                if let value, property.normalized(value) == nil { wrong("unknown \(property.name) '\(value)'") }
                property.set(&foreign.task, value)
            }
            foreign.task.notes = text("notes")
            if let stored = text("recurrence") {
                foreign.task.recurrence = TaskSeries.isValid(stored: stored) ? TaskRecurrence(stored: stored) : nil
                if foreign.task.recurrence == nil { wrong("unknown recurrence '\(stored)'; imported once") }
            }
            if let kind = TaskKind(rawValue: record["kind"].isEmpty ? TaskKind.task.rawValue : record["kind"]) {
                foreign.task.kind = kind
            } else {
                wrong("unknown kind '\(record["kind"])'")
            }
            foreign.task.checklist = TaskSteps.list(text("steps") ?? "")
            let steps = (text("steps") ?? "").split(separator: "\n").count
            if foreign.task.checklist.count < steps {
                wrong("\(steps - foreign.task.checklist.count) of its steps do not begin with '[ ] ' or '[x] '")
            }
            found.tasks.append(foreign)
        }
        return found
    }

    /// The UID of the task with an ID.
    private static func uid(_ id: String) -> String { EntityID(id) == nil ? "csv " + id : id + "@helix" }

    /// A day, or a time with an offset.
    static func time(_ text: String) -> TaskTime? {
        ISO8601Reader.date(text).map { .date($0) } ?? ISO8601Reader.instant(text).map { .moment($0) }
    }
}

/// The steps of a checklist as lines of text: `[x] Buy paint`.
enum TaskSteps {
    static func text(_ steps: [ChecklistItem]) -> String {
        steps.map { ($0.done ? "[x] " : "[ ] ") + $0.text }.joined(separator: "\n")
    }

    static func list(_ text: String) -> [ChecklistItem] {
        text.split(separator: "\n").prefix(1000).compactMap { line in
            guard line.hasPrefix("[x] ") || line.hasPrefix("[ ] ") else { return nil }
            return ChecklistItem(String(line.dropFirst(4)), done: line.hasPrefix("[x]"))
        }
    }
}
