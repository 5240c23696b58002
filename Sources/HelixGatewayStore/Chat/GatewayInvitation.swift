import HelixModel

/// An invitation to a group by link: whoever has the link may join until it expires.
public struct GatewayInvitation: Hashable, Sendable {
    /// The identity.
    public var id: EntityID
    /// The group.
    public var conversation: EntityID
    /// The name of the member who created it.
    public var madeBy: String
    /// The time of creation.
    public var madeAt: Instant
    /// The time from which it is invalid.
    public var expiresAt: Instant
    /// The number of users who may still join with it.
    public var usesLeft: Int
    /// Whether those who join see earlier messages.
    public var seesAll: Bool

    /// The longest time for which an invitation is valid, in seconds.
    public static let longest = 30 * 86_400
    /// The maximum number of valid invitations to one conversation.
    static let mostOfConversation = 100
}

/// A group as those see it who have an invitation to it.
public struct InvitedGroup: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The number of members.
    public var members: Int
    /// The invitation.
    public var invitation: GatewayInvitation
}

/// The invitations by link to a gateway's groups.
public protocol GatewayInvitationStore {
    /// Creates an invitation. Owners and admins may.
    ///
    /// - Parameters:
    ///   - token: the secret in the link, of which only a hash is stored.
    ///   - uses: the number of users who may join.
    /// - Throws: ``HelixError``: `notFound`, `notAllowed`.
    func createInvitation(
        token: String, to conversation: EntityID, seesAll: Bool, uses: Int, until: Instant, by user: EntityID,
        now: Instant
    ) throws -> GatewayInvitation

    /// The valid invitations to a conversation. Owners and admins may see them.
    /// - Throws: ``HelixError``: `notFound`, `notAllowed`.
    func invitations(to conversation: EntityID, by user: EntityID, now: Instant) throws -> [GatewayInvitation]

    /// Revokes an invitation.
    /// - Throws: ``HelixError``: `notFound`, `notAllowed`.
    func revokeInvitation(_ id: EntityID, by user: EntityID) throws

    /// The group that an invitation is for, for whoever has the link.
    /// - Throws: as ``join(token:by:now:)``.
    func invitedGroup(token: String, now: Instant) throws -> InvitedGroup

    /// Joins a group by an invitation. For a member nothing changes, even if the invitation is used up.
    /// - Returns: the group, and whether the user is new in it.
    /// - Throws: ``HelixError`` of code `notFound` for an unknown, used up or expired invitation, without a difference.
    func join(
        token: String, by user: EntityID, now: Instant
    ) throws -> (conversation: GatewayConversation, isNew: Bool)
}
