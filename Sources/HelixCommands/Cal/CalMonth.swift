import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix cal month`
struct CalMonth: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "month", abstract: "Show a month.",
        discussion: """
              helix cal month
              helix cal month next month
              helix cal month 2026-12 --calendar work
              helix cal month --days 90
            """)
    static let reports: [PrintedReport] = [.json(MonthReport.self)]

    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("The month, or a day in it.", valueName: "date"))
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
        if let days, !(1...372).contains(days) { throw ValidationError("--days takes 1 to 372.") }
    }

    func run(in context: CommandContext) throws {
        let day = try context.day(date.plainWords(of: "cal month"), of: .month)
        let month = days == nil ? day.startOfMonth : day
        let end = days.map { day + $0 } ?? month.adding(months: 1)
        let first = month.startOfWeek(on: context.configuration.firstWeekday)
        let weeks = (end - 1 - first) / 7 + 1
        guard output.isMachine || output.limit != nil else {
            // The sheet also shows the days around the month, and for each day only as much as fits.
            let range = context.zone.range(from: first, to: first + weeks * 7)
            let sheet = try context.store().monthSheet(
                in: range, perDay: MonthReport.lines(in: context.terminal.width), policy: context.conflictPolicy,
                calendars: try context.selection(calendars.calendar))
            return try context.present(MonthReport(sheet, first: month, end: end))
        }
        let from = output.isMachine ? month : first
        let count = output.isMachine ? end - month : weeks * 7
        let items = try context.items(from: from, count: count, calendars: calendars)
        try context.present(MonthReport(items: items, first: month, end: end))
    }
}
