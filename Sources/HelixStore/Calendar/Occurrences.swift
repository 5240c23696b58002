import HelixCalendar
import HelixModel
import HelixSQLite

extension Store {
    /// The maximum offset of any time zone from UTC, in seconds.
    static let zoneReach: Int64 = 15 * 3600

    /// The occurrences that overlap `range`, in order of start in `zone`.
    ///
    /// They are read by one range scan over stored rows; only events whose occurrences are not stored that far are expanded.
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
        var found: [Occurrence] = []
        let reader = OccurrenceReader(
            range: range, zone: zone, addresses: addresses, calendars: try selected(db, calendars))
        let columns = "o.start, o.\"end\", o.basis, o.recurrence, o.calendar, \(OccurrenceReader.columns)"
        let filter = event.map { " AND c.id = '\($0.text)'" } ?? ""
        let sql =
            "SELECT \(columns) FROM \(Store.stored(range)) o CROSS JOIN component c ON c.n = o.component WHERE 1\(filter)"
        let row = try Statement(db, event == nil ? sql : try Store.ofEvent(db, event, columns))
        while try row.step() {
            if let occurrence = reader.occurrence(row, 5, OccurrenceReader.Time(row), calendar: row.integer(4)) {
                found.append(occurrence)
            }
        }
        try expanded(db, reader, event) { found.append($0) }
        return found.sorted(in: zone)
    }

    /// The selected calendars, by row number.
    func selected(_ db: Database, _ calendars: CalendarSelection) throws -> [Int64: CalendarRef] {
        var selected: [Int64: CalendarRef] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT n, id, name, color, is_hidden FROM calendar") {
            let id = EntityID(stored: row[1])
            switch calendars {
            case .visible: if row[4] { continue }
            case .all: break
            case .only(let ids): if !ids.contains(id) { continue }
            }
            selected[row[0]] = CalendarRef(id: id, name: row[2], color: CalendarColor(rawValue: row[3]) ?? .gray)
        }
        return selected
    }

    /// The SQL for the stored occurrences that may overlap a range: one scan for each span.
    static func stored(_ range: TimeRange) -> String {
        let from = range.start.seconds - Store.zoneReach
        let to = range.end.seconds + Store.zoneReach
        let parts = EventIndex.spans.enumerated().map { span, longest in
            let earliest = longest == .max ? Int64.min / 4 : from - longest
            return """
                SELECT * FROM occurrence
                WHERE span = \(span) AND start >= \(earliest) AND start < \(to) AND "end" >= \(from)
                """
        }
        return "(" + parts.joined(separator: " UNION ALL ") + ")"
    }

    /// The SQL for all stored occurrences of one event, whose few rows are read by its index, whatever the range.
    private static func ofEvent(_ db: Database, _ event: EntityID?, _ columns: String) throws -> String {
        let number =
            try Int64.fetchOne(
                db, sql: "SELECT n FROM event WHERE id = ?", arguments: [event?.text ?? ""]) ?? -1
        return """
            SELECT \(columns) FROM component c CROSS JOIN occurrence o ON o.component = c.n WHERE c.event = \(number)
            """
    }

    /// Expands events whose stored occurrences do not reach the range: dense events, and others far from now.
    func expanded(
        _ db: Database, _ reader: OccurrenceReader, _ event: EntityID?, _ body: (Occurrence) -> Void
    ) throws {
        try expanded(db, reader, event, only: nil) { occurrence, _ in body(occurrence) }
    }

    /// Expands such events, optionally only some components, and passes each occurrence with its component's number.
    func expanded(
        _ db: Database, _ reader: OccurrenceReader, _ event: EntityID?, only components: Set<Int64>?,
        _ body: (Occurrence, Int64) -> Void
    ) throws {
        let range = reader.range
        let to = range.end.seconds + Store.zoneReach
        let sql = """
            SELECT e.n, e.text, e.zones, e.expanded_to, k.n, e.id FROM event e CROSS JOIN calendar k ON k.id = e.calendar
            WHERE e.n IN (SELECT n FROM event WHERE is_dense = 1
                UNION ALL SELECT n FROM event WHERE expanded_to IS NOT NULL AND expanded_to < \(to))
            \(event.map { " AND e.id = '\($0.text)'" } ?? "")
            """
        let events = try Statement(db, sql)
        while try events.step() {
            guard reader.calendars[events.integer(4)] != nil else { continue }
            let series = EventSeries(
                EventText.components(events.text(1) ?? "", zones: ZoneResolver(definitions: events.text(2) ?? "")))
            let isDense = events.isNull(3)
            let storedTo = isDense ? Int64.min : events.integer(3)
            // Changed occurrences are stored even where the regular ones are not.
            let changed = isDense ? [] : Set(series.standaloneInstances())
            let window = series.window(range, reach: Store.zoneReach, limit: listLimit)
            if let start = window.unknownFrom {
                unlisted.append(
                    Unlisted(
                        event: EntityID(stored: events.text(5) ?? ""), range: TimeRange(start: start, end: range.end)))
            }
            let instances = window.instances.filter { $0.start >= storedTo && !changed.contains($0) }
            if instances.isEmpty { continue }
            let row = try Statement(
                db, "SELECT \(OccurrenceReader.columns) FROM component c WHERE c.event = ? ORDER BY c.ordinal")
            row.bind(1, events.integer(0))
            var component = 0
            while try row.step() {
                let isAsked = components?.contains(row.integer(0)) ?? true
                for instance in instances where isAsked && instance.component == component {
                    let time = OccurrenceReader.Time(
                        start: instance.start, end: instance.end, basis: instance.basis, recurrence: instance.recurrence
                    )
                    if let occurrence = reader.occurrence(row, 0, time, calendar: events.integer(4)) {
                        body(occurrence, row.integer(0))
                    }
                }
                component += 1
            }
        }
    }

    /// Stores further occurrences if a view extends beyond the stored ones, up to the far horizon.
    func ensureExpanded(to horizon: Int64) throws {
        guard !isReadOnly, horizon <= now.seconds + Int64(EventIndex.farHorizon) else { return }
        let isBehind = try read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM event WHERE expanded_to IS NOT NULL AND expanded_to < ?)",
                arguments: [horizon]) ?? false
        }
        guard isBehind else { return }
        // Half a year ahead, so that paging through weeks does not extend the index each time. If the store is busy or full,
        // the view expands the events itself.
        _ = try? writeDerived { db in
            try EventIndex(store: self, db: db).extend(to: horizon + 183 * 86_400)
        }
    }
}

