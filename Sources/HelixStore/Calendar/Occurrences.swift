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
        var reader = OccurrenceReader(range: range, zone: zone, addresses: addresses)
        let filter = Store.filter(calendars, event: event)
        var found: [Occurrence] = []
        try stored(db, range, filter) { row in
            let time = OccurrenceReader.Time(
                start: row.integer(0), end: row.integer(1), basis: TimeBasis(rawValue: Int(row.integer(2))) ?? .instant,
                recurrence: row.isNull(3) ? nil : CivilDateTime(seconds: row.integer(3)))
            if let occurrence = reader.occurrence(row, 4, time) { found.append(occurrence) }
        }
        var known: Set<Occurrence>?
        try expanded(db, range, filter) { row, time in
            guard let occurrence = reader.occurrence(row, 0, time) else { return }
            // Changed occurrences are stored even where the regular ones are not.
            if known == nil { known = Set(found) }
            if known?.insert(occurrence).inserted ?? true { found.append(occurrence) }
        }
        return found.sorted(in: zone)
    }

    /// A condition on calendar `k` and event `e`. Identities have an alphabet of their own and need no quoting.
    private static func filter(_ calendars: CalendarSelection, event: EntityID?) -> String {
        var sql: String
        switch calendars {
        case .visible: sql = " AND k.is_hidden = 0"
        case .all: sql = ""
        case .only(let ids): sql = " AND k.id IN (\(ids.map { "'\($0.text)'" }.joined(separator: ",")))"
        }
        if let event { sql += " AND e.id = '\(event.text)'" }
        return sql
    }

    private func stored(
        _ db: Database, _ range: TimeRange, _ filter: String, _ body: (FastStatement) -> Void
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
            SELECT o.start, o."end", o.basis, o.recurrence, \(OccurrenceReader.columns)
            FROM (\(parts.joined(separator: " UNION ALL "))) o
            CROSS JOIN component c ON c.n = o.component
            CROSS JOIN event e ON e.n = c.event
            CROSS JOIN calendar k ON k.id = e.calendar
            WHERE 1\(filter)
            """
        let statement = try FastStatement(db, sql)
        while try statement.step() { body(statement) }
    }

    /// Occurrences of events whose rows do not reach the range: dense ones, and all others far from now.
    private func expanded(
        _ db: Database, _ range: TimeRange, _ filter: String, _ body: (FastStatement, OccurrenceReader.Time) -> Void
    ) throws {
        let to = range.end.seconds + Store.zoneReach
        let sql = """
            SELECT e.n, e.text, e.zones, e.expanded_to FROM event e CROSS JOIN calendar k ON k.id = e.calendar
            WHERE e.n IN (SELECT n FROM event WHERE is_dense = 1
                UNION ALL SELECT n FROM event WHERE expanded_to IS NOT NULL AND expanded_to < \(to))\(filter)
            """
        let events = try FastStatement(db, sql)
        while try events.step() {
            let series = EventSeries(
                EventText.components(events.text(1) ?? "", zones: ZoneResolver(definitions: events.text(2) ?? "")))
            let storedTo = events.isNull(3) ? Int64.min : events.integer(3)
            let instances = series.instances(in: range, reach: Store.zoneReach, limit: Store.listLimit)
                .filter { $0.start >= storedTo }
            if instances.isEmpty { continue }
            let row = try FastStatement(
                db,
                """
                SELECT \(OccurrenceReader.columns) FROM component c JOIN event e ON e.n = c.event
                JOIN calendar k ON k.id = e.calendar WHERE c.event = ? ORDER BY c.ordinal
                """)
            row.bind(1, events.integer(0))
            var component = 0
            while try row.step() {
                for instance in instances where instance.component == component {
                    body(
                        row,
                        OccurrenceReader.Time(
                            start: instance.start, end: instance.end, basis: instance.basis,
                            recurrence: instance.recurrence))
                }
                component += 1
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

/// Turns rows into occurrences of a range, seen from a zone.
struct OccurrenceReader {
    /// The columns of component `c`, event `e` and calendar `k` that an occurrence needs, in the order they are read.
    static let columns = """
        e.id, e.uid, k.id, k.name, k.color, c.title, c.location, c.url, c.categories, c.status, c.is_opaque, c.zone,
        c.travel, c.declined_by, c.is_recurring
        """

    /// When, as the store has it.
    struct Time {
        var start: Int64
        var end: Int64
        var basis: TimeBasis
        var recurrence: CivilDateTime?
    }

    let range: TimeRange
    let zone: Zone
    let addresses: Set<String>
    /// Calendars met so far: there are few of them, and every row names one.
    private var calendars: [String: CalendarRef] = [:]

    init(range: TimeRange, zone: Zone, addresses: Set<String>) {
        self.range = range
        self.zone = zone
        self.addresses = addresses
    }

    /// The occurrence in a row whose ``columns`` begin at `at`, or nil if it does not touch the range.
    mutating func occurrence(_ row: FastStatement, _ at: Int32, _ found: Time) -> Occurrence? {
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
        guard own.start < range.end, own.end > range.start || own.duration <= 0 && own.start >= range.start,
            let event = row.text(at), let calendar = row.text(at + 2)
        else { return nil }
        if calendars[calendar] == nil {
            calendars[calendar] = CalendarRef(
                id: EntityID(stored: calendar), name: row.text(at + 3) ?? "",
                color: CalendarColor(rawValue: row.text(at + 4) ?? "") ?? .gray)
        }
        guard let ref = calendars[calendar] else { return nil }
        let zoneName = row.text(at + 11)
        let isRecurring = row.integer(at + 14) != 0
        return Occurrence(
            event: EntityID(stored: event), uid: row.text(at + 1) ?? "", calendar: ref, title: row.text(at + 5) ?? "",
            location: row.text(at + 6), url: row.text(at + 7),
            categories: row.text(at + 8)?.split(separator: "\n").map(String.init) ?? [],
            status: EventStatus(rawValue: row.text(at + 9) ?? "") ?? .confirmed, isOpaque: row.integer(at + 10) != 0,
            isDeclined: isDeclined(row.text(at + 13)), time: time, zone: zoneName, isRecurring: isRecurring,
            recurrenceID: found.recurrence.flatMap { civil in
                isRecurring ? OccurrenceReader.recurrenceID(civil, basis: found.basis, zone: zoneName) : nil
            }, travel: Int(row.integer(at + 12)))
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
