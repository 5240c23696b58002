import ArgumentParser
import HelixModel
import HelixStore

/// `helix time add`
struct TimeAdd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Add a time entry, past or planned.",
        discussion: """
            The line has the time and a description or a task id. Days are in the past: 'fri 9-10' is last Friday, 'for \
            2h' ends now; future time needs --planned. Overlapping entries are refused; --adjust trims them.

              helix time add 9-11:30 "Review offers" --project house
              helix time add "Offers for 45m"
              helix time add yesterday 14:00 for 45m k3f7 --billable
              helix time add 2026-11-20 9:00-9:30 "Standup" --adjust
              helix time add yesterday 9-10 -- Friday demo
            """)
    static let reports: [PrintedReport] = [.json(TimeChangeReport.self)]

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("Time and description; after -- the description alone.", valueName: "text"))
    var words: [String]

    @Option(name: .long, help: ArgumentHelp("The description; the words are then the time.", valueName: "text"))
    var title: String?

    @Flag(name: .long, help: "Add planned time.")
    var planned = false

    @OptionGroup var options: TimeOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let (line, rest) = try words.lineAndTitle(of: "time add", takesShort: true)
        if let title, !rest.isEmpty { throw HelixError.twoTitles(rest.joined(separator: " "), title) }
        let (span, found) = try context.span(line, planned: planned)
        let given = title ?? (rest.isEmpty ? nil : rest.joined(separator: " "))
        var remarks: [String] = []
        let added = try context.store().change("add time", command: "time add") { change in
            var entry = TimeEntry(start: span.start, end: span.end)
            try options.apply(to: &entry, found.isEmpty ? [] : [found], context, change)
            if let given {
                if let found = entry.title, !found.isEmpty { throw HelixError.twoTitles(found, given) }
                entry.title = given
            }
            remarks = CommandContext.remarks(try change.addEntry(entry, adjusts: options.adjust))
            let added = try change.timeEntry(entry.id)
            change.summary = "add \(DateWords.text(hours: span.duration)) for '\(added.title)'"
            return added
        }
        try context.presentTime([("Added", added)], remarks: remarks)
    }
}

extension CommandContext {
    /// Parses the time of a line, and returns it with the remaining words.
    ///
    /// Time tracking looks back: `fri 9-10` is last Friday, `for 2h` ends now.
    /// - Parameter planned: whether the time is in the future.
    /// - Throws: ``HelixError`` of code `usage`.
    func span(_ words: [String], planned: Bool) throws -> (TimeRange, title: String) {
        if let (task, rest) = try withoutTaskID(words), !rest.isEmpty {
            let (span, title) = try self.span(rest, planned: planned)
            if title.isEmpty { return (span, task) }
        }
        let dates = dates.looking(planned ? .ahead : .back)
        let phrase = try dates.event(arguments: words, readsPlaces: false)
        if let miss = phrase.nearMiss { throw miss.error }
        var when = phrase.when
        let text = words.joined(separator: " ")
        guard when.repetition == nil else { throw HelixError(.usage, "cannot add recurring time: '\(text)'") }
        guard !when.isPartOnly, when.period == nil || when.time != nil else {
            throw HelixError(
                .usage, "'\(text)' has no start time",
                hint: "Write it like 'yesterday 14:00 for 45m'.")
        }
        let isTimed = when.time != nil || when.instant != nil || when.duration != nil && when.date == nil
        guard isTimed, when.endTime != nil || when.endInstant != nil || when.duration != nil else {
            throw HelixError(
                .usage, "'\(text)' has no start and end",
                hint: "Write it like 9-11:30, 'yesterday 14:00 for 45m' or '2026-11-20 9:00-9:30'.")
        }
        // `22:00-23:30` in the morning means last night; `11-12` at ten is a mistake.
        if !planned, when.date == nil, let time = when.time, zone.instant(CivilDateTime(today) + time) > now,
            time >= 17 * 3600, zone.civil(now).hour < 15
        {
            when.date = today - 1
        }
        let span = try dates.range(when, text).timeRange(in: zone)
        guard span.duration > 0 else { throw HelixError(.usage, "'\(text)' ends before it starts") }
        if !planned, span.end > now + 60 {
            throw HelixError(
                .usage, "\(viewer.span(.timed(span))) is not over yet",
                hint: "Give the date, or pass --planned for future time.")
        }
        return (span, phrase.title)
    }
}

