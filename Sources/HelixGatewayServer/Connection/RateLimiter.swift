import HelixModel

/// So many questions a minute, more at once and fewer for long (token bucket). It belongs to one connection.
struct RateLimiter {
    private var buckets: [String: (left: Double, at: ContinuousClock.Instant)] = [:]

    /// What a method may be asked a minute.
    private static func limit(_ method: String) -> Double {
        switch method {
        case "users.password": 10
        case "email.send", "chat.send", "agent": 600
        default: 600_000
        }
    }

    /// The milliseconds until a method may be asked again; nil if it may be asked now.
    mutating func wait(_ method: String) -> Int? {
        let limit = RateLimiter.limit(method)
        let name = limit < 600_000 ? method : ""
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
}
