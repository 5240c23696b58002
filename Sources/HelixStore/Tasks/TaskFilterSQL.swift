import HelixModel
import HelixSQLite
import HelixTasks

/// A filter as an SQL condition on task `t`, with its arguments.
struct TaskFilterSQL {
    private(set) var text = ""
    private(set) var arguments: [DatabaseValue] = []
    private let now: Instant
    private let zone: Zone

    /// - Parameter zone: the time zone that decides which tasks are due.
    init(_ filter: TaskFilter, now: Instant, zone: Zone) {
        self.now = now
        self.zone = zone
        text = condition(filter)
    }

    /// `text` as an FTS5 phrase in which each word is a prefix; nil if it contains no word.
    /// - Parameter column: the index column to search; nil for all.
    static func match(_ text: String, in column: String? = nil) -> String? {
        let words = text.split { !($0.isLetter || $0.isNumber) }
        if words.isEmpty { return nil }
        let match = words.map { "\"\($0)\"*" }.joined(separator: " ")
        return column.map { "\($0) : (\(match))" } ?? match
    }

    /// The condition that a task's column contains the words of a text.
    private mutating func words(_ text: String, in column: String? = nil) -> String {
        guard let match = TaskFilterSQL.match(text, in: column) else {
            return "t.\(column ?? "title") LIKE \(mark("%" + TaskFilterSQL.escaped(text) + "%")) ESCAPE '\\'"
        }
        return "t.n IN (SELECT rowid FROM task_text WHERE task_text MATCH \(mark(match)))"
    }

    private mutating func mark(_ value: some DatabaseValueConvertible) -> String {
        arguments.append(value.databaseValue)
        return "?"
    }

    private mutating func condition(_ filter: TaskFilter) -> String {
        switch filter {
        case .everything: return "1"
        case .all(let parts): return ConditionTree.joined(parts.map { condition($0) }, by: "AND")
        case .any(let parts): return ConditionTree.joined(parts.map { condition($0) }, by: "OR")
        // The most frequent negation; the condition is never NULL.
        case .not(.mark(.waiting)): return "NOT \(TaskFilterSQL.isWaiting(now: now, zone: zone))"
        case .not(let part): return "NOT ifnull(\(condition(part)), 0)"
        case .text(let text): return words(text)
        case .phrase(let text):
            guard TaskFilterSQL.match(text) != nil else { return words(text) }
            let phrase = "\"" + text.replacing("\"", with: " ") + "\""
            return "t.n IN (SELECT rowid FROM task_text WHERE task_text MATCH \(mark(phrase)))"
        case .title(let text): return words(text, in: "title")
        case .notes(nil): return "t.notes IS NULL"
        case .notes(let text?): return words(text, in: "notes")
        case .tag(let tag):
            return "t.tags LIKE \(mark("% " + TaskFilterSQL.escaped(tag) + " %")) ESCAPE '\\'"
        case .mark(let mark): return condition(mark)
        case .state(let state): return "t.state = '\(state.rawValue)'"
        case .kind(let kind): return "t.kind = '\(kind.rawValue)'"
        case .project(nil): return "t.project IS NULL"
        case .project(let name?):
            let exact = mark(name)
            let below = mark(TaskFilterSQL.escaped(name) + ".%")
            return "t.project IN (SELECT id FROM project WHERE name = \(exact) OR name LIKE \(below) ESCAPE '\\')"
        case .block(nil): return "t.block IS NULL"
        case .block(let name?): return "t.block = \(mark(name)) COLLATE NOCASE"
        case .board(let name):
            return """
                t.column_id IN (SELECT c.id FROM board_column c JOIN board b ON b.id = c.board WHERE b.name = \(mark(name)))
                """
        case .column(let name): return "t.column_id IN (SELECT id FROM board_column WHERE name = \(mark(name)))"
        case .property(let name, nil): return "t.\"\(name)\" IS NULL"
        case .property(let name, let value?): return "t.\"\(name)\" = \(mark(value)) COLLATE NOCASE"
        case .number(let name, let comparison, let hundredths):
            let missing = comparison == .notEqual ? "t.\"\(name)\" IS NULL OR " : ""
            return "(\(missing)t.\"\(name)\" \(comparison.rawValue) \(Double(hundredths) / 100))"
        // Days are stored as texts.
        case .day(let name, let comparison, let bounds):
            return condition("unixepoch(t.\"\(name)\")", "1", comparison, bounds)
        case .priority(_, nil): return "t.priority IS NULL"
        case .priority(let comparison, let priority?):
            // A missing priority sorts below all others.
            return "ifnull(t.priority, 0) \(comparison.rawValue) \(priority.rawValue)"
        case .estimate(_, nil): return "t.estimate IS NULL"
        case .estimate(let comparison, let seconds?):
            return
                "\(comparison == .notEqual ? "t.estimate IS NULL OR " : "")t.estimate \(comparison.rawValue) \(seconds)"
        case .time(let field, let comparison, let bounds): return condition(field, comparison, bounds)
        case .urgency(let comparison, let hundredths, let coefficients):
            let sum = UrgencySQL(coefficients, now: now, zone: zone).text
            if comparison == .equal || comparison == .notEqual {
                return "round(\(sum), 1) \(comparison.rawValue) round(\(Double(hundredths) / 100), 1)"
            }
            return "round(\(sum), 2) \(comparison.rawValue) \(Double(hundredths) / 100)"
        case .id(let prefix): return "(t.id >= \(mark(prefix.text)) AND t.id < \(mark(prefix.text + "~")))"
        case .depends(nil): return "t.id NOT IN (SELECT b FROM link WHERE kind = 'blocks')"
        case .depends(let prefix?):
            let (from, to) = (mark(prefix.text), mark(prefix.text + "~"))
            return "t.id IN (SELECT b FROM link WHERE kind = 'blocks' AND a >= \(from) AND a < \(to))"
        case .parent(nil): return "t.parent IS NULL"
        case .parent(let prefix?): return "(t.parent >= \(mark(prefix.text)) AND t.parent < \(mark(prefix.text + "~")))"
        }
    }

