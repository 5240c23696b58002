import ArgumentParser
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// The options that describe a time entry.
struct TimeOptions: ParsableArguments {
    @Option(
        name: [.customShort("p"), .long], help: ArgumentHelp("The project; created if missing.", valueName: "name"),
        completion: .custom(CompletionLists.projects))
    var project: String?

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Tag; may be repeated. In an existing entry, +word adds one, -word removes one, and a plain word replaces all.",
            valueName: "word"))
    var tag: [String] = []

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Mark as billable; --no-billable as not billable.")
    var billable: Bool?

    @Option(name: .long, help: ArgumentHelp("Notes.", valueName: "text"))
    var note: String?

    @Flag(name: .long, help: "Trim overlapping entries.")
    var adjust = false

    /// No options given.
    static var unset: TimeOptions {
        var options = TimeOptions()
        (options.project, options.tag, options.billable) = (nil, [], nil)
        (options.note, options.adjust) = (nil, false)
        return options
    }

    /// Whether no option changes an entry.
    var isEmpty: Bool { project == nil && tag.isEmpty && billable == nil && note == nil }

    /// Applies arguments and options to an entry.
    /// - Parameter isEdit: whether the entry exists already: then only `title:` changes its title.
    /// - Throws: ``HelixError``.
    func apply(
        to entry: inout TimeEntry, _ words: [String], _ context: CommandContext, _ change: Change, isEdit: Bool = false
    ) throws {
        if words.count == 1, let task = try context.taskIfID(words[0], change) {
            entry.task = task.task.id
        } else if words.count == 1, EntityID(words[0])?.text == words[0], words[0].contains(where: \.isNumber) {
            throw HelixError(
                .notFound, "no task has the id \(words[0])",
                hint: "'helix tasks list' lists tasks; as a description, write it as title:\"\(words[0])\".")
        } else if !words.isEmpty {
            var lines = context.taskLines
            lines.knownFields = ["title", "project", "note", "tag"]
            let said = try lines.changes(
                ArgumentQuoting.line(words, isField: TaskLineParser.isField), for: isEdit ? .edit : .new)
            try refuseForeign(said)
            if let title = said.title { (entry.title, entry.task) = (title, nil) }
            if let tags = said.replacedTags { entry.tags = tags }
            entry.tags += said.addedTags
            entry.tags.removeAll { said.removedTags.contains($0) }
            if let project, said.project != .keep, said.project != (project == "none" ? .clear : .set(project)) {
                throw HelixError(
                    .usage, "'project' is set in the line, and by --project to '\(project)'",
                    hint: "Set it once.")
            }
            if note != nil, said.notes != .keep {
                throw HelixError(.usage, "a note is set in the line, and by --note", hint: "Set it once.")
            }
            if !tag.isEmpty, said.replacedTags != nil || !said.addedTags.isEmpty || !said.removedTags.isEmpty,
                tag.contains(where: { !"+-".contains($0.first ?? " ") }), isEdit
            {
                throw HelixError(
                    .usage, "tags are changed in the line, and replaced by --tag", hint: "Use one of the two.")
            }
            if case .set(let name) = said.project { entry.project = try change.project(named: name) }
            if case .clear = said.project { entry.project = nil }
            entry.note = said.notes.applied(to: entry.note)
        }
        if let project { entry.project = project == "none" ? nil : try change.project(named: project) }
        try applyTags(to: &entry, isEdit: isEdit)
        if let billable { entry.isBillable = billable }
        if let note { entry.note = note.isEmpty ? nil : note }
    }

    /// Changes the tags of an entry by `--tag`.
    /// - Parameter isEdit: whether plain tags replace the existing ones.
    private func applyTags(to entry: inout TimeEntry, isEdit: Bool) throws {
        if tag.isEmpty { return }
        if isEdit, tag.count == 1, tag[0].isEmpty || tag[0].lowercased() == "none" {
            entry.tags = []
            return
        }
        var tags = try TagChange(tag)
        if let gone = tags.removals.first(where: { gone in !entry.tags.contains { $0.lowercased() == gone.lowercased() }
        }) {
            throw HelixError(.usage, "the entry has no tag '\(gone)'")
        }
        if !isEdit { (tags.additions, tags.replacement) = ((tags.replacement ?? []) + tags.additions, nil) }
        entry.tags = tags.applied(to: entry.tags)
    }
}

