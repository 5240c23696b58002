import ArgumentParser
import HelixModel
import HelixStore
import HelixTasks

/// One or two groupings: `project`, `project,task`.
struct TimeGroupings: ExpressibleByArgument {
    /// The inner grouping.
    var inner: TimeGrouping
    /// The outer grouping.
    var outer: TimeGrouping?

    init(_ inner: TimeGrouping) { self.inner = inner }

    var defaultValueDescription: String { ([outer, inner].compactMap { $0 }).map(\.rawValue).joined(separator: ",") }

    /// Parses one or two different fields, separated by a comma.
    init?(argument: String) {
        let fields = argument.split(separator: ",", omittingEmptySubsequences: false).map {
            TimeGrouping(rawValue: String($0))
        }
        guard fields.count <= 2, let last = fields.last ?? nil, let first = fields.first ?? nil else { return nil }
        guard fields.count == 1 || first != last else { return nil }
        (inner, outer) = (last, fields.count == 2 ? first : nil)
    }

    static var allValueStrings: [String] { TimeGrouping.allCases.map(\.rawValue) }
}

/// `helix time report`
struct TimeReport: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "report", abstract: "Report time by day, project, task, tag or customer.",
        discussion: """
            Default: this week. Days show the planned hours of the calendar, tasks their estimates. --round rounds each \
            entry to the nearest multiple.

              helix time report
              helix time report 2026-11 --by customer --billable --round 15m
              helix time report week --by project,task
              helix time report this year --by project --where '+phone' --csv
              helix time report 2026 --by project --output hours.svg
            """)
    static let reports: [PrintedReport] = [.json(TimeSumReport.self)]

    @Argument(
        help: ArgumentHelp("The days, and a filter.", valueName: "range"),
        completion: .custom(CompletionLists.timeRange))
    var range: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("day, project, task, tag or customer; or two, separated by a comma.", valueName: "field"),
        completion: .list(["day", "project", "task", "tag", "customer"]))
    var by = TimeGroupings(.day)

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Round each entry to the nearest multiple.", valueName: "length"))
    var round: String?

    @Flag(name: .long, help: "Only billable time.")
    var billable = false

    @Option(
        name: .long, help: ArgumentHelp("Only entries that match a filter; see helix-query(7).", valueName: "filter"),
        completion: .custom(CompletionLists.timeQuery))
    var `where`: String?

    @Flag(name: .long, help: "Print the totals as CSV; 'helix time export' prints the entries.")
    var csv = false

    @OptionGroup var bounds: RangeOptions
    @OptionGroup var charts: ChartOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        var command = Self()
        (command.range, command.by, command.round, command.billable) = (words, TimeGroupings(.day), nil, false)
        (command.where, command.csv, command.bounds, command.output) = (nil, false, .unset, .unset)
        (command.list, command.charts) = (.unset, .unset)
        return command
    }

    mutating func take(_ option: String, _ value: String) -> Bool {
        guard option == "--by", let grouping = TimeGroupings(argument: value) else { return false }
        by = grouping
        return true
    }

    func run(in context: CommandContext) throws {
        let (range, words) = range.rangeAndFilter
        let filter = try context.timeFilters.filter(words.filter(with: `where`))
        guard !range.isEmpty || bounds.isGiven || !filter.namesTime else {
            throw HelixError(
                .usage, "a report takes its time as a range, not in the filter",
                hint: "Put the range before the filter: helix time report november project:house.")
        }
        let span = try context.timeRange(range, bounds)
        let unit = try round.map { try context.dates.duration($0) } ?? 0
        let filters = (filter: filter, billable: billable)
        let items =
            if let outer = by.outer {
                try groupedItems(outer, in: span, filters, unit: unit, context)
            } else {
                try items(in: span, filters, unit: unit, context)
            }
        let report = TimeSumReport(items: items, by: by, span: span, isRounded: unit > 0)
        if csv {
            try output.refuseMachine("CSV")
            return try context.write(report.csv)
        }
        try context.present(report, charts: charts)
    }

    private func items(
        in span: TimeRange, _ filters: (filter: TimeFilter, billable: Bool), unit: Int, _ context: CommandContext
    ) throws -> [TimeSumItem] {
        let store = try context.store()
        var sums = TimeSums(by: by.inner, unit: unit, zone: context.zone, now: context.now)
        try store.timeSlices(
            in: span, by: by.inner, filter: filters.filter, billable: filters.billable, zone: context.zone
        ) { sums.add($0) }
        switch by.inner {
        case .day:
            for busy in try store.busyTimes(in: span, zone: context.zone) { sums.plan(busy) }
        case .task:
            for task in try store.tasks(sums.tasks) { sums.plan(task.task.id, task.task.estimate) }
        default: break
        }
        return sums.items()
    }

    /// The totals of each group, largest first; days in order.
    private func groupedItems(
        _ outer: TimeGrouping, in span: TimeRange, _ filters: (filter: TimeFilter, billable: Bool), unit: Int,
        _ context: CommandContext
    ) throws -> [TimeSumItem] {
        var whole = TimeSums(by: outer, unit: unit, zone: context.zone, now: context.now)
        var parts: [String: TimeSums] = [:]
        try context.store().timeSlices(
            in: span, by: by.inner, within: outer, filter: filters.filter, billable: filters.billable,
            zone: context.zone
        ) { slice in
            for (key, part, seconds) in whole.add(group: slice) {
                parts[key, default: TimeSums(by: by.inner, unit: unit, zone: context.zone, now: context.now)].add(
                    part, seconds: seconds)
            }
        }
        return whole.keyedItems().flatMap { key, group in
            (parts[key]?.items() ?? []).map { item in
                var item = item
                (item.group, item.groupDate) = (group.date.map { ISO8601.text($0) } ?? group.name, group.date)
                return item
            }
        }
    }
}
