import GRDB
import HelixCalendar
import HelixModel

extension Store {
    /// No wall clock is further from UTC than this, in seconds.
    private static let zoneReach: Int64 = 15 * 3600
    /// No view lists more occurrences of one event than this.
    private static let listLimit = 5_000

    /// Occurrences that touch `range`, in order of start, seen from `zone`.
    ///
    /// One range scan over stored rows; only events whose occurrences are not stored that far are expanded.
    /// - Throws: ``HelixError``.
    public func occurrences(
        in range: TimeRange, zone: Zone, calendars: CalendarSelection = .visible, event: EntityID? = nil
    ) throws -> [Occurrence] {
        try ensureExpanded(to: range.end.seconds + Store.zoneReach)
        return try read { try occurrences($0, in: range, zone: zone, calendars: calendars, event: event) }
    }

    func occurrences(
        _ db: Database, in range: TimeRange, zone: Zone, calendars: CalendarSelection, event: EntityID?
    ) throws -> [Occurrence] {
        let reader = OccurrenceReader(range: range, zone: zone, addresses: addresses)
        let (filter, arguments) = Store.filter(calendars, event: event)
        var found: [Occurrence] = []
        try stored(db, range, filter, arguments) { row in
            if let occurrence = reader.occurrence(row) { found.append(occurrence) }
        }
        var known: Set<Occurrence>?
        try expanded(db, range, filter, arguments) { row in
            guard let occurrence = reader.occurrence(row) else { return }
            // Changed occurrences are stored even where the regular ones are not.
            if known == nil { known = Set(found) }
            if known?.insert(occurrence).inserted ?? true { found.append(occurrence) }
        }
        return found.sorted(in: zone)
    }

    private static func filter(
        _ calendars: CalendarSelection, event: EntityID?
    ) -> (sql: String, arguments: StatementArguments) {
        var sql = ""
        var arguments = StatementArguments()
        switch calendars {
        case .visible: sql += " AND k.is_hidden = 0"
        case .all: break
        case .only(let ids):
            sql += " AND k.id IN (\(ids.map { _ in "?" }.joined(separator: ",")))"
            arguments += StatementArguments(ids.map(\.text))
        }
        if let event {
            sql += " AND e.id = ?"
            arguments += [event.text]
        }
        return (sql, arguments)
    }

    private func stored(
        _ db: Database, _ range: TimeRange, _ filter: String, _ arguments: StatementArguments,
        _ body: (OccurrenceRow) -> Void
    ) throws {
        let from = range.start.seconds - Store.zoneReach
        let to = range.end.seconds + Store.zoneReach
        var parts: [String] = []
        for (span, longest) in EventIndex.spans.enumerated() {
            let earliest = longest == .max ? Int64.min / 4 : from - longest
            parts.append(
                """
                SELECT component, start, "end", basis, recurrence FROM occurrence
                WHERE span = \(span) AND start >= \(earliest) AND start < \(to) AND "end" >= \(from)
                """)
        }
        let sql = """
            SELECT o.start, o."end", o.basis, o.recurrence, \(OccurrenceRow.columns)
            FROM (\(parts.joined(separator: " UNION ALL "))) o
            CROSS JOIN component c ON c.n = o.component
            CROSS JOIN event e ON e.n = c.event
            CROSS JOIN calendar k ON k.id = e.calendar
            WHERE 1\(filter)
            """
        let cursor = try Row.fetchCursor(db, sql: sql, arguments: arguments)
        while let row = try cursor.next() {
            let recurrence: Int64? = row[3]
            body(
                OccurrenceRow(
                    row, start: row[0], end: row[1], basis: TimeBasis(rawValue: row[2]) ?? .instant,
                    recurrence: recurrence.map { CivilDateTime(seconds: $0) }))
        }
    }

