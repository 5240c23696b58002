import HelixModel
import HelixSQLite

/// A task or a project that may be assigned to another user of a gateway, in the store of its owner or of its assignee.
public struct Assignment: Hashable, Sendable {
    /// `task` or `project`.
    public var kind: EntityKind
    /// The entity.
    public var id: EntityID
    /// The fields that owner and assignee have in common; nil if it was deleted.
    public var fields: JSONText?
    /// The person in charge: the task's own, or that of its project.
    public var assignee: String?
    /// The project of a task.
    public var project: EntityID?

    init(kind: EntityKind, id: EntityID) { (self.kind, self.id) = (kind, id) }

    /// The same assignment as another entity, or with other fields.
    public init(_ other: Assignment, id: EntityID? = nil, fields: JSONText? = nil) {
        self = other
        if let id { self.id = id }
        if let fields { self.fields = fields }
    }

    /// Whether its fields are such as commands make them. A device may have sent any, and they are not another user's.
    public var isSound: Bool {
        guard let fields else { return true }
        func number(_ name: String, _ range: ClosedRange<Int64>) -> Bool {
            fields[name]?.integer.map { range.contains($0) } ?? true
        }
        let title = fields[kind == .task ? "title" : "name"]?.text ?? ""
        let texts = ["notes", "tags", "checklist", "customer", "blocks"].compactMap { fields[$0]?.text }
        return !title.isEmpty && TodoTask.line(title) == title && title.count <= Self.longestTitle
            && texts.allSatisfy { $0.utf8.count <= Self.largestText }
            && number("estimate", 0...3_600_000_000) && number("percent", 0...100) && number("priority", 0...9)
    }

    /// The longest title in characters, and the largest other text in bytes, that are shared.
    private static let (longestTitle, largestText) = (1000, 1 << 18)

    /// The fields that owner and assignee have in common. Boards, relations to other tasks, recurrence, money and files are the
    /// owner's own.
    static let columns: [EntityKind: Set<String>] = [
        .task: [
            "title", "notes", "due", "due_day", "scheduled", "scheduled_day", "priority", "estimate", "tags", "state",
            "completed_at", "percent", "checklist", "kind", "block", "created_at",
        ],
        .project: ["name", "status", "customer", "start", "due", "notes", "blocks", "created_at"],
    ]
}

/// The assignments that changed, and the place in the journal up to which they were read.
public struct AssignmentPage: Sendable {
    /// The changed ones, projects before their tasks.
    public var assignments: [Assignment]
    /// The number of the last change set.
    public var head: Int64
}

extension Store {
    /// The tasks and projects that changed since a change set.
    /// - Parameter since: a number of ``AssignmentPage/head``; without one, or with one that this store has not reached, all
    ///   assigned ones are returned.
    /// - Throws: ``HelixError``.
    public func assignments(since: Int64?) throws -> AssignmentPage {
        try read { db in
            let head = try Int64.fetchOne(db, sql: "SELECT MAX(n) FROM change_set") ?? 0
            let rows =
                if let since, since <= head {
                    try Row.fetchAll(
                        db,
                        sql: """
                            SELECT DISTINCT kind, entity FROM change WHERE change_set > ?1 AND kind IN ('task', 'project')
                            UNION SELECT 'task', t.id FROM change c CROSS JOIN project p ON p.id = c.entity
                                CROSS JOIN task t ON t.project = p.id
                                WHERE c.change_set > ?1 AND c.kind = 'project' AND t.state = 'open'
                            """, arguments: [since])
                } else {
                    try Row.fetchAll(
                        db,
                        sql: """
                            SELECT 'project', id FROM project WHERE assignee IS NOT NULL
                            UNION ALL SELECT 'task', t.id FROM task t LEFT JOIN project p ON p.id = t.project
                                WHERE ifnull(t.assignee, p.assignee) IS NOT NULL
                            """)
                }
            let all = try rows.compactMap { row -> Assignment? in
                guard let kind = EntityKind(rawValue: row[0]) else { return nil }
                return try assignment(db, kind, EntityID(stored: row[1]))
            }
            return AssignmentPage(
                assignments: all.filter { $0.kind == .project } + all.filter { $0.kind == .task }, head: head)
        }
    }

    /// An assignment as it is now.
    /// - Throws: ``HelixError``.
    public func assignment(_ kind: EntityKind, _ id: EntityID) throws -> Assignment {
        try read { try assignment($0, kind, id) }
    }

    private func assignment(_ db: Database, _ kind: EntityKind, _ id: EntityID) throws -> Assignment {
        var found = Assignment(kind: kind, id: id)
        guard let whole = try JournaledTable.table(kind).row(db, id)?.replica else { return found }
        let columns = Assignment.columns[kind] ?? []
        found.fields = .object((whole.fields ?? []).filter { columns.contains($0.name) })
        found.assignee = whole["assignee"]?.text
        found.project = kind == .task ? whole["project"]?.text.map { EntityID(stored: $0) } : nil
        if found.assignee == nil, let project = found.project {
            found.assignee = try String.fetchOne(
                db, sql: "SELECT assignee FROM project WHERE id = ?", arguments: [project.text])
        }
        return found
    }
}
