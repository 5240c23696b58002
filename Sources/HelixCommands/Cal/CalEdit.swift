import ArgumentParser
import HelixCalendar
import HelixModel
import HelixStore

/// `helix cal edit`
struct CalEdit: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "edit", abstract: "Edit an event.",
        discussion: """
            Changes only the given fields; everything else, including unknown properties, is kept. Without options, \
            opens the event in your editor.

              helix cal edit k3f7
              helix cal edit k3f7 --title "Lunch with Ana and Bo" --location "Cafe Roma"
              helix cal edit k3f7 --this fri --duration 2h
              helix cal edit k3f7 --future 2027-01-01 --repeat "every 2 weeks"
              helix cal edit k3f7 --all --alarm 10m --on-conflict fail
            """)
    static let reports: [PrintedReport] = [.json(SavedReport.self)]

    @Argument(help: "The event's id.", completion: .custom(CompletionLists.eventIDs))
    var id: String

    @Option(name: .long, help: ArgumentHelp("Set the title.", valueName: "text"))
    var title: String?

    @Option(
        name: [.customShort("c"), .long], help: ArgumentHelp("Move it to this calendar.", valueName: "name"),
        completion: .custom(CompletionLists.calendars))
    var calendar: String?

    @OptionGroup var event: EventOptions
    @OptionGroup var scope: ScopeOptions
    @OptionGroup var conflicts: ConflictOptions
    @OptionGroup var notice: NoticeOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let stored = try context.event(id)
        if try !isSet && calendar == nil && title == nil && event.changes(context).isEmpty {
            guard context.canEdit else {
                throw HelixError(
                    .usage, "no changes given",
                    hint: "Pass --title, --start, --location… On a terminal the editor opens instead.")
            }
            return try openEditor(stored, context)
        }
        try change(stored, context)
    }

    /// Whether an option sets its time.
    private var isSet: Bool {
        event.start != nil || event.end != nil || event.duration != nil || event.allDay || event.repetition != nil
            || event.rrule != nil
    }

    /// Changes an event by the options.
    /// - Throws: ``HelixError``.
    func change(_ stored: StoredEvent, _ context: CommandContext) throws {
        var changes = try event.changes(context)
        if let title, title.allSatisfy(\.isWhitespace) { throw HelixError(.usage, "an event needs a title") }
        changes.title = title
        let (chosen, occurrence) =
            try isSet || !changes.isEmpty
            ? scope.scope(of: stored, context)
            : (.all, context.upcoming(stored, count: 1).first ?? scope.scope(of: stored, context).occurrence)
        let series = stored.series
        try EventOptions.check(changes, of: series.components, context.viewer)
        let current = try context.times(of: occurrence, series, chosen)
        try setTimes(in: &changes, series, current, chosen, context)
        let touched = chosen == .all ? nil : changes.start ?? current.start
        let post = InvitationPost(context, silent: notice.silent)
        try post.prepare(stored.components)
        let store = try context.store()
        let saved = try context.suggesting(conflicts.onConflict) {
            try store.change("edit '\(occurrence.title)'", command: "cal edit") { change in
                let ids = try apply(changes, to: stored, chosen, change, context)
                try post.changed(stored.id, from: stored.components, change)
                for id in ids where id != stored.id { try post.changed(id, from: stored.components, change) }
                return try ids.map {
                    try SavedEvent($0, change, context, conflicts.onConflict, at: touched, isSingle: scope.this != nil)
                }
            }
        }
        try context.presentSaved("Changed", saved)
        if !notice.silent, event.addsAttendees, !post.hasQueued { context.noteUnasked(saved) }
        post.say()
    }

    /// Sets the times and the recurrence of the options.
    ///
    /// - Parameter current: the present times of the chosen occurrence.
    private func setTimes(
        in changes: inout EventChanges, _ series: EventSeries, _ current: (start: EventTime, end: EventTime),
        _ chosen: EventEditor.Scope, _ context: CommandContext
    ) throws {
        if let span = try EventSpan(PhraseParts(), event, current: current, context) {
            changes.start = try context.masterStart(for: span.start, from: current.start, series, chosen)
            changes.end = context.shifted(span.end, by: changes.start, from: span.start)
            if changes.start == span.start { changes.duration = span.length }
        }
        // With '--future', a new recurrence begins at the chosen occurrence.
        var isFuture = false
        if case .future = chosen { isFuture = true }
        let first = isFuture ? current.start : series.master.map { series.components[$0].start } ?? current.start
        let start = changes.start ?? first
        changes.rule = try event.rule(start: start, context)
        if let words = event.repetition, !event.isNever(words), try !context.dates.repetition(words).exceptions.isEmpty
        {
            throw HelixError(
                .usage, "'\(words)' excludes days, which an edit cannot do",
                hint: "Delete an occurrence: helix cal delete \(id) --this 'dec 10'.")
        }
        guard changes.rule != nil else { return }
        changes.start = start
        if changes.end == nil, let index = series.master { changes.end = series.components[index].end(for: start) }
        try context.align(&changes)
        if case .this = chosen {
            throw HelixError(.usage, "one occurrence cannot repeat by itself", hint: "Use --future DATE or --all.")
        }
    }

    /// Applies the changes, and moves the event to the chosen calendar.
    /// - Returns: the changed event, or the one that succeeds it from the chosen occurrence on.
    private func apply(
        _ changes: EventChanges, to stored: StoredEvent, _ chosen: EventEditor.Scope, _ change: Change,
        _ context: CommandContext
    ) throws -> [EntityID] {
        var ids = [stored.id]
        if !changes.isEmpty {
            var editor = EventEditor(stored.components, zones: stored.zones, now: context.now)
            try editor.edit(changes, scope: chosen)
            if let successor = try change.save(editor, of: stored) { ids = [successor] }
        }
        if let calendar {
            for id in ids { try change.moveEvent(id, to: try change.calendar(named: calendar).id) }
        }
        return ids
    }
}

