import HelixModel

// Values of fields in changes.
extension TaskLineParser {
    /// A name that can be used in a filter: one line without leading or trailing spaces.
    static func name(_ text: String, _ what: String) throws -> String {
        let name = text.trimmingBlanks()
        guard !name.isEmpty, name.count <= 200, !name.contains(where: \.isNewline) else {
            throw HelixError(
                .usage, "'\(text)' is not a valid \(what) name", hint: "Use one line of 1 to 200 characters.")
        }
        // `house.kitchen` is a subproject of house.
        guard !name.hasPrefix("."), !name.hasSuffix("."), !name.contains("..") else {
            throw HelixError(.usage, "'\(text)' is not a valid \(what) name", hint: "Put names between the dots.")
        }
        return name
    }

    /// True if changes contain a field.
    public func says(_ name: String, _ changes: TaskChanges) -> Bool {
        switch name {
        case "due": changes.due != .keep || changes.shifts[name] != nil || changes.clocks[name] != nil
        case "scheduled": changes.scheduled != .keep || changes.shifts[name] != nil || changes.clocks[name] != nil
        case "wait": changes.hiddenUntil != .keep || changes.shifts[name] != nil || changes.clocks[name] != nil
        case "notes": changes.notes != .keep
        case "project": changes.project != .keep
        case "block": changes.block != .keep
        case "priority": changes.priority != .keep
        case "estimate": changes.estimate != .keep
        case "parent": changes.parent != .keep
        case "repeat": changes.recurrence != .keep
        case "board", "column": (name == "board" ? changes.board : changes.column) != nil
        default: TaskProperty.named(name).map { changes[$0] != .keep } ?? false
        }
    }
}

extension DatePhraseParser {
    /// The date or time in `text`.
    /// - Throws: ``HelixError`` of code `usage`.
    public func taskTime(_ text: String) throws -> TaskTime {
        let moment = try moment(text)
        if case .date(let date) = moment { return .date(date) }
        let instant = moment.instant(in: zone)
        // `due:8am` entered at nine means tomorrow.
        if direction == .ahead, instant < now, zone.date(instant) == today, saysClockAlone(text),
            case .civil(let civil) = moment
        {
            return .moment(zone.instant(CivilDateTime(civil.date + 1) + civil.secondOfDay))
        }
        return .moment(instant)
    }
}
