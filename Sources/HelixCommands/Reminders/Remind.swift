import ArgumentParser
import HelixCalendar
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix remind`
struct Remind: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "remind", abstract: "Remind yourself of something at a time.",
        discussion: """
            Adds a task that is due then; the time stands at the end or at the beginning. With the id of an event or a task, it \
            gets a reminder at that time. 'helix watch' announces reminders.

              helix remind "call Bo" tomorrow 9:00
              helix remind in 20 minutes tea
              helix remind k3f7 "mon 8:00"
            """)
    static let reports: [PrintedReport] = [.json(ReminderReport.self)]

    @Argument(
        help: ArgumentHelp("A title or an id, and the time.", valueName: "words"),
        completion: .custom(CompletionLists.entityIDs))
    var words: [String]

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let (title, phrase) = try parts(context)
        let moment = try context.dates.moment(phrase)
        let due: TaskTime =
            if case .date(let date) = moment { .date(date) } else { .moment(moment.instant(in: context.zone)) }
        let allDay = context.configuration.allDayReminder
        let time: Instant =
            switch due {
            case .date(let date): context.zone.instant(CivilDateTime(date, secondOfDay: allDay))
            case .moment(let instant): instant
            }
        guard time > context.now else {
            throw HelixError(
                .usage, "'\(phrase)' is \(context.viewer.moment(time)), which is past", hint: "Name a time to come.")
        }
        let store = try context.store()
        let known =
            title.contains(" ")
            ? nil
            : try HelixError.ifFound {
                try store.entity(EntityPrefix(title), kinds: [.event, .task])
            }
        let id: EntityID
        if let known {
            try store.change("remind of '\(known.title)'", command: "remind") {
                try $0.addReminder(to: known.id, known.kind, at: time)
            }
            id = known.id
        } else {
            id = try store.change("remind of '\(title)'", command: "remind") { change in
                var fields = TaskChanges()
                fields.title = title
                fields.due = .set(due)
                return try change.addTask(fields, dates: context.dates)
            }
        }
        let range = TimeRange(start: time, end: time + 1)
        let found = try store.reminders(in: range, zone: context.zone, allDay: allDay, calendars: .all).reminders
        try context.present(
            ReminderReport(items: found.filter { $0.id == id }.map { ReminderItem(reminder: $0) }), ids: [id])
    }

    /// The title, and the phrase of the time: the longest that stands at the end, or else at the beginning.
    private func parts(_ context: CommandContext) throws -> (title: String, phrase: String) {
        let given = words.count > 1 ? words : words.flatMap { $0.split(separator: " ").map(String.init) }
        for count in stride(from: given.count - 1, to: 0, by: -1) {
            for isEnd in [true, false] {
                let phrase = (isEnd ? given.suffix(count) : given.prefix(count)).joined(separator: " ")
                let rest = isEnd ? given.dropLast(count) : given.dropFirst(count)
                guard rest.contains(where: { $0.contains(where: \.isLetter) }),
                    (try? context.dates.moment(phrase)) != nil
                else { continue }
                return (rest.joined(separator: " "), phrase)
            }
        }
        throw HelixError(
            .usage, "no title with a time in '\(words.joined(separator: " "))'",
            hint: "Name it at the end: helix remind \"call Bo\" tomorrow 9:00")
    }
}
