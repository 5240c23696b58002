import HelixCalendar
import HelixModel
import HelixSQLite

/// An event found by a search.
public struct EventHit: Sendable {
    /// The next occurrence, or the last one if all are past.
    public var occurrence: Occurrence
    /// An excerpt of the text; matches are enclosed in U+0002 and U+0003.
    public var snippet: String
}

extension Store {
    /// The events that match a query: each once, at its next occurrence; or, if the query has a time range with both ends,
    /// each of its occurrences in the range.
    ///
    /// Titles have more weight than other texts. Accents and case are ignored.
    /// - Returns: the best `limit` matches, and whether there are more.
    /// - Throws: ``HelixError``.
    public func searchEvents(
        _ query: EventQuery, calendars: CalendarSelection, zone: Zone, limit: Int
    ) throws -> (hits: [EventHit], isTruncated: Bool) {
        let (start, end) = query.bounds
        if let end { try ensureExpanded(to: end + Store.zoneReach) }
        if let start, let end {
            guard start < end else { return ([], false) }
            let stretch = TimeRange(start: Instant(start), end: Instant(end))
            return try read { try occurring($0, query, in: stretch, calendars: calendars, zone: zone, limit: limit) }
        }
        return try read { db in
            let selected = try selected(db, calendars)
            let reader = OccurrenceReader(range: Store.always, zone: zone, addresses: addresses, calendars: selected)
            let everywhere = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM calendar") == selected.count
            let asked = try EventQuerySQL(query, db, self)
            let places = try ranked(
                db, asked, calendars: everywhere ? nil : Array(selected.keys),
                limit: limit > 1_000_000 ? limit : limit * 2 + 1)
            let snippets = try Snippets(db, asked)
            var hits: [EventHit] = []
            var known: Set<EntityID> = []
            for component in places {
                guard hits.count < limit else { break }
                guard let occurrence = try next(db, component: component, reader, from: start, to: end),
                    known.insert(occurrence.event).inserted
                else { continue }
                hits.append(EventHit(occurrence: occurrence, snippet: try snippets.text(component)))
            }
            return (hits, places.count > limit)
        }
    }

    /// Excerpts with the matches. They are computed only for the events that are shown; the ranking query would compute them
    /// for every match.
    private struct Snippets {
        private let statement: Statement
        private let match: String?

        init(_ db: Database, _ asked: EventQuerySQL) throws {
            match = asked.match
            statement = try Statement(
                db,
                """
                SELECT snippet(event_text, -1, char(2), char(3), '…', 10) FROM event_text
                WHERE event_text MATCH ?1 AND rowid = ?2
                """)
        }

        func text(_ component: Int64) throws -> String {
            guard let match else { return "" }
            statement.bind(1, match)
            statement.bind(2, component)
            var text = ""
            while try statement.step() { text = statement.text(0) ?? "" }
            return text
        }
    }

    /// The occurrences in a time range of events that match a query, in order of start.
    private func occurring(
        _ db: Database, _ query: EventQuery, in range: TimeRange, calendars: CalendarSelection, zone: Zone, limit: Int
    ) throws -> (hits: [EventHit], isTruncated: Bool) {
        let asked = try EventQuerySQL(query, db, self)
        let reader = OccurrenceReader(
            range: range, zone: zone, addresses: addresses, calendars: try selected(db, calendars))
        let matching = Set(try ranked(db, asked, calendars: nil, limit: .max))
        if matching.isEmpty { return ([], false) }
        var found: [(Occurrence, Int64)] = []
        let row = try Statement(
            db,
            """
            SELECT o.start, o."end", o.basis, o.recurrence, o.calendar, \(OccurrenceReader.columns)
            FROM \(Store.stored(range)) o CROSS JOIN component c ON c.n = o.component
            """)
        while try row.step() {
            guard matching.contains(row.integer(5)),
                let occurrence = reader.occurrence(row, 5, OccurrenceReader.Time(row), calendar: row.integer(4))
            else { continue }
            found.append((occurrence, row.integer(5)))
        }
        try expanded(db, reader, nil, only: matching) { found.append(($0, $1)) }
        let order = found.map(\.0).sortedPlaces(in: zone)
        let snippets = try Snippets(db, asked)
        let hits = try order.prefix(limit).map {
            EventHit(occurrence: found[$0].0, snippet: try snippets.text(found[$0].1))
        }
        return (hits, found.count > limit)
    }

