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
            "A tag; may be repeated. +word adds one, -word removes one, a plain word replaces all.",
            valueName: "word"))
    var tag: [String] = []

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Mark as billable (--no-billable: not billable).")
    var billable: Bool?

    @Option(name: .long, help: ArgumentHelp("Notes.", valueName: "text"))
    var note: String?

    @Flag(name: .long, help: "Trim overlapping entries.")
    var adjust = false

    /// None given.
    static var unset: TimeOptions {
        var options = TimeOptions()
        (options.project, options.tag, options.billable) = (nil, [], nil)
        (options.note, options.adjust) = (nil, false)
        return options
    }

    /// Whether no option is given that changes an entry.
    var isEmpty: Bool { project == nil && tag.isEmpty && billable == nil && note == nil }

    /// What words and options say, on an entry.
    /// - Parameter isEdit: whether the entry has a title, which only `title:` changes.
    /// - Throws: ``HelixError``.
    func apply(
        to entry: inout TimeEntry, _ words: [String], _ context: CommandContext, _ change: Change, isEdit: Bool = false
    ) throws {
        if words.count == 1, let task = try context.taskIfID(words[0], change) {
            entry.task = task.task.id
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
                    .usage, "the line says 'project' already, and --project says '\(project)'",
                    hint: "Say it in one of the two.")
            }
            if note != nil, said.notes != .keep {
                throw HelixError(.usage, "the line says a note, and --note says one", hint: "Say it in one of the two.")
            }
            if !tag.isEmpty, said.replacedTags != nil || !said.addedTags.isEmpty || !said.removedTags.isEmpty,
                tag.contains(where: { !"+-".contains($0.first ?? " ") }), isEdit
            {
                throw HelixError(
                    .usage, "the line changes tags, and --tag replaces all", hint: "Say all in one of the two.")
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
    /// - Parameter isEdit: whether plain ones take the place of those that are there.
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
    /// Refuses fields that only tasks have: they would be lost.
    /// - Throws: ``HelixError`` of code `usage`.
    private func refuseForeign(_ said: TaskChanges) throws {
        var rest = said
        (rest.title, rest.project, rest.notes, rest.addedTags, rest.removedTags) = (nil, .keep, .keep, [], [])
        guard !rest.isEmpty else { return }
        throw HelixError(
            .usage, "a time entry has title, project:, note:, +tag and -tag, and no other field of a task",
            hint: "In double quotes it belongs to the title.")
    }
}

extension CommandContext {
    /// The task that a word names, if it is an id of one: four letters or more that begin exactly one.
    func taskIfID(_ word: String, _ change: Change) throws -> TaskDetails? {
        guard word.count >= 4, word.count <= 16, word.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
            return nil
        }
        return try change.taskIfUnique(EntityPrefix(word))
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

    @Argument(
        help: ArgumentHelp("A task's id, or what is done.", valueName: "task"),
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

    @Argument(
        help: ArgumentHelp("A task's id, or what is done.", valueName: "task"),
        completion: .custom(CompletionLists.taskIDs))
    var words: [String]

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("The time.", valueName: "when"))
    var at: String?

    @OptionGroup var options: TimeOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        guard try context.store().runningEntry() != nil else {
            throw HelixError(.conflict, "the clock does not run", hint: "'helix time start' starts it.")
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
            throw HelixError(.notFound, "there is nothing to resume", hint: "'helix time start' starts the clock.")
        }
        if entry == nil, let running = try store.runningEntry() {
            throw HelixError(
                .conflict, "the clock runs already for '\(running.title)'",
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
    /// The moment that words say, or now.
    /// - Throws: ``HelixError`` of code `usage`.
    func moment(_ text: String?) throws -> Instant {
        guard let text else { return now }
        var dates = dates.looking(.back)
        dates.readsHours = true
        return try dates.moment(text).instant(in: zone)
    }

    /// An entry that was stopped, for a report; nothing if none was, or if it had no length.
    func described(_ stopped: TimeEntry?, _ change: Change) throws -> [(String, TimeEntryDetails)] {
        guard let stopped, let found = try? change.timeEntry(stopped.id) else { return [] }
        return [("Stopped", found)]
    }

    /// The time at which the clock starts, and the words without those that say it.
    /// - Throws: ``HelixError`` of code `usage`.
    private func startTime(_ words: [String], at: String?) throws -> (Instant, [String]) {
        let phrase = try dates.looking(.back).event(arguments: words, readsPlaces: false)
        let when = phrase.when
        if when.isEmpty { return (try moment(at), words) }
        guard at == nil, !when.saysEnd, when.repetition == nil, when.period == nil,
            when.time != nil || when.instant != nil
        else {
            throw HelixError(
                .usage,
                "'\(words.joined(separator: " "))' says \(dates.description(of: when)), but a clock starts at one moment",
                hint: "Say it like '10 min ago' or 9:30; words of the title go in double quotes inside the line.")
        }
        let day = when.date ?? today
        let instant = when.instant ?? (when.zone ?? zone).instant(CivilDateTime(day) + (when.time ?? 0))
        return (instant, phrase.title.isEmpty ? [] : [phrase.title])
    }

    /// Starts the clock; what runs is stopped.
    /// - Throws: ``HelixError``.
    func startClock(_ words: [String], at: String?, options: TimeOptions, command: String) throws {
        let said = at ?? words.joined(separator: " ")
        let (time, words) = try startTime(words, at: at)
        if time > now + 60 {
            throw HelixError(
                .usage, "'\(said)' is still to come, and a clock runs from now on",
                hint: "'helix time add --planned \"\(said) for 1h\"' enters time that is planned.")
        }
        var remarks: [String] = []
        let changes = try store().change("start the clock", command: command) { change in
            var entry = TimeEntry(start: time)
            try options.apply(to: &entry, words, self, change)
            let running = try change.runningEntry()
            if let running, running.entry.task != nil, running.entry.task == entry.task {
                throw HelixError(.conflict, "the clock runs already for '\(running.title)'")
            }
            let stopped = try change.stopTimer(at: time)
            if let running, try described(stopped, change).isEmpty {
                let name = running.title.isEmpty ? "What ran" : "'\(running.title)'"
                remarks.append("\(name) had only just started, so nothing of it is kept.")
            }
            remarks += CommandContext.remarks(change.stopAdjustment)
            remarks += CommandContext.remarks(try change.addEntry(entry, adjusts: options.adjust))
            if let task = entry.task {
                let full = try change.beginTask(task)
                if let full { remarks.append("The column '\(full.name)' is full, so the task stays where it is.") }
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
