import ArgumentParser
import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// `helix cal add`
struct CalAdd: HelixCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add an event.",
        discussion: """
            One line says it all: words about time and place are taken out, the rest is the title. What was understood is
            shown with its date and zone.

              helix cal add "Lunch with Ana tomorrow 12:30 for 45m at Cafe Roma"
              helix cal add "Standup 9:15-9:30" --repeat weekdays --calendar work
              helix cal add "Fair" --start 2026-12-01 --end 2026-12-03 --all-day
              helix cal add "Call Boston" --start "fri 9am" --tz America/New_York --on-conflict suggest
            """)

    @Argument(help: ArgumentHelp("What, when and where.", valueName: "text"))
    var text: [String]

    @Option(
        name: [.customShort("c"), .long], help: ArgumentHelp("The calendar to add it to.", valueName: "name"),
        completion: .custom(CompletionLists.calendars))
    var calendar: String?

    @OptionGroup var event: EventOptions
    @OptionGroup var conflicts: ConflictOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let phrase = context.dates.event(text.joined(separator: " "))
        guard !phrase.title.isEmpty else {
            throw HelixError(
                .usage, "the event has no title", hint: "Say what it is: helix cal add \"Lunch tomorrow 12:30\".")
        }
        guard let span = try EventSpan(phrase.when, event, current: nil, context) else {
            throw HelixError(
                .usage, "'\(phrase.title)' says no date or time",
                hint: "Say when: helix cal add \"\(phrase.title) tomorrow 12:30\", or use --start.")
        }
        var changes = try event.changes(context)
        changes.title = phrase.title
        changes.location = event.location ?? phrase.location
        changes.start = span.start
        changes.end = span.end
        changes.rule = try event.rule(start: span.start, context)
        let uid = EntityID().text + "@helix"
        let component = ICalendarComponent.event(uid: uid, now: context.now, changes)
        let store = try context.store()
        let saved = try context.suggesting(conflicts.onConflict) {
            try store.change("add '\(phrase.title)'", command: "cal add") { change in
                let target = try calendar.map { try change.calendar(named: $0) } ?? change.defaultCalendar()
                let id = try change.createEvent([component], uid: uid, zones: nil, in: target.id)
                return try SavedEvent(id, change, context, conflicts.onConflict)
            }
        }
        try context.presentSaved("Added", [saved])
    }
}

/// An event that was saved, with what it conflicts with.
struct SavedEvent {
    let id: EntityID
    let occurrence: Occurrence?
    let conflicts: [Conflict]

    /// Judges the event inside its change, so that a refusal takes everything back.
    init(_ id: EntityID, _ change: Change, _ context: CommandContext, _ option: OnConflict, at start: EventTime? = nil)
        throws
    {
        self.id = id
        let series = try change.series(of: id)
        conflicts = option == .allow ? [] : try change.conflicts(of: id, series: series, context: context)
        try context.judge(conflicts, of: id, option)
        if let start {
            let instant = start.instant(in: context.zone)
            let range = TimeRange(start: instant, end: instant + 1)
            let found = try change.occurrences(in: range, zone: context.zone, calendars: .all, event: id)
            if let moved = found.first(where: { $0.start(in: context.zone) == instant }) {
                occurrence = moved
                return
            }
        }
        let next =
            series.instances(from: series.isRecurring ? CivilDateTime(seconds: context.now.seconds - 86_400) : nil)
            .first { instance in !series.isRecurring || instance.end >= context.now.seconds }
            ?? series.instances().first { _ in true }
        occurrence = try next.flatMap { instance -> Occurrence? in
            let start =
                instance.basis == .instant
                ? Instant(instance.start) : context.zone.instant(CivilDateTime(seconds: instance.start))
            let range = TimeRange(start: start, end: start + 1)
            return try change.occurrences(in: range, zone: context.zone, calendars: .all, event: id).first
        }
    }
}

extension CommandContext {
    /// Says what was saved, and what it conflicts with.
    /// - Throws: ``HelixError``.
    func presentSaved(_ verb: String, _ saved: [SavedEvent]) throws {
        for event in saved { warn(event.conflicts, of: event.id) }
        let items = saved.compactMap { event in
            event.occurrence.map { occurrence in
                OccurrenceItem(
                    occurrence: occurrence,
                    conflicts: event.conflicts.map { $0.a.event == event.id ? $0.b.event : $0.a.event })
            }
        }
        try present(SavedReport(items: items, verb: verb), ids: items.map(\.occurrence.event))
    }
}

/// Events that were saved.
struct SavedReport: Report {
    static let schema = "helix.cal.saved/1"
    let items: [OccurrenceItem]
    let verb: String

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        for item in items {
            let event = item.occurrence
            var line = StyledText(verb + " ", TextStyle(.green))
            line.append(viewer.short(event.event) + "  ", .dim)
            line.append(event.title, .bold)
            canvas.line(line.fitted(canvas.width))
            let zone = event.time.isAllDay ? "" : " " + viewer.zone.identifier
            let length =
                event.time.isAllDay ? "" : " (\(DateWords.text(duration: event.time.range(in: viewer.zone).duration)))"
            canvas.line("  " + viewer.span(event.time) + length + zone + (event.isRecurring ? " ↻" : ""))
            let place = event.location.map { "  at " + $0 } ?? ""
            canvas.line(StyledText("  \(event.calendar.name)\(place)", .dim).fitted(canvas.width))
        }
    }
}
