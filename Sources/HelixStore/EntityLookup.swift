import GRDB
import HelixModel

/// An entity that a prefix may mean.
public struct EntityCandidate: Hashable, Sendable {
    /// Its identity.
    public var id: EntityID
    /// What it is.
    public var kind: EntityKind
    /// A title to tell it by.
    public var title: String
}

extension Store {
    /// The entity whose id begins with `prefix`.
    ///
    /// - Parameter kinds: the kinds that make sense here.
    /// - Throws: ``HelixError``: `notFound`, or `ambiguous` with the candidates.
    public func entity(_ prefix: EntityPrefix, kinds: [EntityKind]) throws -> EntityCandidate {
        let names = kinds.map(\.rawValue)
        let list = names.joined(separator: " or ")
        guard prefix.text.count >= 3, prefix.text.count <= 16 else {
            throw HelixError(
                .notFound, "'\(prefix)' is no id of an \(list)",
                hint: "An id is 4 to 16 letters and digits, as lists show it.")
        }
        let found = try candidates(prefix, kinds: kinds, limit: 6)
        if found.count == 1 { return found[0] }
        if found.isEmpty {
            throw HelixError(
                .notFound, "there is no \(list) '\(prefix)'",
                hint: "'helix cal agenda' and 'helix cal search' show ids. A deleted one comes back with 'helix undo'.")
        }
        let shown = found.prefix(5).map { "\($0.id.text.prefix(prefix.text.count + 2)) \($0.title)" }
        throw HelixError(
            .ambiguous, "'\(prefix)' begins more than one id",
            hint: "Type more of it: \(shown.joined(separator: "; "))\(found.count > 5 ? "; …" : ".")")
    }

    /// The entities whose ids begin with `prefix`, in order of id.
    /// - Throws: ``HelixError``.
    public func candidates(_ prefix: EntityPrefix, kinds: [EntityKind], limit: Int) throws -> [EntityCandidate] {
        try read { db in
            let marks = kinds.map { _ in "?" }.joined(separator: ",")
            let rows = try Row.fetchAll(
                db,
                sql: "SELECT id, kind FROM entity WHERE id >= ? AND id < ? AND kind IN (\(marks)) ORDER BY id LIMIT ?",
                arguments: [prefix.text, prefix.text + "~"] + StatementArguments(kinds.map(\.rawValue)) + [limit])
            return try rows.compactMap { row in
                guard let id = EntityID(row["id"] as String), let kind = EntityKind(rawValue: row["kind"]) else {
                    return nil
                }
                return EntityCandidate(id: id, kind: kind, title: try Store.title(db, kind, id))
            }
        }
    }

    private static func title(_ db: Database, _ kind: EntityKind, _ id: EntityID) throws -> String {
        switch kind {
        case .calendar:
            try String.fetchOne(db, sql: "SELECT name FROM calendar WHERE id = ?", arguments: [id.text]) ?? ""
        case .event:
            try String.fetchOne(
                db,
                sql: """
                    SELECT c.title FROM component c JOIN event e ON e.n = c.event WHERE e.id = ? ORDER BY c.ordinal LIMIT 1
                    """, arguments: [id.text]) ?? ""
        }
    }

    /// The shortest prefixes that tell each of `ids` from all other live entities; at least 4 characters.
    /// - Throws: ``HelixError``.
    public func shortIDs(_ ids: some Collection<EntityID>) throws -> [EntityID: String] {
        let wanted = Set(ids)
        if wanted.isEmpty { return [:] }
        return try read { db in
            let calendars = try String.fetchAll(db, sql: "SELECT id FROM calendar")
            let before = try FastStatement(db, "SELECT MAX(id) FROM event WHERE id < ?1")
            let after = try FastStatement(db, "SELECT MIN(id) FROM event WHERE id > ?1")
            var short: [EntityID: String] = [:]
            for id in wanted {
                var length = 4
                func tellFrom(_ other: String) {
                    var shared = 0
                    for (mine, theirs) in zip(id.text.utf8, other.utf8) {
                        if mine != theirs { break }
                        shared += 1
                    }
                    length = max(length, min(shared + 1, 16))
                }
                for statement in [before, after] {
                    statement.bind(1, id.text)
                    while try statement.step() { if let other = statement.text(0) { tellFrom(other) } }
                }
                for other in calendars where other != id.text { tellFrom(other) }
                short[id] = String(id.text.prefix(length))
            }
            return short
        }
    }
}
