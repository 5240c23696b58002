import GRDB
import HelixModel

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
        return try read { db in
            // A component may be out of sight, so some more are looked at than are wanted.
            let sql = """
                SELECT c.n, e.id, snippet(event_text, -1, char(2), char(3), '…', 10)
                FROM event_text f CROSS JOIN component c ON c.n = f.rowid CROSS JOIN event e ON e.n = c.event
                CROSS JOIN calendar k ON k.id = e.calendar
                WHERE event_text MATCH ?\(Store.calendarFilter(calendars))
                ORDER BY bm25(event_text, 10.0, 4.0, 1.0, 2.0, 2.0) LIMIT ?
                """
            var arguments: StatementArguments = [terms.joined(separator: " ")]
            if case .only(let ids) = calendars { arguments += StatementArguments(ids.map(\.text)) }
            let rows = try Row.fetchAll(db, sql: sql, arguments: arguments + [limit * 2 + 1])
            var hits: [EventHit] = []
            var known: Set<String> = []
            for row in rows {
                let event: String = row[1]
                guard known.insert(event).inserted, hits.count < limit,
                    let occurrence = try next(db, component: row[0], zone: zone)
                else { continue }
                hits.append(EventHit(occurrence: occurrence, snippet: row[2]))
            }
            return (hits, known.count > limit || rows.count > limit * 2)
        }
    }

    private static func calendarFilter(_ calendars: CalendarSelection) -> String {
        switch calendars {
        case .visible: " AND k.is_hidden = 0"
        case .all: ""
        case .only(let ids): " AND k.id IN (\(ids.map { _ in "?" }.joined(separator: ",")))"
        }
    }

    /// The first occurrence of a component that has not ended, or the last one.
    private func next(_ db: Database, component: Int64, zone: Zone) throws -> Occurrence? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT o.start, o."end", o.basis, o.recurrence, \(OccurrenceRow.columns)
                FROM occurrence o CROSS JOIN component c ON c.n = o.component CROSS JOIN event e ON e.n = c.event
                CROSS JOIN calendar k ON k.id = e.calendar
                WHERE o.component = ?1
                ORDER BY o."end" < ?2, CASE WHEN o."end" < ?2 THEN -o.start ELSE o.start END LIMIT 1
                """)
        if let row = try Row.fetchOne(statement, arguments: [component, now.seconds]) {
            return Store.anyOccurrence(row, zone: zone, addresses: addresses)
        }
        // A dense event stores none; its start stands for it.
        guard let row = try Row.fetchOne(
            db,
            sql: """
                SELECT e.text, e.zones, \(OccurrenceRow.columns) FROM component c JOIN event e ON e.n = c.event
                JOIN calendar k ON k.id = e.calendar WHERE c.n = ?
                """, arguments: [component])
        else { return nil }
        let event = StoredEvent(
            id: EntityID(), calendar: CalendarRef(id: EntityID(), name: "", color: .gray), uid: "", text: row[0],
            zones: row[1])
        let from = TimeRange(start: now, end: .distantFuture)
        guard let instance = event.series.instances(in: from, reach: 54_000, limit: 1).first
            ?? event.series.instances().first(where: { _ in true })
        else { return nil }
        let found = OccurrenceRow(
            row, offset: 2, start: instance.start, end: instance.end, basis: instance.basis,
            recurrence: instance.recurrence)
        return OccurrenceReader(range: Store.always, zone: zone, addresses: addresses).occurrence(found)
    }

    static let always = TimeRange(start: Instant(-100_000_000_000), end: Instant(400_000_000_000))

    private static func anyOccurrence(_ row: Row, zone: Zone, addresses: Set<String>) -> Occurrence? {
        let recurrence: Int64? = row[3]
        let found = OccurrenceRow(
            row, start: row[0], end: row[1], basis: TimeBasis(rawValue: row[2]) ?? .instant,
            recurrence: recurrence.map { CivilDateTime(seconds: $0) })
        return OccurrenceReader(range: always, zone: zone, addresses: addresses).occurrence(found)
    }

    /// Who takes part in events: `Name <address>` lines by event, for the events given.
    /// - Throws: ``HelixError``.
    public func people(of events: Set<EntityID>) throws -> [EntityID: [String]] {
        try read { db in
            let statement = try db.cachedStatement(
                sql: "SELECT c.people FROM component c JOIN event e ON e.n = c.event WHERE e.id = ? AND c.people IS NOT NULL")
            var people: [EntityID: [String]] = [:]
            for event in events {
                let lists = try String.fetchAll(statement, arguments: [event.text])
                let lines = Set(lists.flatMap { $0.split(separator: "\n").map(String.init) })
                if !lines.isEmpty { people[event] = lines.sorted() }
            }
            return people
        }
    }
}
