import HelixCalendar
import HelixModel
import HelixSQLite

/// An event query compiled for SQLite: words for the full-text index, and a condition on component `c` of event `e` in
/// calendar `k`.
struct EventQuerySQL {
    /// The query for the full-text index; nil if there are no words at the top level.
    private(set) var match: String?
    private(set) var condition = "1"
    private(set) var arguments: [DatabaseValue] = []
    private let store: Store
    private let db: Database

    /// - Throws: ``HelixError`` of code `notFound` for an unknown calendar.
    init(_ query: EventQuery, _ db: Database, _ store: Store) throws {
        (self.db, self.store) = (db, store)
        let parts = if case .all(let list) = query { list } else { [query] }
        let words = parts.compactMap { EventQuerySQL.phrase($0) }
        if !words.isEmpty { match = words.joined(separator: " AND ") }
        let rest = parts.filter { EventQuerySQL.phrase($0) == nil }
        if !rest.isEmpty { condition = ConditionTree.joined(try rest.map { try sql($0) }, by: "AND") }
    }

    /// Words in FTS5 syntax; nil for other terms.
    private static func phrase(_ query: EventQuery) -> String? {
        guard case .words(let text, let field, let isPrefix) = query else { return nil }
        // A NUL would truncate an FTS5 query.
        let plain = text.replacing("\u{0}", with: " ").replacing("\"", with: "\"\"")
        let quoted = "\"" + plain + "\"" + (isPrefix ? " *" : "")
        return field.map { "{\($0.rawValue)} : \(quoted)" } ?? quoted
    }

    private mutating func mark(_ value: some DatabaseValueConvertible) -> String {
        arguments.append(value.databaseValue)
        return "?"
    }

    private mutating func sql(_ query: EventQuery) throws -> String {
        switch query {
        case .everything: return "1"
        case .all(let list): return ConditionTree.joined(try list.map { try sql($0) }, by: "AND")
        case .any(let list): return ConditionTree.joined(try list.map { try sql($0) }, by: "OR")
        case .not(let inner): return "NOT ifnull(\(try sql(inner)), 0)"
        case .words:
            return "c.n IN (SELECT rowid FROM event_text WHERE event_text MATCH \(mark(Self.phrase(query) ?? "")))"
        case .calendar(let name):
            guard
                let number = try Int64.fetchOne(
                    db, sql: "SELECT n FROM calendar WHERE name = ? COLLATE NOCASE", arguments: [name])
            else {
                let names = try String.fetchAll(db, sql: "SELECT name FROM calendar ORDER BY name")
                throw HelixError(
                    .notFound, "unknown calendar '\(name)'", hint: "Use one of: \(names.joined(separator: ", ")).")
            }
            return "k.n = \(number)"
        case .category(let name):
            let pattern = mark("%\n" + TaskFilterSQL.escaped(name) + "\n%")
            return "(char(10) || ifnull(c.categories, '') || char(10)) LIKE \(pattern) ESCAPE '\\'"
        case .uncategorized: return "c.categories IS NULL"
        case .trait(let trait): return try condition(trait)
        case .time(let comparison, let times): return try condition(comparison, times)
        case .length(let comparison, let seconds):
            let sign = comparison.rawValue
            return try some(
                "o.\"end\" - o.start \(sign) \(seconds)",
                EventQuerySQL.isDense
            ) { series in
                series.instances().first { _ in true }.map {
                    comparison.holds($0.end - $0.start, Int64(seconds))
                } ?? false
            }
        case .id(let prefix): return "(c.id >= \(mark(prefix.text)) AND c.id < \(mark(prefix.text + "~")))"
        }
    }

    private func condition(_ trait: EventQuery.Trait) throws -> String {
        switch trait {
        case .confirmed, .tentative, .cancelled: return "c.status = '\(trait.rawValue)'"
        case .repeating: return "c.is_recurring = 1"
        case .busy: return "(c.is_opaque = 1 AND c.status <> 'cancelled')"
        case .free: return "(c.is_opaque = 0 OR c.status = 'cancelled')"
        case .allDay:
            let basis = TimeBasis.date
            return try some("o.basis = \(basis.rawValue)", EventQuerySQL.isDense) { series in
                series.instances().first { _ in true }?.basis == basis
            }
        }
    }

