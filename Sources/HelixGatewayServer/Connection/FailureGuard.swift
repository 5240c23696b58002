import HelixModel
import Synchronization

/// Delays clients that guess passwords.
struct FailureGuard {
    private var failures: [String: (count: Int, last: Instant)] = [:]

    /// The time without another failure after which failures are forgotten, in seconds.
    private static let memory: Int64 = 900
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
            let rest = found.last.seconds + pause - now.seconds
            return rest > 0 ? Int(rest) : nil
        }.max()
    }

    /// The number of recent failures of a key.
    func failures(of key: String, now: Instant) -> Int {
        guard let found = failures[key], now.seconds - found.last.seconds <= FailureGuard.memory else { return 0 }
        return found.count
    }

    mutating func noteFailure(_ keys: [String], now: Instant) {
        // Attempts from thousands of addresses must not exhaust memory.
        if failures.count > 10_000 {
            failures = failures.filter { now.seconds - $0.value.last.seconds < FailureGuard.memory }
        }
        for key in keys where failures[key] != nil || failures.count < 100_000 {
            var found = failures[key] ?? (0, now)
            if now.seconds - found.last.seconds > FailureGuard.memory { found.count = 0 }
            failures[key] = (found.count + 1, now)
        }
    }

    mutating func forget(_ keys: [String]) { for key in keys { failures[key] = nil } }
}

/// The failed attempts of signed-in clients at a user's password, on any thread.
final class LoginFailures: Sendable {
    private let failures = Mutex(FailureGuard())

    /// The seconds until the next attempt is allowed; nil if it is allowed now.
    func wait(_ user: EntityID, now: Instant) -> Int? { failures.withLock { $0.wait([key(user)], now: now) } }
    func noteFailure(_ user: EntityID, now: Instant) { failures.withLock { $0.noteFailure([key(user)], now: now) } }
    func forget(_ user: EntityID) { failures.withLock { $0.forget([key(user)]) } }

    private func key(_ user: EntityID) -> String { "password of \(user.text)" }
}
