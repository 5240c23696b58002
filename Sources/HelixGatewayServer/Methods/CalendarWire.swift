import HelixCalendar
import HelixGateway
import HelixModel
import HelixStore

/// The wire format of events. A recurring one has many occurrences: `ID@SECONDS`, with the original start on the event's clock.
enum CalendarWire {
    static func text(_ instant: Instant) -> JSONText { .string(ISO8601.text(instant, in: .utc)) }

    static func sources(_ store: Store) throws -> CalendarSources { try CalendarSources(store) }

    static func selection(_ id: EntityID?, _ store: Store) throws -> CalendarSelection {
        guard let id else { return .all }
        guard try store.calendars().contains(where: { $0.id == id }) else {
            throw HelixError(.notFound, "unknown account \(id.text)")
        }
        return .only([id])
    }

    static func account(
        _ calendar: CalendarRecord, events count: Int?, _ call: MethodCall, _ store: Store, _ sources: CalendarSources
    ) throws -> JSONText {
        let source = sources[calendar.id]
        let (made, changed) = try store.lifetime(of: calendar.id)
        return [
            "id": .string(calendar.id.text), "userId": .string(call.session.user.id.text),
            "provider": .string(source.provider), "email": .string(call.session.user.name),
            "email_address": .string(source.address ?? call.session.user.name),
            "display_name": .string(calendar.name), "is_primary": .bool(calendar.isDefault), "is_enabled": true,
            "auto_sync_enabled": .bool(source.isRemote),
            "sync_status": .string(source.problem == nil ? "idle" : "error"),
            "last_sync": source.syncedAt.map(text), "last_sync_error": source.problem.map { .string($0) },
            "sync_interval_minutes": .integer(Int(AccountKeeper.interval) / 60), "created_at": text(made),
            "updated_at": text(changed),
            "event_count": .integer(count ?? 0), "is_read_only": .bool(calendar.isReadOnly),
        ]
    }

    /// The identity of an occurrence.
    static func id(_ occurrence: Occurrence) -> String {
        occurrence.event.text + (occurrence.recurrence.map { "@\($0.seconds)" } ?? "")
    }

    /// The key that distinguishes occurrences.
    struct Key: Hashable {
        var event: EntityID
        var start: Instant
    }

    static func key(_ occurrence: Occurrence) -> Key {
        Key(event: occurrence.event, start: occurrence.start(in: .utc))
    }

    /// The identity of the whole event; an occurrence of a series is rejected.
    static func whole(_ id: String, _ params: Params) throws -> EntityID {
        guard let found = EntityID(id) else {
            throw params.wrong(
                "id", id.contains("@") ? "names an occurrence; name the series, without '@'" : "is not an id")
        }
        return found
    }

    /// The occurrence with an identity; for that of a series, the next occurrence.
    static func occurrence(_ id: String, _ call: MethodCall, _ store: Store) throws -> Occurrence {
        let parts = id.split(separator: "@", maxSplits: 1)
        guard let first = parts.first, let event = EntityID(String(first)) else {
            throw GatewayError(.invalidRequest, "'\(id.prefix(64))' is not an event id")
        }
        let series = try store.event(event).series
        // Seconds for the years 0 to 9999.
        let wanted = parts.count > 1 ? Int64(parts[1]).flatMap { abs($0 / 2) < 130_000_000_000 ? $0 : nil } : nil
        if parts.count > 1, wanted == nil {
            throw GatewayError(.invalidRequest, "'\(id.prefix(64))' is not an event id")
        }
        let instance =
            wanted.flatMap { seconds in
                let civil = CivilDateTime(seconds: seconds)
                return series.standaloneInstances().first { $0.recurrence == civil } ?? series.instance(at: civil)
            } ?? series.next(after: call.now)
        if let instance {
            let start = Instant(instance.start)
            let range = TimeRange(start: start, end: start + 1)
            let found = try store.occurrences(in: range, zone: .utc, calendars: .all, event: event)
            let match =
                wanted.map { seconds in found.first { $0.recurrence?.seconds == seconds } }
                ?? found.first { $0.time.range(in: .utc).end > call.now } ?? found.first
            if let match { return match }
        }
        // An event without occurrences, because all are excluded, can still be read and deleted.
        if wanted == nil, let bare = try store.bareOccurrence(of: event) { return bare }
        throw HelixError(.notFound, "unknown event \(id.prefix(64))")
    }

    /// The component that an occurrence is generated from.
    static func component(of occurrence: Occurrence, _ store: Store) throws -> EventComponent? {
        let series = try store.event(occurrence.event).series
        if let recurrence = occurrence.recurrence,
            let own = series.components.first(where: { $0.recurrenceID?.civil == recurrence })
        {
            return own
        }
        return series.master.map { series.components[$0] } ?? series.components.first
    }

    static func attendees(_ event: EventComponent?) -> [JSONText] {
        guard let event else { return [] }
        let organizer = event.organizer?.address.lowercased()
        return event.attendees.map { person in
            [
                "id": .string(person.address.lowercased()), "email": .string(person.address),
                "name": .string(person.name ?? person.address),
                "response_status": .string(answer(person.participation.rawValue)), "is_optional": false,
                "is_organizer": .bool(person.address.lowercased() == organizer),
            ]
        }
    }

    private static func answer(_ word: String) -> String {
        switch word.lowercased() {
        case "accepted": "accepted"
        case "declined": "declined"
        case "tentative": "tentative"
        default: "needs_action"
        }
    }

