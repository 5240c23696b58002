import HelixModel

/// The profiles of a gateway's users, and whom they have blocked.
public protocol GatewayPeopleStore {
    /// Creates a user who registers: with a user name, or with an e-mail address, from which the name is derived.
    /// - Throws: ``HelixError``: `usage` for an invalid name or address, `conflict` for one that is taken.
    func signUp(_ nameOrEmail: String, hash: String, now: Instant) throws -> GatewayUser

    /// The user who signs in with tokens of another service; made on the first sign-in, without a password.
    /// - Parameters:
    ///   - subject: the issuer and its name for the user.
    ///   - email: the verified address; left out if another user has it.
    ///   - name: the name from which the user name is derived; without one, the address.
    /// - Throws: ``HelixError``.
    func user(
        ofSubject subject: String, email: String?, name: String?, now: Instant
    ) throws -> (user: GatewayUser, isNew: Bool)

    /// The name of the user with an e-mail address; nil if there is none.
    /// - Throws: ``HelixError``.
    func userName(ofEmail email: String) throws -> String?

    /// A user's profile.
    /// - Throws: ``HelixError``.
    func profile(of user: EntityID) throws -> GatewayProfile

    /// Changes a user's profile.
    /// - Throws: ``HelixError``: `usage` for an invalid value; `conflict` for a displayed name that looks like another user's,
    ///   or an address that another user has.
    func changeProfile(of user: EntityID, _ change: ProfileChange, now: Instant) throws -> GatewayProfile

    /// The bytes of a user's picture; nil for none.
    /// - Throws: ``HelixError``.
    func avatar(of user: EntityID) throws -> [UInt8]?

    /// The users that a user may see, by name, and always the user. Disabled ones are left out.
    /// - Throws: ``HelixError``.
    func people(for user: EntityID, in scope: DirectoryScope) throws -> [GatewayPerson]

    /// Blocks another user, or ends that: a blocked user can neither write to the other in a direct conversation nor add them to
    /// a group.
    /// - Throws: ``HelixError``: `notFound` for an unknown user, `usage` for the user themselves.
    func setBlocked(_ isBlocked: Bool, _ name: String, by user: EntityID, now: Instant) throws -> GatewayUser

    /// Ends a user's account: the user is disabled, signed out everywhere and leaves all conversations; password, profile and
    /// devices are deleted. Messages to others remain. The name is not given to anybody else.
    /// - Throws: ``HelixError`` of code `conflict` for the only administrator.
    func endAccount(of user: EntityID, now: Instant) throws
}
