import HelixCalendar
import HelixGateway
import HelixModel
import HelixStore

/// Search and statistics of events.
enum CalendarSearch {
    static func run(_ call: inout MethodCall, _ store: Store) throws -> JSONText {
        let limit = try call.params.integer("limit", in: 1...500) ?? 20
        let words = try call.params.text("query")
        let start = try call.params.instant("start_date")
        let end = try call.params.instant("end_date")
        let calendars = try CalendarWire.selection(try call.params.identity("account_id"), store)
        let provider = try call.params.text("provider", most: 64)
        let kind = try call.params.text("event_type", most: 32)
        let hasConflicts = try call.params.bool("has_conflicts")
        let person = try call.params.text("attendee_email", most: 512)?.lowercased()
        try call.params.end()
        let range = TimeRange(
            start: start ?? call.now - 366 * 86_400, end: max(end ?? call.now + 366 * 86_400, (start ?? call.now) + 1))
        var found: [Occurrence]
        if let words, !words.isEmpty {
            let hits = try store.searchEvents(EventQuery.words(words), calendars: calendars, zone: .utc, limit: 500)
                .hits
            let known = Set(hits.map(\.occurrence.event))
            found = hits.map(\.occurrence)
            if start != nil || end != nil {
                found = try store.occurrences(in: range, zone: .utc, calendars: calendars).filter {
                    known.contains($0.event)
                }
            }
        } else {
            found = try store.occurrences(in: range, zone: .utc, calendars: calendars)
        }
        if let kind {
            let special = ["task", "focustime", "ooo"]
            found = found.filter { event in
                let own = event.categories.map { $0.lowercased() }.first { special.contains($0) } ?? "event"
                return own == kind
            }
        }
        if let person {
            let people = try store.people(of: Set(found.map(\.event)))
            found = found.filter { (people[$0.event] ?? []).contains { $0.lowercased().contains(person) } }
        }
        if let hasConflicts {
            let conflicts = try CalendarWire.conflicts(of: found, store)
            found = found.filter { (conflicts[CalendarWire.key($0)] != nil) == hasConflicts }
        }
        if let provider {
            let accounts = try CalendarWire.sources(store)
            found = found.filter { accounts[$0.calendar.id].provider == provider }
        }
        return ["results": .array(try CalendarWire.events(Array(found.prefix(limit)), call, store))]
    }

    /// Statistics of the thirty days before and after now.
    static func analytics(_ calendars: CalendarSelection, _ call: MethodCall, _ store: Store) throws -> JSONText {
        let range = TimeRange(start: call.now - 30 * 86_400, end: call.now + 30 * 86_400)
        let found = try store.occurrences(in: range, zone: .utc, calendars: calendars)
        let timed = found.filter { !$0.time.isAllDay }
        let lengths = timed.map { $0.time.range(in: .utc).duration }
        let people = try store.people(of: Set(found.map(\.event)))
        let guests = found.map { people[$0.event]?.count ?? 0 }
        var days: [CivilDate: Int] = [:]
        for (event, length) in zip(timed, lengths) { days[Zone.utc.date(event.start(in: .utc)), default: 0] += length }
        let busiest = days.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        let conflicts = try store.conflicts(in: range, policy: ConflictPolicy(zone: .utc), calendars: calendars)
        let sources = try CalendarWire.sources(store)
        func average(_ numbers: [Int]) -> Int { numbers.isEmpty ? 0 : numbers.reduce(0, +) / numbers.count }
        return [
            "total_events": .integer(found.count),
            "upcoming_events": .integer(found.filter { $0.start(in: .utc) >= call.now }.count),
            "average_event_duration": .integer(average(lengths) / 60), "average_attendees": .integer(average(guests)),
            "busiest_day": .string(busiest.map { ISO8601.text($0) } ?? ""),
            "total_meeting_hours": .integer((lengths.reduce(0, +) + 1800) / 3600),
            "conflict_count": .integer(conflicts.conflicts.count),
            "meetings_by_provider": .object(
                Dictionary(grouping: found) { sources[$0.calendar.id].provider }.sorted { $0.key < $1.key }.map {
                    JSONText.Field(name: $0.key, value: .integer($0.value.count))
                }),
        ]
    }
}