extension TimeOptions {
    /// Rejects fields that only tasks have: they would be lost.
    /// - Throws: ``HelixError`` of code `usage`.
    private func refuseForeign(_ said: TaskChanges) throws {
        var rest = said
        (rest.title, rest.project, rest.notes, rest.addedTags, rest.removedTags) = (nil, .keep, .keep, [], [])
        guard !rest.isEmpty else { return }
        throw HelixError(
            .usage, "a time entry has only title:, project:, note:, +tag and -tag",
            hint: "Put other words in double quotes to include them in the title.")
    }
}

/// `helix time start`
struct TimeStart: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "start", abstract: "Start the timer, for a task or a description.",
        discussion: """
            Stops the running timer first. A task is started as by 'helix tasks start'.

              helix time start k3f7
              helix time start "Review offers" +phone --project house --billable
              helix time start k3f7 --at "10 min ago"
            """)
    static let reports: [PrintedReport] = [.json(TimeChangeReport.self)]

    @Argument(
        help: ArgumentHelp("A task's id, or a description.", valueName: "task"),
        completion: .custom(CompletionLists.taskIDs))
    var words: [String] = []

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Start.", valueName: "when"))
    var at: String?

    @OptionGroup var options: TimeOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        var command = Self()
        (command.words, command.at, command.options, command.output) = (words, nil, .unset, .unset)
        command.changes = .unset
        return command
    }

    func run(in context: CommandContext) throws {
        try context.startClock(words, at: at, options: options, command: "time start")
    }
}

/// `helix time switch`
struct TimeSwitch: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "switch", abstract: "Stop the timer and start it for something else.",
        discussion: "  helix time switch x2b9 --at 14:30")
    static let reports: [PrintedReport] = [.json(TimeChangeReport.self)]

    @Argument(
        help: ArgumentHelp("A task's id, or a description.", valueName: "task"),
        completion: .custom(CompletionLists.taskIDs))
    var words: [String]

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("The time.", valueName: "when"))
    var at: String?

    @OptionGroup var options: TimeOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        guard try context.store().runningEntry() != nil else {
            throw HelixError(.conflict, "the timer is not running", hint: "'helix time start' starts it.")
        }
        try context.startClock(words, at: at, options: options, command: "time switch")
    }
}

/// `helix time resume`
struct TimeResume: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "resume", abstract: "Resume the timer for the last entry, or for a given one.",
        discussion: """
              helix time resume
              helix time resume k3f7
            """)
    static let reports: [PrintedReport] = [.json(TimeChangeReport.self)]

    @Argument(
        help: ArgumentHelp("An entry.", valueName: "id"), completion: .custom(CompletionLists.timeIDs))
    var entry: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Start.", valueName: "when"))
    var at: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        guard let last = try entry.map({ try context.timeEntry($0) }) ?? store.lastEntry() else {
            throw HelixError(.notFound, "no entry to resume", hint: "'helix time start' starts the timer.")
        }
        if entry == nil, let running = try store.runningEntry() {
            throw HelixError(
                .conflict, "the timer runs already for '\(running.title)'",
                hint: "'helix time switch' starts it for something else.")
        }
        let time = try context.moment(at)
        let changes = try store.change("resume '\(last.title)'", command: "time resume") { change in
            let stopped = try change.stopTimer(at: time)
            var next = last.entry
            (next.id, next.start, next.end, next.origin) = (EntityID(), time, nil, nil)
            try change.addEntry(next, adjusts: false)
            return try context.described(stopped, change) + [("Started", try change.timeEntry(next.id))]
        }
        try context.presentTime(changes)
    }
}

