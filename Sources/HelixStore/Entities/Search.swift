import HelixModel
import HelixSQLite
import HelixTasks

extension Store {
    /// The entities of all kinds that match a query, grouped by kind, best matches first, with their times.
    /// - Throws: ``HelixError``.
    public func search(_ query: SearchQuery, zone: Zone, limit: Int) throws -> [EntityCandidate] {
        try read { db in
            var found: [EntityCandidate] = []
            for (kind, search) in SearchQuery.searches where query.canMean(kind) && found.count < limit {
                found += try search.find(self, db, query, zone, limit - found.count)
            }
            return found
        }
    }

    /// The query for tasks: open tasks first, then ordered by rank of the match.
    func tasks(_ filter: TaskFilter, zone: Zone) throws -> (sql: String, arguments: [DatabaseValue]) {
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

    /// The entities of a query for ID and title.
    func take(
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

    /// The time of a query's third column.
    static func instant(_ row: Statement) -> PhraseMoment? {
        row.isNull(2) ? nil : moment(row.integer(2), isDay: false)
    }

    /// A day or a time.
    static func moment(_ seconds: Int64, isDay: Bool) -> PhraseMoment {
        isDay ? .date(CivilDateTime(seconds: seconds).date) : .instant(Instant(seconds))
    }
}