    static func page(
        _ range: TimeRange, _ calendars: CalendarSelection, _ limit: Int, _ skip: Int, _ call: MethodCall,
        _ store: Store
    ) throws -> JSONText {
        let found = try store.occurrences(in: range, zone: .utc, calendars: calendars)
        let page = Array(found.dropFirst(skip).prefix(limit))
        return ["events": .array(try events(page, call, store)), "has_more": .bool(found.count > skip + limit)]
    }

    static func events(_ list: [Occurrence], _ call: MethodCall, _ store: Store) throws -> [JSONText] {
        let conflicts = try conflicts(of: list, store)
        return try list.map { try event($0, call, store, conflicts[key($0)]?.count ?? 0) }
    }

    static func event(_ occurrence: Occurrence, _ call: MethodCall, _ store: Store) throws -> JSONText {
        try event(occurrence, call, store, try conflicts(of: [occurrence], store)[key(occurrence)]?.count ?? 0)
    }

    /// The range in which conflicts are searched for, in seconds.
    private static let longestCheck = 2 * 366 * 86_400

    /// The conflicts of each occurrence of a list.
    static func conflicts(of list: [Occurrence], _ store: Store) throws -> [Key: [Occurrence]] {
        let ranges = list.map { $0.time.range(in: .utc) }
        guard let first = ranges.map(\.start).min(), let last = ranges.map(\.end).max() else { return [:] }
        // The first conflicts of an event that lasts a thousand years are enough.
        let end = min(max(last, first + 1), first + CalendarWire.longestCheck)
        let found = try store.conflicts(
            in: TimeRange(start: first, end: end), policy: ConflictPolicy(zone: .utc), calendars: .all)
        var all: [Key: [Occurrence]] = [:]
        for conflict in found.conflicts {
            all[key(conflict.a), default: []].append(conflict.b)
            all[key(conflict.b), default: []].append(conflict.a)
        }
        return all
    }

    private static func event(
        _ occurrence: Occurrence, _ call: MethodCall, _ store: Store, _ conflicts: Int
    ) throws -> JSONText {
        let component = try component(of: occurrence, store)
        let range = occurrence.time.range(in: .utc)
        let (made, changed) = try store.lifetime(of: occurrence.event)
        let rule = component?.rules.first?.text
        let kind =
            occurrence.categories.map { $0.lowercased() }.first { ["task", "focustime", "ooo"].contains($0) } ?? "event"
        return [
            "id": .string(id(occurrence)), "userId": .string(call.session.user.id.text),
            "accountId": .string(occurrence.calendar.id.text), "external_event_id": .string(occurrence.uid),
            "title": .string(occurrence.title), "description": component?.description.map { .string($0) },
            "location": occurrence.location.map { .string($0) }, "start_time": text(range.start),
            "end_time": text(range.end), "duration_minutes": .integer(range.duration / 60),
            "is_all_day": .bool(occurrence.time.isAllDay), "timezone": .string(occurrence.zone ?? "UTC"),
            "recurrence_rule": rule.map { .string($0) },
            "organizer_email": .string(component?.organizer?.address ?? ""),
            "organizer_name": component?.organizer?.name.map { .string($0) },
            "attendee_count": .integer(component?.attendees.count ?? 0),
            "is_organizer": .bool(component?.organizer == nil),
            "status": .string(occurrence.status.rawValue.lowercased()),
            "event_type": .string(kind), "is_busy": .bool(occurrence.isBusy), "is_public": true,
            "has_conflict": .bool(conflicts > 0),
            "conflict_severity": .string(conflicts == 0 ? "none" : Conflict.Severity(count: conflicts).rawValue),
            "has_attachments": .bool(component?.attachments.isEmpty == false),
            "attachment_count": .integer(component?.attachments.count ?? 0), "is_deleted": false,
            "created_at": text(made), "updated_at": text(changed),
        ]
    }

    /// Parses the fields that create and update have in common.
    static func read(_ params: inout Params, into changes: inout EventChanges, isNew: Bool) throws {
        let start = try params.instant("start_time")
        let end = try params.instant("end_time")
        let isAllDay = try params.bool("is_all_day") ?? false
        if let kind = try params.text("event_type", most: 32), kind != "event" { changes.categories = .set([kind]) }
        if params.has("description") { changes.description = try params.text("description", most: 1 << 20) ?? "" }
        if params.has("location") { changes.location = try params.text("location", most: 4096) ?? "" }
        if isNew, start == nil { throw params.wrong("start_time", "is required") }
        if isNew, end == nil { throw params.wrong("end_time", "is required") }
        if let start, let end, end < start { throw params.wrong("end_time", "is before start_time") }
        func time(_ instant: Instant, isEnd: Bool) -> EventTime {
            guard isAllDay else { return .utc(instant) }
            let date = Zone.utc.date(instant)
            // An all-day event ends at the next midnight, whatever time the apps send.
            return .date(isEnd && instant.seconds % 86_400 != 0 ? date + 1 : date)
        }
        changes.start = start.map { time($0, isEnd: false) }
        changes.end = end.map { time($0, isEnd: true) }
        if isAllDay, let start, let end, Zone.utc.date(start) == Zone.utc.date(end) {
            changes.end = .date(Zone.utc.date(start) + 1)
        }
    }

    /// Keeps the duration of an event if only its start changes.
    static func keepLength(_ changes: inout EventChanges, _ stored: StoredEvent) throws {
        let series = stored.series
        guard let start = changes.start, changes.end == nil, let master = series.master.map({ series.components[$0] }),
            !start.isDate, !master.start.isDate
        else { return }
        changes.end = .utc(start.instant(in: .utc) + master.length.total)
    }
}
