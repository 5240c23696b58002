import HelixModel

/// The right to sync the accounts that gateways keep for users: one gateway has it for a user at a time, and must renew it.
public protocol GatewayAccountLeases: Sendable {
    /// Takes or renews the right for ``leaseSeconds``.
    /// - Parameter pause: the seconds since the last sync, of which there must be as many.
    /// - Returns: its number, which changes with the gateway; nil if another one has it, or the pause is not over.
    /// - Throws: ``HelixError``.
    func take(_ user: EntityID, for gateway: String, pause: Int) throws -> Int64?

    /// Gives the rights of a gateway back, so that others need not wait.
    /// - Throws: ``HelixError``.
    func release(_ gateway: String) throws

    /// The users who have accounts.
    /// - Throws: ``HelixError``.
    func usersWithAccounts() throws -> [EntityID]

    /// The state of the last sync of an account; nil if there was none.
    /// - Throws: ``HelixError``.
    func state(of account: EntityID, _ user: EntityID) throws -> String?

    /// Stores the time of a sync, and the state of an account.
    /// - Returns: whether the gateway still had the right; if not, nothing is stored.
    /// - Throws: ``HelixError``.
    func save(_ state: (account: EntityID, text: String)?, of user: EntityID, lease: Int64) throws -> Bool
}
