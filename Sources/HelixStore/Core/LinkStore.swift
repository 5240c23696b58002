import HelixModel
import HelixSQLite
import HelixTasks

extension Store {
    /// The links of an entity.
    /// - Throws: ``HelixError``.
    public func links(of id: EntityID) throws -> [Link] { try read { try Store.links($0, of: id) } }

    static func links(_ db: Database, of id: EntityID) throws -> [Link] {
        let row = try Statement(
            db,
            """
            SELECT id, a, b, kind FROM link WHERE a = ?1 UNION ALL SELECT id, a, b, kind FROM link WHERE b = ?1 AND a <> ?1
            """)
        row.bind(1, id.text)
        var links: [Link] = []
        while try row.step() {
            links.append(
                Link(
                    id: (row.id(0) ?? EntityID(stored: "")), a: (row.id(1) ?? EntityID(stored: "")),
                    b: (row.id(2) ?? EntityID(stored: "")), kind: Link.Kind(rawValue: row.text(3) ?? "") ?? .related))
        }
        return links
    }

    /// The links of several entities, in one read.
    /// - Throws: ``HelixError``.
    public func links(of ids: [EntityID]) throws -> [EntityID: [Link]] {
        try read { db in
            var links: [EntityID: [Link]] = [:]
            for id in ids { links[id] = try Store.links(db, of: id) }
            return links
        }
    }

    /// The entities to which entities are linked; one query suffices if there are no links at all.
    /// - Throws: ``HelixError``.
    public func partners(of ids: Set<EntityID>) throws -> [EntityID: [EntityID]] {
        try read { db in
            guard try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM link)") == true else { return [:] }
            var partners: [EntityID: [EntityID]] = [:]
            for id in ids {
                let found = try Store.links(db, of: id).map { $0.a == id ? $0.b : $0.a }
                if !found.isEmpty { partners[id] = found }
            }
            return partners
        }
    }

    /// The kinds and titles of entities; deleted ones are omitted.
    /// - Throws: ``HelixError``.
    public func entities(_ ids: some Collection<EntityID>) throws -> [EntityID: EntityCandidate] {
        try read { db in
            var found: [EntityID: EntityCandidate] = [:]
            let row = try Statement(db, "SELECT kind FROM entity WHERE id = ?1")
            for id in ids {
                row.bind(1, id.text)
                while try row.step() {
                    guard let kind = EntityKind(rawValue: row.text(0) ?? "") else { continue }
                    found[id] = EntityCandidate(id: id, kind: kind, title: try Store.title(db, kind, id))
                }
            }
            return found
        }
    }

    /// All dependencies between tasks.
    /// - Throws: ``HelixError``.
    public func dependencies() throws -> [Link] { try read(Store.dependencies) }

    static func dependencies(_ db: Database) throws -> [Link] {
        let row = try Statement(db, "SELECT id, a, b FROM link WHERE kind = 'blocks'")
        var links: [Link] = []
        while try row.step() {
            links.append(
                Link(
                    id: (row.id(0) ?? EntityID(stored: "")), a: (row.id(1) ?? EntityID(stored: "")),
                    b: (row.id(2) ?? EntityID(stored: "")), kind: .blocks))
        }
        return links
    }
}

extension Change {
    /// The links of an entity.
    /// - Throws: ``HelixError``.
    public func links(of id: EntityID) throws -> [Link] { try Store.links(db, of: id) }

    /// Links two entities, unless that link exists already.
    /// - Returns: True if the link is new.
    /// - Throws: ``HelixError`` of code `usage` if both are the same entity.
    @discardableResult
    public func addLink(_ a: EntityID, _ b: EntityID, _ kind: Link.Kind) throws -> Bool {
        guard a != b else { throw HelixError(.usage, "cannot link an item to itself") }
        let known = try links(of: a).contains { link in
            link.kind == kind && (link.a == a && link.b == b || kind == .related && link.a == b && link.b == a)
        }
        if known { return false }
        try create(
            .link, EntityID(),
            JournalFields([
                "a": a.text.databaseValue, "b": b.text.databaseValue, "kind": kind.rawValue.databaseValue,
            ]))
        return true
    }

    /// Removes the links between two entities.
    /// - Parameter kinds: the kinds of links to remove.
    /// - Returns: the number of removed links.
    /// - Throws: ``HelixError``.
    public func removeLinks(_ a: EntityID, _ b: EntityID, kinds: [Link.Kind] = Link.Kind.allCases) throws -> Int {
        let found = try links(of: a).filter { kinds.contains($0.kind) && ($0.a == b || $0.b == b) }
        for link in found { try delete(.link, link.id) }
        return found.count
    }

    /// Adds a dependency of a task on another.
    /// - Returns: True if the dependency is new.
    /// - Throws: ``HelixError`` of code `conflict` with the path, if the dependency would create a cycle.
    @discardableResult
    public func addDependency(of task: EntityID, on blocker: EntityID) throws -> Bool {
        var graph = DependencyGraph()
        for link in try Store.dependencies(db) { graph.add(blocker: link.a, blocked: link.b) }
        if let path = graph.cycle(ifBlocking: task, by: blocker) {
            throw HelixError(
                .conflict, "the tasks would depend on each other: \(try titles(path))",
                hint: "The task after '→' depends on the one before it. Remove one first: helix tasks undepend.")
        }
        return try addLink(blocker, task, .blocks)
    }

    /// The dependencies that a new one would close to a cycle, in order; empty if there is none.
    /// - Parameter fields: the fields of the link: `a` blocks `b`.
    /// - Throws: ``HelixError``.
    public func dependencyPath(closedBy fields: JSONText) throws -> [Link] {
        guard fields["kind"]?.text == Link.Kind.blocks.rawValue, let a = fields["a"]?.text.flatMap({ EntityID($0) }),
            let b = fields["b"]?.text.flatMap({ EntityID($0) })
        else { return [] }
        // Breadth first from what is blocked to what it blocks itself.
        var came: [EntityID: Link] = [:]
        var next = [b]
        while !next.isEmpty {
            var later: [EntityID] = []
            for id in next {
                for link in try links(of: id) where link.kind == .blocks && link.a == id && came[link.b] == nil {
                    came[link.b] = link
                    if link.b == a {
                        var path = [link]
                        while let first = path.first, first.a != b, let former = came[first.a] {
                            path.insert(former, at: 0)
                        }
                        return path
                    }
                    later.append(link.b)
                }
            }
            next = later
        }
        return []
    }

    /// The open tasks that block a task.
    /// - Throws: ``HelixError``.
    public func openBlockers(of id: EntityID) throws -> [EntityID] {
        try String.fetchAll(
            db,
            sql: """
                SELECT t.id FROM link l JOIN task t ON t.id = l.a
                WHERE l.b = ? AND l.kind = 'blocks' AND t.state = 'open'
                """, arguments: [id.text]
        ).map { EntityID(stored: $0) }
    }

    /// The open tasks that a task blocks.
    func waiting(for id: EntityID) throws -> [EntityID] {
        try String.fetchAll(
            db,
            sql: """
                SELECT t.id FROM link l JOIN task t ON t.id = l.b
                WHERE l.a = ? AND l.kind = 'blocks' AND t.state = 'open'
                """, arguments: [id.text]
        ).map { EntityID(stored: $0) }
    }
}
