import HelixModel

/// Tasks as a Markdown checklist: `- [ ] Paint the door`, with subtasks indented and projects as headings.
public enum MarkdownFormat {
    /// Parses a file.
    /// - Throws: ``HelixError`` of code `badInput` if it is not text.
    public static func read(_ bytes: [UInt8], dates: DatePhraseParser) throws -> ForeignTasks {
        if bytes.contains(0) {
            throw HelixError(.badInput, "the file is not text: it contains NUL bytes")
        }
        var found = ForeignTasks()
        var project: String?
        // The possible parents of the next task, with their indentation and UID.
        var open: [(indent: Int, uid: String)] = []
        let lines = TaskLineParser(dates: dates)
        for (number, raw) in String(decoding: bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).enumerated() {
            let line = String(raw)
            if line.hasPrefix("#") {
                project = line.drop { $0 == "#" }.description.trimmingBlanks()
                if project?.isEmpty == true { project = nil }
                open = []
                continue
            }
            let indent = line.prefix { $0 == " " || $0 == "\t" }.reduce(0) { $0 + ($1 == "\t" ? 4 : 1) }
            let text = line.trimmingBlanks()
            guard let item = item(text) else {
                if !text.isEmpty { found.kept["lines that are no checklist items", default: 0] += 1 }
                continue
            }
            guard !item.title.isEmpty else {
                found.defects.append(ForeignDefect("line \(number + 1)", "the item is empty"))
                continue
            }
            var foreign = ForeignTask(title: item.title, createdAt: dates.now)
            // Fields that helix writes into the line are parsed; a word that only looks like a field is text.
            var named = Assignment<String>.keep
            if let changes = try? lines.changes(item.title), let title = changes.title {
                named = changes.project
                foreign.task.title = title
                foreign.task.tags = changes.addedTags
                foreign.task.due = changes.due.applied(to: nil)
                foreign.task.priority = changes.priority.applied(to: nil)
                foreign.task.estimate = changes.estimate.applied(to: nil)
            }
            while let last = open.last, last.indent >= indent { open.removeLast() }
            foreign.parentUID = open.last?.uid
            // A subtask may belong to another project than the heading above it.
            switch named {
            case .set(let name): foreign.project = name
            case .clear: foreign.project = nil
            case .keep: foreign.project = project
            }
            foreign.task.uid =
                "markdown " + [project, open.last?.uid, foreign.task.title].compactMap { $0 }.joined(separator: "/")
            if item.isDone {
                foreign.task.state = .done
                foreign.task.completedAt = dates.now
            }
            open.append((indent, foreign.task.uid ?? ""))
            found.tasks.append(foreign)
        }
        return found
    }

    /// Whether words of a title would be read as fields: `Mail about +home`.
    public static func readsAsFields(_ title: String, dates: DatePhraseParser) -> Bool {
        guard let read = try? TaskLineParser(dates: dates).changes(title).title else { return false }
        return read != title
    }

    private static func item(_ text: String) -> (title: String, isDone: Bool)? {
        guard let bullet = text.first, "-*+".contains(bullet) else { return nil }
        let rest = text.dropFirst().drop { $0 == " " }
        for (box, isDone) in [("[ ]", false), ("[x]", true), ("[X]", true)] where rest.hasPrefix(box) {
            return (String(rest.dropFirst(3)).trimmingBlanks(), isDone)
        }
        return nil
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
