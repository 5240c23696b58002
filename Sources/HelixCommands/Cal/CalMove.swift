import ArgumentParser
import HelixCalendar
import HelixModel
import HelixStore

/// `helix cal move`
struct CalMove: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "move", abstract: "Move an event to another time.",
        discussion: """
            A day keeps the time, a time keeps the day; the duration is kept. +1d, -2h and 'next week' are relative to the \
            current time of the event.

              helix cal move k3f7 fri
              helix cal move k3f7 +1d
              helix cal move k3f7 15:00 --this tomorrow
              helix cal move k3f7 "thu 9:30" --all --on-conflict fail
            """)
    static let reports: [PrintedReport] = [.json(SavedReport.self)]

    @Argument(help: "The event's id.", completion: .custom(CompletionLists.eventIDs))
    var id: String

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("The target time.", valueName: "when"))
    var when: [String]

    @OptionGroup var scope: ScopeOptions
    @OptionGroup var conflicts: ConflictOptions
    @OptionGroup var notice: NoticeOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let stored = try context.event(id)
        let (chosen, occurrence) = try scope.scope(of: stored, context)
        let series = stored.series
        let current = try context.times(of: occurrence, series, chosen)
        let words = try when.plainWords(of: "cal move")
        let target = try context.target(words, current: current)
        try refuseOneDayOfMany(words, series, chosen, current.start, target.start, context)
        var changes = EventChanges()
        changes.start = try context.masterStart(for: target.start, from: current.start, series, chosen)
        changes.end = context.shifted(target.end, by: changes.start, from: target.start)
        if changes.start == target.start { changes.duration = target.length }
        let post = InvitationPost(context, silent: notice.silent)
        try post.prepare(stored.components)
        let saved = try context.suggesting(conflicts.onConflict) {
            try context.store().change("move '\(occurrence.title)'", command: "cal move") { change in
                var editor = EventEditor(stored.components, zones: stored.zones, now: context.now)
                try editor.edit(changes, scope: chosen)
                let successor = try change.save(editor, of: stored)
                for id in [stored.id] + (successor.map { [$0] } ?? []) {
                    try post.changed(id, from: stored.components, change)
                }
                return [
                    try SavedEvent(
                        successor ?? stored.id, change, context, conflicts.onConflict, at: target.start,
                        isSingle: scope.this != nil)
                ]
            }
        }
        try context.presentSaved("Moved", saved)
        post.say()
        post.sayForeign(
            stored.components, "moved", "'helix cal rsvp \(id) tentative --propose WHEN' proposes another time")
    }
}

extension CalMove {
    /// Rejects moving a series of several weekdays to one day: all days would move by the same amount.
    private func refuseOneDayOfMany(
        _ words: [String], _ series: EventSeries, _ scope: EventEditor.Scope, _ old: EventTime, _ new: EventTime,
        _ context: CommandContext
    ) throws {
        if case .this = scope { return }
        guard let index = series.master, let rule = series.components[index].rules.first,
            rule.weekdays.count > 1,
            old.civil.date != new.civil.date,
            try context.dates.looking(.ahead).move(words.joined(separator: " ")).shift == nil
        else { return }
        throw HelixError(
            .usage, "it repeats '\(rule.phrase(start: old))', and a move to one day would move all its days",
            hint:
                "Set the days: helix cal edit \(id) --all --repeat 'every mon and thu'; or shift them: helix cal move \(id) +1d --all."
        )
    }
}

extension CommandContext {
    /// The target times of a move, in words, for an event that is at `current` now.
    /// - Throws: ``HelixError`` of code `usage`.
    func target(_ words: [String], current: (start: EventTime, end: EventTime)) throws -> EventSpan {
        let text = words.joined(separator: " ")
        let parts = try dates.looking(.ahead).move(text)
        guard !parts.saysEnd || parts.endTime != nil && parts.time != nil && parts.lastDate == nil else {
            throw HelixError(
                .usage, "'\(text)' contains an end, but a move keeps the duration",
                hint: "Use helix cal edit ID --start … --end …")
        }
        if current.start.isDate, parts.time != nil, current.end.civil.date - current.start.civil.date > 1 {
            throw HelixError(
                .usage, "it is an all-day event of several days, and a move keeps them",
                hint: "Set times: helix cal edit ID --start 'dec 1 10:00' --end 'dec 3 12:00'.")
        }
        guard parts.repetition == nil, let span = try EventSpan(parts, nil, current: current, self) else {
            throw HelixError(.usage, "no date or time in '\(text)'")
        }
        return span
    }
}

