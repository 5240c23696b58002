import ArgumentParser
import HelixModel
import HelixStore

/// `helix time add`
struct TimeAdd: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Add time that was spent, or will be.",
        discussion: """
            When comes first or last, the rest is what was done, or the id of a task. Time that is taken already is \
            refused, unless --adjust trims what is there.

              helix time add 9-11:30 "Review offers" --project house
              helix time add yesterday 14:00 for 45m k3f7 --billable
              helix time add 2026-11-20 9:00-9:30 "Standup" --adjust
            """)

    @Argument(help: ArgumentHelp("When, and what was done.", valueName: "text"))
    var words: [String]

    @OptionGroup var options: TimeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        guard let (span, rest) = TimeAdd.span(words, context) else {
            throw HelixError(
                .usage, "'\(words.joined(separator: " "))' does not say from when to when",
                hint: "Say it like 9-11:30, 'yesterday 14:00 for 45m' or '2026-11-20 9:00-9:30'.")
        }
        var remarks: [String] = []
        let added = try context.store().change("add time", command: "time add") { change in
            var entry = TimeEntry(start: span.start, end: span.end)
            try options.apply(to: &entry, rest, context, change)
            remarks = CommandContext.remarks(try change.addEntry(entry, adjusts: options.adjust))
            let added = try change.timeEntry(entry.id)
            change.summary = "add \(DateWords.text(hours: span.duration)) for '\(added.title)'"
            return added
        }
        try context.presentTime([("Added", added)], remarks: remarks)
    }

    /// No words that say from when to when are more.
    private static let longestSpan = 16

    /// The time that the arguments begin with, and the words after it: no more words than make one stretch of hours.
    /// What was done may have 'midnight' or 'Friday' in it.
    private static func span(_ arguments: [String], _ context: CommandContext) -> (TimeRange, [String])? {
        func range(_ words: some Sequence<String>) -> TimeRange? {
            guard let found = try? context.dates.range(words.joined(separator: " ")) else { return nil }
            // A day alone is no time that was spent.
            if case .date = found.start, case .date = found.end { return nil }
            let range = found.timeRange(in: context.zone)
            return range.duration > 0 ? range : nil
        }
        let words = arguments.flatMap { $0.split(separator: " ").map(String.init) }
        let most = min(words.count, TimeAdd.longestSpan)
        for count in stride(from: 1, through: most, by: 1) {
            guard let found = range(words.prefix(count)) else { continue }
            // `9-11 yesterday`: an argument that is a day and nothing else says of which day the hours are.
            if count == 1, arguments.count > 1, arguments[0] == words[0],
                (try? context.dates.moment(arguments[1])) != nil,
                let dated = range(arguments.prefix(2))
            {
                return (dated, Array(arguments.dropFirst(2)))
            }
            return (found, Array(words.dropFirst(count)))
        }
        // The title may come first: the last words are the time then, as many as can be, so that the day before the
        // hours belongs to them.
        for count in stride(from: most, through: 1, by: -1) {
            if let found = range(words.suffix(count)) { return (found, Array(words.dropLast(count))) }
        }
        return nil
    }
}

/// `helix time edit`
struct TimeEdit: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "edit", abstract: "Change a time entry.",
        discussion: """
            Words are the new title, +tag and -tag change tags, and a task's id alone gives the time to that task.

              helix time edit k3f7 --start 9:15
              helix time edit k3f7 "Review of the offers" +phone
              helix time edit k3f7 --duration 1h30m --adjust
            """)

    @Argument(help: ArgumentHelp("The entry.", valueName: "id"), completion: .custom(CompletionLists.timeIDs))
    var entry: String

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("What was done.", valueName: "text"))
    var words: [String] = []

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("When it began.", valueName: "when"))
    var start: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("When it ended.", valueName: "when"))
    var end: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("How long it was.", valueName: "length"))
    var duration: String?

    @OptionGroup var options: TimeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if end != nil && duration != nil { throw ValidationError("--end and --duration exclude each other.") }
    }

    func run(in context: CommandContext) throws {
        let words = try words.plainWords(of: "time edit")
        let found = try context.timeEntry(entry)
        // A time alone is meant on the entry's own day.
        let day = context.zone.startOfDay(context.zone.date(found.entry.start))
        var dates = context.dates
        dates.now = max(day, context.zone.date(found.entry.start) == context.today ? context.now : day)
        var remarks: [String] = []
        let changed = try context.store().change("edit '\(found.title)'", command: "time edit") { change in
            var entry = found.entry
            try options.apply(to: &entry, words, context, change)
            if let start { entry.start = try dates.moment(start).instant(in: context.zone) }
            if let end { entry.end = try dates.moment(end).instant(in: context.zone) }
            if let duration { entry.end = entry.start + (try dates.duration(duration)) }
            remarks = CommandContext.remarks(try change.saveEntry(entry, adjusts: options.adjust))
            return try change.timeEntry(entry.id)
        }
        try context.presentTime([("Changed", changed)], remarks: remarks)
    }
}

