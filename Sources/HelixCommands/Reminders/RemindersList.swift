import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix reminders list`
struct RemindersList: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List reminders by the time at which they go off.",
        discussion: """
            Reminders of events (also of recurring and moved ones), and open tasks when they are due, from now on for seven days. \
            All-day events and tasks that are due on a day go off in the morning: 'helix config set dates.morning 8:00'. \
            Reminders that were dismissed elsewhere, those of cancelled and declined events, and e-mail reminders, which \
            the server sends, are left out.

              helix reminders list
              helix reminders list today --json
              helix reminders list --from now --to 'in 10 minutes' --format '{title}'
            """)
    static let reports: [PrintedReport] = [.json(ReminderReport.self)]

    @Argument(help: ArgumentHelp("The days to list.", valueName: "range"))
    var range: [String] = []

    @OptionGroup var bounds: RangeOptions
    @OptionGroup var calendars: CalendarOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func validate() throws { if list.ids { try output.refuseMachine("ids") } }

    func run(in context: CommandContext) throws {
        let isUsual = range.isEmpty && !bounds.isGiven
        let span =
            isUsual
            ? TimeRange(start: context.now, end: context.zone.startOfDay(context.today + 7))
            : try bounds.range(range, context) {
                PhraseRange(start: .date(context.today), end: .date(context.today + 7))
            }
            .timeRange(in: context.zone)
        let found = try context.store().reminders(
            in: span, zone: context.zone, allDay: context.configuration.allDayReminder,
            calendars: try context.selection(calendars.calendar))
        try context.present(
            ReminderReport(
                items: found.reminders.map { ReminderItem(reminder: $0) }.uniqued { item in
                    // Two alarms at the same moment are one reminder for people.
                    Moment(id: item.reminder.id, time: item.reminder.time, subject: item.reminder.subject)
                }, isTruncated: !found.isComplete),
            ids: found.reminders.map(\.id))
    }
}

/// A moment at which an occurrence is announced.
private struct Moment: Hashable {
    var id: EntityID
    var time: Instant
    var subject: OccurrenceTime
}

extension Configuration {
    /// The second of the day at which reminders of whole days go off.
    var allDayReminder: Int { partHours[.morning] ?? 9 * 3600 }
}

/// A reminder in a report.
struct ReminderItem: DescribedItem {
    let reminder: Reminder

    static let described = list {
        Field("kind", .choice(["event", "task"]), "The kind of what it is about.") { $0.reminder.kind.rawValue }
        Field("id", .id, "The identity of the event or the task.") { $0.reminder.id }
        Field("title", .string, "Its title.") { $0.reminder.title }.foreign
        Field("time", .time, "When it goes off.") { $1.iso($0.reminder.time) }
        Field("start", .time, "The start of the occurrence, or when the task is due; a date if it is a day.") {
            $1.ends(of: $0.reminder.subject).start
        }
        Field("calendar", .string, required: false, "The calendar of an event.") { $0.reminder.calendar }
        Field("repetition", .integer, "0 for the first time, then 1 and so on.") { $0.reminder.repetition }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }
}

/// Reminders by day.
struct ReminderReport: CuttableReport {
    static let schema = "helix.reminders/1"
    var items: [ReminderItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("No reminders.", .dim)) }
        var day: CivilDate?
        for item in items {
            let civil = viewer.zone.civil(item.reminder.time)
            if civil.date != day {
                if day != nil { canvas.line() }
                canvas.line(StyledText(viewer.day(civil.date), .bold))
                day = civil.date
            }
            var line = StyledText("  \(viewer.short(item.reminder.id))", .dim)
            line.append("  \(viewer.clock(item.reminder.time))  ", TextStyle(.green))
            line.append(item.reminder.title.isEmpty ? "(no title)" : item.reminder.title)
            line.append("  \(item.reminder.words(viewer))", .dim)
            canvas.line(line.fitted(canvas.textWidth))
        }
        if isTruncated {
            canvas.line(StyledText("There are more, of events with too many occurrences.", TextStyle(.yellow)))
        }
    }
}
