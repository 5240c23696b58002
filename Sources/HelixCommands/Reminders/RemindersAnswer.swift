import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix reminders snooze`
struct RemindersSnooze: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "snooze", abstract: "Let reminders that went off go off again later.",
        discussion: """
            Moves the last reminder of each event or task that went off in the last seven days; others of it are dismissed. \
            Other devices and programs see it, too (RFC 9074). Without a time it is ten minutes: 'helix config set \
            reminders.snooze 5m'.

              helix reminders snooze k3f7
              helix reminders snooze k3f7 x2b9 --for 1h
              helix reminders snooze k3f7 --until 'tomorrow 8:00'
            """)
    static let reports: [PrintedReport] = [.json(ReminderAnswerReport.self)]

    @Argument(
        help: ArgumentHelp("Events and tasks.", valueName: "ids"), completion: .custom(CompletionLists.ringingIDs))
    var ids: [String]

    @Option(name: .customLong("for"), parsing: .unconditional, help: ArgumentHelp("The length.", valueName: "length"))
    var length: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("The time.", valueName: "when"))
    var until: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if length != nil, until != nil { throw ValidationError("--for and --until exclude each other.") }
    }

    func run(in context: CommandContext) throws {
        let time: Instant
        if let until {
            time = try context.dates.moment(until).instant(in: context.zone)
            if time <= context.now {
                throw HelixError(.usage, "'\(until)' is in the past", hint: "Name a time to come.")
            }
        } else {
            let seconds = try context.dates.duration(length ?? context.configuration.text(.snooze) ?? "10m")
            guard seconds > 0 else {
                throw HelixError(.usage, "'\(length ?? "")' is no time to wait", hint: "Name a length such as 10m.")
            }
            time = context.now + seconds
        }
        try context.answer(try context.rung(ids), .snoozed(until: time))
    }
}

/// `helix reminders dismiss`
struct RemindersDismiss: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "dismiss", abstract: "Dismiss reminders that went off.",
        discussion: """
            Answers all reminders of the events and tasks that went off in the last seven days: they do not go off again, also \
            on other devices (RFC 9074). Later occurrences of a recurring event still have theirs.

              helix reminders dismiss k3f7
              helix reminders dismiss --all
              helix reminders dismiss k3f7 --next
            """)
    static let reports: [PrintedReport] = [.json(ReminderAnswerReport.self)]

    @Argument(
        help: ArgumentHelp("Events and tasks.", valueName: "ids"), completion: .custom(CompletionLists.ringingIDs))
    var ids: [String] = []

    @Flag(name: .long, help: "All that went off in the last seven days.")
    var all = false

    @Flag(name: .long, help: "The next reminder, before it goes off.")
    var next = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if all == !ids.isEmpty { throw ValidationError("Name events or tasks, or --all.") }
        if all, next { throw ValidationError("--all and --next exclude each other.") }
    }

    func run(in context: CommandContext) throws {
        let found =
            next
            ? try context.entities(ids).compactMap { candidate in
                guard let reminder = try context.nextReminder(of: candidate.id) else {
                    throw HelixError(.notFound, "'\(candidate.title)' has no reminder in the next year")
                }
                return [reminder]
            } : try context.rung(all ? nil : ids)
        try context.answer(found, .dismissed)
    }
}

extension CommandContext {
    /// The seconds after which a reminder that nobody answered counts as over.
    static let rungReach = 7 * 86_400

    /// The events and tasks whose ids the user named.
    fileprivate func entities(_ ids: [String]) throws -> [EntityCandidate] {
        try ids.map { try store().entity(EntityPrefix($0), kinds: [.event, .task]) }.uniqued
    }

    /// The reminders that went off and were not answered, by event or task.
    /// - Parameter ids: the events and tasks; nil for all.
    /// - Throws: ``HelixError`` of code `notFound` if one of them has none.
    fileprivate func rung(_ ids: [String]?) throws -> [[Reminder]] {
        let named = try ids.map(entities)
        let range = TimeRange(start: now - CommandContext.rungReach, end: now + 1)
        let found = try store().reminders(
            in: range, zone: zone, allDay: configuration.allDayReminder, calendars: .all
        ).reminders
        let groups = Dictionary(grouping: found, by: \.id)
        guard let named else {
            return found.map(\.id).uniqued.compactMap { groups[$0] }
        }
        return try named.map { candidate in
            if let group = groups[candidate.id] { return group }
            let next = try nextReminder(of: candidate.id)
            throw HelixError(
                .notFound, "no reminder of '\(candidate.title)' went off in the last seven days",
                hint: next.map {
                    "The next one goes off \(viewer.moment($0.time)); 'helix reminders dismiss --next' dismisses it now."
                } ?? "It has none in the next year; 'helix cal edit --alarm' adds one to an event.")
        }
    }

    /// The next reminder of an event or task within a year.
    fileprivate func nextReminder(of id: EntityID) throws -> Reminder? {
        var start = now + 1
        // Mostly it is near, and a year of all calendars is much to look at.
        for days in [7, 60, 366] {
            let range = TimeRange(start: start, end: now + days * 86_400)
            let found = try store().reminders(
                in: range, zone: zone, allDay: configuration.allDayReminder, calendars: .all)
            if let next = found.reminders.first(where: { $0.id == id }) { return next }
            start = range.end
        }
        return nil
    }

    /// Answers groups of reminders, each of one event or task, in one change set, and reports it.
    fileprivate func answer(_ groups: [[Reminder]], _ answer: ReminderAnswer) throws {
        let titles = groups.compactMap(\.first?.title)
        let verb = answer == .dismissed ? "dismiss" : "snooze"
        let what = titles.count == 1 ? "'\(titles[0])'" : "\(titles.count) reminders"
        if !groups.isEmpty {
            try store().change("\(verb) \(what)", command: "reminders \(verb)") { change in
                for group in groups { try change.answer(group, answer) }
            }
        }
        let last = groups.compactMap { group in group.max { $0.time < $1.time } }
        noteReadOnly(last)
        let items = last.map { ReminderAnswerItem(reminder: $0, answer: answer) }
        try present(ReminderAnswerReport(items: items), ids: items.map(\.reminder.id))
    }

    private func noteReadOnly(_ reminders: [Reminder]) {
        guard let fixed = try? store().readOnlyCalendars(), !fixed.isEmpty,
            let names = try? store().calendars().filter({ fixed.contains($0.id) }).map(\.name)
        else { return }
        for name in reminders.compactMap(\.calendar).uniqued where names.contains(name) {
            note(
                StyledText(
                    "'\(name)' is read-only on its server: other devices are not told.", TextStyle(.yellow)))
        }
    }
}

/// An answered reminder in a report.
struct ReminderAnswerItem: DescribedItem {
    let reminder: Reminder
    let answer: ReminderAnswer

    static let described = list {
        Field("kind", .choice(["event", "task"]), "The kind of what it is about.") { $0.reminder.kind.rawValue }
        Field("id", .id, "The identity of the event or the task.") { $0.reminder.id }
        Field("title", .string, "Its title.") { $0.reminder.title }.foreign
        Field("time", .time, "When it went off, or was to.") { $1.iso($0.reminder.time) }
        Field("until", .time, required: false, "When it goes off again, if it is snoozed.") { item, viewer in
            item.answer.snoozedUntil.map(viewer.iso)
        }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }
}

/// Answered reminders.
struct ReminderAnswerReport: Report {
    static let schema = "helix.reminders.answered/1"
    var items: [ReminderAnswerItem]

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("No reminder waits for an answer.", .dim)) }
        for item in items {
            let title = item.reminder.title.isEmpty ? "(no title)" : item.reminder.title
            var line = StyledText("  \(viewer.short(item.reminder.id))  ", .dim)
            switch item.answer {
            case .dismissed: line.append("dismissed  ", TextStyle(.green))
            case .snoozed(let time): line.append("snoozed until \(viewer.moment(time))  ", TextStyle(.green))
            }
            line.append(title)
            canvas.line(line.fitted(canvas.textWidth))
        }
    }
}
