import HelixModel

/// A token bucket for each method: a number of requests per minute, all of which may arrive at once.
struct RateLimiter: Sendable {
    private var buckets: [String: (left: Double, at: ContinuousClock.Instant)] = [:]

    /// The limit of a method per minute; nil for those that share one bucket.
    private static func limit(_ method: String) -> Double? {
        switch method {
        case "users.password": 10
        case "email.send", "chat.send", "agent": 600
        case "chat.typing": 60
        // Conversations and their members: these affect other users.
        case "chat.create", "chat.invite", "chat.role", "chat.remove": 1_200
        case "device.token.rotate": 30
        case "ping": 120
        default: nil
        }
    }

    /// The limit of all other methods together, per minute.
    private static let others = 600_000.0

    /// The milliseconds until a method is allowed again; nil if it is allowed now.
    mutating func wait(_ method: String) -> Int? {
        let own = RateLimiter.limit(method)
        let limit = own ?? RateLimiter.others
        let name = own == nil ? "" : method
        let now = ContinuousClock.now
        var bucket = buckets[name] ?? (limit, now)
        let passed = bucket.at.duration(to: now).components
        let seconds = Double(passed.seconds) + Double(passed.attoseconds) / 1e18
        bucket = (min(limit, bucket.left + seconds * limit / 60), now)
        defer { buckets[name] = bucket }
        if bucket.left < 1 { return Int((1 - bucket.left) * 60_000 / limit) + 1 }
        bucket.left -= 1
        return nil
    }

    /// Whether there were no requests for a minute.
    var isFull: Bool {
        buckets.values.allSatisfy { $0.at.duration(to: .now) > .seconds(60) }
    }
}
