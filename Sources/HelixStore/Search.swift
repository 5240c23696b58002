import HelixCalendar
import HelixModel
import HelixSQLite
import HelixTasks

extension Store {
    /// The entities of all kinds that match a query, grouped by kind, best matches first, with their times.
    /// - Throws: ``HelixError``.
    public func search(_ query: SearchQuery, zone: Zone, limit: Int) throws -> [EntityCandidate] {
        try read { db in
            var found: [EntityCandidate] = []
            for kind in SearchQuery.kinds where query.canMean(kind) && found.count < limit {
                found += try search(db, query, kind, zone: zone, limit: limit - found.count)
            }
            return found
        }
    }

    private func search(
        _ db: Database, _ query: SearchQuery, _ kind: EntityKind, zone: Zone, limit: Int
    ) throws -> [EntityCandidate] {
        switch kind {
        case .task:
            return try take(db, kind, try tasks(query.tasks, zone: zone), limit) { row in
                row.isNull(2) ? nil : Store.moment(row.integer(2), isDay: row.integer(3) != 0)
            }
        case .event:
            let selected = try selected(db, .all)
            let (asked, bounds) = (try EventQuerySQL(query.events, db, self), query.events.bounds)
            let reader = OccurrenceReader(range: Store.always, zone: zone, addresses: addresses, calendars: selected)
            var found: [EntityCandidate] = []
            for component in try ranked(db, asked, calendars: nil, limit: limit * 2) where found.count < limit {
                guard let next = try next(db, component: component, reader, from: bounds.start, to: bounds.end),
                    !found.contains(where: { $0.id == next.event })
                else { continue }
                var event = EntityCandidate(id: next.event, kind: kind, title: next.title)
                switch next.time {
                case .days(let first, _): event.moment = .date(first)
                case .timed(let range): event.moment = .instant(range.start)
                }
                found.append(event)
            }
            return found
        case .message:
            let asked = try MailQuerySQL(query.messages(of: kind), db)
            let from = asked.match == nil ? "message m" : "message_text x CROSS JOIN message m ON m.n = x.rowid"
            let condition = asked.match == nil ? asked.condition : "message_text MATCH ? AND \(asked.condition)"
            let arguments = (asked.match.map { [.string($0)] } ?? []) + asked.arguments
            let sql = "SELECT m.id, m.subject, m.date FROM \(from) WHERE \(condition) ORDER BY m.n DESC"
            return try take(db, kind, (sql, arguments), limit, Store.instant)
        case .chatMessage:
            let asked = try ChatQuerySQL(query.messages(of: kind))
            let from =
                asked.match == nil
                ? "chat_message m" : "chat_message_text x CROSS JOIN chat_message m ON m.n = x.rowid"
            let condition = asked.match == nil ? asked.condition : "chat_message_text MATCH ? AND \(asked.condition)"
            let arguments = (asked.match.map { [.string($0)] } ?? []) + asked.arguments
            let sql = """
                SELECT m.id, substr(m.content, 1, 200), m.sent_at FROM \(from)
                CROSS JOIN conversation c ON c.id = m.conversation
                WHERE \(condition) AND m.is_deleted = 0 ORDER BY m.n DESC
                """
            return try take(db, kind, (sql, arguments), limit, Store.instant)
        case .timeEntry:
            let asked = TimeFilterSQL(query.timeEntries, now: now, zone: zone)
            let sql = """
                SELECT e.id, coalesce(e.title, t.title, ''), e.start FROM \(Store.tables)
                WHERE \(asked.text) ORDER BY e.start DESC
                """
            return try take(db, kind, (sql, asked.arguments), limit, Store.instant)
        // These tables are small, and are scanned with the tokenizer of the full-text indexes.
        case .project:
            return try plain(db, query, kind, "project", ["name", "customer", "notes"], "name", limit)
        case .conversation: return try plain(db, query, kind, "conversation", ["name"], "n DESC", limit)
        case .file: return try plain(db, query, kind, "attachment", ["name"], "n DESC", limit)
        case .material: return try plain(db, query, kind, "material", ["name", "supplier"], "n DESC", limit)
        default: return []
        }
    }

    /// The query for tasks: open tasks first, then ordered by rank of the match.
    private func tasks(_ filter: TaskFilter, zone: Zone) throws -> (sql: String, arguments: [DatabaseValue]) {
        let columns = "SELECT t.id, t.title, t.due, t.due_day"
        let parts = if case .all(let list) = filter { list } else { [filter] }
        let words = parts.compactMap { if case .text(let text) = $0 { TaskFilterSQL.match(text) } else { nil } }
        guard !words.isEmpty else {
            let asked = TaskFilterSQL(filter, now: now, zone: zone)
            let sql =
                "\(columns) FROM task t WHERE \(asked.text) ORDER BY t.state <> 'open', t.due IS NULL, t.due, t.n DESC"
            return (sql, asked.arguments)
        }
        let rest = parts.filter { if case .text(let text) = $0 { TaskFilterSQL.match(text) == nil } else { true } }
        let asked = TaskFilterSQL(.all(rest), now: now, zone: zone)
        let sql = """
            \(columns) FROM task_text x JOIN task t ON t.n = x.rowid
            WHERE task_text MATCH ? AND \(asked.text) ORDER BY t.state <> 'open', x.rank
            """
        return (sql, [.string(words.joined(separator: " AND "))] + asked.arguments)
    }

    private func plain(
        _ db: Database, _ query: SearchQuery, _ kind: EntityKind, _ table: String, _ columns: [String],
        _ order: String, _ limit: Int
    ) throws -> [EntityCandidate] {
        let asked = query.plain(of: kind, columns: columns)
        let sql = "SELECT id, name FROM \(table) WHERE \(asked.sql) ORDER BY \(order)"
        return try take(db, kind, (sql, asked.arguments.map { .string($0) }), limit) { _ in nil }
    }

    private func take(
        _ db: Database, _ kind: EntityKind, _ asked: (sql: String, arguments: [DatabaseValue]), _ limit: Int,
        _ moment: (Statement) -> PhraseMoment?
    ) throws -> [EntityCandidate] {
        let row = try Statement(db, asked.sql + " LIMIT \(limit)")
        row.bind(asked.arguments)
        var found: [EntityCandidate] = []
        while try row.step() {
            let id = row.id(0) ?? EntityID(stored: "")
            found.append(EntityCandidate(id: id, kind: kind, title: row.text(1) ?? "", moment: moment(row)))
        }
        return found
    }

    private static func instant(_ row: Statement) -> PhraseMoment? {
        row.isNull(2) ? nil : moment(row.integer(2), isDay: false)
    }

    private static func moment(_ seconds: Int64, isDay: Bool) -> PhraseMoment {
        isDay ? .date(CivilDateTime(seconds: seconds).date) : .instant(Instant(seconds))
    }
}
