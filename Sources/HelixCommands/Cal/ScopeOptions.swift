import ArgumentParser
import HelixCalendar
import HelixModel
import HelixStore

/// The options that select occurrences of a recurring event.
struct ScopeOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("Only the occurrence on that day.", valueName: "date"))
    var this: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The occurrence on that day and all that follow.", valueName: "date"))
    var future: String?

    @Flag(name: .long, help: "Apply to all occurrences.")
    var all = false

    func validate() throws {
        if [this != nil, future != nil, all].filter({ $0 }).count > 1 {
            throw ValidationError("--this, --future and --all exclude each other.")
        }
    }

    /// The scope for `event`, and an occurrence of it.
    /// - Throws: ``HelixError``: `usage` if a recurring event needs a choice; `notFound` if it does not occur on that day.
    func scope(of event: StoredEvent, _ context: CommandContext) throws -> (
        scope: EventEditor.Scope, occurrence: Occurrence
    ) {
        let next = try context.upcoming(event, count: 1)
        guard let text = this ?? future else {
            guard let occurrence = next.first else { throw HelixError(.notFound, "the event never takes place") }
            guard all || !occurrence.isRecurring else {
                throw HelixError(
                    .usage, "'\(occurrence.title)' repeats", hint: "Choose --this DATE, --future DATE or --all.")
            }
            return (.all, occurrence)
        }
        guard let occurrence = try context.upcoming(event, count: 1, on: text).first else {
            throw try absent(on: try context.dates.date(text), event, context)
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

extension ScopeOptions {
    /// The error for a day without an occurrence of an event: its hint has the nearest days with one, and another event of
    /// that title on the day.
    private func absent(on date: CivilDate, _ event: StoredEvent, _ context: CommandContext) throws -> HelixError {
        let store = try context.store()
        func occurrences(_ first: CivilDate, _ end: CivilDate, _ id: EntityID?) throws -> [Occurrence] {
            try store.occurrences(
                in: context.zone.range(from: first, to: end), zone: context.zone, calendars: .all, event: id)
        }
        let before = try occurrences(date + -400, date, event.id).last
        let after = try occurrences(date, date + 400, event.id).first
        let next = try context.upcoming(event, count: 1).first
        let title = next?.title ?? event.series.components.first?.title ?? event.uid
        func day(_ occurrence: Occurrence) -> String {
            DateWords.text(occurrence.time.days(in: context.zone).first)
        }
        var hints: [String] = []
        switch (before, after) {
        case (let before?, let after?): hints.append("It takes place on \(day(before)) and on \(day(after)).")
        case (let one?, nil), (nil, let one?): hints.append("The nearest is on \(day(one)).")
        case (nil, nil): hints += next.map { ["The next one is on \(day($0))."] } ?? []
        }
        if let other = try occurrences(date, date + 1, nil).first(where: { $0.title == title && $0.event != event.id })
        {
            let id = try store.shortIDs([other.event])[other.event] ?? other.event.text
            hints.append("On that day it is the event \(id).")
        }
        return HelixError(
            .notFound, "'\(title)' does not take place on \(DateWords.text(date))",
            hint: hints.isEmpty ? nil : hints.joined(separator: " "))
    }
}

extension Change {
    /// Saves an edited event.
    /// - Returns: the identity of the event that continues a split series; nil if it was not split.
    /// - Throws: ``HelixError``.
    @discardableResult
    func save(_ editor: EventEditor, of event: StoredEvent) throws -> EntityID? {
        try updateEvent(event.id, editor.components)
        return try editor.successor.map {
            try createEvent($0.components, uid: $0.uid, zones: event.zones, in: event.calendar.id)
        }
    }
}