extension CommandContext {
    /// Parses a time; without text, now.
    /// - Throws: ``HelixError`` of code `usage`.
    func moment(_ text: String?) throws -> Instant {
        guard let text else { return now }
        var dates = dates.looking(.back)
        dates.readsHours = true
        return try dates.moment(text).instant(in: zone)
    }

    /// The stopped entry for a report; empty if there is none, or if it had no duration.
    func described(_ stopped: StoppedTimer?, _ change: Change) throws -> [(String, TimeEntryDetails)] {
        guard let stopped, let found = try? change.timeEntry(stopped.entry.id) else { return [] }
        return [("Stopped", found)]
    }

    /// The start time, and the remaining words.
    /// - Throws: ``HelixError`` of code `usage`.
    private func startTime(_ words: [String], at: String?) throws -> (Instant, [String]) {
        if let (task, rest) = try withoutTaskID(words) {
            if rest.isEmpty { return (try moment(at), [task]) }
            let (time, title) = try startTime(rest, at: at)
            if title.isEmpty { return (time, [task]) }
        }
        let phrase = try dates.looking(.back).event(arguments: words, readsPlaces: false)
        let when = phrase.when
        if when.isEmpty { return (try moment(at), words) }
        guard at == nil, !when.saysEnd, when.repetition == nil, when.period == nil,
            when.time != nil || when.instant != nil
        else {
            throw HelixError(
                .usage,
                "'\(words.joined(separator: " "))' means \(dates.description(of: when)), which is not a start time",
                hint: "Write it like '10 min ago' or 9:30; put words of the title in double quotes inside the line.")
        }
        let day = when.date ?? today
        let instant = when.instant ?? (when.zone ?? zone).instant(CivilDateTime(day) + (when.time ?? 0))
        return (instant, phrase.title.isEmpty ? [] : [phrase.title])
    }

    /// Starts the timer; stops a running one first.
    /// - Throws: ``HelixError``.
    func startClock(_ words: [String], at: String?, options: TimeOptions, command: String) throws {
        let said = at ?? words.joined(separator: " ")
        let (time, words) = try startTime(words, at: at)
        if time > now + 60 {
            throw HelixError(
                .usage, "'\(said)' is in the future",
                hint: "'helix time add --planned \"\(said) for 1h\"' adds planned time.")
        }
        var remarks: [String] = []
        let changes = try store().change("start the clock", command: command) { change in
            var entry = TimeEntry(start: time)
            try options.apply(to: &entry, words, self, change)
            let running = try change.runningEntry()
            if let running, running.entry.task != nil, running.entry.task == entry.task {
                throw HelixError(.conflict, "the timer runs already for '\(running.title)'")
            }
            let stopped = try change.stopTimer(at: time)
            if let running, try described(stopped, change).isEmpty {
                let name = running.title.isEmpty ? "The previous entry" : "'\(running.title)'"
                remarks.append("\(name) had only just started, so it was not kept.")
            }
            remarks += stopped.map { CommandContext.remarks($0.adjustment) } ?? []
            remarks += CommandContext.remarks(try change.addEntry(entry, adjusts: options.adjust))
            if let task = entry.task {
                let full = try change.beginTask(task)
                if let full { remarks.append("The column '\(full.name)' is full, so the task was not moved.") }
                let blockers = try change.openBlockers(of: task)
                if !blockers.isEmpty { remarks.append("It still waits for \(try change.described(blockers)).") }
            }
            let started = try change.timeEntry(entry.id)
            change.summary = "start the clock for '\(started.title)'"
            return try described(stopped, change) + [("Started", started)]
        }
        try presentTime(changes, remarks: remarks)
    }
}
