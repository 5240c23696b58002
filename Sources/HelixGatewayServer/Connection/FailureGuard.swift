import HelixModel

/// Keeps those away for a while who guess passwords.
struct FailureGuard {
    private var failures: [String: (count: Int, last: Instant)] = [:]

    /// Failures are forgotten after so many seconds without another one.
    private static let memory: Int64 = 900
    /// Failures without a pause, and the longest pause in seconds, for networks.
    private static let usual: (free: Int, longest: Int64) = (5, 300)
    /// The same for users' names: guesses from many places slow a user down, and lock nobody out for long.
    private static let ofNames: (free: Int, longest: Int64) = (20, 8)

    /// The key of a user's name.
    static func key(ofName name: String) -> String { "name \(name.lowercased())" }

    /// The seconds that must pass before another try; nil for none.
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

    /// How often a key has failed lately.
    func failures(of key: String, now: Instant) -> Int {
        guard let found = failures[key], now.seconds - found.last.seconds <= FailureGuard.memory else { return 0 }
        return found.count
    }

    mutating func noteFailure(_ keys: [String], now: Instant) {
        // Attempts from thousands of places do not fill the memory.
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
