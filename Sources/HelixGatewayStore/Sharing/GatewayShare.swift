import HelixModel

/// A task or project of a user that is shared with the user it is assigned to, who has a copy of it.
public struct GatewayShare: Hashable, Sendable {
    /// The user whose entity it is.
    public var owner: EntityID
    /// `task` or `project`.
    public var kind: EntityKind
    /// The entity in the owner's store.
    public var entity: EntityID
    /// The user it is assigned to.
    public var member: EntityID
    /// The copy in the member's store.
    public var copy: EntityID
    /// The fields on which both stores agreed last; nil if the member deleted the copy, and does not want it.
    public var base: JSONText?

    /// Creates a share.
    public init(
        owner: EntityID, kind: EntityKind, entity: EntityID, member: EntityID, copy: EntityID, base: JSONText?
    ) {
        (self.owner, self.kind, self.entity) = (owner, kind, entity)
        (self.member, self.copy, self.base) = (member, copy, base)
    }
}

/// The entities that users share with those they are assigned to.
public protocol GatewayShareStore {
    /// The share of an owner's entity; nil if it is not shared.
    /// - Throws: ``HelixError``.
    func share(of entity: EntityID, owner: EntityID) throws -> GatewayShare?

    /// The share of a member's copy; nil if it is none.
    /// - Throws: ``HelixError``.
    func share(ofCopy copy: EntityID, member: EntityID) throws -> GatewayShare?

    /// The user's own entities that are shared with others, and the copies of others' entities that the user has.
    /// - Throws: ``HelixError``.
    func sharedEntities(of user: EntityID) throws -> Set<EntityID>

    /// Records a share.
    /// - Throws: ``HelixError``.
    func saveShare(_ share: GatewayShare) throws

    /// Ends a share.
    /// - Throws: ``HelixError``.
    func removeShare(of entity: EntityID, owner: EntityID) throws

    /// The user that the name or identity of an assignee means (an address proves nothing, since users set it themselves); nil if there is none with whom the owner may share: users
    /// who blocked each other do not, and outside a directory of all users both must have a conversation in common.
    /// - Throws: ``HelixError``.
    func assignee(named name: String, of owner: EntityID, in scope: DirectoryScope) throws -> GatewayUser?
}
