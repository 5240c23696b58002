import HelixModel
import HelixSQLite
import HelixTasks

/// A filter as an SQL condition on time entry `e` of task `t` and project `p`.
struct TimeFilterSQL {
    private(set) var text = ""
    private(set) var arguments: [DatabaseValue] = []
    private let now: Instant
    private let zone: Zone

    init(_ filter: TimeFilter, now: Instant, zone: Zone) {
        self.now = now
        self.zone = zone
        text = condition(filter)
    }

    private mutating func condition(_ filter: TimeFilter) -> String {
        switch filter {
        case .everything: return "1"
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
        case .phrase(let words):
            let pattern = "%\(TaskFilterSQL.escaped(words))%".databaseValue
            arguments += [pattern, pattern, pattern]
            return "(e.title LIKE ? ESCAPE '\\' OR t.title LIKE ? ESCAPE '\\' OR e.note LIKE ? ESCAPE '\\')"
        case .untagged: return "(e.tags IS NULL AND t.tags IS NULL)"
        case .customer(nil): return "p.customer IS NULL"
        case .customer(let name?):
            arguments.append(name.databaseValue)
            return "p.customer = ? COLLATE NOCASE"
        case .billable: return "e.is_billable = 1"
        case .running: return "e.\"end\" IS NULL"
        case .time(let comparison, let times):
            let (from, to) = (times.instants.lowerBound, times.instants.upperBound)
            let end = "ifnull(e.\"end\", \(Int64.max))"
            return switch comparison {
            case .less: "e.start < \(from)"
            case .lessOrEqual: "e.start < \(to)"
            case .equal: "(e.start < \(to) AND \(end) > \(from))"
            case .notEqual: "NOT (e.start < \(to) AND \(end) > \(from))"
            case .greaterOrEqual: "\(end) > \(from)"
            case .greater: "e.start >= \(to)"
            }
        case .length(let comparison, let seconds):
            return "ifnull(e.\"end\", \(now.seconds)) - e.start \(comparison.rawValue) \(seconds)"
        case .id(let prefix):
            arguments += [prefix.text.databaseValue, (prefix.text + "~").databaseValue]
            return "(e.id >= ? AND e.id < ?)"
        case .task(let filter):
            let own = TaskFilterSQL(filter, now: now, zone: zone)
            arguments += own.arguments
            return "(t.id IS NOT NULL AND \(own.text))"
        }
    }
}