/// `helix time edit`
struct TimeEdit: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "edit", abstract: "Edit a time entry, or all entries that match a filter.",
        discussion: """
            title: sets the title, +tag and -tag change tags, project: sets the project, a task id assigns the entry to \
            that task. Without changes, opens the entry in your editor. --where edits all entries that match a filter.

              helix time edit k3f7
              helix time edit k3f7 --start 9:15
              helix time edit k3f7 title:"Review of the offers" +phone
              helix time edit k3f7 --duration 1h30m --adjust
              helix time edit --where 'project:house date:last_month' --billable
            """)
    static let reports: [PrintedReport] = [.json(TimeChangeReport.self)]

    @Argument(help: ArgumentHelp("The entry.", valueName: "id"), completion: .custom(CompletionLists.timeIDs))
    var entry: String?

    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("title:, project:, +tag, -tag, or a task.", valueName: "changes"))
    var words: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Edit all entries that match this filter; see helix-query(7).", valueName: "filter"),
        completion: .custom(CompletionLists.timeQuery))
    var `where`: String?

    @Option(name: .long, help: ArgumentHelp("Set the title.", valueName: "text"))
    var title: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Start.", valueName: "when"))
    var start: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("End.", valueName: "when"))
    var end: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Duration.", valueName: "length"))
    var duration: String?

    @OptionGroup var options: TimeOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if end != nil && duration != nil { throw ValidationError("--end and --duration exclude each other.") }
        if `where` != nil, start != nil || end != nil || duration != nil {
            throw ValidationError("--where and --start, --end or --duration exclude each other.")
        }
    }

    func run(in context: CommandContext) throws {
        if let `where` { return try change(where: `where`, context) }
        guard let entry else {
            throw HelixError(
                .usage, "no entry given", hint: "Give an id, as shown by 'helix time log', or --where.")
        }
        let found = try context.timeEntry(entry)
        let isEmpty =
            words.isEmpty && title == nil && start == nil && end == nil && duration == nil && options.isEmpty
        guard isEmpty else { return try change(found, context) }
        guard context.canEdit else {
            throw HelixError(
                .usage, "no changes given",
                hint: "Use --start, --end, title:\"…\" or +tag. On a terminal, the editor opens instead.")
        }
        try openEditor(found, context)
    }

    /// Applies arguments and options to an entry, except its times.
    private func apply(
        _ words: [String], to entry: inout TimeEntry, _ context: CommandContext, _ change: Change
    ) throws {
        let former = entry.title
        try options.apply(to: &entry, words, context, change, isEdit: true)
        guard let title else { return }
        if let said = entry.title, said != former, said != title { throw HelixError.twoTitles(said, title) }
        (entry.title, entry.task) = (title.isEmpty ? nil : title, nil)
    }

    /// Changes all entries that match a filter, in one change set.
    /// - Throws: ``HelixError``.
    private func change(where filter: String, _ context: CommandContext) throws {
        let words = try ([entry].compactMap { $0 } + self.words).plainWords(of: "time edit")
        guard !words.isEmpty || title != nil || !options.isEmpty else {
            throw HelixError(
                .usage, "no changes given", hint: "Use title:\"…\", project:, +tag or --billable.")
        }
        let found = context.targeted(try context.timeEntries(where: filter), "entries")
        guard !found.isEmpty else { throw HelixError(.notFound, "no time entry matches '\(filter)'") }
        let changed = try context.store().change("edit \(found.count) time entries", command: "time edit") { change in
            try found.map { details in
                var entry = details.entry
                try apply(words, to: &entry, context, change)
                try change.saveEntry(entry, adjusts: false)
                return try change.timeEntry(entry.id)
            }
        }
        try context.presentTime(changed.map { ("Changed", $0) })
    }

    /// Changes an entry by arguments and options.
    /// - Throws: ``HelixError``.
    func change(_ found: TimeEntryDetails, _ context: CommandContext) throws {
        let words = try words.plainWords(of: "time edit")
        var dates = context.dates.looking(.back)
        dates.readsHours = true
        var remarks: [String] = []
        let changed = try context.store().change("edit '\(found.title)'", command: "time edit") { change in
            var entry = found.entry
            try apply(words, to: &entry, context, change)
            let former = entry
            if let start { entry.start = try dates.moment(start, from: former.start, in: context.zone) }
            if let end { entry.end = try dates.moment(end, from: former.end ?? context.now, in: context.zone) }
            if let duration { entry.end = entry.start + (try dates.duration(duration)) }
            // An edit must not move the end of a past entry into the future.
            if let last = entry.end, last > context.now + 60, former.end ?? context.now <= context.now + 60 {
                throw HelixError(
                    .usage, "it would end in the future, at \(context.viewer.moment(last))",
                    hint: "Give a past time; 'helix time add --planned' adds future time.")
            }
            remarks = CommandContext.remarks(try change.saveEntry(entry, adjusts: options.adjust))
            return try change.timeEntry(entry.id)
        }
        try context.presentTime([("Changed", changed)], remarks: remarks)
    }
}

