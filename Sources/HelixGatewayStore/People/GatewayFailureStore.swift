import HelixModel

/// Failed sign-ins with one key: an address, a network, or a user's name.
public struct SignInFailures: Hashable, Sendable {
    /// The number of failures without a long pause.
    public var count: Int
    /// The time of the last one.
    public var last: Instant

    /// Creates a count.
    public init(count: Int, last: Instant) { (self.count, self.last) = (count, last) }

    /// The time without another failure after which failures are forgotten, in seconds.
    public static let memory: Int64 = 900
}

/// The failed sign-ins at all gateways of a store.
public protocol GatewayFailureStore {
    /// The failures with keys; keys without any are left out.
    /// - Throws: ``HelixError``.
    func signInFailures(_ keys: [String], now: Instant) throws -> [String: SignInFailures]

    /// Counts a failure with each of the keys.
    /// - Throws: ``HelixError``.
    func noteSignInFailure(_ keys: [String], now: Instant) throws

    /// Forgets the failures with keys.
    /// - Throws: ``HelixError``.
    func forgetSignInFailures(_ keys: [String]) throws
}
