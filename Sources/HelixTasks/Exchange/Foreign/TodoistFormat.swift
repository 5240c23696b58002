import HelixModel

/// Todoist's CSV templates and backups: a row for each task, section or comment, with the nesting as a number.
public enum TodoistFormat {
    /// Whether a table has Todoist's columns.
    public static func isFormat(_ table: CSVTable) -> Bool { table.has("type", "content") }

    /// Reads the tasks of a project.
    ///
    /// - Parameter name: the name of the file, which Todoist gives the project's name.
    public static func read(_ table: CSVTable, name: String, dates: DatePhraseParser) -> ForeignTasks {
        var found = ForeignTasks()
        found.defects = table.surplus
        let project = project(name)
        var section: String?
        // The indices of the tasks that may be parents of the next one, by their nesting.
        var open: [(indent: Int, index: Int)] = []
        var met: [String: Int] = [:]
        for record in table.records {
            switch record["type"].lowercased() {
            case "task": break
            case "section":
                section = record["content"].isEmpty ? nil : record["content"]
                open = []
                if project == nil { found.omitted["sections", default: 0] += 1 }
                continue
            case "note":
                addNote(record, &found)
                continue
            case "" where record["content"].isEmpty: continue
            case "meta":
                found.omitted["settings of the project", default: 0] += 1
                continue
            case let type:
                found.defects.append(ForeignDefect("line \(record.line)", "unknown type '\(type)'"))
                continue
            }
            guard var foreign = task(record, &found.defects, dates) else { continue }
            (foreign.project, foreign.block) = (project, project == nil ? nil : section)
            let indent = Int(record["indent"]) ?? 1
            if Int(record["indent"]) == nil, !record["indent"].isEmpty {
                found.defects.append(
                    ForeignDefect("line \(record.line)", "unknown indent '\(record["indent"])'", isPartial: true))
            }
            while let last = open.last, last.indent >= indent { open.removeLast() }
            foreign.parentUID = open.last.flatMap { found.tasks[$0.index].task.uid }
            let path = [project, section, foreign.parentUID, foreign.task.title].compactMap { $0 }
            let uid = "todoist " + path.joined(separator: "/")
            met[uid, default: 0] += 1
            foreign.task.uid = met[uid] == 1 ? uid : uid + " \(met[uid] ?? 0)"
            open.append((indent, found.tasks.count))
            found.tasks.append(foreign)
        }
        return found
    }

    /// `Garden [2203306141].csv` is the project Garden; the inbox is none.
    private static func project(_ file: String) -> String? {
        var name = file
        if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = String(name[..<dot]) }
        if let bracket = name.firstRange(of: " ["), name.hasSuffix("]") { name = String(name[..<bracket.lowerBound]) }
        name = name.trimmingBlanks()
        return name.isEmpty || ["inbox", "-", "standard input"].contains(name.lowercased()) ? nil : name
    }

    private static func task(
        _ record: CSVTable.Record, _ defects: inout [ForeignDefect], _ dates: DatePhraseParser
    ) -> ForeignTask? {
        var (words, tags): ([String], [String]) = ([], [])
        for word in record["content"].split(separator: " ").map(String.init) {
            if word.hasPrefix("@"), word.dropFirst().first?.isLetter == true {
                tags.append(String(word.dropFirst()))
            } else {
                words.append(word)
            }
        }
        guard !words.isEmpty || !tags.isEmpty else {
            defects.append(ForeignDefect("line \(record.line)", "the task has no content"))
            return nil
        }
        // A text of labels alone is the title.
        let title = words.isEmpty ? record["content"] : words.joined(separator: " ")
        var foreign = ForeignTask(
            title: title.hasPrefix("* ") ? String(title.dropFirst(2)) : title, createdAt: dates.now)
        foreign.task.tags = words.isEmpty ? [] : tags
        foreign.task.notes = record["description"].isEmpty ? nil : record["description"]
        func wrong(_ reason: String) {
            defects.append(ForeignDefect("line \(record.line)", reason, isPartial: true))
        }
        // 1 is the highest, and 4 is no priority.
        foreign.task.priority = ["1": .critical, "2": .high, "3": .medium][record["priority"]]
        if !["", "1", "2", "3", "4"].contains(record["priority"]) {
            wrong("unknown priority '\(record["priority"])'")
        }
        let responsible = record["responsible"].prefix { $0 != "(" }.description.trimmingBlanks()
        foreign.task.assignee = responsible.isEmpty ? nil : responsible
        let units = ["": 60, "minute": 60, "day": 86_400]
        if let number = Int(record["duration"]), (1...100_000).contains(number),
            let unit = units[record["duration_unit"].lowercased()]
        {
            foreign.task.estimate = number * unit
        } else if !record["duration"].isEmpty {
            wrong("unknown duration '\(record["duration"]) \(record["duration_unit"])'")
        }
        func keep(_ text: String) {
            foreign.task.notes = [foreign.task.notes, text].compactMap { $0 }.joined(separator: "\n")
        }
        // A time is that of the zone that the row names.
        var local = dates
        if let zone = ZoneDatabase.zone(tzid: record["timezone"]) {
            local = DatePhraseParser(now: dates.now, zone: zone)
        } else if !record["timezone"].isEmpty {
            wrong("unknown time zone '\(record["timezone"])'; its times are read in yours")
        }
        let date = record["date"].isEmpty ? record["deadline"] : record["date"]
        if !date.isEmpty, !set(date, &foreign, local) {
            wrong("its date '\(date)' is not understood and is kept in the notes")
            keep("Date: \(date)")
        }
        if !record["date"].isEmpty, !record["deadline"].isEmpty {
            wrong("its deadline '\(record["deadline"])' is kept in the notes, since it has a date, too")
            keep("Deadline: \(record["deadline"])")
        }
        return foreign
    }

    /// Sets the date of a task, or its recurrence, from words; false if they are not understood.
    private static func set(_ date: String, _ foreign: inout ForeignTask, _ dates: DatePhraseParser) -> Bool {
        if let moment = try? dates.moment(date) {
            switch moment {
            case .date(let day): foreign.task.due = .date(day)
            case .civil, .instant: foreign.task.due = .moment(moment.instant(in: dates.zone))
            }
            return true
        }
        // `every! day` counts from the day on which it was done.
        let isAfter = date.lowercased().hasPrefix("every!")
        var phrase = isAfter ? "every" + date.dropFirst(6) : date
        var clock: Int?
        if let at = phrase.lowercased().firstRange(of: " at ") {
            clock = try? dates.timeOfDay(String(phrase[at.upperBound...]))
            guard clock != nil else { return false }
            phrase = String(phrase[..<at.lowerBound])
        }
        if isAfter { phrase += " after done" }
        guard let recurrence = try? TaskSeries.recurrence(phrase, first: dates.today, dates: dates) else {
            return false
        }
        foreign.task.recurrence = recurrence
        let day = TaskSeries.first(recurrence, from: dates.today) ?? dates.today
        foreign.task.due =
            clock.map { .moment(dates.zone.instant(CivilDateTime(day, secondOfDay: $0))) } ?? .date(day)
        return true
    }

    private static func addNote(_ record: CSVTable.Record, _ found: inout ForeignTasks) {
        let text = record["content"]
        guard !text.isEmpty else { return }
        guard let last = found.tasks.indices.last else {
            found.omitted["comments on the project", default: 0] += 1
            return
        }
        let notes = [found.tasks[last].task.notes, text].compactMap { $0 }
        found.tasks[last].task.notes = notes.joined(separator: "\n")
    }
}
