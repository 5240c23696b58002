import HelixModel

/// A column of helix's CSV of tasks, with both directions: its text of a task, and its effect on a task that is read.
struct TaskCSVColumn: Sendable {
    /// A task that is written.
    struct Row {
        let details: TaskDetails
        let ties: TaskCSVFormat.Ties
        let zone: Zone

        var task: TodoTask { details.task }

        func text(_ time: TaskTime?) -> String {
            switch time {
            case .date(let date)?: ISO8601.text(date)
            case .moment(let instant)?: ISO8601.text(instant, in: zone)
            case nil: ""
            }
        }

        func text(_ instant: Instant?) -> String { instant.map { ISO8601.text($0, in: zone) } ?? "" }
    }

    typealias Reader = @Sendable (inout TaskCSVRecordReader, String) -> Void

    let name: String
    let write: @Sendable (Row) -> String
    /// Sets the value of a field that is not empty.
    let read: Reader

    private init(_ name: String, _ write: @escaping @Sendable (Row) -> String, read: @escaping Reader) {
        (self.name, self.write, self.read) = (name, write, read)
    }

    /// A column of a word or number of a fixed form. One of another form is told, and leaves the value as it is.
    /// - Parameter parse: false for a text of another form.
    private static func word(
        _ name: String, else rest: String = "", _ write: @escaping @Sendable (Row) -> String,
        parse: @escaping @Sendable (inout ForeignTask, String) -> Bool
    ) -> TaskCSVColumn {
        TaskCSVColumn(name, write) { reader, text in
            let word = text.trimmingBlanks()
            if !word.isEmpty, !parse(&reader.foreign, word) {
                reader.reasons.append("unknown \(name) '\(word)'\(rest)")
            }
        }
    }

    /// All columns, in the order of the file. `status` stands before `completed`, which depends on it.
    static let all: [TaskCSVColumn] = own + TaskProperty.all.map(property) + times

    private static let own: [TaskCSVColumn] = [
        word("id") {
            $0.task.id.text
        } parse: { foreign, id in
            foreign.task.uid = TaskCSVFormat.uid(id)
            return true
        },
        TaskCSVColumn("title") {
            $0.task.title
        } read: {
            $0.foreign.task.title = $1
        },
        word("status", else: "; the task is open") {
            $0.task.state.rawValue
        } parse: { foreign, word in
            guard let state = TaskState(rawValue: word) else { return false }
            foreign.task.state = state
            return true
        },
        TaskCSVColumn("board") {
            $0.details.board
        } read: {
            $0.foreign.board = $1
        },
        TaskCSVColumn("column") {
            $0.details.column
        } read: {
            $0.foreign.column = $1
        },
        word("priority") {
            $0.task.priority?.name ?? ""
        } parse: { foreign, word in
            foreign.task.priority = TaskPriority(word)
            return foreign.task.priority != nil
        },
        TaskCSVColumn("project") {
            $0.details.project ?? ""
        } read: {
            $0.foreign.project = $1
        },
        TaskCSVColumn("block") {
            $0.task.block ?? ""
        } read: {
            $0.foreign.block = $1
        },
        TaskCSVColumn("tags") {
            $0.task.tags.joined(separator: " ")
        } read: {
            $0.foreign.task.tags = $1.split(separator: " ").map(String.init)
        },
        TaskCSVColumn("due") {
            $0.text($0.task.due)
        } read: {
            $0.foreign.task.due = $0.time("due", $1)
        },
        TaskCSVColumn("scheduled") {
            $0.text($0.task.scheduled)
        } read: {
            $0.foreign.task.scheduled = $0.time("scheduled", $1)
        },
        word("estimate_seconds") {
            $0.task.estimate.map { "\($0)" } ?? ""
        } parse: { foreign, word in
            foreign.task.estimate = Int(word).flatMap { $0 > 0 ? $0 : nil }
            return foreign.task.estimate != nil
        },
        // Progress is counted from the steps and the percentage.
        TaskCSVColumn("progress") {
            "\($0.details.progress)"
        } read: { _, _ in
        },
        word("percent") {
            $0.task.percent.map { "\($0)" } ?? ""
        } parse: { foreign, word in
            foreign.task.percent = Int(word).flatMap { (0...100).contains($0) ? $0 : nil }
            return foreign.task.percent != nil
        },
    ]

