import HelixModel
import HelixSQLite

/// An entity that matches an ID prefix.
public struct EntityCandidate: Hashable, Sendable {
    /// The ID.
    public var id: EntityID
    /// The kind of entity.
    public var kind: EntityKind
    /// A title that identifies it to users.
    public var title: String
    /// The most relevant date or time, if requested: the next occurrence of an event, the due time of a task, the time at which
    /// a message was sent.
    public var moment: PhraseMoment?

    /// Creates a candidate.
    public init(id: EntityID, kind: EntityKind, title: String, moment: PhraseMoment? = nil) {
        self.moment = moment
        self.id = id
        self.kind = kind
        self.title = title
    }
}

extension Store {
    /// The entity whose ID begins with `prefix`.
    ///
    /// - Parameter kinds: the accepted kinds.
    /// - Throws: ``HelixError``: `notFound`, or `ambiguous` with the candidates.
    public func entity(_ prefix: EntityPrefix, kinds: [EntityKind]) throws -> EntityCandidate {
        try read { try Store.entity($0, prefix, kinds: kinds) }
    }

    static func entity(_ db: Database, _ prefix: EntityPrefix, kinds: [EntityKind]) throws -> EntityCandidate {
        let names = kinds.map(\.name)
        let list = names.joined(separator: " or ")
        guard prefix.text.count >= 3, prefix.text.count <= 16 else {
            throw HelixError(
                .notFound,
                "'\(prefix)' is not an id"
                    + (names.count > 4 ? "" : " of \("aeiou".contains(list.prefix(1)) ? "an" : "a") \(list)"),
                hint: "An id has 4 to 16 letters and digits, as shown in lists.")
        }
        let found = try candidates(db, prefix, kinds: kinds, limit: 6)
        if found.count == 1 { return found[0] }
        if found.isEmpty {
            throw HelixError(
                .notFound, names.count > 4 ? "unknown id '\(prefix)'" : "unknown \(list) '\(prefix)'",
                hint: "Lists and searches show ids. 'helix undo' restores deleted items.")
        }
        let shown = found.prefix(5).map { "\($0.id.text.prefix(prefix.text.count + 2)) \($0.title)" }
        throw HelixError(
            .ambiguous, "ambiguous ID '\(prefix)'",
            hint: "Use a longer prefix: \(shown.joined(separator: "; "))\(found.count > 5 ? "; …" : ".")")
    }

    /// Whether there is an entity.
    /// - Throws: ``HelixError``.
    public func hasEntity(_ kind: EntityKind, _ id: EntityID) throws -> Bool {
        try read { db in
            try Row.fetchOne(
                db, sql: "SELECT 1 FROM \(EntityDescriptor.of(kind).table.name) WHERE id = ?", arguments: [id.text])
                != nil
        }
    }

    /// Whether the last change of an entity was its deletion, as far as the history goes.
    /// - Throws: ``HelixError``.
    public func wasDeleted(_ id: EntityID) throws -> Bool {
        if let log, try log.wasDeleted(id) { return true }
        return try read { db in
            try String.fetchOne(
                db, sql: "SELECT operation FROM change WHERE entity = ? ORDER BY change_set DESC, ordinal DESC LIMIT 1",
                arguments: [id.text]) == "delete"
        }
    }

    /// The entities whose IDs begin with `prefix`, ordered by ID.
    /// - Throws: ``HelixError``.
    public func candidates(_ prefix: EntityPrefix, kinds: [EntityKind], limit: Int) throws -> [EntityCandidate] {
        try read { try Store.candidates($0, prefix, kinds: kinds, limit: limit) }
    }

    static func candidates(
        _ db: Database, _ prefix: EntityPrefix, kinds: [EntityKind], limit: Int
    ) throws -> [EntityCandidate] {
        let marks = kinds.map { _ in "?" }.joined(separator: ",")
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT id, kind FROM entity WHERE id >= ? AND id < ? AND kind IN (\(marks)) ORDER BY id LIMIT ?",
            arguments: [prefix.text, prefix.text + "~"] + StatementArguments(kinds.map(\.rawValue)) + [limit])
        return try rows.compactMap { row in
            guard let id = EntityID(try row["id"] as String), let kind = EntityKind(rawValue: try row["kind"]) else {
                return nil
            }
            return EntityCandidate(id: id, kind: kind, title: try title(db, kind, id))
        }
    }

    /// The IDs of the entities of a kind that were added last, the latest first.
    /// - Throws: ``HelixError``.
    public func newest(_ kind: EntityKind, limit: Int) throws -> [EntityID] {
        let table = EntityDescriptor.of(kind).table.name
        return try read { db in
            try String.fetchAll(db, sql: "SELECT id FROM \(table) ORDER BY n DESC LIMIT ?", arguments: [limit])
                .map { EntityID(stored: $0) }
        }
    }

    static func title(_ db: Database, _ kind: EntityKind, _ id: EntityID) throws -> String {
        try knownTitle(db, kind, id) ?? ""
    }

    /// The title of an entity; nil if it does not exist.
    static func knownTitle(_ db: Database, _ kind: EntityKind, _ id: EntityID) throws -> String? {
        let entity = EntityDescriptor.of(kind)
        let sql = "SELECT \(entity.title) FROM \(entity.table.name) e WHERE e.id = ?"
        return try String.fetchOne(db, sql: sql, arguments: [id.text])
    }

    /// The shortest prefixes that distinguish each of `ids` from all other live entities; at least 4 characters.
    /// - Throws: ``HelixError``.
    public func shortIDs(_ ids: some Collection<EntityID>) throws -> [EntityID: String] {
        let wanted = Set(ids)
        if wanted.isEmpty { return [:] }
        return try read { db in
            // Tables that grow are searched for IDs with the same four characters, unless they are empty; the others are read
            // as a whole.
            let addressed = EntityDescriptor.all.filter(\.isAddressed)
            let growing = addressed.filter(\.isLarge).map(\.table.name)
            let uses = try Statement(
                db, "SELECT " + growing.map { "EXISTS(SELECT 1 FROM \($0))" }.joined(separator: ", "))
            var used: [String] = []
            while try uses.step() {
                used = growing.enumerated().filter { uses.integer(Int32($0.offset)) != 0 }.map(\.element)
            }
            let sharing = try Statement(
                db,
                (used.isEmpty ? ["calendar"] : used).map { "SELECT id FROM \($0) WHERE id >= ?1 AND id < ?2" }
                    .joined(separator: " UNION ALL "))
            let others = try String.fetchAll(
                db,
                sql: addressed.filter { !$0.isLarge }.map(\.table.name)
                    .map { "SELECT id FROM \($0)" }.joined(separator: " UNION ALL "))
            var short: [EntityID: String] = [:]
            short.reserveCapacity(wanted.count)
            for id in wanted {
                let text = id.text
                var length = 4
                func tellFrom(_ other: String) {
                    var shared = 0
                    for (mine, theirs) in zip(text.utf8, other.utf8) {
                        if mine != theirs { break }
                        shared += 1
                    }
                    length = max(length, min(shared + 1, 16))
                }
                let prefix = String(decoding: text.utf8.prefix(4), as: UTF8.self)
                sharing.bind(1, prefix)
                sharing.bind(2, prefix + "~")
                while try sharing.step() { if let other = sharing.text(0), other != text { tellFrom(other) } }
                for other in others where other != text { tellFrom(other) }
                short[id] = String(decoding: text.utf8.prefix(length), as: UTF8.self)
            }
            return short
        }
    }
}
