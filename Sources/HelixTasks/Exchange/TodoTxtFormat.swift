import HelixModel

/// Tasks in todo.txt format, one per line: `(A) 2026-11-01 Call Mom +Family @phone due:2026-12-01`.
public enum TodoTxtFormat {
    /// Parses a file.
    ///
    /// - Parameters:
    ///   - now: the creation time of tasks without a date.
    ///   - zone: the time zone of the dates.
    public static func read(_ bytes: [UInt8], now: Instant, zone: Zone) throws -> ForeignTasks {
        let file = try ForeignText(bytes)
        var found = ForeignTasks()
        found.defects = file.defects
        for (number, line) in file.text.split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }
        ).enumerated() {
            let text = String(line)
            guard !text.trimmingBlanks().isEmpty else { continue }
            let task = task(text, now: now, zone: zone)
            if task.task.recurrence == nil, text.split(separator: " ").contains(where: { $0.hasPrefix("rec:") }) {
                found.defects.append(
                    ForeignDefect(
                        "line \(number + 1)", "its rec: needs a due date or is not supported; it stays in the title",
                        isPartial: true))
            }
            for word in text.split(separator: " ") where isBadDate(word) {
                found.defects.append(
                    ForeignDefect(
                        "line \(number + 1)", "'\(word)' is no date; it stays in the title", isPartial: true))
            }
            found.tasks.append(task)
        }
        return found
    }

    /// Whether a word should be a date and is none: `2026-13-45`, `due:tomorrow`.
    private static func isBadDate(_ word: Substring) -> Bool {
        let named = ["due:", "t:"].first { word.hasPrefix($0) && word.utf8.count > $0.utf8.count }
        let text = word.dropFirst(named?.count ?? 0)
        if named != nil { return ISO8601Reader.date(String(text)) == nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [4, 2, 2]
            && parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
            && ISO8601Reader.date(String(text)) == nil
    }

    /// The task on a line.
    static func task(_ line: String, now: Instant, zone: Zone) -> ForeignTask {
        var words = line.split(separator: " ").map(String.init)[...]
        var foreign = ForeignTask(title: "", createdAt: now)
        func date(_ word: String?) -> CivilDate? { word.flatMap(ISO8601Reader.date) }
        if words.first == "x" {
            words = words.dropFirst()
            foreign.task.state = .done
            foreign.task.completedAt = now
            if let done = date(words.first) {
                foreign.task.completedAt = zone.startOfDay(done)
                words = words.dropFirst()
            }
        } else if let mark = words.first, mark.utf8.count == 3, mark.hasPrefix("("), mark.hasSuffix(")"),
            let letter = mark.dropFirst().first, ("A"..."Z").contains(letter)
        {
            foreign.task.priority = priority(letter)
            words = words.dropFirst()
        }
        if let made = date(words.first) {
            foreign.task.createdAt = zone.startOfDay(made)
            words = words.dropFirst()
        }
        // A repetition is counted from a date.
        let isDated = words.contains { $0.hasPrefix("due:") && date(String($0.dropFirst(4))) != nil }
        var title: [String] = []
        for word in words {
            if word.hasPrefix("+"), word.count > 1, foreign.project == nil {
                foreign.project = String(word.dropFirst())
            } else if word.hasPrefix("+") || word.hasPrefix("@"), word.count > 1 {
                // Contexts, and all projects but the first, are tags.
                foreign.task.tags.append(word.hasPrefix("@") ? String(word.dropFirst()) : word)
            } else if let colon = word.firstIndex(of: ":"), let day = date(String(word[word.index(after: colon)...])) {
                switch word[..<colon] {
                case "due": foreign.task.due = .date(day)
                case "t": foreign.task.hiddenUntil = .date(day)
                default: title.append(word)
                }
            } else if word.hasPrefix("rec:"), isDated, foreign.task.recurrence == nil,
                let recurrence = ForeignRecurrence.todoTxt(String(word.dropFirst(4)))
            {
                foreign.task.recurrence = recurrence
            } else if word.hasPrefix("pri:"), word.count == 5, let letter = word.last, ("A"..."Z").contains(letter) {
                foreign.task.priority = priority(letter)
            } else {
                title.append(word)
            }
        }
        foreign.task.title = title.isEmpty ? line.trimmingBlanks() : title.joined(separator: " ")
        foreign.task.uid = "todo.txt " + foreign.task.title + " " + (foreign.project ?? "")
        foreign.task.extra = JSONText.object([JSONText.Field(name: "todo.txt", value: .string(line))]).compact
        return foreign
    }

    /// The line of a task: the imported one, if nothing has changed since.
    public static func line(_ details: TaskDetails, now: Instant, zone: Zone) -> String {
        let task = details.task
        if let extra = task.extra, let line = (try? JSONText(Array(extra.utf8)))?["todo.txt"]?.text {
            let old = TodoTxtFormat.task(line, now: now, zone: zone)
            // A line without dates does not tell when the task was created or completed.
            let same =
                old.task.title == task.title && old.task.state == task.state && old.task.priority == task.priority
                && old.task.due == task.due && old.task.hiddenUntil == task.hiddenUntil && old.task.tags == task.tags
                && old.project == details.project && old.task.recurrence == task.recurrence
            if same { return line }
        }
        var words: [String] = []
        func day(_ instant: Instant) -> String { ISO8601.text(zone.date(instant)) }
        let letter: String? =
            switch task.priority {
            case .critical?: "A"
            case .high?: "B"
            case .medium?: "C"
            case .low?: "D"
            case nil: nil
            }
        if task.state != .open {
            words += ["x", day(task.completedAt ?? now)]
        } else if let letter {
            words.append("(\(letter))")
        }
        words.append(day(task.createdAt))
        words.append(task.title)
        if let project = details.project { words.append("+" + project.replacing(" ", with: "_")) }
        for tag in task.tags { words.append(tag.hasPrefix("@") || tag.hasPrefix("+") ? tag : "@" + tag) }
        if let due = task.due { words.append("due:" + ISO8601.text(due.date(in: zone))) }
        // Without a date there is nothing to count from.
        if let recurrence = task.recurrence, task.due != nil,
            let value = ForeignRecurrence.todoTxt(recurrence, due: task.due?.date(in: zone))
        {
            words.append("rec:" + value)
        }
        if let hidden = task.hiddenUntil { words.append("t:" + ISO8601.text(hidden.date(in: zone))) }
        if task.state != .open, let letter { words.append("pri:" + letter) }
        return words.joined(separator: " ")
    }

    /// Whether words of a title would be read as fields: `Mail about @home`.
    public static func readsAsFields(_ title: String, now: Instant, zone: Zone) -> Bool {
        task("2026-01-01 " + title, now: now, zone: zone).task.title != title
    }

    private static func priority(_ letter: Character) -> TaskPriority {
        switch letter {
        case "A": .critical
        case "B": .high
        case "C": .medium
        default: .low
        }
    }
}