    private func condition(_ mark: TaskMark) -> String {
        let today = zone.date(now)
        let midnight = CivilDateTime(today).seconds
        switch mark {
        case .open: return "t.state = 'open'"
        case .done: return "t.state = 'done'"
        case .dropped: return "t.state = 'dropped'"
        case .blocked: return "(t.state = 'open' AND t.blockers > 0)"
        case .blocking: return "(t.state = 'open' AND t.blocking > 0)"
        case .overdue:
            return """
                (t.state = 'open' AND t.kind = 'task' AND t.due <= \(max(midnight, now.seconds)) AND CASE t.due_day WHEN 1 THEN t.due < \(midnight) \
                ELSE t.due <= \(now.seconds) END)
                """
        case .today:
            let from = zone.startOfDay(today).seconds
            let to = zone.startOfDay(today + 1).seconds
            // The first two bounds include both readings of the number, so that an index can be used.
            return """
                (t.due >= \(min(from, midnight)) AND t.due < \(max(to, midnight + 1)) AND CASE t.due_day \
                WHEN 1 THEN t.due = \(midnight) ELSE t.due >= \(from) AND t.due < \(to) END)
                """
        case .waiting: return TaskFilterSQL.isWaiting(now: now, zone: zone)
        case .started: return "(t.state = 'open' AND t.started_at IS NOT NULL)"
        case .recurring: return "t.recurrence IS NOT NULL"
        case .subtask: return "t.parent IS NOT NULL"
        case .parent: return "EXISTS (SELECT 1 FROM task s WHERE s.parent = t.id)"
        case .tagged: return "t.tags IS NOT NULL"
        case .noted: return "t.notes IS NOT NULL"
        }
    }

    /// The condition that task `t` is still hidden from lists, which most tasks without a time decide at its first part.
    static func isWaiting(now: Instant, zone: Zone) -> String {
        let today = CivilDateTime(zone.date(now)).seconds
        return """
            (t.hidden_until IS NOT NULL AND CASE t.hidden_day WHEN 1 THEN t.hidden_until > \(today) \
            ELSE t.hidden_until > \(now.seconds) END)
            """
    }

    private func condition(
        _ field: TaskFilter.TimeField, _ comparison: TaskFilter.Comparison, _ bounds: TaskFilter.TimeBounds?
    ) -> String {
        let (column, day): (String, String?) =
            switch field {
            case .due: ("t.due", "t.due_day")
            case .scheduled: ("t.scheduled", "t.scheduled_day")
            case .hidden: ("t.hidden_until", "t.hidden_day")
            case .created: ("t.created_at", nil)
            case .modified: ("t.modified_at", nil)
            case .started: ("t.started_at", nil)
            case .completed: ("t.completed_at", nil)
            }
        return condition(column, day, comparison, bounds)
    }

    /// - Parameter day: the expression that is 1 if the column has a day.
    private func condition(
        _ column: String, _ day: String?, _ comparison: TaskFilter.Comparison, _ bounds: TaskFilter.TimeBounds?
    ) -> String {
        guard let bounds else { return "\(column) IS NULL" }
        func compared(_ range: Range<Int64>) -> String {
            switch comparison {
            case .less: "\(column) < \(range.lowerBound)"
            case .lessOrEqual: "\(column) < \(range.upperBound)"
            case .equal: "(\(column) >= \(range.lowerBound) AND \(column) < \(range.upperBound))"
            // A negation, so it includes tasks without a time.
            case .notEqual:
                "NOT ifnull(\(column) >= \(range.lowerBound) AND \(column) < \(range.upperBound), 0)"
            case .greaterOrEqual: "\(column) >= \(range.lowerBound)"
            case .greater: "\(column) >= \(range.upperBound)"
            }
        }
        guard let day else { return compared(bounds.instants) }
        return "CASE \(day) WHEN 1 THEN \(compared(bounds.civil)) ELSE \(compared(bounds.instants)) END"
    }

    /// Text with the wildcards of LIKE escaped.
    static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
    }
}
