import FoundationEssentials
import HelixCalendar
import HelixModel
import HelixSQLite

extension Store {
    /// Descriptions of events whose index differs from their text: each is indexed again, in a separate database in memory, and
    /// the result is compared with the stored index.
    func eventProblems(_ db: Database) throws -> [String] {
        let scratch = try Database(path: ":memory:")
        try Schema.prepare(scratch, path: ":memory:", isReadOnly: false)
        try scratch.execute(sql: "PRAGMA foreign_keys = OFF")
        let index = EventIndex(store: self, db: scratch)
        let last = try Statement(
            db,
            "SELECT MAX(o.start) FROM component c JOIN occurrence o ON o.component = c.n WHERE c.event = ?1")
        let events = try Statement(
            db,
            """
            SELECT e.n, e.id, e.uid, e.text, e.zones, e.expanded_to, e.is_dense, k.n FROM event e
            JOIN calendar k ON k.id = e.calendar ORDER BY e.n
            """)
        var wrong = 0
        var count = 0
        while try events.step() {
            count += 1
            // A few hundred events at a time limit the use of memory.
            if count % 500 == 0 { try Store.clear(scratch) }
            let event = events.integer(0)
            let owner = EventIndex.Owner(
                event: event, id: events.id(1) ?? EntityID(stored: ""), uid: events.text(2) ?? "",
                calendar: events.integer(7))
            let components = EventText.components(
                events.text(3) ?? "", zones: ZoneResolver(definitions: events.text(4) ?? ""))
            let isDense = events.integer(6) != 0
            var horizon = now.seconds + Int64(EventIndex.horizon)
            if !events.isNull(5) {
                horizon = events.integer(5)
            } else if !isDense {
                // All occurrences are stored, and the last one may be in the far future.
                last.bind(1, event)
                while try last.step() { horizon = max(horizon, last.integer(0) + 1) }
            }
            let (end, isMany) = try index.insert(owner, components, to: horizon)
            let isSame = try Store.indexed(db, event) == Store.indexed(scratch, event)
            if !isSame || isMany != isDense || end != nil && events.isNull(5) { wrong += 1 }
        }
        if wrong == 0 { return [] }
        return ["the index of \(wrong) event\(wrong == 1 ? "" : "s") differs from the event's text"]
    }

    /// The stored index rows of an event.
    private static func indexed(_ db: Database, _ event: Int64) throws -> [[DatabaseValue]] {
        let components = try Statement(
            db,
            """
            SELECT ordinal, id, uid, title, location, url, categories, status, is_opaque, zone, travel, declined_by,
                is_recurring, people, description
            FROM component WHERE event = ?1 ORDER BY ordinal
            """)
        let occurrences = try Statement(
            db,
            """
            SELECT c.ordinal, o.start, o.span, o."end", o.basis, o.recurrence, o.event, o.calendar, o.flags
            FROM component c JOIN occurrence o ON o.component = c.n WHERE c.event = ?1 ORDER BY 1, 2, 3
            """)
        var rows: [[DatabaseValue]] = []
        for row in [components, occurrences] {
            row.bind(1, event)
            while try row.step() { rows.append((0..<row.columnCount).map { row.value($0) }) }
        }
        return rows
    }

    private static func clear(_ scratch: Database) throws {
        try scratch.execute(
            sql: """
                DELETE FROM occurrence; DELETE FROM component;
                INSERT INTO event_text (event_text) VALUES ('delete-all');
                """)
    }

    /// Recreates missing calendars of existing events.
    /// - Throws: ``HelixError``.
    func repairCalendars() throws {
        let lost = try read { db in
            try String.fetchAll(
                db, sql: "SELECT DISTINCT calendar FROM event WHERE calendar NOT IN (SELECT id FROM calendar)")
        }
        if lost.isEmpty { return }
        try change("restore calendars", command: "doctor", origin: .repair) { change in
            var names = Set(try String.fetchAll(change.db, sql: "SELECT lower(name) FROM calendar"))
            for id in lost {
                let name = (1...).lazy.map { "found \($0)" }.first { !names.contains($0) } ?? id
                names.insert(name)
                try change.create(
                    .calendar, EntityID(stored: id),
                    JournalFields([
                        "name": name.databaseValue, "color": CalendarColor.gray.rawValue.databaseValue,
                        "is_hidden": 0.databaseValue, "is_default": (names.count == 1 ? 1 : 0).databaseValue,
                        "position": (names.count - 1).databaseValue,
                    ]))
            }
        }
    }
}
