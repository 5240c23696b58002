import HelixCalendar
import HelixModel
import HelixSQLite

/// An event as stored: its complete text, and its calendar.
public struct StoredEvent: Sendable {
    /// The ID of the event.
    public var id: EntityID
    /// The calendar of the event.
    public var calendar: CalendarRef
    /// The UID.
    public var uid: String
    /// The unfolded lines of its components.
    public var text: String
    /// The VTIMEZONE components that belong to it.
    public var zones: String?

    /// The components of the text, with all properties.
    public var components: [ICalendarComponent] { ICalendarComponent.list(text) }

    /// The indices of the components that can be read, which are those of its series.
    var readableComponents: [Int] {
        let zones = ZoneResolver(definitions: zones ?? "")
        return EventText.pieces(text).enumerated().compactMap { index, piece in
            (try? EventComponent(piece, zones: zones)) == nil ? nil : index
        }
    }

    /// The event as a series of occurrences.
    public var series: EventSeries {
        EventSeries(EventText.components(text, zones: ZoneResolver(definitions: zones ?? "")))
    }
}

extension Store {
    private static let eventColumns = "e.id, e.uid, e.text, e.zones, k.id, k.name, k.color"

    /// The event with an ID.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func event(_ id: EntityID) throws -> StoredEvent {
        try read { db in
            let sql = "SELECT \(Store.eventColumns) FROM event e JOIN calendar k ON k.id = e.calendar WHERE e.id = ?"
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [id.text]) else {
                throw HelixError(.notFound, "unknown event \(id.text)")
            }
            return Store.storedEvent(row)
        }
    }

    /// The event with a UID in any calendar; nil if there is none.
    /// - Throws: ``HelixError``.
    public func event(uid: String) throws -> StoredEvent? {
        let id = try read { db in
            try String.fetchOne(db, sql: "SELECT id FROM event WHERE uid = ? ORDER BY n LIMIT 1", arguments: [uid])
        }
        return try id.map { try event(EntityID(stored: $0)) }
    }

    /// Passes the events of some calendars to `body`, in order of creation, one by one to save memory.
    ///
    /// - Parameters:
    ///   - range: selects only events with an occurrence that overlaps it.
    ///   - ids: selects only these events.
    /// - Throws: ``HelixError``, or what `body` throws.
    public func forEachEvent(
        calendars: CalendarSelection, range: TimeRange?, zone: Zone, ids: [EntityID]? = nil,
        _ body: (StoredEvent) throws -> Void
    ) throws {
        var wanted: Set<EntityID>?
        if let ids { wanted = Set(ids) }
        if let range {
            let touching = Set(try occurrences(in: range, zone: zone, calendars: calendars).map(\.event))
            wanted = wanted.map { $0.intersection(touching) } ?? touching
        }
        var filter = ""
        var arguments = StatementArguments()
        switch calendars {
        case .visible: filter = "WHERE k.is_hidden = 0"
        case .all: break
        case .only(let ids):
            filter = "WHERE k.id IN (\(ids.map { _ in "?" }.joined(separator: ",")))"
            arguments = StatementArguments(ids.map(\.text))
        }
        try read { db in
            try Row.forEach(
                db,
                sql: """
                    SELECT \(Store.eventColumns) FROM event e JOIN calendar k ON k.id = e.calendar \(filter) ORDER BY e.n
                    """, arguments: arguments
            ) { row in
                if let wanted, !wanted.contains(EntityID(stored: row[0])) { return }
                try body(Store.storedEvent(row))
            }
        }
    }

    private static func storedEvent(_ row: Row) -> StoredEvent {
        StoredEvent(
            id: EntityID(stored: row[0]),
            calendar: CalendarRef(
                id: EntityID(stored: row[4]), name: row[5], color: CalendarColor(rawValue: row[6]) ?? .gray),
            uid: row[1], text: row[2], zones: row[3])
    }
}

extension Change {
    /// Stores a new event.
    /// - Throws: ``HelixError`` of code `conflict` if its calendar has the UID already.
    @discardableResult
    public func createEvent(
        _ components: [ICalendarComponent], id: EntityID = EntityID(), uid: String, zones: String?,
        in calendar: EntityID
    ) throws -> EntityID {
        do {
            try create(
                .event, id,
                JournalFields([
                    "calendar": calendar.text.databaseValue, "uid": uid.databaseValue,
                    "text": components.map(\.text).joined().databaseValue, "zones": zones.databaseValue,
                ]))
        } catch let error as DatabaseError where error.code == .constraint {
            throw HelixError(.conflict, "the calendar already has an event with the UID '\(uid)'")
        }
        return id
    }

    /// The series of an event, including uncommitted changes.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func series(of id: EntityID) throws -> EventSeries {
        guard let row = try Row.fetchOne(db, sql: "SELECT text, zones FROM event WHERE id = ?", arguments: [id.text])
        else {
            throw HelixError(.notFound, "unknown event \(id.text)")
        }
        let zones: String? = row[1]
        return EventSeries(EventText.components(row[0], zones: ZoneResolver(definitions: zones ?? "")))
    }

    /// The calendar called `name`, including one that this change has added.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func calendar(named name: String) throws -> CalendarRecord {
        let all = try Store.calendars(db)
        // The calendar that the first event would create.
        if all.isEmpty, name.lowercased() == CalendarRecord.firstName { return try defaultCalendar() }
        return try Store.calendar(named: name, among: all)
    }

    /// Replaces an event's components; an empty list deletes the event.
    /// - Throws: ``HelixError``.
    public func updateEvent(_ id: EntityID, _ components: [ICalendarComponent]) throws {
        guard !components.isEmpty else { return try delete(.event, id) }
        try update(.event, id, JournalFields(["text": components.map(\.text).joined().databaseValue]))
    }

    /// Moves an event to another calendar.
    /// - Throws: ``HelixError`` of code `conflict` if that calendar already has the UID.
    public func moveEvent(_ id: EntityID, to calendar: EntityID) throws {
        do {
            try update(.event, id, JournalFields(["calendar": calendar.text.databaseValue]))
        } catch let error as DatabaseError where error.code == .constraint {
            throw HelixError(.conflict, "that calendar already has this event")
        }
    }

    /// Deletes an event with all its occurrences.
    /// - Throws: ``HelixError``.
    public func deleteEvent(_ id: EntityID) throws { try delete(.event, id) }
}

extension Store {
    /// An occurrence at the time of the first component, for an event without occurrences: all of them are excluded, or its rule
    /// ended before it began. Nil for an event without components.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func bareOccurrence(of id: EntityID) throws -> Occurrence? {
        let event = try event(id)
        let series = event.series
        guard let component = series.master.map({ series.components[$0] }) ?? series.components.first else {
            return nil
        }
        let start = component.start.ordinal
        let end = start + Int64(max(0, component.length.total))
        let time: OccurrenceTime =
            component.start.isDate
            ? .days(
                CivilDateTime(seconds: start).date,
                max(CivilDateTime(seconds: start).date + 1, CivilDateTime(seconds: end).date))
            : .timed(TimeRange(start: Instant(start), end: Instant(end)))
        let details = EventDetails(
            event: id, uid: event.uid, calendar: event.calendar, title: component.title, location: component.location,
            url: component.url, categories: component.categories, status: component.status,
            isOpaque: component.isOpaque, zone: EventText.zoneName(component.start), isRecurring: series.isRecurring)
        return Occurrence(details: details, time: time, basis: component.start.basis)
    }
}