    private func condition(_ comparison: QueryComparison, _ times: QueryTimes) throws -> String {
        // From the first second of a period on, and up to its last.
        func at(_ from: KeyPath<Range<Int64>, Int64>?, _ to: KeyPath<Range<Int64>, Int64>?) throws -> String {
            func stretch(_ range: Range<Int64>) -> String {
                let start = from.map { "(o.\"end\" > \(range[keyPath: $0]) OR o.start >= \(range[keyPath: $0]))" }
                let end = to.map { "o.start < \(range[keyPath: $0])" }
                return [start, end].compactMap(\.self).joined(separator: " AND ")
            }
            let stored =
                "CASE o.basis WHEN \(TimeBasis.instant.rawValue) THEN \(stretch(times.instants)) ELSE \(stretch(times.civil)) END"
            let horizon = to.map { times.instants[keyPath: $0] + Store.zoneReach } ?? Int64.max / 4
            return try some(stored, "(e.is_dense = 1 OR e.expanded_to < \(horizon))") { series in
                func isIn(_ start: Int64, _ end: Int64, _ basis: TimeBasis) -> Bool {
                    let range = basis == .instant ? times.instants : times.civil
                    if let from, end <= range[keyPath: from], start < range[keyPath: from] { return false }
                    return to.map { start < range[keyPath: $0] } ?? true
                }
                let first = Instant(from.map { times.instants[keyPath: $0] - Store.zoneReach } ?? -100_000_000_000)
                guard let to else {
                    // The next one may still be earlier in its own time zone; the one after that is not.
                    return [first, first + 2 * Int(Store.zoneReach)].contains { moment in
                        series.next(after: moment).map { isIn($0.start, $0.end, $0.basis) } ?? false
                    }
                }
                let last = Instant(times.instants[keyPath: to] + Store.zoneReach)
                return series.window(TimeRange(start: first, end: last), reach: Store.zoneReach, limit: 50_000)
                    .instances.contains { isIn($0.start, $0.end, $0.basis) }
            }
        }
        return switch comparison {
        case .less: try at(nil, \.lowerBound)
        case .lessOrEqual: try at(nil, \.upperBound)
        case .equal: try at(\.lowerBound, \.upperBound)
        case .notEqual: "NOT " + (try at(\.lowerBound, \.upperBound))
        case .greaterOrEqual: try at(\.lowerBound, nil)
        case .greater: try at(\.upperBound, nil)
        }
    }

    private static let isDense = "e.is_dense = 1"

    /// The SQL that is true if any occurrence `o` of the component meets a condition, or if `holds` for the series of an event
    /// whose occurrences are not all stored.
    private func some(
        _ stored: String, _ unstored: String, _ holds: (EventSeries) -> Bool
    ) throws -> String {
        let events = try Statement(
            db,
            "SELECT e.n, e.text, e.zones FROM event e WHERE \(unstored) AND (e.is_dense = 1 OR e.expanded_to IS NOT NULL)"
        )
        var numbers: [Int64] = []
        while try events.step() {
            let zones = ZoneResolver(definitions: events.text(2) ?? "")
            if holds(EventSeries(EventText.components(events.text(1) ?? "", zones: zones))) {
                numbers.append(events.integer(0))
            }
        }
        let more = numbers.isEmpty ? "" : " OR e.n IN (\(numbers.map { "\($0)" }.joined(separator: ",")))"
        return "(EXISTS (SELECT 1 FROM occurrence o WHERE o.component = c.n AND \(stored))\(more))"
    }
}

extension QueryComparison {
    /// Whether two values satisfy the comparison.
    func holds(_ a: Int64, _ b: Int64) -> Bool {
        switch self {
        case .less: a < b
        case .lessOrEqual: a <= b
        case .equal: a == b
        case .notEqual: a != b
        case .greaterOrEqual: a >= b
        case .greater: a > b
        }
    }
}
