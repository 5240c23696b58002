import ArgumentParser
import HelixModel

/// `helix cal month`
struct CalMonth: HelixCommand {
    static let configuration = CommandConfiguration(
        commandName: "month", abstract: "Show a month.",
        discussion: """
              helix cal month
              helix cal month next month
              helix cal month 2026-12 --calendar work
            """)

    @Argument(help: ArgumentHelp("The month, or a day in it.", valueName: "date"))
    var date: [String] = []

    @OptionGroup var calendars: CalendarOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let month = try context.day(date).startOfMonth
        let first = month.startOfWeek(on: context.configuration.firstWeekday)
        let weeks = (month.adding(months: 1) - 1 - first) / 7 + 1
        // Programs get the month; the sheet also shows the days beside it.
        let isSheet = !output.isMachine
        let from = isSheet ? first : month
        let count = isSheet ? weeks * 7 : month.adding(months: 1) - month
        let items = try context.items(from: from, count: count, calendars: calendars)
        try context.present(MonthReport(items: items, month: month))
    }
}
