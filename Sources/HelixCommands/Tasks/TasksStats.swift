import ArgumentParser
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix tasks stats`
struct TasksStats: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "stats",
        abstract: "Show task statistics: throughput, lead and cycle time, work in progress, burndown, cumulative flow.",
        discussion: """
            Computed from the history. Lead time: from creation to completion; cycle time: from start to completion.

              helix tasks stats
              helix tasks stats project:house --weeks 12
              helix tasks stats --board hiring --json
              helix tasks stats --output flow.svg
            """)
    static let reports: [PrintedReport] = [.json(TaskStatsReport.self)]

    @Argument(
        help: ArgumentHelp("A filter.", valueName: "filter"), completion: .custom(CompletionLists.taskQuery))
    var filter: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("The board.", valueName: "name"), completion: .custom(CompletionLists.boards))
    var board: String?

    @Option(name: .long, help: ArgumentHelp("Number of weeks to look back.", valueName: "n"))
    var weeks: Int = 8

    @OptionGroup var charts: ChartOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if !(1...520).contains(weeks) { throw ValidationError("--weeks takes 1 to 520.") }
    }

    func run(in context: CommandContext) throws {
        let board = try context.board(board)
        let asked = try context.filters.filter(QueryNoun.tasks.line(filter, dates: context.dates))
        let pasts = try context.store().taskPasts(TaskFilter.board(board.name).and(asked), zone: context.zone)
        let flow = TaskFlow(pasts, now: context.now, zone: context.zone)
        let zone = context.zone
        let monday = context.today.startOfWeek(on: context.configuration.firstWeekday)
        let starts = (0..<weeks).map { monday + ($0 - weeks + 1) * 7 }
        let span = TimeRange(start: zone.startOfDay(starts[0]), end: context.now + 1)
        let throughput = starts.map { flow.done(in: zone.range(from: $0, to: $0 + 7)).count }
        // The state at the end of each week; of the current week, the present state.
        let samples = flow.samples(at: starts.map { min(zone.startOfDay($0 + 7), context.now) })
        let aging = Array(flow.aging().prefix(5))
        let item = TaskStatsItem(
            board: board, weeks: starts, throughput: throughput, samples: samples,
            lead: flow.leadTimes(in: span), cycle: flow.cycleTimes(in: span), aging: aging,
            agingTasks: try context.store().tasks(aging.map(\.task)), overdue: flow.overdue,
            completionRate: flow.completionRate(in: span))
        try context.present(TaskStatsReport(items: [item]), charts: charts, ids: aging.map(\.task))
    }
}

/// The statistics of a board.
struct TaskStatsItem: DescribedItem {
    let board: Board
    /// The first day of each week.
    let weeks: [CivilDate]
    let throughput: [Int]
    let samples: [TaskFlow.Sample]
    /// Lead times in seconds, in ascending order.
    let lead: [Int]
    let cycle: [Int]
    let aging: [(task: EntityID, seconds: Int)]
    let agingTasks: [TaskDetails]
    let overdue: Int
    let completionRate: Double?

    static let described = list {
        Field("kind", .choice(["task_stats"]), "The kind of item.") { _ in "task_stats" }
        Field("board", .string, "The board's name.") { $0.board.name }
        Field("open", .integer, "Number of open tasks.") { $0.samples.last?.openTotal ?? 0 }
        Field("in_progress", .integer, "Open tasks beyond the first column.") { $0.inProgress }
        Field("overdue", .integer, "Number of overdue tasks.") { $0.overdue }
        Field("done", .integer, "Tasks completed in the range.") { $0.throughput.reduce(0, +) }
        Field("velocity_this_week", .integer, "Tasks completed this week.") { $0.throughput.last ?? 0 }
        Field("velocity_last_week", .integer, "Tasks completed last week.") { $0.throughput.dropLast().last ?? 0 }
        Field(
            "completion_rate", .number, required: false,
            "Completed share of the tasks created in the range, from 0 to 1."
        ) { item in
            item.completionRate.map { JSONValue.number(($0 * 1000).rounded() / 1000) }
        }
        Field("lead_time_median", .seconds, required: false, "Median of seconds from creation to completion.") {
            TaskFlow.percentile($0.lead, 0.5)
        }
        Field("lead_time_p85", .seconds, required: false, "85th percentile of the lead time.") {
            TaskFlow.percentile($0.lead, 0.85)
        }
        Field("cycle_time_median", .seconds, required: false, "Median of seconds from start to completion.") {
            TaskFlow.percentile($0.cycle, 0.5)
        }
        Field("cycle_time_p85", .seconds, required: false, "85th percentile of the cycle time.") {
            TaskFlow.percentile($0.cycle, 0.85)
        }
        Field(
            "weeks",
            listing: { item in
                item.weeks.indices.map { (item.weeks[$0], item.throughput[$0], item.samples[$0]) }
            }, "The weeks, oldest first."
        ) {
            ReportField("start", .time, "The week's first day.") { ISO8601.text($0.0) }
            ReportField("done", .integer, "Tasks completed in it.") { $0.1 }
            ReportField("open", .integer, "Tasks open at its end.") { $0.2.openTotal }
            ReportField("total_done", .integer, "Total of tasks completed by its end.") { $0.2.done }
        }
        Field(
            "aging",
            listing: { item in
                item.aging.map { old in
                    (old, item.agingTasks.first { $0.task.id == old.task }?.task.title ?? "")
                }
            }, "The tasks in progress for the longest time."
        ) {
            ReportField("id", .id, "The task.") { $0.0.task }
            ReportField("title", .string, "Its title.") { $0.1 }.foreign
            ReportField("seconds", .seconds, "Seconds since work on it began.") { $0.0.seconds }
        }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

    /// The weeks from the first one with tasks on.
    var shownWeeks: Range<Int> {
        let first = weeks.indices.first { throughput[$0] > 0 || samples[$0].openTotal > 0 || samples[$0].done > 0 }
        return (first ?? weeks.indices.last ?? 0)..<weeks.count
    }

    var inProgress: Int {
        let first = board.firstOpenColumn?.id
        return samples.last?.open.filter { $0.key != first }.values.reduce(0, +) ?? 0
    }
}
