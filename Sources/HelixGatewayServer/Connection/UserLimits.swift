import HelixModel
import Synchronization

/// Limits of one user, over all their connections.
final class UserLimits: Sendable {
    /// Connections of one user, and of one device, at the same time.
    static let (mostConnections, mostOfDevice) = (64, 16)
    /// The bytes that the store of one user may grow to.
    static let mostStored = 4 << 30

    private let limiters = Mutex<[EntityID: RateLimiter]>([:])
    private let tallies = Mutex<[EntityID: UserTally]>([:])

    /// The milliseconds until a user may ask a method again; nil if they may now.
    func wait(_ user: EntityID, _ method: String) -> Int? {
        limiters.withLock { all in
            // A user without a question for a minute has a full allowance anyway.
            if all.count > 10_000, all[user] == nil { all = all.filter { !$0.value.isFull } }
            var limiter = all[user] ?? RateLimiter()
            defer { all[user] = limiter }
            return limiter.wait(method)
        }
    }

    /// The counts of a user, shared by all their connections.
    func tally(_ user: EntityID) -> UserTally {
        tallies.withLock { all in
            if let known = all[user] { return known }
            let made = UserTally()
            all[user] = made
            return made
        }
    }
}

/// The counts of one user: what waits to be sent to them, and what they wait for.
final class UserTally: Sendable {
    /// Bytes that wait to be sent.
    let unsent = Atomic<Int>(0)
    /// Questions without an answer, and the bytes that they came in.
    let pending = Atomic<Int>(0)
    let pendingBytes = Atomic<Int>(0)
    private let budget = Mutex<(left: Double, at: ContinuousClock.Instant)>((UserTally.burst, .now))

    /// Bytes that may wait to be sent to one user.
    static let mostUnsent = 64 << 20
    /// Questions that may wait, and the bytes that they came in: parsed they take more than ten times as much.
    static let (mostPending, mostPendingBytes) = (256, 8 << 20)
    /// Bytes that one user may send at once, and a second: all frames are parsed on one thread.
    private static let (burst, rate) = (64.0 * 1_048_576, 8.0 * 1_048_576)

    /// Counts bytes that came.
    /// - Returns: the milliseconds for which nothing more should be read; 0 for none.
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
