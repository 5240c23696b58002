import HelixModel
import HelixSQLite
import HelixTasks

/// A filter as a condition on time entry `e`: its project, tags and words are its own or its task's, all else is asked
/// of its task `t`.
struct TimeFilterSQL {
    private(set) var text = ""
    private(set) var arguments: [DatabaseValue] = []
    private let now: Instant
    private let zone: Zone

    init(_ filter: TaskFilter, now: Instant, zone: Zone) {
        self.now = now
        self.zone = zone
        text = condition(filter)
    }

    private mutating func condition(_ filter: TaskFilter) -> String {
        switch filter {
        case .all(let parts): return ConditionTree.joined(parts.map { condition($0) }, by: "AND")
        case .any(let parts): return ConditionTree.joined(parts.map { condition($0) }, by: "OR")
        case .not(let part): return "NOT ifnull(\(condition(part)), 0)"
        case .project(nil): return "p.id IS NULL"
        case .project(let name?):
            arguments += [name.databaseValue, (TaskFilterSQL.escaped(name) + ".%").databaseValue]
            return "(p.name = ? OR p.name LIKE ? ESCAPE '\\')"
        case .tag(let tag):
            let pattern = "% \(TaskFilterSQL.escaped(tag)) %".databaseValue
            arguments += [pattern, pattern]
            return "(e.tags LIKE ? ESCAPE '\\' OR t.tags LIKE ? ESCAPE '\\')"
        case .text(let words):
            let pattern = "%\(TaskFilterSQL.escaped(words))%".databaseValue
            return ConditionTree.joined(
                ["e.title", "t.title", "e.note"].map { column in
                    arguments += [pattern, words.databaseValue]
                    return "(\(column) LIKE ? ESCAPE '\\' OR helix_has(\(column), ?))"
                }, by: "OR")
        default:
            let own = TaskFilterSQL(filter, now: now, zone: zone)
            arguments += own.arguments
            return own.text
        }
    }
}
