import HelixModel

/// Task fields that Taskwarrior does not have, as attributes of its own (UDAs), which it keeps and exports unchanged.
enum TaskwarriorExtras {
    /// The prefix of the attributes' names.
    static let prefix = "helix_"
    /// The attributes that every task would have.
    static let usual: Set<String> = ["due", "scheduled", "wait", "board", "column", "rank"]

    /// A time of Taskwarrior: midnight stands for the whole day, as in `due:friday`.
    static func time(_ instant: Instant, _ zone: Zone) -> TaskTime {
        let day = zone.date(instant)
        return zone.startOfDay(day) == instant ? .date(day) : .moment(instant)
    }

    /// `2026-12-01 20261130T230000Z`: a day, and the moment that Taskwarrior has for it; `time …` for a moment at midnight.
    ///
    /// In another time zone, or after a change in Taskwarrior, the moment tells whether it still is that day.
    private static func text(_ time: TaskTime?, _ zone: Zone) -> String? {
        switch time {
        case .date(let date)?:
            return ISO8601.text(date) + " " + TaskwarriorFormat.stamp(zone.startOfDay(date))
        case .moment(let instant)?:
            guard case .date = self.time(instant, zone) else { return nil }
            return "time " + TaskwarriorFormat.stamp(instant)
        case nil: return nil
        }
    }

    /// The time that an attribute stands for, if Taskwarrior's moment is still the one that it was written with.
    private static func time(_ text: String?, _ now: TaskTime?) -> TaskTime? {
        let parts = (text ?? "").split(separator: " ").map(String.init)
        guard parts.count == 2, let now, let stamp = TaskwarriorFormat.time(.string(parts[1])) else { return now }
        let isSame: Bool =
            switch now {
            case .moment(let instant): instant == stamp
            // Midnight in the zone of the reader.
            case .date(let date): abs(date.dayNumber * 86_400 - Int(stamp.seconds)) <= 16 * 3600
            }
        guard isSame else { return now }
        return parts[0] == "time" ? .moment(stamp) : TaskCSVFormat.time(parts[0]) ?? now
    }

    /// Notes without empty lines, as annotations have them.
    private static func annotations(_ notes: String) -> String {
        // Most notes have none, which the bytes show.
        var previous = UInt8(ascii: "\n")
        let isPlain = notes.utf8.allSatisfy { byte in
            defer { previous = byte }
            return byte != 0x0D && (byte != 0x0A || previous != 0x0A)
        }
        if isPlain, previous != 0x0A || notes.isEmpty { return notes }
        return notes.split(separator: "\n").joined(separator: "\n")
    }

    /// The attributes of a task, without their prefix.
    ///
    /// - Parameters:
    ///   - parent: the UUID of the parent.
    ///   - isRecurring: True if Taskwarrior has the recurrence.
    ///   - old: the task as Taskwarrior's own attributes had it.
    static func of(
        _ details: TaskDetails, parent: String?, isRecurring: Bool, since old: ForeignTask?, zone: Zone
    ) -> [(name: String, text: String)] {
        let task = details.task
        var notes: String?
        // Annotations are lines, without empty ones.
        if let text = task.notes, annotations(text) != text { notes = text }
        let all: [(String, String?)] = [
            ("due", text(task.due, zone)), ("scheduled", text(task.scheduled, zone)),
            ("wait", text(task.hiddenUntil, zone)), ("board", details.board), ("column", details.column),
            ("rank", task.rank), ("block", task.block), ("parent", parent),
            ("kind", task.kind == .task ? nil : task.kind.rawValue),
            ("priority", task.priority == .critical ? "critical" : nil), ("notes", notes),
            ("recurrence", isRecurring && task.recurrence != nil ? nil : task.recurrence?.text),
            ("steps", task.checklist.isEmpty ? nil : TaskSteps.text(task.checklist)),
            (
                "started",
                task.state == .open || old?.task.startedAt == task.startedAt
                    ? nil : task.startedAt.map(TaskwarriorFormat.stamp)
            ),
            ("percent", task.percent.map { "\($0)" }), ("series", task.series?.text),
        ]
        return (all + TaskProperty.all.map { ($0.name, $0.get(task)) }).compactMap { name, text in
            text.map { (name, $0) }
        }
    }

    /// The attributes of helix that it would not have written so, as phrases; they are left out.
    static func defects(_ extras: [String: String]) -> [String] {
        extras.sorted { $0.key < $1.key }.compactMap { name, text in
            let isRead: Bool
            switch name {
            case "due", "scheduled", "wait":
                let parts = text.split(separator: " ").map(String.init)
                isRead =
                    parts.count == 2 && TaskwarriorFormat.time(.string(parts[1])) != nil
                    && (parts[0] == "time" || TaskCSVFormat.time(parts[0]) != nil)
            case "rank": isRead = Rank.isValid(text)
            case "kind": isRead = TaskKind(rawValue: text) != nil
            case "priority": isRead = text == "critical"
            case "recurrence": isRead = TaskSeries.isValid(stored: text)
            case "percent": isRead = Int(text).map { (0...100).contains($0) } ?? false
            case "series": isRead = EntityID(text) != nil
            case "started": isRead = TaskwarriorFormat.time(.string(text)) != nil
            case "steps": isRead = TaskSteps.text(TaskSteps.list(text)) == text
            case "board", "column", "block", "parent", "notes": isRead = true
            default:
                guard let property = TaskProperty.named(name) else {
                    return "its helix_\(name) is unknown and is omitted"
                }
                isRead = property.normalized(text) != nil
            }
            return isRead ? nil : "its helix_\(name) '\(text.prefix(40))' cannot be read and is omitted"
        }
    }

    static func read(_ extras: [String: String], into foreign: inout ForeignTask) {
        foreign.task.due = time(extras["due"], foreign.task.due)
        foreign.task.scheduled = time(extras["scheduled"], foreign.task.scheduled)
        foreign.task.hiddenUntil = time(extras["wait"], foreign.task.hiddenUntil)
        (foreign.board, foreign.column, foreign.block) = (extras["board"], extras["column"], extras["block"])
        foreign.rank = extras["rank"].flatMap { Rank.isValid($0) ? $0 : nil }
        foreign.parentUID = extras["parent"]
        if extras["kind"] == TaskKind.info.rawValue { foreign.task.kind = .info }
        for property in TaskProperty.all { property.set(&foreign.task, extras[property.name]) }
        // Another letter was set in Taskwarrior.
        if extras["priority"] == "critical", foreign.task.priority == .high { foreign.task.priority = .critical }
        if let notes = extras["notes"],
            annotations(notes) == foreign.task.notes ?? ""
        {
            foreign.task.notes = notes
        }
        if let text = extras["recurrence"], foreign.task.recurrence == nil {
            if TaskSeries.isValid(stored: text) { foreign.task.recurrence = TaskRecurrence(stored: text) }
        }
        foreign.task.checklist = TaskSteps.list(extras["steps"] ?? "")
        if foreign.task.state != .open, let started = extras["started"] {
            foreign.task.startedAt = TaskwarriorFormat.time(.string(started))
        }
        foreign.task.percent = extras["percent"].flatMap { Int($0) }.flatMap { (0...100).contains($0) ? $0 : nil }
        foreign.task.series = extras["series"].flatMap { EntityID($0) }
    }
}
