import ArgumentParser
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix time chart`
struct TimeChart: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "chart", abstract: "Show tracked time on an axis of hours.",
        discussion: """
            One line a day; colours are projects, listed below with totals. Default: this week.

              helix time chart
              helix time chart today
              helix time chart last week project:house
            """)
    static let reports: [PrintedReport] = [.json(TimeChartReport.self)]

    @Argument(
        help: ArgumentHelp("The days, and a filter.", valueName: "range"),
        completion: .custom(CompletionLists.timeRange))
    var range: [String] = []

    @OptionGroup var bounds: RangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let (range, words) = range.rangeAndFilter
        let filter = try context.timeFilters.filter(words.filter(with: nil))
        let span = try context.timeRange(range, bounds)
        let days = context.zone.date(span.end - 1) - context.zone.date(span.start) + 1
        guard days <= 92 else {
            throw HelixError(
                .usage, "cannot chart \(days) days",
                hint: "Use a range of up to three months, or 'helix time report'.")
        }
        let found = try context.store().timeEntries(in: span, filter: filter, zone: context.zone)
        let hours = context.configuration.hours
        try context.present(
            TimeChartReport(
                items: context.items(found), span: span,
                hours: hours.start / 3600..<max(hours.start / 3600 + 1, (hours.end + 3599) / 3600)))
        if found.isEmpty { context.noteWhole(words, of: .timeEntries) }
    }
}

/// A chart of time entries, one strip per day.
struct TimeChartReport: CuttableReport {
    static let schema = "helix.time.log/1"
    var items: [TimeItem]
    var isTruncated = false
    var span: TimeRange
    /// The hours of the day that are always shown.
    var hours: Range<Int>

    private static let colors: [TerminalColor] = [.blue, .green, .magenta, .yellow, .cyan, .orange, .red]
    private static let fills: [Character] = ["█", "▓", "▒", "░", "#", "=", "+"]

    /// A project with its total time.
    private struct Share {
        var name: String
        var seconds: Int
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        let log = TimeLogReport(items: items, span: span)
        let parts = log.parts(viewer.zone)
        if parts.isEmpty { return canvas.line(StyledText("No time was tracked.", .dim)) }
        var shares: [Share] = []
        for part in parts {
            let name = part.item.details.project ?? "no project"
            if let place = shares.firstIndex(where: { $0.name == name }) {
                shares[place].seconds += part.range.duration
            } else {
                shares.append(Share(name: name, seconds: part.range.duration))
            }
        }
        func appearance(_ name: String) -> (style: TextStyle, fill: Character) {
            let place = shares.firstIndex { $0.name == name } ?? 0
            let style = TextStyle(Self.colors[place % Self.colors.count])
            return (style, Self.fills[place % Self.fills.count])
        }
        let days = Dictionary(grouping: parts) { $0.day }
        let first = viewer.zone.date(span.start)
        let last = viewer.zone.date(span.end - 1)
        let shown = (0...max(0, last - first)).map { first + $0 }.filter { days[$0] != nil || last - first < 14 }
        let strips = shown.map { day -> DayStrips.Strip in
            let own = days[day] ?? []
            let blocks = own.map { part -> DayStrips.Block in
                let start = viewer.zone.civil(part.range.start)
                let end = viewer.zone.civil(part.range.end)
                let last = end.date > day ? 1440 : (end.secondOfDay + 59) / 60
                let (style, fill) = appearance(part.item.details.project ?? "no project")
                return DayStrips.Block(
                    minutes: start.secondOfDay / 60..<max(start.secondOfDay / 60 + 1, last),
                    label: part.item.details.title, style: style,
                    fill: fill)
            }
            let sum = own.reduce(0) { $0 + $1.range.duration }
            let name = "\(DateWords.name(day.weekday)) \(day.day) \(DateWords.name(month: day.month))"
            return DayStrips.Strip(
                heading: StyledText(name, day == viewer.today ? .bold : .plain), blocks: blocks,
                text: StyledText(sum == 0 ? "" : DateWords.text(hours: sum), .dim))
        }
        DayStrips(strips, hours: hours) { viewer.clock($0 * 3600) }.draw(on: &canvas)
        canvas.line()
        canvas.flow(
            shares.sorted { $0.seconds > $1.seconds }.map { share in
                let (style, fill) = appearance(share.name)
                var text = StyledText(String(repeating: fill, count: 2), style)
                text.append(" \(share.name) ")
                text.append(DateWords.text(hours: share.seconds), .dim)
                return text
            })
        let sum = shares.reduce(0) { $0 + $1.seconds }
        canvas.line(StyledText("\(DateWords.text(hours: sum)) in total", .bold))
        if isTruncated { canvas.line(StyledText("More results: raise --limit.", .dim)) }
    }
}
