import ArgumentParser
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix cal agenda`
struct CalAgenda: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "agenda", abstract: "List events by day.",
        discussion: """
            Without a range, the next seven days.

              helix cal agenda
              helix cal agenda this week --calendar work
              helix cal agenda mon..fri --json
              helix cal agenda --from 2026-12-01 --to 2027-01-01 --fields start,title
            """)
    static let reports: [PrintedReport] = [.json(AgendaReport.self), .json(AgendaTasksReport.self, with: "--tasks")]

    @Argument(
        help: ArgumentHelp("The days to list: a day, 'this week', 2026-12, mon..fri, 'today 14d'.", valueName: "range"))
    var range: [String] = []

    @Option(name: .long, help: ArgumentHelp("Number of days to list.", valueName: "n"))
    var days: Int?

    @Flag(name: .long, help: "Also list tasks on the day on which they are due.")
    var tasks = false

    @OptionGroup var bounds: RangeOptions
    @OptionGroup var calendars: CalendarOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        var command = Self()
        (command.range, command.days, command.tasks, command.bounds) = (words, nil, false, .unset)
        (command.calendars, command.list, command.output) = (.unset, .unset, .unset)
        return command
    }

    func validate() throws {
        if list.ids { try output.refuseMachine("ids") }
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
        var span = phrase.timeRange(in: context.zone)
        // From a moment on, such as 'now', the rest of its day is meant.
        if span.duration <= 0 { span.end = context.zone.startOfDay(context.zone.date(span.start) + 1) }
        let found = try context.store().occurrences(
            in: span, zone: context.zone, calendars: try context.selection(calendars.calendar))
        let items = try context.linked(OccurrenceItem.list(found, policy: context.conflictPolicy))
        let first = context.zone.date(span.start)
        let last = context.zone.date(span.end - 1)
        var report = AgendaReport(items: items, first: first, dayCount: max(1, last - first + 1))
        if tasks { report.tasks = try context.tasks(dueFrom: first, to: last) }
        if list.ids, !list.readsAll { return try context.write(ids(of: report)) }
        guard tasks else { return try context.present(report, ids: items.map(\.occurrence.event)) }
        if output.isMachine || list.printsLines || list.readsAll {
            let all = items.map(AgendaItem.event) + report.tasks.map(AgendaItem.task)
            return try context.present(AgendaTasksReport(items: all))
        }
        try context.present(report, ids: items.map(\.occurrence.event) + report.tasks.map(\.task.id))
    }
}

extension CalAgenda {
    /// The ids of the events and tasks of a report, without duplicates, one per line.
    private func ids(of report: AgendaReport) -> String {
        var known: Set<EntityID> = []
        let ids = (report.items.map(\.occurrence.event) + report.tasks.map(\.task.id)).filter {
            known.insert($0).inserted
        }
        return ids.prefix(output.limit ?? ids.count).map { $0.text + "\n" }.joined()
    }
}

extension CommandContext {
    /// The open tasks due from `first` to `last`, inclusive.
    /// - Throws: ``HelixError``.
    func tasks(dueFrom first: CivilDate, to last: CivilDate) throws -> [TaskItem] {
        let instants = zone.range(from: first, to: last + 1)
        let bounds = TaskFilter.TimeBounds(
            instants: instants.start.seconds..<instants.end.seconds,
            civil: CivilDateTime(first).seconds..<CivilDateTime(last + 1).seconds)
        let found = try store().tasks(
            .all([.state(.open), .kind(.task), .time(.due, .equal, bounds)]), order: .due, zone: zone, urgency: urgency)
        return try items(found.tasks)
    }
}

/// An item of a list of events and tasks.
enum AgendaItem: MixedItem {
    case event(OccurrenceItem)
    case task(TaskItem)

    static let variants: [any DescribedItem.Type] = [OccurrenceItem.self, TaskItem.self]

    var variant: any DescribedItem {
        switch self {
        case .event(let item): item
        case .task(let item): item
        }
    }
}

/// The events and tasks of a range of days, for programs; for people ``AgendaReport`` draws them.
struct AgendaTasksReport: Report {
    static let schema = "helix.cal.agenda.tasks/1"
    var items: [AgendaItem]
    var isTruncated = false

    func limited(to count: Int) -> AgendaTasksReport {
        AgendaTasksReport(items: Array(items.prefix(count)), isTruncated: items.count > count)
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {}
}
