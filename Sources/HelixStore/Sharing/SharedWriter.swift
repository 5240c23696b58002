import HelixModel
import HelixSQLite

extension Change {
    /// The place of a copy in the store of its assignee.
    public struct CopyPlace: Sendable {
        /// The assignee's own name, so that `assignee:me` finds it.
        var assignee: String
        /// The copy of its project, if that is shared, too.
        var project: EntityID?
        /// Whether an existing copy stays in the project that its user chose.
        var keepsProject: Bool
        /// The name of the owner.
        var owner: String

        /// Creates a place.
        public init(assignee: String, project: EntityID?, keepsProject: Bool, owner: String) {
            (self.assignee, self.project) = (assignee, project)
            (self.keepsProject, self.owner) = (keepsProject, owner)
        }
    }

    /// Writes the shared fields of a task or project; its other fields stay.
    /// - Parameter place: the place of a copy, which is made if it does not exist; nil for the owner's entity.
    /// - Throws: ``HelixError``.
    public func putShared(_ assignment: Assignment, at place: CopyPlace?) throws {
        guard let shared = assignment.fields else { return }
        let (kind, id) = (assignment.kind, assignment.id)
        let former = try replica(kind, id)
        guard former != nil || place != nil else { return }
        var fields = try former ?? newCopy(kind, shared)
        var columns = Assignment.columns[kind] ?? []
        columns.subtract(["state", "completed_at", "name"])
        for column in columns { fields = fields.setting(column, shared[column] ?? .null) }
        if kind == .project, let name = shared["name"]?.text {
            fields = fields.setting("name", .string(try freeName(name, for: id, former, place)))
        }
        if let place {
            fields = fields.setting("assignee", .string(place.assignee))
            if kind == .task, former == nil || !place.keepsProject {
                fields = fields.setting("project", place.project.map { .string($0.text) } ?? .null)
            }
            // A block belongs to the owner's project.
            if kind == .task, place.project == nil || fields["project"]?.text != place.project?.text {
                fields = fields.setting("block", former?["block"] ?? .null)
            }
        }
        try putIfChanged(kind, id, fields, former)
        if kind == .task { try setState(id, shared) }
    }

    private func putIfChanged(_ kind: EntityKind, _ id: EntityID, _ fields: JSONText, _ former: JSONText?) throws {
        let present = (fields.fields ?? []).filter { !$0.value.isNull }.sorted { $0.name < $1.name }
        let known = (former?.fields ?? []).filter { !$0.value.isNull }.sorted { $0.name < $1.name }
        if present != known { try put(ReplicaRecord(kind: kind, id: id, fields: .object(present))) }
    }

    /// The fields of a copy besides the shared ones.
    private func newCopy(_ kind: EntityKind, _ shared: JSONText) throws -> JSONText {
        guard kind == .task else {
            let project = ProjectRecord(name: shared["name"]?.text ?? "", createdAt: store.now)
            return ProjectRecord.layout.fields(project).replica
        }
        let column = try board(named: nil).firstColumn()
        let task = TodoTask(
            title: shared["title"]?.text ?? "", column: column.id, rank: try endRank(of: column.id),
            createdAt: store.now)
        return TaskRecord.layout.fields(task).replica
    }

    /// The name of a project. A copy has the owner's name behind it: it must not be taken for a project of the same name that
    /// a device of its assignee has made. The owner's project keeps the name that it has.
    private func freeName(
        _ name: String, for id: EntityID, _ former: JSONText?, _ place: CopyPlace?
    ) throws -> String {
        guard let place else { return former?["name"]?.text ?? name }
        let taken = try Set(
            String.fetchAll(db, sql: "SELECT lower(name) FROM project WHERE id <> ?", arguments: [id.text]))
        let suffix = " (\(place.owner))"
        let own = String(name.prefix(190 - suffix.count)) + suffix
        guard taken.contains(own.lowercased()) else { return own }
        return (2...).lazy.map { "\(own) \($0)" }.first { !taken.contains($0.lowercased()) } ?? own
    }

    /// Completes or reopens a task with all that this entails, such as its column and running clock.
    private func setState(_ id: EntityID, _ shared: JSONText) throws {
        guard let state = shared["state"]?.text, let now = try replica(.task, id), now["state"]?.text != state else {
            return
        }
        switch state {
        case "done":
            // A clock that is wrong may say that it was done before it was made.
            let created = now["created_at"]?.integer ?? 0
            let time = shared["completed_at"]?.integer.map { Instant(min(max($0, created), store.now.seconds)) }
            _ = try completeTask(id, at: time, zone: .utc)
        case "open": try reopenTask(id)
        default: try dropTask(id)
        }
    }
}
