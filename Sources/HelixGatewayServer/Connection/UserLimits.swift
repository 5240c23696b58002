import HelixModel
import Synchronization

/// What one user may ask for, over all their connections.
final class UserLimits: Sendable {
    /// Connections of one user, and of one device, at the same time.
    static let (mostConnections, mostOfDevice) = (64, 16)

    private let limiters = Mutex<[EntityID: RateLimiter]>([:])

    /// The milliseconds until a user may ask a method again; nil if they may now.
    func wait(_ user: EntityID, _ method: String) -> Int? {
        limiters.withLock { all in
            // Those who have not asked for a minute start anew anyway.
            if all.count > 10_000, all[user] == nil { all = all.filter { !$0.value.isFull } }
            var limiter = all[user] ?? RateLimiter()
            defer { all[user] = limiter }
            return limiter.wait(method)
        }
    }
}
