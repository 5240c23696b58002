import ArgumentParser
import HelixCalendar
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix time log`
struct TimeLog: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "log", abstract: "List time entries by day.",
        discussion: """
            Default: this week; a time in the filter replaces that.

              helix time log
              helix time log yesterday
              helix time log 2026-11 project:house +phone
            """)
    static let reports: [PrintedReport] = [.json(TimeLogReport.self)]

    @Argument(
        help: ArgumentHelp("The days, and a filter.", valueName: "range"),
        completion: .custom(CompletionLists.timeRange))
    var range: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Only entries that match a filter; see helix-query(7).", valueName: "filter"),
        completion: .custom(CompletionLists.timeQuery))
    var `where`: String?

    @OptionGroup var bounds: RangeOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        var command = Self()
        (command.range, command.where, command.bounds, command.output) = (words, nil, .unset, .unset)
        command.list = .unset
        return command
    }

    func run(in context: CommandContext) throws {
        let (range, words) = range.rangeAndFilter
        let filter = try context.timeFilters.filter(words.filter(with: `where`))
        // A time in the filter replaces the default range.
        let isFree = range.isEmpty && !bounds.isGiven && filter.namesTime
        let span = isFree ? TimeRange.always : try context.timeRange(range, bounds)
        let found = try context.store().timeEntries(in: span, filter: filter, zone: context.zone)
        try context.present(TimeLogReport(items: context.items(found), span: span), ids: found.map(\.entry.id))
        if found.isEmpty { context.noteWhole(words, of: .timeEntries) }
    }
}

extension [String] {
    /// Splits arguments into a range of days and a filter: `last week project:house +phone`.
    var rangeAndFilter: (range: [String], filter: [String]) {
        func isFilter(_ given: String) -> Bool {
            var word = given.trimmingBlanks()[...]
            if word == "not" || word == "or" { return true }
            // `-x` excludes a tag; `-3d` is a day.
            if word.hasPrefix("-"), word.dropFirst().first?.isLetter == true, !word.contains(":") { return true }
            word = word.drop { $0 == "!" || $0 == "-" || $0 == "(" }
            if word.hasPrefix("+") || word.hasPrefix("@") { return word.dropFirst().first?.isLetter == true }
            let name = word.prefix { $0.isLetter || $0 == "." }
            return name.count > 1 && word.dropFirst(name.count).first.map { ":<>=".contains($0) } ?? false
        }
        guard let first = firstIndex(where: isFilter) else { return (self, []) }
        return (Array(self[..<first]), Array(self[first...]))
    }

    /// The conjunction of these filter words and those of `--where`.
    func filter(with other: String?) -> String {
        let line = ArgumentQuoting.line(self)
        guard let other, !other.isEmpty else { return line }
        return line.isEmpty ? other : "(\(line)) (\(other))"
    }
}

extension CommandContext {
    /// The parser of filters of time entries; `@name` is a saved view of tasks.
    var timeFilters: TimeQueryParser {
        TimeQueryParser(dates: dates, me: try self.ownNames()) { [self] name in
            try store().savedView(named: name)?.filter
        }
    }

    /// All entries that match a filter, of any time.
    /// - Throws: ``HelixError``.
    func timeEntries(where filter: String) throws -> [TimeEntryDetails] {
        try store().timeEntries(in: .always, filter: try timeFilters.filter(filter), zone: zone)
    }

    /// The range of arguments or options; by default, this week.
    /// - Throws: ``HelixError`` of code `usage`.
    func timeRange(_ words: [String], _ bounds: RangeOptions) throws -> TimeRange {
        let monday = today.startOfWeek(on: configuration.firstWeekday)
        return try bounds.range(words, self, looking: .back, of: .week) {
            PhraseRange(start: .date(monday), end: .date(monday + 7))
        }.timeRange(in: zone)
    }
}

/// `helix time gaps`
struct TimeGaps: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "gaps", abstract: "List working hours without tracked time.",
        discussion: """
              helix time gaps
              helix time gaps yesterday --hours 8-18 --least 15m
            """)
    static let reports: [PrintedReport] = [.json(GapsReport.self)]

    @Argument(help: ArgumentHelp("The days.", valueName: "range"))
    var range: [String] = []

    @Option(name: .long, help: ArgumentHelp("Working hours of the day.", valueName: "9-17"))
    var hours: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Only gaps of at least this duration.", valueName: "length"))
    var least: String = "5m"

    @OptionGroup var bounds: RangeOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        var span = try context.timeRange(range, bounds)
        span.end = min(span.end, context.now)
        let shortest = try context.dates.duration(least)
        let (start, end) = try hours.map { try context.dates.hours($0) } ?? context.configuration.hours
        var gaps: [FreeItem] = []
        if span.start < span.end {
            let working = WorkingHours(start: start, end: end, weekdays: context.configuration.days)
            let entries = try context.store().timeEntries(in: span, zone: context.zone)
            for window in working.windows(in: span, zone: context.zone) {
                var from = window.start
                for entry in entries {
                    let taken = entry.entry.range(at: max(context.now, entry.entry.start))
                    guard taken.overlaps(window) else { continue }
                    if taken.start - from >= shortest {
                        gaps.append(FreeItem(range: TimeRange(start: from, end: taken.start)))
                    }
                    from = max(from, taken.end)
                }
                if window.end - from >= shortest, window.end > from {
                    gaps.append(FreeItem(range: TimeRange(start: from, end: window.end)))
                }
            }
        }
        try context.present(GapsReport(items: gaps))
    }
}

/// Working hours without tracked time.
struct GapsReport: OrderedReport {
    static let schema = "helix.time.gaps/1"
    var items: [FreeItem]
    var isTruncated = false

    func limited(to count: Int) -> GapsReport {
        GapsReport(items: Array(items.prefix(count)), isTruncated: items.count > count)
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("No gaps.", TextStyle(.green))) }
        var table = Table([.init(), .init(), .init(right: true)])
        var day: CivilDate?
        for item in items {
            let date = viewer.zone.date(item.range.start)
            table.row([
                StyledText(date == day ? "" : viewer.day(date), .bold),
                StyledText(viewer.clock(item.range.start) + "–" + viewer.clock(item.range.end)),
                StyledText(DateWords.text(hours: item.range.duration), .dim),
            ])
            day = date
        }
        table.draw(on: &canvas)
        if isTruncated { canvas.line(StyledText("More results: raise --limit.", .dim)) }
    }
}
