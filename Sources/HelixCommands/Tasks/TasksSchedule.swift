import ArgumentParser
import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// `helix tasks schedule`
struct TasksSchedule: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "schedule", abstract: "Schedule time for a task in the calendar before it is due.",
        discussion: """
            Schedules the estimated duration in working hours, in one block, or in several with --pieces. The event is \
            linked to the task.

              helix tasks schedule k3f7
              helix tasks schedule k3f7 --pieces 1h --calendar work
              helix tasks schedule k3f7 --duration 45m --dry-run
            """)
    static let reports: [PrintedReport] = [.json(SavedReport.self), .json(FreeReport.self, with: "--dry-run")]

    @Argument(help: ArgumentHelp("The task.", valueName: "id"), completion: .custom(CompletionLists.taskIDs))
    var task: String

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Duration; default: the estimate.", valueName: "length"))
    var duration: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Split into blocks of this length.", valueName: "length"))
    var pieces: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Start no earlier than this.", valueName: "when"))
    var from: String?

    @Option(name: .long, help: ArgumentHelp("The hours of the day.", valueName: "9-17"))
    var hours: String?

    @Option(
        name: [.customShort("c"), .long], help: ArgumentHelp("The calendar to book in.", valueName: "name"),
        completion: .custom(CompletionLists.calendars))
    var calendar: String?

    @Flag(name: .long, help: "Schedule more time in addition to what is scheduled.")
    var again = false

    @Flag(name: .long, help: "Show the time without scheduling.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let details = try context.task(task)
        let task = details.task
        guard task.state == .open else {
            throw HelixError(.conflict, "'\(task.title)' is \(task.state.rawValue)")
        }
        guard let length = try duration.map({ try context.dates.duration($0) }) ?? task.estimate, length > 0 else {
            throw HelixError(
                .usage, "'\(task.title)' has no estimate",
                hint: "Set one: --duration 1h, or helix tasks edit \(self.task) estimate:1h.")
        }
        let zone = context.zone
        if !again, let booked = try context.bookings(of: task.id).first {
            throw HelixError(
                .conflict, "'\(task.title)' is scheduled already: \(context.viewer.span(booked.time))",
                hint: "--again schedules more; 'helix cal delete \(booked.event.text.prefix(6))' removes that event.")
        }
        let start = max(context.now, try from.map { try context.dates.moment($0).instant(in: zone) } ?? context.now)
        let deadline = task.due?.end(in: zone)
        let end = deadline ?? start + 28 * 86_400
        let slots = try context.times(
            length: length, piece: try pieces.map { try context.dates.duration($0) }, in: start, end, hours: hours)
        guard let slots else {
            throw HelixError(
                .conflict,
                "no free time of \(DateWords.text(hours: length)) for '\(task.title)' "
                    + (deadline == nil ? "in the next four weeks" : "before it is due"),
                hint: "Try --pieces 30m, other --hours, or a later due time.")
        }
        let store = try context.store()
        let saved = try store.trying("schedule '\(task.title)'", command: "tasks schedule", isDryRun: dryRun) {
            change in
            let target = try calendar.map { try change.calendar(named: $0) } ?? change.defaultCalendar()
            return try slots.map { slot in
                var changes = EventChanges()
                changes.title = task.title
                changes.start = .zoned(zone.civil(slot.start), zone)
                changes.end = .zoned(zone.civil(slot.end), zone)
                try context.align(&changes)
                let uid = EntityID().text + "@helix"
                let component = ICalendarComponent.event(uid: uid, now: context.now, changes)
                let id = try change.createEvent([component], uid: uid, zones: nil, in: target.id)
                try change.addLink(id, task.id, .related)
                return try SavedEvent(id, change, context, .allow)
            }
        }
        if dryRun {
            try context.present(
                FreeReport(items: slots.map { FreeItem(range: $0) }, isTruncated: false, duration: length))
            return context.noteDryRun()
        }
        try context.presentSaved("Booked", saved)
    }
}

extension CommandContext {
    /// The occurrences within a year of the events that a task is linked with, the next one first.
    /// - Throws: ``HelixError``.
    func bookings(of task: EntityID) throws -> [Occurrence] {
        let store = try store()
        let others = try store.links(of: task).map { $0.a == task ? $0.b : $0.a }
        if others.isEmpty { return [] }
        let events = try store.entities(others).values.filter { $0.kind == .event }
        let span = TimeRange(start: now, end: now + 366 * 86_400)
        return try events.flatMap { try store.occurrences(in: span, zone: zone, calendars: .all, event: $0.id) }
            .sorted { $0.time.range(in: zone).start < $1.time.range(in: zone).start }
    }

    /// The first free times with a total of `length` seconds, in one piece or in several; nil if there are not enough.
    /// - Throws: ``HelixError``.
    func times(length: Int, piece: Int?, in start: Instant, _ end: Instant, hours: String?) throws -> [TimeRange]? {
        // Start at a multiple of five minutes.
        let first = Instant((start.seconds + 299) / 300 * 300)
        guard first < end else { return nil }
        let span = TimeRange(start: first, end: end)
        guard let piece, piece > 0, piece < length else {
            return try freeSlots(in: span, duration: length, hours: hours).first.map {
                [TimeRange(start: $0.start, end: $0.start + length)]
            }
        }
        var rest = length
        var times: [TimeRange] = []
        for slot in try freeSlots(in: span, duration: min(piece, 15 * 60), hours: hours) {
            var from = slot.start
            while rest > 0 {
                let take = min(piece, rest)
                guard slot.end - from >= take else { break }
                times.append(TimeRange(start: from, end: from + take))
                rest -= take
                // One piece per free slot, so that work and breaks alternate.
                from = slot.end
            }
            if rest == 0 { return times }
        }
        return nil
    }
}
