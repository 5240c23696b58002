import ArgumentParser
import HelixCalendar
import HelixModel
import HelixStore

/// `helix cal show`
struct CalShow: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "show", abstract: "Show an event.",
        discussion: """
              helix cal show k3f7
              helix cal show k3f7 --this fri
              helix cal show k3f7 --json
            """)
    static let reports: [PrintedReport] = [.json(EventReport.self)]

    @Argument(help: "The event's id.", completion: .custom(CompletionLists.eventIDs))
    var id: String

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("The occurrence on that day.", valueName: "date"))
    var this: String?

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws { try context.presentEvent(try context.event(id), on: this) }
}

extension CommandContext {
    /// Presents an event with its next occurrences and its conflicts.
    /// - Parameter day: the day of one occurrence; nil for the next ones.
    /// - Throws: ``HelixError``.
    func presentEvent(_ event: StoredEvent, on day: String? = nil) throws {
        let store = try store()
        let series = event.series
        let occurrences = try upcoming(event, count: 5, on: day)
        guard let first = occurrences.first else {
            throw HelixError(.notFound, "the event \(event.id.text.prefix(6)) has no occurrence on that day")
        }
        let component = series.component(of: first, zone: zone) ?? series.components[0]
        let range = first.time.range(in: zone)
        let around = TimeRange(start: range.start - 86_400, end: range.end + 86_400)
        let list = try store.occurrences(in: around, zone: zone).conflicts(policy: conflictPolicy)
        let conflicts = list.conflicts.filter {
            OccurrenceKey($0.a) == OccurrenceKey(first) || OccurrenceKey($0.b) == OccurrenceKey(first)
        }
        let partners = conflicts.map { $0.a.event == event.id ? $0.b.event : $0.a.event }
        let item = EventItem(
            event: event, component: component, series: series,
            occurrence: try linked([OccurrenceItem(occurrence: first, conflicts: partners)])[0],
            upcoming: occurrences)
        try present(EventReport(items: [item], conflicts: conflicts), ids: [event.id] + partners)
    }

    /// The next occurrences of an event, or its last one if all are past; or the one on a day.
    /// - Throws: ``HelixError``.
    func upcoming(_ event: StoredEvent, count: Int, on day: String? = nil) throws -> [Occurrence] {
        let store = try store()
        if let day {
            let date = try dates.date(day)
            return try store.occurrences(
                in: zone.range(from: date, to: date + 1), zone: zone, calendars: .all, event: event.id)
        }
        // The nearest first: most events have an occurrence within the year, and stored ones are found at once.
        for years in [1, 20] {
            let range = TimeRange(start: now, end: now + years * 366 * 86_400)
            let next = try store.occurrences(in: range, zone: zone, calendars: .all, event: event.id)
            if !next.isEmpty { return Array(next.prefix(count)) }
        }
        let past = TimeRange(start: Instant(-70_000_000_000), end: now + 1)
        if let last = try store.occurrences(in: past, zone: zone, calendars: .all, event: event.id).last {
            return [last]
        }
        let far = TimeRange(start: now, end: Instant(253_402_300_800))
        return Array(try store.occurrences(in: far, zone: zone, calendars: .all, event: event.id).prefix(count))
    }
}

extension EventSeries {
    /// The component that describes an occurrence.
    func component(of occurrence: Occurrence, zone: Zone) -> EventComponent? {
        let range = occurrence.time.range(in: zone)
        let found = window(range, reach: 54_000, limit: 5_000).instances.first { instance in
            switch occurrence.time {
            case .days(let first, _): instance.basis == .date && instance.start == CivilDateTime(first).seconds
            case .timed(let own):
                instance.basis == .instant
                    ? instance.start == own.start.seconds : instance.start == zone.civil(own.start).seconds
            }
        }
        return found.map { components[$0.component] } ?? master.map { components[$0] }
    }
}
