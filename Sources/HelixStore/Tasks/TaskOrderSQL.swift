import HelixModel
import HelixTasks

/// The order of tasks `t` as ORDER BY terms.
struct TaskOrderSQL {
    let text: String

    /// - Parameter urgency: the urgency calculation for the key `urgency`.
    init(_ order: TaskOrder, urgency: Urgency, now: Instant, zone: Zone) {
        var terms: [String] = []
        for term in order.terms {
            terms += TaskOrderSQL.terms(of: term, urgency: urgency, now: now, zone: zone)
        }
        if let last = order.terms.last { terms += TaskOrderSQL.ties(of: last) }
        text = terms.joined(separator: ", ")
    }

    private static func terms(of term: TaskOrder.Term, urgency: Urgency, now: Instant, zone: Zone) -> [String] {
        func upwards(_ column: String) -> [String] {
            ["\(column) IS NULL", column + (term.isReversed ? " DESC" : "")]
        }
        // NULL is the least value and so comes last in descending order.
        func downwards(_ column: String) -> [String] {
            term.isReversed ? ["\(column) IS NULL", column] : ["\(column) DESC"]
        }
        let turned = term.isReversed ? " DESC" : ""
        switch term.key {
        case .urgency:
            return [UrgencySQL(urgency.coefficients, now: now, zone: zone).text + (turned.isEmpty ? " DESC" : "")]
        case .due: return upwards("t.due")
        case .scheduled: return upwards("t.scheduled")
        case .wait: return upwards("t.hidden_until")
        case .estimate: return upwards("t.estimate")
        case .priority: return ["ifnull(t.priority, 0)" + (term.isReversed ? "" : " DESC")]
        case .created: return downwards("t.created_at")
        case .modified: return downwards("t.modified_at")
        case .started: return downwards("t.started_at")
        case .completed: return downwards("t.completed_at")
        case .title: return ["t.title COLLATE NOCASE" + turned]
        case .project:
            return [
                "t.project IS NULL", "(SELECT p.name FROM project p WHERE p.id = t.project) COLLATE NOCASE" + turned,
            ]
        case .property(let name): return ["t.\"\(name)\" IS NULL", "t.\"\(name)\" COLLATE NOCASE" + turned]
        case .board:
            return [
                """
                (SELECT b.position FROM board_column c JOIN board b ON b.id = c.board WHERE c.id = t.column_id)\(turned)
                """, "(SELECT c.position FROM board_column c WHERE c.id = t.column_id)\(turned)", "t.rank\(turned)",
            ]
        }
    }

    /// Keys that break ties in the last key; the final one is the order of insertion.
    private static func ties(of term: TaskOrder.Term) -> [String] {
        switch term.key {
        case .due: ["ifnull(t.priority, 0) DESC", "t.n"]
        case .priority: ["t.due IS NULL", "t.due", "t.n"]
        case .created, .modified, .completed, .started: [term.isReversed ? "t.n" : "t.n DESC"]
        default: ["t.n"]
        }
    }
}
