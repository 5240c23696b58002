import FoundationEssentials
import HelixModel
import HelixSQLite
import HelixTasks

/// The mapping between a task and its row.
enum TaskRecord {
    private typealias Column = RecordColumn<TodoTask>

    /// The columns of a task.
    static let layout = RecordLayout<TodoTask> {
        Column.text("title") {
            $0.title
        } read: {
            $0.title = $1 ?? ""
        }
        Column.text("notes") {
            $0.notes
        } read: {
            $0.notes = $1
        }
        Column.text("kind") {
            $0.kind.rawValue
        } read: {
            $0.kind = $1.flatMap { TaskKind(rawValue: $0) } ?? .task
        }
        Column.id("column_id") {
            $0.column
        } read: {
            $0.column = $1 ?? EntityID(stored: "")
        }
        Column.text("rank") {
            $0.rank
        } read: {
            $0.rank = $1 ?? ""
        }
        Column.text("state") {
            $0.state.rawValue
        } read: {
            $0.state = $1.flatMap { TaskState(rawValue: $0) } ?? .open
        }
        Column.integer("priority") {
            $0.priority?.rawValue
        } read: {
            $0.priority = $1.flatMap { TaskPriority(rawValue: $0) }
        }
        Column.time("due", day: "due_day") {
            $0.due
        } read: {
            $0.due = $1
        }
        Column.time("scheduled", day: "scheduled_day") {
            $0.scheduled
        } read: {
            $0.scheduled = $1
        }
        Column.time("hidden_until", day: "hidden_day") {
            $0.hiddenUntil
        } read: {
            $0.hiddenUntil = $1
        }
        Column.integer("estimate") {
            $0.estimate
        } read: {
            $0.estimate = $1
        }
        Column.text("tags") {
            tags($0.tags)
        } read: {
            // By bytes, which is a tenth of the work of characters.
            $0.tags = $1?.utf8.split(separator: 0x20).map { String(Substring($0)) } ?? []
        }
        Column.id("project") {
            $0.project
        } read: {
            $0.project = $1
        }
        Column.text("block") {
            $0.block
        } read: {
            $0.block = $1
        }
        Column.id("parent") {
            $0.parent
        } read: {
            $0.parent = $1
        }
        Column.text("checklist") {
            checklist($0.checklist)
        } read: {
            $0.checklist = $1.map(checklist) ?? []
        }
        TaskProperty.all.map { property in
            if case .number = property.kind {
                Column.integer(property.name) {
                    property.get($0).flatMap { Int($0) }
                } read: {
                    property.set(&$0, $1.map { "\($0)" })
                }
            } else {
                Column.text(property.name) {
                    property.get($0)
                } read: {
                    property.set(&$0, $1)
                }
            }
        }
        Column.text("recurrence") {
            $0.recurrence?.text
        } read: {
            $0.recurrence = $1.map { TaskRecurrence(stored: $0) }
        }
        Column.id("series") {
            $0.series
        } read: {
            $0.series = $1
        }
        Column.text("uid") {
            $0.uid
        } read: {
            $0.uid = $1
        }
        Column.text("source") {
            $0.source
        } read: {
            $0.source = $1
        }
        Column.text("extra") {
            $0.extra
        } read: {
            $0.extra = $1
        }
        Column.integer("percent") {
            $0.percent
        } read: {
            $0.percent = $1
        }
        Column.instant("created_at") {
            $0.createdAt
        } read: {
            $0.createdAt = $1 ?? Instant(0)
        }
        Column.instant("started_at") {
            $0.startedAt
        } read: {
            $0.startedAt = $1
        }
        Column.instant("completed_at") {
            $0.completedAt
        } read: {
            $0.completedAt = $1
        }
        // Not journaled: else every change of a task would conflict with undoing an earlier one.
        Column.instant("modified_at") {
            $0.modifiedAt
        } read: {
            $0.modifiedAt = $1 ?? Instant(0)
        }.notJournaled()
    }

    /// The columns of task `t` for ``details(_:_:)``, without related counts.
    static let bareColumns = ownColumns + ", 0, 0, 0"
    /// The columns with related counts.
    static let columns =
        ownColumns + """
            , (SELECT COUNT(*) FROM task s WHERE s.parent = t.id AND s.state <> 'dropped'),
            (SELECT COUNT(*) FROM task s WHERE s.parent = t.id AND s.state = 'done'),
            EXISTS (SELECT 1 FROM time_entry r WHERE r."end" IS NULL AND r.task = t.id)
            """
    private static let ownColumns = "t.id, \(layout.selection("t")), t.blockers, t.blocking"

    static func details(_ row: Statement, _ names: TaskNames) -> TaskDetails {
        let none = EntityID(stored: "")
        var task = TodoTask(id: row.id(0) ?? none, title: "", column: none, rank: "", createdAt: Instant(0))
        layout.read(row, from: 1, into: &task)
        let column = names.columns[task.column]
        let next = 1 + layout.count
        return TaskDetails(
            task: task, board: column?.board ?? "", column: column?.name ?? "",
            project: task.project.flatMap { names.projects[$0] }, blockers: Int(row.integer(next)),
            blocking: Int(row.integer(next + 1)), parts: Int(row.integer(next + 2)),
            doneParts: Int(row.integer(next + 3)), isRunning: row.integer(next + 4) != 0)
    }

    static func checklist(_ json: String) -> [ChecklistItem] {
        // A damaged checklist is shown as it is: an edit of the task keeps it.
        (try? JSONDecoder().decode([ChecklistItem].self, from: Data(json.utf8))) ?? [ChecklistItem(json)]
    }

    /// Tags separated and enclosed by spaces, without duplicates.
    static func tags(_ tags: [String]) -> String? {
        var known: Set<String> = []
        let list = tags.filter { !$0.isEmpty && known.insert($0.lowercased()).inserted }
        return list.isEmpty ? nil : " " + list.joined(separator: " ") + " "
    }

    private static func checklist(_ items: [ChecklistItem]) -> String? {
        if items.isEmpty { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(items)).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The names of columns, boards and projects, read once for a list.
struct TaskNames {
    var columns: [EntityID: (name: String, board: String)] = [:]
    var projects: [EntityID: String] = [:]

    /// Creates an empty lookup for callers that need no names.
    init() {}

    init(_ db: Database) throws {
        let columns = try Statement(
            db, "SELECT c.id, c.name, b.name FROM board_column c JOIN board b ON b.id = c.board")
        while try columns.step() {
            self.columns[(columns.id(0) ?? EntityID(stored: ""))] = (columns.text(1) ?? "", columns.text(2) ?? "")
        }
        let projects = try Statement(db, "SELECT id, name FROM project")
        while try projects.step() {
            self.projects[(projects.id(0) ?? EntityID(stored: ""))] = projects.text(1) ?? ""
        }
    }
}
