import HelixModel

/// Tasks as a Markdown checklist: `- [ ] Paint the door`, with subtasks indented and projects as headings.
public enum MarkdownFormat {
    /// Parses a file.
    /// - Throws: ``HelixError`` of code `badInput` if it is not text.
    public static func read(_ bytes: [UInt8], dates: DatePhraseParser) throws -> ForeignTasks {
        let file = try ForeignText(bytes)
        var reader = MarkdownReader(dates: dates)
        reader.found.defects = file.defects
        let lines = file.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in lines.enumerated() { reader.read(String(line), place: "line \(number + 1)") }
        return reader.found
    }

    /// Sets the fields of a line; false if it has no title besides them.
    /// - Throws: ``HelixError`` of code `badInput` for fields that a checklist cannot set.
    static func apply(
        _ changes: TaskChanges, to foreign: inout ForeignTask, _ dates: DatePhraseParser
    ) throws -> Bool {
        guard let title = changes.title else { return false }
        var (rest, task) = (changes, foreign.task)
        task.title = title
        task.tags = changes.addedTags
        task.due = changes.due.applied(to: nil)
        task.scheduled = changes.scheduled.applied(to: nil)
        task.hiddenUntil = changes.hiddenUntil.applied(to: nil)
        task.priority = changes.priority.applied(to: nil)
        task.estimate = changes.estimate.applied(to: nil)
        task.percent = changes.percent.applied(to: nil)
        for property in TaskProperty.all {
            property.set(&task, changes[property].applied(to: nil))
            rest[property] = .keep
        }
        if let text = changes.recurrence.applied(to: nil) {
            let first = task.due?.date(in: dates.zone) ?? dates.today
            let series = try TaskSeries.recurrence(
                text, first: first, dates: dates, keepsMonthEnd: changes.isDueMonthEnd)
            task.recurrence = series
            task.due = task.due ?? .date(TaskSeries.first(series, from: first) ?? first)
        }
        (rest.title, rest.addedTags, rest.isDueMonthEnd) = (nil, [], false)
        (rest.due, rest.scheduled, rest.hiddenUntil) = (.keep, .keep, .keep)
        (rest.priority, rest.estimate, rest.percent, rest.recurrence) = (.keep, .keep, .keep, .keep)
        (rest.project, rest.block) = (.keep, .keep)
        guard rest.isEmpty else {
            throw HelixError(.badInput, "it has fields that an import of a checklist does not set")
        }
        foreign.task = task
        foreign.block = changes.block.applied(to: nil)
        return true
    }

    /// Whether words of a title would be read as fields: `Mail about +home`.
    public static func readsAsFields(_ title: String, dates: DatePhraseParser) -> Bool {
        guard let read = try? TaskLineParser(dates: dates).changes(title).title else { return false }
        return read != title
    }

    /// An item of the checklist: a task or a step of one.
    public struct Place: Sendable {
        /// The task.
        public var task: EntityID
        /// The index of the step; nil for the task itself.
        public var step: Int?
    }

    /// The tasks and steps of a checklist, in the order in which ``text(_:zone:)`` writes them.
    public static func places(_ tasks: [TaskDetails]) -> [Place] {
        var places: [Place] = []
        walk(
            tasks, heading: { _ in },
            item: { details, _ in
                places.append(Place(task: details.task.id))
                for index in details.task.checklist.indices { places.append(Place(task: details.task.id, step: index)) }
            })
        return places
    }

    /// The checklist of tasks: a heading for each project, subtasks indented below their parents.
    public static func text(_ tasks: [TaskDetails], zone: Zone) -> String {
        var out = ""
        var heading = ""
        walk(tasks) { name in
            heading = name
            if !out.isEmpty { out += "\n" }
            if !name.isEmpty { out += "## \(name)\n\n" }
        } item: { details, depth in
            let task = details.task
            var words = [task.title]
            if let priority = task.priority { words.append("priority:\(priority.name)") }
            switch task.due {
            case .date(let date)?: words.append("due:\(ISO8601.text(date))")
            case .moment(let instant)?:
                let civil = zone.civil(instant)
                let clock = ISO8601.padded(civil.hour, 2) + ":" + ISO8601.padded(civil.minute, 2)
                words.append("due:\"\(ISO8601.text(civil.date)) \(clock)\"")
            case nil: break
            }
            words += task.tags.map { "+" + $0 }
            if depth > 0, details.project ?? "" != heading {
                words.append(details.project.map { "project:\"\($0)\"" } ?? "project:none")
            }
            let box = task.state == .open ? "[ ]" : "[x]"
            out += String(repeating: "  ", count: depth) + "- \(box) " + words.joined(separator: " ") + "\n"
            for step in task.checklist {
                out += String(repeating: "  ", count: depth + 1) + "- \(step.done ? "[x]" : "[ ]") " + step.text + "\n"
            }
        }
        return out
    }

    /// Calls `heading` with each project's name and `item` with each task and its depth, in the order of the checklist.
    private static func walk(
        _ tasks: [TaskDetails], heading: (String) -> Void, item: (TaskDetails, Int) -> Void
    ) {
        // A checklist has no state for dropped tasks.
        let tasks = tasks.filter { $0.task.state != .dropped }
        let known = Set(tasks.map(\.task.id))
        let parts = Dictionary(grouping: tasks.filter { $0.task.parent.map(known.contains) ?? false }) {
            $0.task.parent
        }
        let roots = tasks.filter { !($0.task.parent.map(known.contains) ?? false) }
        func visit(_ details: TaskDetails, _ depth: Int) {
            item(details, depth)
            for part in parts[details.task.id] ?? [] { visit(part, depth + 1) }
        }
        let projects = Dictionary(grouping: roots) { $0.project ?? "" }
        for name in projects.keys.sorted() {
            heading(name)
            for root in projects[name] ?? [] { visit(root, 0) }
        }
    }
}