/// `helix time split`
struct TimeSplit: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "split", abstract: "Cut a time entry in two.",
        discussion: """
              helix time split k3f7
              helix time split k3f7 --at 10:30
            """)

    @Argument(help: ArgumentHelp("The entry.", valueName: "id"), completion: .custom(CompletionLists.timeIDs))
    var entry: String

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("When; without, in the middle.", valueName: "when"))
    var at: String?

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
                .usage, "\(context.viewer.moment(time)) does not lie in the entry",
                hint: "It goes from \(context.viewer.moment(range.start)) to \(context.viewer.clock(range.end)).")
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
struct TimeJoin: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "join", abstract: "Make one entry of two; the time between them is filled.",
        discussion: "  helix time join k3f7 x2b9")

    @Argument(
        help: ArgumentHelp("The entry that stays.", valueName: "id"), completion: .custom(CompletionLists.timeIDs))
    var first: String

    @Argument(
        help: ArgumentHelp("The entry that goes into it.", valueName: "id"),
        completion: .custom(CompletionLists.timeIDs))
    var second: String

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

/// `helix time move`
struct TimeMove: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "move", abstract: "Move a time entry to another time; its length stays.",
        discussion: """
              helix time move k3f7 10:00
              helix time move k3f7 yesterday 9:00 --adjust
            """)

    @Argument(help: ArgumentHelp("The entry.", valueName: "id"), completion: .custom(CompletionLists.timeIDs))
    var entry: String

    @Argument(help: ArgumentHelp("When it begins.", valueName: "when"))
    var when: [String]

    @Flag(name: .long, help: "Trim other entries that lie there.")
    var adjust = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let found = try context.timeEntry(entry)
        let time: Instant
        switch try context.dates.moment(when.joined(separator: " ")) {
        case .date(let date):
            // To another day, at the same time of the day.
            let clock = context.zone.civil(found.entry.start).secondOfDay
            time = context.zone.instant(CivilDateTime(date, secondOfDay: clock))
        case let moment: time = moment.instant(in: context.zone)
        }
        var remarks: [String] = []
        let moved = try context.store().change("move '\(found.title)'", command: "time move") { change in
            var entry = found.entry
            entry.end = entry.end.map { time + ($0 - entry.start) }
            entry.start = time
            remarks = CommandContext.remarks(try change.saveEntry(entry, adjusts: adjust))
            return try change.timeEntry(entry.id)
        }
        try context.presentTime([("Moved", moved)], remarks: remarks)
    }
}

/// `helix time delete`
struct TimeDelete: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "delete", abstract: "Delete time entries.",
        discussion: "'helix undo' brings them back.\n\n  helix time delete k3f7")

    @Argument(help: ArgumentHelp("The entries.", valueName: "id"), completion: .custom(CompletionLists.timeIDs))
    var entries: [String]

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let found = try entries.map { try context.timeEntry($0) }
        let what = found.count == 1 ? "the entry for '\(found[0].title)'" : "\(found.count) entries"
        try context.confirm("Delete \(what)?", yes: yes)
        try context.store().change("delete \(what)", command: "time delete") { change in
            for details in found { try change.deleteEntry(details.entry.id) }
        }
        try context.presentTime(found.map { ("Deleted", $0) })
    }
}
