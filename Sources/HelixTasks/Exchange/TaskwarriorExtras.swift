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
        if let text = task.notes, text.split(separator: "\n").joined(separator: "\n") != text { notes = text }
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
            notes.split(separator: "\n").joined(separator: "\n") == foreign.task.notes ?? ""
        {
            foreign.task.notes = notes
        }
        if let text = extras["recurrence"], foreign.task.recurrence == nil {
            let recurrence = TaskRecurrence(stored: text)
            if recurrence.text == text { foreign.task.recurrence = recurrence }
        }
        foreign.task.checklist = TaskSteps.list(extras["steps"] ?? "")
        if foreign.task.state != .open, let started = extras["started"] {
            foreign.task.startedAt = TaskwarriorFormat.time(.string(started))
        }
        foreign.task.percent = extras["percent"].flatMap { Int($0) }.flatMap { (0...100).contains($0) ? $0 : nil }
        foreign.task.series = extras["series"].flatMap { EntityID($0) }
    }
}
