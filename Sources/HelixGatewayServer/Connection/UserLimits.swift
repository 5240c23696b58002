import HelixModel
import Synchronization

/// Limits of one user, across all their connections.
final class UserLimits: Sendable {
    /// The maximum number of concurrent connections of one user, and of one device.
    static let (mostConnections, mostOfDevice) = (64, 16)
    /// The maximum size of one user's store in bytes.
    static let mostStored = 4 << 30

    private let limiters = Mutex<[EntityID: RateLimiter]>([:])
    private let tallies = Mutex<[EntityID: UserTally]>([:])

    /// The milliseconds until a user may call a method again; nil if they may now.
    func wait(_ user: EntityID, _ method: String) -> Int? {
        limiters.withLock { all in
            // A user without a request for a minute has a full allowance anyway.
            if all.count > 10_000, all[user] == nil { all = all.filter { !$0.value.isFull } }
            var limiter = all[user] ?? RateLimiter()
            defer { all[user] = limiter }
            return limiter.wait(method)
        }
    }

    /// The counters of a user, shared by all their connections.
    func tally(_ user: EntityID) -> UserTally {
        tallies.withLock { all in
            if let known = all[user] { return known }
            let made = UserTally()
            all[user] = made
            return made
        }
    }
}

/// The counters of one user: unsent data and pending requests.
final class UserTally: Sendable {
    /// The bytes queued for sending.
    let unsent = Atomic<Int>(0)
    /// The pending requests, and their size in bytes.
    let pending = Atomic<Int>(0)
    let pendingBytes = Atomic<Int>(0)
    private let budget = Mutex<(left: Double, at: ContinuousClock.Instant)>((UserTally.burst, .now))

    /// The maximum number of bytes queued for one user.
    static let mostUnsent = 64 << 20
    /// The maximum number and size of pending requests: parsed they need more than ten times as much.
    static let (mostPending, mostPendingBytes) = (256, 8 << 20)
    /// The bytes that one user may send at once, and per second: frames are parsed on few threads.
    private static let (burst, rate) = (64.0 * 1_048_576, 8.0 * 1_048_576)

    /// Counts received bytes.
    /// - Returns: the milliseconds for which reading should pause; 0 for none.
    func heard(_ bytes: Int) -> Int64 {
        budget.withLock { budget in
            let now = ContinuousClock.now
            let passed = budget.at.duration(to: now).components
            let seconds = Double(passed.seconds) + Double(passed.attoseconds) / 1e18
            budget = (min(UserTally.burst, budget.left + seconds * UserTally.rate) - Double(bytes), now)
            return budget.left < 0 ? Int64(-budget.left / UserTally.rate * 1000) + 1 : 0
        }
    }
}
