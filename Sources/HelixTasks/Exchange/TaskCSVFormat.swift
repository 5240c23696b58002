import HelixModel

/// Tasks in helix's own CSV: all fields of a task, in a table that spreadsheets open.
public enum TaskCSVFormat {
    /// The relations of a task, by UID.
    public struct Ties {
        /// The UID of the parent.
        public var parent: String?
        /// The UIDs of the blockers.
        public var blockers: [String]

        /// Creates relations.
        public init(parent: String?, blockers: [String]) {
            (self.parent, self.blockers) = (parent, blockers)
        }
    }

    /// Whether a table has these columns.
    public static func isFormat(_ table: CSVTable) -> Bool { table.has("id", "title", "status") }

    /// The table of tasks.
    /// - Parameter ties: the relations of a task; the UID of a task itself is its ID.
    public static func text(_ tasks: [TaskDetails], zone: Zone, ties: (TaskDetails) -> Ties) -> String {
        var text = TaskCSVColumn.all.map(\.name).joined(separator: ",") + "\r\n"
        for details in tasks {
            let row = TaskCSVColumn.Row(details: details, ties: ties(details), zone: zone)
            text += TaskCSVColumn.all.map { CSVField.text($0.write(row)) }.joined(separator: ",") + "\r\n"
        }
        return text
    }

    /// Reads the tasks of a table.
    /// - Parameter zone: the time zone of days in place of times.
    public static func read(_ table: CSVTable, now: Instant, zone: Zone) -> ForeignTasks {
        var found = ForeignTasks()
        found.defects = table.surplus
        let names = Set(TaskCSVColumn.all.map(\.name))
        for column in table.columns where !names.contains(column) && !column.isEmpty {
            found.omitted["column '\(column)'"] = table.records.count
        }
        // The lines of the tasks by ID.
        var lines: [String: Int] = [:]
        for record in table.records {
            let (id, place) = (record["id"], "line \(record.line)")
            if let other = lines[id] {
                let reason = "the row on line \(other) has its id '\(id)', and is imported"
                found.defects.append(ForeignDefect(place, reason))
                continue
            }
            if !id.isEmpty { lines[id] = record.line }
            guard let title = record.whole("title").map(CSVField.value), !title.isEmpty else {
                found.defects.append(ForeignDefect(place, "the task has no title"))
                continue
            }
            var reader = TaskCSVRecordReader(title: title, now: now, zone: zone)
            reader.read(record)
            found.defects += reader.reasons.map { ForeignDefect(place, $0, isPartial: true) }
            found.tasks.append(reader.foreign)
        }
        return found
    }

    /// The UID of the task with an ID.
    static func uid(_ id: String) -> String { EntityID(id) == nil ? "csv " + id : id + "@helix" }

    /// A day, or a time with an offset.
    static func time(_ text: String) -> TaskTime? {
        ISO8601Reader.date(text).map { .date($0) } ?? ISO8601Reader.instant(text).map { .moment($0) }
    }
}

/// The steps of a checklist as lines of text: `[x] Buy paint`.
enum TaskSteps {
    static func text(_ steps: [ChecklistItem]) -> String {
        steps.map { ($0.done ? "[x] " : "[ ] ") + $0.text }.joined(separator: "\n")
    }

    static func list(_ text: String) -> [ChecklistItem] {
        text.split(separator: "\n").prefix(1000).compactMap { line in
            guard line.hasPrefix("[x] ") || line.hasPrefix("[ ] ") else { return nil }
            return ChecklistItem(String(line.dropFirst(4)), done: line.hasPrefix("[x]"))
        }
    }
}
