import HelixCalendar
import HelixModel
import HelixSQLite

/// The index derived from events' texts: components, their full text, and occurrences up to a horizon.
struct EventIndex {
    /// The maximum number of stored occurrences per event; an event with more stores none, and views expand it themselves.
    static let occurrenceLimit = 10_000
    /// The number of seconds from now up to which occurrences are stored when an event is written.
    static let horizon = 2 * 366 * 86_400
    /// The number of seconds from now up to which they are stored on demand; views beyond expand events themselves.
    static let farHorizon = 20 * 366 * 86_400
    /// The maximum duration of an occurrence of each span, in seconds.
    static let spans: [Int64] = [90_000, 8 * 86_400, 64 * 86_400, .max]

    let store: Store
    let db: Database

    /// Rebuilds the index of an event that was written.
    func rebuild(_ id: EntityID) throws {
        try remove(id)
        let sql = """
            SELECT e.n, e.text, e.zones, e.uid, k.n AS calendar FROM event e JOIN calendar k ON k.id = e.calendar
            WHERE e.id = ?
            """
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [id.text]) else { return }
        let zones = try ZoneResolver(definitions: row["zones"] ?? "")
        let owner = try Owner(event: row["n"], id: id, uid: row["uid"], calendar: row["calendar"])
        try add(owner, EventText.components(row["text"], zones: zones))
    }

    /// Removes all data derived from an event's text.
    func remove(_ id: EntityID) throws {
        guard let event = try Int64.fetchOne(db, sql: "SELECT n FROM event WHERE id = ?", arguments: [id.text]) else {
            return
        }
        try remove(event: event)
    }

    func remove(event: Int64) throws {
        try statement("DELETE FROM occurrence WHERE component IN (SELECT n FROM component WHERE event = ?)")
            .execute(arguments: [event])
        let words = try statement(
            "SELECT n, title, location, description, people, categories FROM component WHERE event = ?")
        words.bind(1, event)
        // With VALUES, never with a SELECT, whose savepoint makes FTS5 write a segment for every row.
        let forget = try statement(
            """
            INSERT INTO event_text (event_text, rowid, title, location, description, people, categories)
            VALUES ('delete', ?, ?, ?, ?, ?, ?)
            """)
        while try words.step() {
            try forget.execute(arguments: StatementArguments((0..<words.columnCount).map { words.value($0) }))
        }
        try statement("DELETE FROM component WHERE event = ?").execute(arguments: [event])
    }

    /// The event to which components and occurrences belong, with row numbers.
    struct Owner {
        var event: Int64
        var id: EntityID
        var uid: String
        var calendar: Int64
    }

    /// Stores the components, their full text and their occurrences.
    func add(_ owner: Owner, _ components: [EventComponent]) throws {
        let (end, isDense) = try insert(owner, components, to: store.now.seconds + Int64(EventIndex.horizon))
        try note(owner, end, isDense)
    }

    /// Stores the index of an event, with the occurrences that start before `horizon`, in seconds.
    /// - Returns: as ``expand(_:_:rows:to:)``.
    func insert(
        _ owner: Owner, _ components: [EventComponent], to horizon: Int64
    ) throws -> (expandedTo: Int64?, isDense: Bool) {
        let series = EventSeries(components)
        var rows: [Int64] = []
        rows.reserveCapacity(components.count)
        for (ordinal, component) in components.enumerated() {
            rows.append(try insert(component, ordinal: ordinal, owner, isRecurring: series.isRecurring))
        }
        return try expand(owner, series, rows: rows, to: horizon)
    }

    private func insert(_ component: EventComponent, ordinal: Int, _ owner: Owner, isRecurring: Bool) throws -> Int64 {
        let people = EventText.people(component)
        let categories = component.categories.isEmpty ? nil : component.categories.joined(separator: "\n")
        let insert = try Statement(
            db,
            """
            INSERT INTO component (event, ordinal, title, location, description, people, categories, url, status,
                is_opaque, zone, travel, declined_by, is_recurring, id, uid)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        insert.bind(1, owner.event)
        insert.bind(2, Int64(ordinal))
        insert.bind(3, component.title)
        insert.bind(4, component.location)
        insert.bind(5, component.description)
        insert.bind(6, people)
        insert.bind(7, categories)
        insert.bind(8, component.url)
        insert.bind(9, component.status.rawValue)
        insert.bind(10, component.isOpaque ? 1 : 0)
        insert.bind(11, EventText.zoneName(component.start))
        insert.bind(12, Int64(component.travel))
        insert.bind(13, EventText.declinedBy(component))
        insert.bind(14, isRecurring ? 1 : 0)
        insert.bind(15, owner.id.text)
        insert.bind(16, owner.uid)
        try insert.run()
        let row = db.lastInsertedRowID
        let text = try Statement(
            db,
            "INSERT INTO event_text (rowid, title, location, description, people, categories) VALUES (?, ?, ?, ?, ?, ?)"
        )
        text.bind(1, row)
        text.bind(2, component.title)
        text.bind(3, component.location)
        text.bind(4, component.description)
        text.bind(5, people)
        text.bind(6, categories)
        try text.run()
        return row
    }

    /// Stores the occurrences that start before `horizon`, in seconds.
    /// - Returns: the horizon, nil if there are no occurrences beyond it; and whether there are too many to store.
    private func expand(
        _ owner: Owner, _ series: EventSeries, rows: [Int64], to horizon: Int64
    ) throws -> (expandedTo: Int64?, isDense: Bool) {
        let (instances, isComplete) = series.occurrences(before: horizon, limit: EventIndex.occurrenceLimit)
        let isDense = instances == nil
        let insert = try Statement(
            db,
            """
            INSERT OR IGNORE INTO occurrence (span, start, component, "end", basis, recurrence, event, calendar, flags)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        let flags = series.components.map(EventIndex.flags)
        for instance in instances ?? [] {
            insert.bind(1, EventIndex.span(instance.end - instance.start))
            insert.bind(2, instance.start)
            insert.bind(3, rows[instance.component])
            insert.bind(4, instance.end)
            insert.bind(5, Int64(instance.basis.rawValue))
            insert.bind(6, instance.recurrence?.seconds)
            insert.bind(7, owner.event)
            insert.bind(8, owner.calendar)
            insert.bind(9, flags[instance.component])
            try insert.run()
        }
        return (isDense || isComplete ? nil : horizon, isDense)
    }

    /// Records up to which time the occurrences of an event are stored.
    private func note(_ owner: Owner, _ expandedTo: Int64?, _ isDense: Bool) throws {
        if expandedTo != nil || isDense {
            try statement("UPDATE event SET expanded_to = ?, is_dense = ? WHERE n = ?")
                .execute(arguments: [expandedTo, isDense, owner.event])
        } else {
            try statement(
                "UPDATE event SET expanded_to = NULL, is_dense = 0 WHERE n = ? AND (expanded_to IS NOT NULL OR is_dense)"
            )
            .execute(arguments: [owner.event])
        }
    }

    /// Stores occurrences up to `horizon` for all events whose stored occurrences end before.
    func extend(to horizon: Int64) throws {
        let behind = try Row.fetchAll(
            db,
            sql: """
                SELECT e.n, e.text, e.zones, e.id, e.uid, k.n AS calendar FROM event e
                JOIN calendar k ON k.id = e.calendar WHERE e.expanded_to IS NOT NULL AND e.expanded_to < ?
                """, arguments: [horizon])
        for row in behind {
            let event: Int64 = try row["n"]
            let components = try EventText.components(row["text"], zones: ZoneResolver(definitions: row["zones"] ?? ""))
            let rows = try Int64.fetchAll(
                db, sql: "SELECT n FROM component WHERE event = ? ORDER BY ordinal", arguments: [event])
            guard rows.count == components.count else { continue }
            try statement("DELETE FROM occurrence WHERE component IN (SELECT n FROM component WHERE event = ?)")
                .execute(arguments: [event])
            let owner = try Owner(
                event: event, id: EntityID(stored: row["id"]), uid: row["uid"], calendar: row["calendar"])
            let (end, isDense) = try expand(owner, EventSeries(components), rows: rows, to: horizon)
            try note(owner, end, isDense)
        }
    }

    /// The flags of a component for finding conflicts without reading it.
    private static func flags(_ component: EventComponent) -> Int64 {
        var flags: Int64 = component.isOpaque && component.status != .cancelled ? 1 : 0
        if component.status == .tentative { flags |= 2 }
        if component.attendees.contains(where: { $0.participation == .declined }) { flags |= 4 }
        if component.travel > 0 { flags |= 8 }
        return flags
    }

    static func span(_ duration: Int64) -> Int64 {
        Int64(spans.firstIndex { duration <= $0 } ?? spans.count - 1)
    }

    private func statement(_ sql: String) throws -> Statement { try Statement(db, sql) }
}
