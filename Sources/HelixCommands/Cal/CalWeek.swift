import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix cal week`
struct CalWeek: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "week", abstract: "Show a week with a time axis.",
        discussion: """
            Overlapping events are shown side by side, all-day events above; '!' marks a conflict.

              helix cal week
              helix cal week next mon
              helix cal week 2026-12-01 --days 5 --calendar work
            """)
    static let reports: [PrintedReport] = [.json(WeekReport.self)]

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("A day of the week to show, or next, +1, or its number.", valueName: "date"))
    var date: [String] = []

    @Option(name: .long, help: ArgumentHelp("Number of days to show.", valueName: "n"))
    var days: Int?

    @OptionGroup var calendars: CalendarOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        var command = Self()
        (command.date, command.days, command.calendars, command.output) = (words, nil, .unset, .unset)
        return command
    }

    func validate() throws {
        if let days, !(1...31).contains(days) { throw ValidationError("--days takes 1 to 31.") }
    }

    func run(in context: CommandContext) throws {
        let day = try context.day(date.plainWords(of: "cal week"), of: .week)
        // With --days the week begins with the given day.
        let first = days == nil ? day.startOfWeek(on: context.configuration.firstWeekday) : day
        try context.presentDays(from: first, count: days ?? 7, calendars: calendars)
    }
}

/// `helix cal day`
struct CalDay: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "day", abstract: "Show a day with a time axis.",
        discussion: """
              helix cal day
              helix cal day fri
              helix cal day tomorrow --tz America/New_York
            """)
    static let reports: [PrintedReport] = [.json(WeekReport.self)]

    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("The day to show.", valueName: "date"))
    var date: [String] = []

    @Option(name: .long, help: ArgumentHelp("Number of days to show.", valueName: "n"))
    var days: Int?

    @OptionGroup var calendars: CalendarOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        var command = Self()
        (command.date, command.days, command.calendars, command.output) = (words, nil, .unset, .unset)
        return command
    }

    func validate() throws {
        if let days, !(1...31).contains(days) { throw ValidationError("--days takes 1 to 31.") }
    }

    func run(in context: CommandContext) throws {
        try context.presentDays(
            from: try context.day(date.plainWords(of: "cal day"), of: .day), count: days ?? 1, calendars: calendars)
    }
}

extension CommandContext {
    /// Shows several days side by side.
    /// - Throws: ``HelixError``.
    func presentDays(from first: CivilDate, count: Int, calendars: CalendarOptions) throws {
        let items = try items(from: first, count: count, calendars: calendars)
        let report = WeekReport(items: items, first: first, dayCount: count, hours: configuration.hours)
        // The grid shows no ids; only the list that replaces it on a narrow terminal does.
        try present(report, ids: report.isList(in: terminal.width) ? items.map(\.occurrence.event) : [])
    }

    /// The occurrences of several days, with their conflicts.
    /// - Throws: ``HelixError``.
    func items(from first: CivilDate, count: Int, calendars: CalendarOptions) throws -> [OccurrenceItem] {
        let range = zone.range(from: first, to: first + count)
        let found = try store().occurrences(in: range, zone: zone, calendars: try selection(calendars.calendar))
        return try linked(OccurrenceItem.list(found, policy: conflictPolicy))
    }
}
