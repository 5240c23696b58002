import HelixModel

/// A column of an entity that names another one to which it belongs, and the effect of that one's deletion. A device cannot
/// delete an entity to which another one belongs that it does not know.
public struct ReplicaRelation: Hashable, Sendable {
    /// The effect of a deletion on the entities that belong to the deleted one.
    public enum Effect: Sendable {
        /// They are deleted with it.
        case deletes
        /// They are kept, and belong to none.
        case releases
    }

    /// The kind that belongs to another.
    public let kind: EntityKind
    /// Its column.
    public let column: String
    /// The kind to which it belongs.
    public let parent: EntityKind
    /// The effect of the parent's deletion.
    public let effect: Effect

    /// All relations.
    public static let all = [
        ReplicaRelation(kind: .event, column: "calendar", parent: .calendar, effect: .deletes),
        ReplicaRelation(kind: .contact, column: "book", parent: .addressBook, effect: .deletes),
        ReplicaRelation(kind: .column, column: "board", parent: .board, effect: .deletes),
        ReplicaRelation(kind: .task, column: "column_id", parent: .column, effect: .deletes),
        ReplicaRelation(kind: .material, column: "project", parent: .project, effect: .deletes),
        ReplicaRelation(kind: .file, column: "project", parent: .project, effect: .deletes),
        ReplicaRelation(kind: .task, column: "project", parent: .project, effect: .releases),
        ReplicaRelation(kind: .invoice, column: "project", parent: .project, effect: .releases),
        ReplicaRelation(kind: .timeEntry, column: "project", parent: .project, effect: .releases),
        ReplicaRelation(kind: .task, column: "parent", parent: .task, effect: .releases),
    ]

    /// The relations of the entities that belong to a kind.
    public static func below(_ kind: EntityKind) -> [ReplicaRelation] { all.filter { $0.parent == kind } }
    /// The relations of a kind to those that it belongs to.
    public static func above(_ kind: EntityKind) -> [ReplicaRelation] { all.filter { $0.kind == kind } }
}
