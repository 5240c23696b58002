import HelixGatewayStore
import HelixModel

/// Delays clients that guess passwords, by the failures that are known of their keys.
struct FailureGuard {
    private let failures: [String: SignInFailures]

    /// - Parameter failures: the failures of the keys that are asked about.
    init(_ failures: [String: SignInFailures]) { self.failures = failures }

    /// The number of failures without a pause, and the longest pause in seconds, for networks.
    private static let usual: (free: Int, longest: Int64) = (5, 300)
    /// The limits for users' names: failedLogins from many addresses slow a user down, but lock no user out for long.
    private static let ofNames: (free: Int, longest: Int64) = (20, 8)

    /// The key of a user's name.
    static func key(ofName name: String) -> String { "name \(name.lowercased())" }

    /// The seconds until the next attempt is allowed; nil if it is allowed now.
    func wait(_ keys: [String], now: Instant) -> Int? {
        keys.compactMap { key -> Int? in
            let limits =
                key.hasPrefix("name ") || key.hasPrefix("addresses ") ? FailureGuard.ofNames : FailureGuard.usual
            guard let found = failures[key], found.count >= limits.free else { return nil }
            let pause = min(limits.longest, 1 << min(9, Int64(found.count - limits.free)))
            // The clock of another gateway may be ahead.
            let rest = min(found.last.seconds + pause - now.seconds, pause)
            return rest > 0 ? Int(rest) : nil
        }.max()
    }

    /// The number of recent failures of a key.
    func failures(of key: String, now: Instant) -> Int {
        guard let found = failures[key], now.seconds - found.last.seconds <= SignInFailures.memory else { return 0 }
        return found.count
    }
}
