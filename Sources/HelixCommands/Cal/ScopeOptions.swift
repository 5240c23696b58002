import ArgumentParser
import HelixCalendar
import HelixModel
import HelixStore

/// Which occurrences of a repeating event are meant.
struct ScopeOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("Only the occurrence on that day.", valueName: "date"))
    var this: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The occurrence on that day and all that follow.", valueName: "date"))
    var future: String?

    @Flag(name: .long, help: "All occurrences.")
    var all = false

    func validate() throws {
        if [this != nil, future != nil, all].filter({ $0 }).count > 1 {
            throw ValidationError("--this, --future and --all exclude each other.")
        }
    }

    /// What is meant for `event`, and an occurrence that stands for it.
    /// - Throws: ``HelixError``: `usage` if a repeating event needs a choice; `notFound` if nothing is on that day.
    func scope(of event: StoredEvent, _ context: CommandContext) throws -> (
        scope: EventEditor.Scope, occurrence: Occurrence
    ) {
        let next = try context.upcoming(event, count: 1)
        guard let text = this ?? future else {
            guard let occurrence = next.first else { throw HelixError(.notFound, "the event never takes place") }
            guard all || !occurrence.isRecurring else {
                throw HelixError(
                    .usage, "'\(occurrence.title)' repeats", hint: "Say which: --this DATE, --future DATE or --all.")
            }
            return (.all, occurrence)
        }
        guard let occurrence = try context.upcoming(event, count: 1, on: text).first else {
            let hint = next.first.map { "The next one is on \(DateWords.text($0.time.days(in: context.zone).first))." }
            throw HelixError(
                .notFound,
                "'\(next.first?.title ?? event.uid)' does not take place on \(DateWords.text(try context.dates.date(text)))",
                hint: hint)
        }
        guard occurrence.isRecurring, let id = occurrence.recurrenceID, let time = ICalendarTime(id) else {
            return (.all, occurrence)
        }
        let civil: CivilDateTime
        switch time {
        case .date(let date): civil = CivilDateTime(date)
        case .floating(let reading): civil = reading
        case .utc(let instant): civil = CivilDateTime(seconds: instant.seconds)
        }
        return (this == nil ? .future(civil) : .this(civil), occurrence)
    }
}

extension Change {
    /// Saves what an editor made of an event; the identity of the event that carries on from a split.
    /// - Throws: ``HelixError``.
    @discardableResult
    func save(_ editor: EventEditor, of event: StoredEvent) throws -> EntityID? {
        try updateEvent(event.id, editor.components)
        return try editor.successor.map {
            try createEvent($0.components, uid: $0.uid, zones: event.zones, in: event.calendar.id)
        }
    }
}