    /// The components that match, the best first; without words the one with the next occurrence first.
    func ranked(
        _ db: Database, _ asked: EventQuerySQL, calendars: [Int64]?, limit: Int
    ) throws -> [Int64] {
        var conditions = [asked.condition]
        if let calendars { conditions.append("k.n IN (\(calendars.map(String.init).joined(separator: ",")))") }
        let needsEvent = calendars != nil || asked.condition != "1"
        let joins =
            needsEvent
            ? " CROSS JOIN component c ON c.n = x.rowid JOIN event e ON e.n = c.event JOIN calendar k ON k.id = e.calendar"
            : ""
        let row: Statement
        if let match = asked.match {
            row = try Statement(
                db,
                """
                SELECT x.rowid FROM event_text x\(joins)
                WHERE event_text MATCH ? AND rank MATCH 'bm25(10.0, 4.0, 1.0, 2.0, 2.0)' AND \(conditions.joined(separator: " AND "))
                ORDER BY rank LIMIT \(limit)
                """)
            row.bind([.string(match)] + asked.arguments)
        } else {
            row = try Statement(
                db,
                """
                SELECT c.n FROM component c JOIN event e ON e.n = c.event JOIN calendar k ON k.id = e.calendar
                WHERE \(conditions.joined(separator: " AND ")) ORDER BY
                    (SELECT MIN(o.start) FROM occurrence o WHERE o.component = c.n AND o."end" >= \(now.seconds))
                    NULLS LAST, c.n DESC LIMIT \(limit)
                """)
            row.bind(asked.arguments)
        }
        var found: [Int64] = []
        while try row.step() { found.append(row.integer(0)) }
        return found
    }

    /// The first occurrence of a component that has not ended, or the last one.
    /// - Parameters:
    ///   - start: returns only occurrences that end after it, in seconds of UTC.
    ///   - end: returns only occurrences that begin before it.
    func next(
        _ db: Database, component: Int64, _ reader: OccurrenceReader, from start: Int64?, to end: Int64?
    ) throws -> Occurrence? {
        let row = try Statement(
            db,
            """
            SELECT \(OccurrenceReader.columns), k.n, e.text, e.zones FROM component c
            CROSS JOIN event e ON e.n = c.event CROSS JOIN calendar k ON k.id = e.calendar WHERE c.n = ?1
            """)
        row.bind(1, component)
        let time = try storedTime(db, component: component, from: start, to: end)
        let at = OccurrenceReader.columnCount
        var occurrence: Occurrence?
        while try row.step() {
            // Occurrences of dense events are not stored, nor those of others in the far future.
            let isBefore = start.map { (time?.end ?? .min) < $0 } ?? (time == nil)
            let found = try isBefore ? unstored(row.text(at + 1), row.text(at + 2), from: start) ?? time : time
            occurrence = found.flatMap { reader.occurrence(row, 0, $0, calendar: row.integer(at)) }
        }
        return occurrence
    }

    /// The next stored time of a component, or its last one, found by index, independent of the number of times.
    private func storedTime(
        _ db: Database, component: Int64, from start: Int64?, to end: Int64?
    ) throws -> OccurrenceReader.Time? {
        let moment = max(now.seconds, start ?? .min)
        let columns = "SELECT start, \"end\", basis, recurrence FROM occurrence WHERE component = ?1 AND span = ?2"
        let next = try Statement(db, "\(columns) AND start >= ?3 AND \"end\" >= ?4 ORDER BY start LIMIT 1")
        let last = try Statement(db, "\(columns) AND start < ?3 ORDER BY start DESC LIMIT 1")
        var coming: OccurrenceReader.Time?
        var gone: OccurrenceReader.Time?
        for (span, longest) in EventIndex.spans.enumerated() {
            next.bind(1, component)
            next.bind(2, Int64(span))
            next.bind(3, longest == .max ? Int64.min / 4 : moment - longest)
            next.bind(4, moment)
            while try next.step() {
                let time = OccurrenceReader.Time(next)
                if time.start < coming?.start ?? .max { coming = time }
            }
        }
        if let coming, coming.start < end ?? .max { return coming }
        for span in EventIndex.spans.indices {
            last.bind(1, component)
            last.bind(2, Int64(span))
            last.bind(3, end ?? .max)
            while try last.step() {
                let time = OccurrenceReader.Time(last)
                if time.start > gone?.start ?? .min { gone = time }
            }
        }
        return gone
    }

    /// The next time of an event whose occurrences are not all stored.
    private func unstored(_ text: String?, _ zones: String?, from start: Int64?) throws -> OccurrenceReader.Time? {
        let series = EventSeries(EventText.components(text ?? "", zones: ZoneResolver(definitions: zones ?? "")))
        return series.next(after: max(now, start.map { Instant($0) } ?? now)).map {
            OccurrenceReader.Time(start: $0.start, end: $0.end, basis: $0.basis, recurrence: $0.recurrence)
        }
    }

    static let always = TimeRange(start: Instant(-100_000_000_000), end: Instant(400_000_000_000))

    /// The participants of events, as `Name <address>` lines by event.
    /// - Throws: ``HelixError``.
    public func people(of events: Set<EntityID>) throws -> [EntityID: [String]] {
        try read { db in
            let sql =
                "SELECT c.people FROM component c JOIN event e ON e.n = c.event WHERE e.id = ? AND c.people IS NOT NULL"
            var people: [EntityID: [String]] = [:]
            for event in events {
                let lists = try String.fetchAll(db, sql: sql, arguments: [event.text])
                let lines = Set(lists.flatMap { $0.split(separator: "\n").map(String.init) })
                if !lines.isEmpty { people[event] = lines.sorted() }
            }
            return people
        }
    }
}
