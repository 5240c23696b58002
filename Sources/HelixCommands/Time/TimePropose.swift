import ArgumentParser
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix time propose`
struct TimePropose: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "propose", abstract: "Suggest time entries from calendar events and completed tasks.",
        discussion: """
            Lists items without tracked time, by number; --accept adds some or all.

              helix time propose
              helix time propose this week
              helix time propose yesterday --accept 1,3
              helix time propose --accept all --project house
            """)
    static let reports: [PrintedReport] = [.json(TimeProposalReport.self)]

    @Argument(help: ArgumentHelp("The days; default: today.", valueName: "range"))
    var range: [String] = []

    @Option(name: .long, help: ArgumentHelp("Accept these, by number, or 'all'.", valueName: "n,n"))
    var accept: String?

    @OptionGroup var options: TimeOptions
    @OptionGroup var bounds: RangeOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let today = context.today
        let span = try bounds.range(range, context, looking: .back) {
            PhraseRange(start: .date(today), end: .date(today + 1))
        }.timeRange(in: context.zone)
        let proposals = try context.proposals(in: span)
        guard let accept else {
            return try context.present(TimeProposalReport(items: context.items(proposals)))
        }
        var chosen: [TimeEntryDetails] = []
        for word in accept.split(separator: ",").map({ String($0).trimmingBlanks() }) {
            if word == "all" {
                chosen = proposals
            } else if let number = Int(word), proposals.indices.contains(number - 1) {
                // Ignore duplicates: `1,1`.
                let proposal = proposals[number - 1]
                if !chosen.contains(where: { $0.entry.id == proposal.entry.id }) { chosen.append(proposal) }
            } else {
                throw HelixError(
                    .usage, "no proposal \(word)",
                    hint: proposals.isEmpty
                        ? "There are no proposals in that range."
                        : "'helix time propose' numbers them, from 1 to \(proposals.count).")
            }
        }
        if chosen.isEmpty { return try context.present(TimeProposalReport(items: [])) }
        let added = try context.store().change("accept \(chosen.count) entries", command: "time propose") { change in
            try chosen.map { details in
                var entry = details.entry
                try options.apply(to: &entry, [], context, change)
                try change.addEntry(entry, adjusts: options.adjust)
                if let origin = entry.origin { try change.addLink(entry.id, origin, .related) }
                return ("Added", try change.timeEntry(entry.id))
            }
        }
        try context.presentTime(added)
    }
}

extension CommandContext {
    /// Proposed entries for events and completed tasks in `range` up to now, where no time is tracked.
    /// - Throws: ``HelixError``.
    func proposals(in range: TimeRange) throws -> [TimeEntryDetails] {
        let span = TimeRange(start: range.start, end: min(range.end, now))
        guard span.start < span.end else { return [] }
        let store = try store()
        var taken = try store.timeEntries(in: span, zone: zone).map { $0.entry.range(at: max(now, $0.entry.start)) }
        var proposals: [TimeEntryDetails] = []
        func propose(
            _ range: TimeRange, title: String, task: EntityID? = nil, origin: EntityID? = nil, project: String? = nil
        ) {
            guard range.duration >= 60, !taken.contains(where: { $0.overlaps(range) }) else { return }
            var entry = TimeEntry(start: range.start, end: range.end)
            (entry.title, entry.task, entry.origin) = (task == nil ? title : nil, task, origin)
            proposals.append(TimeEntryDetails(entry: entry, title: title, project: project, customer: nil))
            taken.append(range)
        }
        for event in try store.occurrences(in: span, zone: zone) where event.isBusy && !event.time.isAllDay {
            let own = event.time.range(in: zone)
            if own.end <= now { propose(own, title: event.title, origin: event.event) }
        }
        // Tasks that were started and completed within the range.
        let bounds = TaskFilter.TimeBounds(
            instants: span.start.seconds..<span.end.seconds, civil: span.start.seconds..<span.end.seconds)
        let done = try store.tasks(
            .all([.state(.done), .time(.completed, .equal, bounds)]), order: .completed, zone: zone, urgency: urgency)
        for details in done.tasks {
            guard let from = details.task.startedAt, let to = details.task.completedAt, to - from <= 12 * 3600 else {
                continue
            }
            propose(
                TimeRange(start: from, end: to), title: details.task.title, task: details.task.id,
                project: details.project)
        }
        return proposals.sorted { $0.entry.start < $1.entry.start }
    }
}

/// A list of proposed entries.
struct TimeProposalReport: CuttableReport {
    static let schema = "helix.time.proposals/1"
    var items: [TimeItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            canvas.line(
                StyledText(
                    "Nothing to propose: no event that took place and no completed task lacks tracked time.", .dim))
            return
        }
        var table = Table([.init(right: true), .init(), .init(), .init(right: true), .init(minimum: 10), .init()])
        for (index, item) in items.enumerated() {
            table.row([
                StyledText("\(index + 1)", .bold),
                StyledText(viewer.near(.date(viewer.zone.date(item.entry.start))), .dim),
                StyledText(item.hours(viewer)), StyledText(DateWords.text(hours: item.seconds)),
                StyledText(item.details.title), StyledText(item.entry.task == nil ? "event" : "task", .dim),
            ])
        }
        table.draw(on: &canvas)
        canvas.line(StyledText("Accept them with --accept 1,2 or --accept all.", .dim))
    }
}