extension Change {
    /// The occurrences including uncommitted changes; as ``Store/occurrences(in:zone:calendars:event:)``.
    /// - Throws: ``HelixError``.
    public func occurrences(
        in range: TimeRange, zone: Zone, calendars: CalendarSelection = .visible, event: EntityID? = nil
    ) throws -> [Occurrence] {
        try store.occurrences(db, in: range, zone: zone, calendars: calendars, event: event)
    }
}

extension [Occurrence] {
    /// The occurrences in order of start in `zone`; all-day before timed, longer before shorter.
    func sorted(in zone: Zone) -> [Occurrence] { sortedPlaces(in: zone).map { self[$0] } }

    /// The indices of the occurrences in that order.
    func sortedPlaces(in zone: Zone) -> [Int] {
        // Indices are sorted instead of the occurrences, which are large.
        let ranges = map { $0.time.range(in: zone) }
        return indices.sorted { x, y in
            if ranges[x].start != ranges[y].start { return ranges[x].start < ranges[y].start }
            let (isDay, isOtherDay) = (self[x].time.isAllDay, self[y].time.isAllDay)
            if isDay != isOtherDay { return isDay }
            if ranges[x].end != ranges[y].end { return ranges[x].end > ranges[y].end }
            return (self[x].title, self[x].uid) < (self[y].title, self[y].uid)
        }
    }
}
