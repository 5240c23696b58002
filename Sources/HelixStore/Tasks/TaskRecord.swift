import Foundation
import HelixModel
import HelixSQLite
import HelixTasks

/// The mapping between a task and its row.
enum TaskRecord {
    /// The columns of task `t`, in reading order, without related counts.
    static let bareColumns = ownColumns + ", 0, 0, 0"
    /// The columns with related counts.
    static let columns =
        ownColumns + """
            , (SELECT COUNT(*) FROM task s WHERE s.parent = t.id AND s.state <> 'dropped'),
            (SELECT COUNT(*) FROM task s WHERE s.parent = t.id AND s.state = 'done'),
            EXISTS (SELECT 1 FROM time_entry r WHERE r."end" IS NULL AND r.task = t.id)
            """
    private static let ownColumns = """
        t.id, t.title, t.notes, t.kind, t.column_id, t.rank, t.state, t.priority, t.due, t.due_day, t.scheduled,
        t.scheduled_day, t.hidden_until, t.hidden_day, t.estimate, t.tags, t.project, t.parent, t.checklist, t.assignee,
        t.recurrence, t.series, t.uid, t.source, t.extra, t.percent, t.created_at, t.modified_at, t.started_at,
        t.completed_at, t.blockers, t.blocking, t.block
        """

    static func details(_ row: Statement, _ names: TaskNames) -> TaskDetails {
        func id(_ column: Int32) -> EntityID? { row.id(column) }
        func time(_ column: Int32) -> TaskTime? {
            if row.isNull(column) { return nil }
            let seconds = row.integer(column)
            return row.integer(column + 1) != 0
                ? .date(CivilDateTime(seconds: seconds).date) : .moment(Instant(seconds))
        }
        func instant(_ column: Int32) -> Instant? { row.isNull(column) ? nil : Instant(row.integer(column)) }
        func number(_ column: Int32) -> Int? { row.isNull(column) ? nil : Int(row.integer(column)) }
        var task = TodoTask(
            id: (row.id(0) ?? EntityID(stored: "")), title: row.text(1) ?? "", column: id(4) ?? EntityID(stored: ""),
            rank: row.text(5) ?? "", createdAt: Instant(row.integer(26)))
        task.notes = row.text(2)
        task.kind = TaskKind(rawValue: row.text(3) ?? "") ?? .task
        task.state = TaskState(rawValue: row.text(6) ?? "") ?? .open
        task.priority = number(7).flatMap { TaskPriority(rawValue: $0) }
        task.due = time(8)
        task.scheduled = time(10)
        task.hiddenUntil = time(12)
        task.estimate = number(14)
        task.tags = row.text(15)?.split(separator: " ").map(String.init) ?? []
        task.project = id(16)
        task.parent = id(17)
        task.checklist = row.text(18).map(TaskRecord.checklist) ?? []
        task.assignee = row.text(19)
        task.recurrence = row.text(20).map { TaskRecurrence(stored: $0) }
        task.series = id(21)
        task.uid = row.text(22)
        task.source = row.text(23)
        task.extra = row.text(24)
        task.percent = number(25)
        task.modifiedAt = Instant(row.integer(27))
        task.startedAt = instant(28)
        task.completedAt = instant(29)
        task.block = row.text(32)
        let column = names.columns[task.column]
        return TaskDetails(
            task: task, board: column?.board ?? "", column: column?.name ?? "",
            project: task.project.flatMap { names.projects[$0] }, blockers: Int(row.integer(30)),
            blocking: Int(row.integer(31)), parts: Int(row.integer(33)), doneParts: Int(row.integer(34)),
            isRunning: row.integer(35) != 0)
    }

    static func checklist(_ json: String) -> [ChecklistItem] {
        (try? JSONDecoder().decode([ChecklistItem].self, from: Data(json.utf8))) ?? []
    }

    /// The journaled fields of a task.
    static func fields(_ task: TodoTask) -> JournalFields {
        func number(_ time: TaskTime?) -> DatabaseValue {
            switch time {
            case .date(let date)?: CivilDateTime(date).seconds.databaseValue
            case .moment(let instant)?: instant.seconds.databaseValue
            case nil: .null
            }
        }
        func isDay(_ time: TaskTime?) -> DatabaseValue {
            if case .date? = time { 1.databaseValue } else { 0.databaseValue }
        }
        return JournalFields([
            "state": task.state.rawValue.databaseValue, "kind": task.kind.rawValue.databaseValue,
            "column_id": task.column.text.databaseValue, "rank": task.rank.databaseValue,
            "priority": (task.priority?.rawValue).databaseValue, "due": number(task.due), "due_day": isDay(task.due),
            "scheduled": number(task.scheduled), "scheduled_day": isDay(task.scheduled),
            "hidden_until": number(task.hiddenUntil), "hidden_day": isDay(task.hiddenUntil),
            "estimate": task.estimate.databaseValue, "project": (task.project?.text).databaseValue,
            "block": task.block.databaseValue, "parent": (task.parent?.text).databaseValue,
            "assignee": task.assignee.databaseValue,
            "recurrence": (task.recurrence?.text).databaseValue, "series": (task.series?.text).databaseValue,
            "percent": task.percent.databaseValue, "created_at": task.createdAt.seconds.databaseValue,
            "started_at": (task.startedAt?.seconds).databaseValue,
            "completed_at": (task.completedAt?.seconds).databaseValue, "tags": tags(task.tags).databaseValue,
            "title": task.title.databaseValue, "checklist": checklist(task.checklist).databaseValue,
            "uid": task.uid.databaseValue, "notes": task.notes.databaseValue, "source": task.source.databaseValue,
            "extra": task.extra.databaseValue,
        ])
    }

    /// Tags and steps in the form in which their columns store them.
    static func texts(_ task: TodoTask) -> (tags: String?, checklist: String?) {
        (tags(task.tags), checklist(task.checklist))
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
