import HelixModel

/// Google Tasks as Google Takeout writes them: `Tasks.json` with a list of task lists.
public enum GoogleTasksFormat {
    /// Whether a file is one.
    public static func isFormat(_ value: JSONText) -> Bool {
        value["kind"]?.text?.hasPrefix("tasks#") == true && value["items"]?.elements != nil
    }

    /// Reads the tasks; the lists become projects. Deleted tasks are left out.
    public static func read(_ value: JSONText, now: Instant) -> ForeignTasks {
        var found = ForeignTasks()
        var lists = value["items"]?.elements ?? []
        // The API writes a single list (`tasks#tasks`).
        if !lists.contains(where: { $0["items"] != nil }) { lists = [value] }
        for list in lists {
            let project = list["title"]?.text
            for (number, item) in (list["items"]?.elements ?? []).enumerated() {
                let place = [list["title"]?.text, "task \(number + 1)"].compactMap { $0 }.joined(separator: ", ")
                guard var foreign = task(item, place, &found, now: now) else { continue }
                foreign.project = project
                found.tasks.append(foreign)
            }
        }
        // A parent stands before its subtasks here, whatever the order of the file.
        let known = Set(found.tasks.compactMap(\.task.uid))
        for place in found.tasks.indices {
            guard let parent = found.tasks[place].parentUID, !known.contains(parent) else { continue }
            found.tasks[place].parentUID = nil
            found.defects.append(
                ForeignDefect(
                    "'\(found.tasks[place].task.title)'", "its parent is not in the file; it is no subtask here",
                    isPartial: true))
        }
        return found
    }

    private static func task(
        _ item: JSONText, _ place: String, _ found: inout ForeignTasks, now: Instant
    ) -> ForeignTask? {
        guard let title = item["title"]?.text, !title.trimmingBlanks().isEmpty else {
            // Google keeps empty lines as tasks.
            found.omitted["tasks without a title", default: 0] += 1
            return nil
        }
        if case .bool(true)? = item["deleted"] {
            found.omitted["deleted tasks", default: 0] += 1
            return nil
        }
        let time = { (name: String) in item[name]?.text.flatMap(ISO8601Reader.instant) }
        for name in ["created", "updated", "completed"] where item[name] != nil && time(name) == nil {
            let text = item[name]?.compact ?? ""
            found.defects.append(ForeignDefect(place, "its \(name) time \(text) is no time", isPartial: true))
        }
        for name in ["notes", "due", "status", "parent"] where item[name].map({ $0.text == nil && !$0.isNull }) ?? false
        {
            found.defects.append(
                ForeignDefect(place, "its \(name) \(item[name]?.compact ?? "") is no text", isPartial: true))
        }
        if let status = item["status"]?.text, !["needsAction", "completed"].contains(status) {
            found.defects.append(ForeignDefect(place, "unknown status '\(status)'; the task is open", isPartial: true))
        }
        var foreign = ForeignTask(title: title, createdAt: time("created") ?? time("updated") ?? now)
        foreign.task.uid = item["id"]?.text.map { "google " + $0 } ?? "google \(title)"
        foreign.modifiedAt = time("updated")
        foreign.task.notes = item["notes"]?.text.flatMap { $0.isEmpty ? nil : $0 }
        foreign.parentUID = item["parent"]?.text.map { "google " + $0 }
        if let scheduled = item["scheduled_time"]?.elements?.last?["start"]?.text.flatMap(ISO8601Reader.instant) {
            foreign.task.due = .moment(scheduled)
        } else if let due = time("due") {
            // Google has no time of day: it writes midnight in UTC.
            foreign.task.due = .date(Zone.utc.date(due))
        } else if let due = item["due"]?.text {
            found.defects.append(ForeignDefect(place, "its due date '\(due)' is not a date", isPartial: true))
        }
        if case .bool(true)? = item["starred"] { foreign.task.tags.append("starred") }
        if item["status"]?.text == "completed" {
            foreign.task.state = .done
            foreign.task.completedAt = time("completed") ?? foreign.modifiedAt ?? now
        }
        for name in ["links", "recurrence", "task_recurrence_id"] where item[name] != nil {
            found.omitted[name, default: 0] += 1
        }
        return foreign
    }
}
