import ArgumentParser
import HelixModel

/// `helix cal agenda`
struct CalAgenda: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "agenda", abstract: "List events by day.",
        discussion: """
            Without a range, the next seven days.

              helix cal agenda
              helix cal agenda this week --calendar work
              helix cal agenda mon..fri --json
              helix cal agenda --from 2026-12-01 --to 2027-01-01 --fields start,title
            """)

    @Argument(
        help: ArgumentHelp("The days to list: a day, 'this week', 2026-12, mon..fri, 'today 14d'.", valueName: "range"))
    var range: [String] = []

    @Option(name: .long, help: ArgumentHelp("List so many days.", valueName: "n"))
    var days: Int?

    @OptionGroup var bounds: RangeOptions
    @OptionGroup var calendars: CalendarOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        var command = Self()
        (command.range, command.days, command.bounds) = (words, nil, .unset)
        (command.calendars, command.output) = (.unset, .unset)
        return command
    }

    func validate() throws {
        if let days, !(1...3660).contains(days) { throw ValidationError("--days takes 1 to 3660.") }
    }

    func run(in context: CommandContext) throws {
        let today = context.today
        var phrase = try bounds.range(range, context) {
            PhraseRange(start: .date(today), end: .date(today + 7))
        }
        if let days {
            let start = phrase.start.date(in: context.zone)
            phrase = PhraseRange(start: .date(start), end: .date(start + days))
        }
        let span = phrase.timeRange(in: context.zone)
        let found = try context.store().occurrences(
            in: span, zone: context.zone, calendars: try context.selection(calendars.calendar))
        let items = OccurrenceItem.list(found, policy: context.conflictPolicy)
        let first = context.zone.date(span.start)
        let last = context.zone.date(span.end - 1)
        let report = AgendaReport(items: items, first: first, dayCount: max(1, last - first + 1))
        try context.present(report, ids: items.map(\.occurrence.event))
    }
}