/// `helix cal copy`
struct CalCopy: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "copy", abstract: "Copy an event to another time or calendar.",
        discussion: """
              helix cal copy k3f7 "next tue 10:00"
              helix cal copy k3f7 --calendar family
              helix cal copy k3f7 mon --this fri
            """)
    static let reports: [PrintedReport] = [.json(SavedReport.self)]

    @Argument(help: "The event's id.", completion: .custom(CompletionLists.eventIDs))
    var id: String

    @Argument(help: ArgumentHelp("The target; default: the same time.", valueName: "when"))
    var when: [String] = []

    @Option(
        name: [.customShort("c"), .long], help: ArgumentHelp("The calendar to copy it to.", valueName: "name"),
        completion: .custom(CompletionLists.calendars))
    var calendar: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Copy only the occurrence on that day.", valueName: "date"))
    var this: String?

    @OptionGroup var conflicts: ConflictOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let stored = try context.event(id)
        let occurrences = try context.upcoming(stored, count: 1, on: this)
        guard let occurrence = occurrences.first else {
            throw HelixError(.notFound, "'\(id)' does not take place on that day")
        }
        let series = stored.series
        let current = try context.times(of: occurrence, series, this == nil ? .all : nil)
        let uid = EntityID().text + "@helix"
        var components = this == nil ? stored.components : [try single(stored, occurrence, current, context)]
        if !when.isEmpty {
            let target = try context.target(when, current: current)
            var changes = EventChanges()
            let scope = EventEditor.Scope.all
            changes.start =
                this == nil
                ? try context.masterStart(for: target.start, from: current.start, series, scope) : target.start
            changes.end = context.shifted(target.end, by: changes.start, from: target.start)
            var moving = EventEditor(components, zones: stored.zones, now: context.now)
            try moving.edit(changes, scope: .all)
            components = moving.components
        }
        for index in components.indices {
            components[index].set("UID", ICalendarProperty("UID", value: uid))
            components[index].remove("SEQUENCE")
        }
        let saved = try context.suggesting(conflicts.onConflict) {
            try context.store().change("copy '\(occurrence.title)'", command: "cal copy") { change in
                let target = try calendar.map { try change.calendar(named: $0).id } ?? stored.calendar.id
                let new = try change.createEvent(components, uid: uid, zones: stored.zones, in: target)
                return [try SavedEvent(new, change, context, conflicts.onConflict)]
            }
        }
        try context.presentSaved("Copied to", saved)
    }

    /// One occurrence as a separate event.
    private func single(
        _ stored: StoredEvent, _ occurrence: Occurrence, _ current: (start: EventTime, end: EventTime),
        _ context: CommandContext
    ) throws -> ICalendarComponent {
        let series = stored.series
        let index =
            series.component(of: occurrence, zone: context.zone).flatMap { series.components.firstIndex(of: $0) } ?? 0
        var component = stored.components[min(index, stored.components.count - 1)]
        for name in ["RRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "DURATION"] { component.remove(name) }
        var changes = EventChanges()
        changes.start = current.start
        changes.end = current.end
        component.apply(changes)
        return component
    }
}

/// `helix cal delete`
struct CalDelete: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "delete", abstract: "Delete events.",
        discussion: """
            'helix undo' restores them. Attendees of your own events get a cancellation; organizers of events that you \
            accepted get a decline. --silent notifies nobody.

              helix cal delete k3f7
              helix cal delete k3f7 --this tomorrow --yes
              helix cal delete k3f7 m2q9 --all --yes
            """)
    static let reports: [PrintedReport] = [.json(SavedReport.self)]

    @Argument(help: "Event ids.", completion: .custom(CompletionLists.eventIDs))
    var ids: [String]

    @Flag(name: [.short, .long], help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var scope: ScopeOptions
    @OptionGroup var notice: NoticeOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let targets = try ids.map { id in
            let event = try context.event(id)
            let (chosen, occurrence) = try scope.scope(of: event, context)
            return (event: event, scope: chosen, occurrence: occurrence)
        }
        let names = targets.map { "'\($0.occurrence.title)'" }.joined(separator: ", ")
        // Deleted events have no short ids.
        let shortIDs = try context.store().shortIDs(targets.map(\.event.id))
        try context.confirm("Delete \(names)?", yes: yes)
        let post = InvitationPost(context, silent: notice.silent)
        for target in targets { try post.prepare(target.event.components) }
        let answers = AnswerPost(context)
        let refusals = try targets.map { target -> InvitationAnswer? in
            // A scheduling server notifies the organizer of a deletion (RFC 6638 §3.2.2.3).
            let isByMail = target.event.components.contains { $0.first("ORGANIZER")?.isToldByMail ?? false }
            let id = target.event.id
            if notice.silent || !isByMail, try context.store().schedulingAccount(of: id, mustBeThere: true) != nil {
                return nil
            }
            return notice.silent ? nil : context.refusal(of: target.event, target.scope, target.occurrence)
        }
        let servers = try targets.map { try context.store().schedulingAccount(of: $0.event.id, mustBeThere: true) }
        if refusals.contains(where: { $0 != nil }) { try answers.prepare() }
        try context.store().change("delete \(names)", command: "cal delete") { change in
            for (target, refusal) in zip(targets, refusals) {
                var editor = EventEditor(target.event.components, zones: target.event.zones, now: context.now)
                try editor.delete(scope: target.scope)
                try change.save(editor, of: target.event)
                try post.changed(target.event.id, from: target.event.components, change)
                if let refusal {
                    try answers.queue(
                        refusal, "Declined", "has declined '\(target.occurrence.title)'.", zones: target.event.zones,
                        comment: nil, change)
                }
            }
        }
        let items = targets.map { OccurrenceItem(occurrence: $0.occurrence, conflicts: []) }
        try context.present(SavedReport(items: items, verb: "Deleted"), shortIDs: shortIDs)
        post.say()
        answers.say()
        // A scheduling server declines for its user (RFC 6638 §3.2.2.3).
        for (place, target) in targets.enumerated() where refusals[place] == nil && servers[place] == nil {
            post.sayForeign(target.event.components, "deleted", "'helix cal rsvp' answers")
        }
    }
}