    private static func property(_ property: TaskProperty) -> TaskCSVColumn {
        TaskCSVColumn(property.name) {
            property.get($0.task) ?? ""
        } read: { reader, text in
            if property.normalized(text) == nil { reader.reasons.append("unknown \(property.name) '\(text)'") }
            property.set(&reader.foreign.task, text)
        }
    }

    private static let times: [TaskCSVColumn] = [
        TaskCSVColumn("created") {
            $0.text($0.task.createdAt)
        } read: {
            guard let created = $0.instant("created", $1) else { return }
            ($0.foreign.task.createdAt, $0.foreign.task.modifiedAt) = (created, created)
            $0.foreign.namesCreation = true
        },
        TaskCSVColumn("completed") {
            $0.text($0.task.completedAt)
        } read: {
            let completed = $0.instant("completed", $1)
            if $0.foreign.task.state != .open {
                $0.foreign.task.completedAt = completed
            } else if completed != nil {
                $0.reasons.append("it is open, and has a time of completion, which is left out")
            }
        },
        TaskCSVColumn("notes") {
            $0.task.notes ?? ""
        } read: {
            $0.foreign.task.notes = $1
        },
        TaskCSVColumn("recurrence") {
            $0.task.recurrence?.text ?? ""
        } read: {
            $0.foreign.task.recurrence = TaskSeries.isValid(stored: $1) ? TaskRecurrence(stored: $1) : nil
            if $0.foreign.task.recurrence == nil { $0.reasons.append("unknown recurrence '\($1)'; imported once") }
        },
        TaskCSVColumn("wait") {
            $0.text($0.task.hiddenUntil)
        } read: {
            $0.foreign.task.hiddenUntil = $0.time("wait", $1)
        },
        word("kind") {
            $0.task.kind == .task ? "" : $0.task.kind.rawValue
        } parse: { foreign, word in
            guard let kind = TaskKind(rawValue: word) else { return false }
            foreign.task.kind = kind
            return true
        },
        word("parent") {
            $0.ties.parent ?? ""
        } parse: { foreign, word in
            foreign.parentUID = TaskCSVFormat.uid(word)
            return true
        },
        word("depends") {
            $0.ties.blockers.sorted().joined(separator: " ")
        } parse: { foreign, words in
            foreign.blockerUIDs = words.split(separator: " ").map { TaskCSVFormat.uid(String($0)) }
            return true
        },
        TaskCSVColumn("steps") {
            TaskSteps.text($0.task.checklist)
        } read: {
            $0.foreign.task.checklist = TaskSteps.list($1)
            let omitted = $1.split(separator: "\n").count - $0.foreign.task.checklist.count
            if omitted > 0 { $0.reasons.append("\(omitted) of its steps do not begin with '[ ] ' or '[x] '") }
        },
        TaskCSVColumn("started") {
            $0.text($0.task.startedAt)
        } read: {
            $0.foreign.task.startedAt = $0.instant("started", $1)
        },
        word("rank") {
            $0.task.rank
        } parse: { foreign, word in
            foreign.rank = Rank.isValid(word) ? word : nil
            return foreign.rank != nil
        },
        TaskCSVColumn("modified") {
            $0.text($0.task.modifiedAt)
        } read: {
            $0.foreign.modifiedAt = $0.instant("modified", $1)
        },
    ]
}

/// Reads a record of helix's CSV of tasks.
struct TaskCSVRecordReader {
    var foreign: ForeignTask
    /// The reasons why fields were not read.
    var reasons: [String] = []
    private let now: Instant
    private let zone: Zone

    init(title: String, now: Instant, zone: Zone) {
        foreign = ForeignTask(title: title, createdAt: now)
        foreign.task.uid = "csv \(title)"
        (self.now, self.zone) = (now, zone)
    }

    mutating func read(_ record: CSVTable.Record) {
        for column in TaskCSVColumn.all {
            guard let field = record.whole(column.name), !field.isEmpty else { continue }
            column.read(&self, CSVField.value(field))
        }
        if foreign.task.state != .open, foreign.task.completedAt == nil { foreign.task.completedAt = now }
    }

    mutating func time(_ name: String, _ text: String) -> TaskTime? {
        let text = text.trimmingBlanks()
        if text.isEmpty { return nil }
        let time = TaskCSVFormat.time(text)
        if time == nil { reasons.append("unknown \(name) '\(text)'") }
        return time
    }

    mutating func instant(_ name: String, _ text: String) -> Instant? { time(name, text)?.start(in: zone) }
}