    /// Occurrences of events whose rows do not reach the range: dense ones, and all others far from now.
    private func expanded(
        _ db: Database, _ range: TimeRange, _ filter: String, _ arguments: StatementArguments,
        _ body: (OccurrenceRow) -> Void
    ) throws {
        let to = range.end.seconds + Store.zoneReach
        let sql = """
            SELECT e.n, e.text, e.zones, e.expanded_to FROM event e CROSS JOIN calendar k ON k.id = e.calendar
            WHERE e.n IN (SELECT n FROM event WHERE is_dense = 1
                UNION ALL SELECT n FROM event WHERE expanded_to IS NOT NULL AND expanded_to < \(to))\(filter)
            """
        for event in try Row.fetchAll(db, sql: sql, arguments: arguments) {
            let series = EventSeries(
                EventText.components(event["text"], zones: ZoneResolver(definitions: event["zones"] ?? "")))
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT \(OccurrenceRow.columns) FROM component c JOIN event e ON e.n = c.event
                    JOIN calendar k ON k.id = e.calendar WHERE c.event = ? ORDER BY c.ordinal
                    """, arguments: [event["n"] as Int64])
            let storedTo: Int64? = event["expanded_to"]
            for instance in series.instances(in: range, reach: Store.zoneReach, limit: Store.listLimit)
            where instance.component < rows.count && instance.start >= storedTo ?? .min {
                body(
                    OccurrenceRow(
                        rows[instance.component], offset: 0, start: instance.start, end: instance.end,
                        basis: instance.basis, recurrence: instance.recurrence))
            }
        }
    }

    /// Stores further occurrences if the view goes beyond those stored, but not beyond the far horizon.
    private func ensureExpanded(to horizon: Int64) throws {
        guard !isReadOnly, horizon <= now.seconds + Int64(EventIndex.farHorizon) else { return }
        let isBehind = try read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM event WHERE expanded_to IS NOT NULL AND expanded_to < ?)",
                arguments: [horizon]) ?? false
        }
        guard isBehind else { return }
        // Half a year ahead, so that paging through weeks does not come here each time. A store that is busy or full
        // can still be read: the view expands by itself then.
        _ = try? writeDerived { db in
            try EventIndex(store: self, db: db).extend(to: horizon + 183 * 86_400)
        }
    }
}

/// What a view reads of an occurrence.
struct OccurrenceRow {
    static let columns = """
        e.id, e.uid, k.id, k.name, k.color, c.title, c.location, c.url, c.categories, c.status, c.is_opaque, c.zone,
        c.travel, c.declined_by, c.is_recurring
        """

    let row: Row
    let offset: Int
    let start: Int64
    let end: Int64
    let basis: TimeBasis
    let recurrence: CivilDateTime?

    init(_ row: Row, offset: Int = 4, start: Int64, end: Int64, basis: TimeBasis, recurrence: CivilDateTime?) {
        self.row = row
        self.offset = offset
        self.start = start
        self.end = end
        self.basis = basis
        self.recurrence = recurrence
    }
}

/// Turns rows into occurrences of a range, seen from a zone.
struct OccurrenceReader {
    let range: TimeRange
    let zone: Zone
    let addresses: Set<String>

    /// The occurrence, or nil if it does not touch the range.
    func occurrence(_ found: OccurrenceRow) -> Occurrence? {
        let time: OccurrenceTime
        switch found.basis {
        case .instant: time = .timed(TimeRange(start: Instant(found.start), end: Instant(found.end)))
        case .floating:
            time = .timed(
                TimeRange(
                    start: zone.instant(CivilDateTime(seconds: found.start)),
                    end: zone.instant(CivilDateTime(seconds: found.end))))
        case .date:
            let first = CivilDateTime(seconds: found.start).date
            time = .days(first, max(first + 1, CivilDateTime(seconds: found.end).date))
        }
        let own = time.range(in: zone)
        guard own.start < range.end, own.end > range.start || own.duration <= 0 && own.start >= range.start else {
            return nil
        }
        let row = found.row
        let at = found.offset
        guard let event = EntityID(row[at] as String), let calendar = EntityID(row[at + 2] as String) else { return nil }
        let categories: String? = row[at + 8]
        let zoneName: String? = row[at + 11]
        let isRecurring: Bool = row[at + 14]
        return Occurrence(
            event: event, uid: row[at + 1],
            calendar: CalendarRef(
                id: calendar, name: row[at + 3], color: CalendarColor(rawValue: row[at + 4]) ?? .gray),
            title: row[at + 5], location: row[at + 6], url: row[at + 7],
            categories: categories?.split(separator: "\n").map(String.init) ?? [],
            status: EventStatus(rawValue: row[at + 9]) ?? .confirmed, isOpaque: row[at + 10],
            isDeclined: isDeclined(row[at + 13]), time: time, zone: zoneName, isRecurring: isRecurring,
            recurrenceID: found.recurrence.flatMap { civil in
                isRecurring ? OccurrenceReader.recurrenceID(civil, basis: found.basis, zone: zoneName) : nil
            }, travel: row[at + 12])
    }

    private func isDeclined(_ list: String?) -> Bool {
        guard let list else { return false }
        if addresses.isEmpty { return list.contains(",*,") }
        return addresses.contains { list.contains(",\($0),") }
    }

    static func recurrenceID(_ civil: CivilDateTime, basis: TimeBasis, zone: String?) -> String {
        switch basis {
        case .date: ICalendarTime.date(civil.date).text
        case .floating: ICalendarTime.floating(civil).text
        case .instant: ICalendarTime.floating(civil).text + (zone == "UTC" ? "Z" : "")
        }
    }
}

extension Change {
    /// Occurrences as they will be once this change is saved; as ``Store/occurrences(in:zone:calendars:event:)``.
    /// - Throws: ``HelixError``.
    public func occurrences(
        in range: TimeRange, zone: Zone, calendars: CalendarSelection = .visible, event: EntityID? = nil
    ) throws -> [Occurrence] {
        try store.occurrences(db, in: range, zone: zone, calendars: calendars, event: event)
    }
}

extension [Occurrence] {
    /// In order of start seen from `zone`; whole days before times, longer before shorter.
    func sorted(in zone: Zone) -> [Occurrence] {
        map { (range: $0.time.range(in: zone), occurrence: $0) }.sorted { a, b in
            if a.range.start != b.range.start { return a.range.start < b.range.start }
            if a.occurrence.time.isAllDay != b.occurrence.time.isAllDay { return a.occurrence.time.isAllDay }
            if a.range.end != b.range.end { return a.range.end > b.range.end }
            return (a.occurrence.title, a.occurrence.uid) < (b.occurrence.title, b.occurrence.uid)
        }.map(\.occurrence)
    }
}
