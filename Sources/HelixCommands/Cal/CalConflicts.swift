import ArgumentParser
import HelixCalendar
import HelixModel
import HelixStore

/// `helix cal conflicts`
struct CalConflicts: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "conflicts", abstract: "List overlapping events.",
        discussion: """
            Checks all visible calendars, by default for the next four weeks. Cancelled, declined and free events never \
            conflict; tentative ones conflict softly; all-day events only if busy and with \
            --all-day or the setting conflicts.all-day.

              helix cal conflicts
              helix cal conflicts this month --buffer 10m
              helix cal conflicts 2026 --hours 9-17 --json
            """)
    static let reports: [PrintedReport] = [.json(ConflictReport.self)]

    @Argument(help: ArgumentHelp("The days to check.", valueName: "range"))
    var range: [String] = []

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Also list events closer together than this.", valueName: "length"))
    var buffer: String?

    @Option(name: .long, help: ArgumentHelp("Only conflicts in these hours of the day.", valueName: "9-17"))
    var hours: String?

    @Flag(name: .long, help: "Count busy all-day events as conflicts.")
    var allDay = false

    @OptionGroup var bounds: RangeOptions
    @OptionGroup var calendars: CalendarOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        var command = Self()
        (command.range, command.buffer, command.hours, command.allDay) = (words, nil, nil, false)
        (command.bounds, command.calendars, command.output) = (.unset, .unset, .unset)
        command.list = .unset
        return command
    }

    func run(in context: CommandContext) throws {
        let today = context.today
        let phrase = try bounds.range(range, context) {
            PhraseRange(start: .date(today), end: .date(today + 28))
        }
        let span = phrase.timeRange(in: context.zone)
        var policy = context.conflictPolicy
        if let buffer { policy.buffer = try context.dates.duration(buffer) }
        if allDay { policy.includesAllDay = true }
        // Limited for people only; programs get them all.
        let limit = min(context.listLimit(100), policy.limit)
        if hours == nil { policy.limit = limit }
        var list = try context.store().conflicts(
            in: span, policy: policy, calendars: try context.selection(calendars.calendar))
        if let hours {
            let (start, end) = try context.dates.hours(hours)
            let working = WorkingHours(start: start, end: end)
            list.conflicts = list.conflicts.filter { conflict in
                let around = TimeRange(start: conflict.overlap.start - 86_400, end: conflict.overlap.end + 86_400)
                return working.windows(in: around, zone: context.zone).contains { $0.overlaps(conflict.overlap) }
            }
        }
        if list.conflicts.count > limit {
            list = ConflictList(conflicts: Array(list.conflicts.prefix(limit)), isTruncated: true)
        }
        let first = DateWords.text(context.zone.date(span.start))
        let last = DateWords.text(context.zone.date(span.end - 1))
        let report = ConflictReport(
            items: try context.items(list.conflicts),
            isTruncated: try list.isTruncated || !context.store().unlisted.isEmpty,
            span: first == last ? first : "\(first) – \(last)")
        try context.present(report, ids: list.conflicts.prefix(500).flatMap { [$0.a.event, $0.b.event] })
    }
}