extension CommandContext {
    /// Start and end of an occurrence, in the form in which its event stores them.
    /// - Throws: ``HelixError``.
    func times(
        of occurrence: Occurrence, _ series: EventSeries, _ scope: EventEditor.Scope? = nil
    ) throws -> (start: EventTime, end: EventTime) {
        // A change of a whole series applies to its regular time, not to that of a changed occurrence.
        if let scope, let index = series.master, let id = occurrence.recurrenceID, let time = ICalendarTime(id) {
            let master = series.components[index]
            var isWhole = true
            if case .this = scope { isWhole = false }
            if isWhole {
                let civil: CivilDateTime
                switch time {
                case .date(let date): civil = CivilDateTime(date)
                case .floating(let reading): civil = reading
                case .utc(let instant): civil = CivilDateTime(seconds: instant.seconds)
                }
                let start = master.start.at(civil)
                return (start, master.end(for: start))
            }
        }
        guard let component = series.component(of: occurrence, zone: zone) ?? series.components.first else {
            throw HelixError(.badInput, "the stored event cannot be read")
        }
        switch occurrence.time {
        case .days(let first, let end): return (.date(first), .date(end))
        case .timed(let range):
            switch component.start {
            case .zoned(_, let own): return (.zoned(own.civil(range.start), own), .zoned(own.civil(range.end), own))
            case .floating, .date: return (.floating(zone.civil(range.start)), .floating(zone.civil(range.end)))
            case .utc: return (.utc(range.start), .utc(range.end))
            }
        }
    }

    /// The master's new start if an occurrence is moved from `old` to `new`, and the series with it.
    /// - Throws: ``HelixError``.
    func masterStart(
        for new: EventTime, from old: EventTime, _ series: EventSeries, _ scope: EventEditor.Scope
    ) throws -> EventTime {
        guard case .all = scope, let index = series.master, series.isRecurring else { return new }
        let master = series.components[index].start
        guard master.isDate == new.isDate else {
            return new.isDate
                ? .date(master.civil.date) : new.at(CivilDateTime(master.civil.date) + new.civil.secondOfDay)
        }
        return new.at(master.civil + (new.civil - old.civil))
    }

    /// `end` shifted by the move of the start from `from` to `start`.
    func shifted(_ end: EventTime, by start: EventTime?, from: EventTime) -> EventTime {
        guard let start else { return end }
        return start.at(start.civil + (end.civil - from.civil))
    }
}