/// `helix time split`
struct TimeSplit: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "split", abstract: "Split a time entry in two.",
        discussion: """
              helix time split k3f7
              helix time split k3f7 --at 10:30
            """)
    static let reports: [PrintedReport] = [.json(TimeChangeReport.self)]

    @Argument(help: ArgumentHelp("The entry.", valueName: "id"), completion: .custom(CompletionLists.timeIDs))
    var entry: String

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("The time; default: the middle.", valueName: "when"))
    var at: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let found = try context.timeEntry(entry)
        let range = found.entry.range(at: context.now)
        var dates = context.dates
        if context.zone.date(range.start) != context.today {
            dates.now = context.zone.startOfDay(context.zone.date(range.start))
        }
        let time = try at.map { try dates.moment($0).instant(in: context.zone) } ?? range.start + range.duration / 2
        guard time > range.start, time < range.end else {
            throw HelixError(
                .usage, "\(context.viewer.moment(time)) is not within the entry",
                hint: "Its range is \(context.viewer.moment(range.start)) to \(context.viewer.clock(range.end)).")
        }
        let parts = try context.store().change("split '\(found.title)'", command: "time split") { change in
            var first = found.entry
            first.end = time
            try change.saveEntry(first, adjusts: false)
            var second = found.entry
            (second.id, second.start) = (EntityID(), time)
            try change.addEntry(second, adjusts: false)
            return [("First", try change.timeEntry(first.id)), ("Second", try change.timeEntry(second.id))]
        }
        try context.presentTime(parts)
    }
}

/// `helix time join`
struct TimeJoin: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "join", abstract: "Join two time entries, including the time between them.",
        discussion: "  helix time join k3f7 x2b9")
    static let reports: [PrintedReport] = [.json(TimeChangeReport.self)]

    @Argument(
        help: ArgumentHelp("The entry to keep.", valueName: "id"), completion: .custom(CompletionLists.timeIDs))
    var first: String

    @Argument(
        help: ArgumentHelp("The entry to merge.", valueName: "id"),
        completion: .custom(CompletionLists.timeIDs))
    var second: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let (a, b) = (try context.timeEntry(first), try context.timeEntry(second))
        guard a.entry.id != b.entry.id else { throw HelixError(.usage, "these are the same entry") }
        let joined = try context.store().change("join '\(a.title)' and '\(b.title)'", command: "time join") { change in
            try change.deleteEntry(b.entry.id)
            var entry = a.entry
            entry.start = min(a.entry.start, b.entry.start)
            entry.end = a.entry.end.flatMap { mine in b.entry.end.map { max(mine, $0) } }
            entry.tags += b.entry.tags
            try change.saveEntry(entry, adjusts: false)
            return try change.timeEntry(entry.id)
        }
        try context.presentTime([("Joined", joined)])
    }
}
