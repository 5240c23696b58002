import HelixCalendar
import HelixModel
import HelixSQLite

/// An event found by its words.
public struct EventHit: Sendable {
    /// The next occurrence, or the last if none is to come.
    public var occurrence: Occurrence
    /// A piece of the text with the words that were found between U+0002 and U+0003.
    public var snippet: String
}

extension Store {
    /// The events that have all of `words`, each a whole word or the beginning of one, with their next occurrence.
    ///
    /// Titles count more than other texts. Accents and case do not matter.
    /// - Returns: the best `limit` ones, and whether there were more.
    /// - Throws: ``HelixError``.
    public func searchEvents(
        _ words: [String], calendars: CalendarSelection, zone: Zone, limit: Int
    ) throws -> (hits: [EventHit], isTruncated: Bool) {
        let terms = words.flatMap { $0.split { !($0.isLetter || $0.isNumber) } }.map { "\"\($0)\"*" }
        guard !terms.isEmpty else {
            throw HelixError(.usage, "there is no word to search for", hint: "helix cal search budget meeting")
        }
        let match = terms.joined(separator: " ")
        return try read { db in
            let selected = try selected(db, calendars)
            let reader = OccurrenceReader(range: Store.always, zone: zone, addresses: addresses, calendars: selected)
            let everywhere = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM calendar") == selected.count
            let places = try ranked(db, match, calendars: everywhere ? nil : Array(selected.keys), limit: limit * 2 + 1)
            // Snippets are made for what is shown only; in the ranking query they would be made for every match.
            let snippets = try Statement(
                db,
                """
                SELECT snippet(event_text, -1, char(2), char(3), '…', 10) FROM event_text
                WHERE event_text MATCH ?1 AND rowid = ?2
                """)
            var hits: [EventHit] = []
            var known: Set<EntityID> = []
            for component in places {
                guard hits.count < limit else { break }
                guard let occurrence = try next(db, component: component, reader),
                    known.insert(occurrence.event).inserted
                else { continue }
                var snippet = ""
                snippets.bind(1, match)
                snippets.bind(2, component)
                while try snippets.step() { snippet = snippets.text(0) ?? "" }
                hits.append(EventHit(occurrence: occurrence, snippet: snippet))
            }
            return (hits, places.count > limit)
        }
    }

    /// The components that match, the best first.
    private func ranked(_ db: Database, _ match: String, calendars: [Int64]?, limit: Int) throws -> [Int64] {
        var filter = ""
        if let calendars {
            let list = calendars.map(String.init).joined(separator: ",")
            filter = """
                 AND rowid IN (SELECT c.n FROM component c JOIN event e ON e.n = c.event
                    JOIN calendar k ON k.id = e.calendar WHERE k.n IN (\(list)))
                """
        }
        let row = try Statement(
            db,
            """
            SELECT rowid FROM event_text WHERE event_text MATCH ?1 AND rank MATCH 'bm25(10.0, 4.0, 1.0, 2.0, 2.0)'\(filter)
            ORDER BY rank LIMIT ?2
            """)
        row.bind(1, match)
        row.bind(2, Int64(limit))
        var found: [Int64] = []
        while try row.step() { found.append(row.integer(0)) }
        return found
    }

    /// The first occurrence of a component that has not ended, or the last one.
    private func next(_ db: Database, component: Int64, _ reader: OccurrenceReader) throws -> Occurrence? {
        let row = try Statement(
            db,
            """
            SELECT \(OccurrenceReader.columns), k.n, e.text, e.zones FROM component c
            CROSS JOIN event e ON e.n = c.event CROSS JOIN calendar k ON k.id = e.calendar WHERE c.n = ?1
            """)
        row.bind(1, component)
        let time = try storedTime(db, component: component)
        let at = OccurrenceReader.columnCount
        var occurrence: Occurrence?
        while try row.step() {
            // A dense event stores none.
            let found = try time ?? unstored(row.text(at + 1), row.text(at + 2))
            occurrence = found.flatMap { reader.occurrence(row, 0, $0, calendar: row.integer(at)) }
        }
        return occurrence
    }

    /// The stored time of a component that comes next, or its last: found in the index, whatever the number of times.
    private func storedTime(_ db: Database, component: Int64) throws -> OccurrenceReader.Time? {
        let columns = "SELECT start, \"end\", basis, recurrence FROM occurrence WHERE component = ?1 AND span = ?2"
        let next = try Statement(db, "\(columns) AND start >= ?3 AND \"end\" >= ?4 ORDER BY start LIMIT 1")
        let last = try Statement(db, "\(columns) ORDER BY start DESC LIMIT 1")
        var coming: OccurrenceReader.Time?
        var gone: OccurrenceReader.Time?
        for (span, longest) in EventIndex.spans.enumerated() {
            next.bind(1, component)
            next.bind(2, Int64(span))
            next.bind(3, longest == .max ? Int64.min / 4 : now.seconds - longest)
            next.bind(4, now.seconds)
            while try next.step() {
                let time = OccurrenceReader.Time(next)
                if time.start < coming?.start ?? .max { coming = time }
            }
        }
        if let coming { return coming }
        for span in EventIndex.spans.indices {
            last.bind(1, component)
            last.bind(2, Int64(span))
            while try last.step() {
                let time = OccurrenceReader.Time(last)
                if time.start > gone?.start ?? .min { gone = time }
            }
        }
        return gone
    }

    /// The next time of an event that has too many to store.
    private func unstored(_ text: String?, _ zones: String?) throws -> OccurrenceReader.Time? {
        let series = EventSeries(EventText.components(text ?? "", zones: ZoneResolver(definitions: zones ?? "")))
        return series.next(after: now).map {
            OccurrenceReader.Time(start: $0.start, end: $0.end, basis: $0.basis, recurrence: $0.recurrence)
        }
    }

    static let always = TimeRange(start: Instant(-100_000_000_000), end: Instant(400_000_000_000))

    /// Who takes part in events: `Name <address>` lines by event, for the events given.
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
