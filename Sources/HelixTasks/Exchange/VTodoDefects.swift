import HelixCalendar
import HelixModel

/// The values of a VTODO that have no meaning for helix (RFC 5545 §3.8): the task is imported without them.
struct VTodoDefects {
    /// The time of a property; nil if it cannot be read.
    let time: (ICalendarProperty) -> TaskTime?
    /// Whether a zone name is known.
    let isKnownZone: (ICalendarProperty) -> Bool

    /// The defects of a component, which begins at a line of its file.
    func list(_ component: ICalendarComponent, line: Int) -> [ForeignDefect] {
        let title = component.first("SUMMARY")?.text.split(whereSeparator: \.isNewline).joined(separator: " ")
        let name = title?.trimmingBlanks().nonEmptyText.map { "'\($0)'" } ?? "a task without a title"
        var found: [ForeignDefect] = []
        var seen: Set<String> = []
        for case .line(let text) in component.items {
            guard let property = ICalendarProperty(line: text) else { continue }
            guard let check = Self.checks[property.name] else { continue }
            guard seen.insert(property.name).inserted || property.name == "X-HELIX-STEP" else {
                found.append(defect(line, "\(name) has more than one \(property.name); the first is used"))
                continue
            }
            if let reason = reason(property, check) {
                found.append(defect(line, "\(property.name) of \(name) \(reason)"))
            }
        }
        if component.first("DURATION") != nil, component.first("DTSTART") == nil, component.first("DUE") == nil {
            found.append(defect(line, "DURATION of \(name) has no DTSTART that it counts from; imported without it"))
        }
        return found
    }

    private enum Check {
        case time, duration, status, rule, kind, series, step
        case number(ClosedRange<Int>)
    }

    private static let checks: [String: Check] = [
        "X-HELIX-KIND": .kind, "X-HELIX-REPEAT": .series, "X-HELIX-STEP": .step, "X-HELIX-HIDDEN-UNTIL": .time,
        "X-HELIX-STARTED": .time, "X-HELIX-SCHEDULED": .time,
        "DUE": .time, "DTSTART": .time, "COMPLETED": .time, "CREATED": .time, "LAST-MODIFIED": .time,
        "DURATION": .duration, "ESTIMATED-DURATION": .duration, "PRIORITY": .number(0...9),
        "PERCENT-COMPLETE": .number(0...100), "STATUS": .status, "RRULE": .rule,
    ]

    private static let statuses: Set = ["NEEDS-ACTION", "IN-PROCESS", "COMPLETED", "CANCELLED"]

    private func defect(_ line: Int, _ reason: String) -> ForeignDefect {
        ForeignDefect("line \(line)", reason, isPartial: true)
    }

    private func reason(_ property: ICalendarProperty, _ check: Check) -> String? {
        let value = property.value.trimmingBlanks()
        switch check {
        case .time:
            guard time(property) != nil else { return "is no time: '\(value)'; imported without it" }
            return isKnownZone(property)
                ? nil : "is in the unknown zone '\(property["TZID"] ?? "")'; read as a time of your own zone"
        case .duration: return ICalendarDuration(value) == nil ? "is no duration: '\(value)'; imported without it" : nil
        case .number(let range):
            guard let number = Int(value), range.contains(number) else {
                return "is no number from \(range.lowerBound) to \(range.upperBound): '\(value)'; imported without it"
            }
            return nil
        case .kind: return TaskKind(rawValue: value) == nil ? "is unknown: '\(value)'; imported without it" : nil
        case .series:
            return TaskSeries.isValid(stored: value) ? nil : "cannot be read: '\(value)'; the task is imported once"
        case .step:
            let isStep = property.text.hasPrefix("[x] ") || property.text.hasPrefix("[ ] ")
            return isStep ? nil : "is no step: '\(value)'; imported without it"
        case .status:
            return Self.statuses.contains(value.uppercased()) ? nil : "is unknown: '\(value)'; imported without it"
        case .rule:
            do {
                _ = try RecurrenceRule(value)
                return nil
            } catch { return "cannot be read: '\(value)'; the task is imported once" }
        }
    }
}
