import HelixModel

/// The users of a gateway, with the hashes of their passwords.
public protocol GatewayUserStore {
    /// Creates a user; the first one becomes an administrator.
    /// - Parameter hash: the password's hash, made by ``GatewayPassword/hash(_:)``.
    /// - Throws: ``HelixError``: `usage` for an invalid name, `conflict` for one that is taken.
    @discardableResult
    func addUser(_ name: String, hash: String, isAdmin: Bool, now: Instant) throws -> GatewayUser

    /// All users, by name.
    /// - Throws: ``HelixError``.
    func users() throws -> [GatewayUser]

    /// Whether there are any users.
    /// - Throws: ``HelixError``.
    func hasUsers() throws -> Bool

    /// The user with a name.
    /// - Throws: ``HelixError`` of code `notFound`.
    func user(named name: String) throws -> GatewayUser

    /// The user with an identity; nil if there is none.
    /// - Throws: ``HelixError``.
    func user(_ id: EntityID) throws -> GatewayUser?

    /// The hash of a user's password; nil if there is no such user.
    /// - Throws: ``HelixError``.
    func passwordHash(ofUser name: String) throws -> String?

    /// Sets a user's password. Ends all their sessions and revokes their tokens.
    /// - Parameter device: the device that stays signed in, because it knew both passwords.
    /// - Throws: ``HelixError``.
    func setPassword(of user: EntityID, hash: String, keeping device: String?, now: Instant) throws

    /// Makes a user an administrator, or revokes that. Ends all their sessions.
    /// - Throws: ``HelixError``: `conflict` if no administrator would be left.
    func setAdmin(_ isAdmin: Bool, user: EntityID, now: Instant) throws

    /// Disables or enables a user. A disabled user is signed out everywhere.
    /// - Throws: ``HelixError``.
    func setDisabled(_ isDisabled: Bool, user: EntityID, now: Instant) throws
}
