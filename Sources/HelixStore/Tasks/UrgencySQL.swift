import HelixModel
import HelixTasks

/// The urgency of task `t` as an SQL expression, equal to ``Urgency/value(_:)`` except for the order of additions.
struct UrgencySQL {
    let text: String

    init(_ coefficients: UrgencyCoefficients, now: Instant, zone: Zone) {
        let terms = UrgencyFactor.allCases.compactMap { factor -> String? in
            let coefficient = coefficients[factor]
            if coefficient == 0 { return nil }
            return "(\(coefficient)) * \(UrgencySQL.factor(factor, now: now, zone: zone))"
        }
        let sum = terms.isEmpty ? "0" : terms.joined(separator: " + ")
        text = "(CASE WHEN t.kind = 'task' AND t.state = 'open' THEN \(sum) ELSE 0.0 END)"
    }

    private static func factor(_ factor: UrgencyFactor, now: Instant, zone: Zone) -> String {
        let today = CivilDateTime(zone.date(now)).seconds
        let seconds = now.seconds
        switch factor {
        case .due:
            let end = "CASE t.due_day WHEN 1 THEN \(endOfDay("t.due", now: now, zone: zone)) ELSE t.due END"
            let days = "(\(seconds) - (\(end))) / 86400.0"
            return "ifnull(min(1.0, max(0.2, 0.2 + 0.8 * (\(days) + 14) / 21)), 0)"
        case .priority: return "ifnull(t.priority, 0) / 4.0"
        case .age: return "min(1.0, max(0.0, (\(seconds) - t.created_at) / 31536000.0))"
        case .blocking:
            return "CASE WHEN t.blocking = 0 THEN 0 ELSE min(1.0, 0.8 + 0.1 * (t.blocking - 1)) END"
        case .blocked: return "(t.blockers > 0)"
        case .started: return "(t.started_at IS NOT NULL)"
        case .scheduled:
            return """
                ifnull(CASE t.scheduled_day WHEN 1 THEN t.scheduled <= \(today) ELSE t.scheduled <= \(seconds) END, 0)
                """
        case .project: return "(t.project IS NOT NULL)"
        case .tags:
            let count = "length(t.tags) - length(replace(t.tags, ' ', '')) - 1"
            return "CASE WHEN t.tags IS NULL THEN 0 ELSE CASE \(count) WHEN 1 THEN 0.8 WHEN 2 THEN 0.9 ELSE 1 END END"
        case .waiting: return "ifnull(\(TaskFilterSQL.isWaiting(now: now, zone: zone)), 0)"
        }
    }

    /// The end of the day in a column that holds local midnight, as an instant. It is exact for the days around the current time,
    /// where urgency grows; before and after them urgency is constant.
    private static func endOfDay(_ column: String, now: Instant, zone: Zone) -> String {
        let today = zone.date(now)
        var steps: [(from: Int64, shift: Int64)] = []
        for day in -9...16 {
            let date = today + day
            let midnight = CivilDateTime(date).seconds
            let shift = zone.startOfDay(date + 1).seconds - midnight
            if shift != steps.last?.shift { steps.append((midnight, shift)) }
        }
        guard let first = steps.first, steps.count > 1 else { return "\(column) + \(steps.first?.shift ?? 86_400)" }
        let cases = steps.dropFirst().reversed().map { "WHEN \(column) >= \($0.from) THEN \($0.shift)" }
        return "\(column) + CASE \(cases.joined(separator: " ")) ELSE \(first.shift) END"
    }
}
