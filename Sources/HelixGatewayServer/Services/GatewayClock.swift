import Glibc
import HelixModel

/// The gateway's clock; tests set it.
struct GatewayClock: Sendable {
    private let read: @Sendable () -> Int64

    /// - Parameter read: the milliseconds since 1970 in UTC.
    init(_ read: @escaping @Sendable () -> Int64) { self.read = read }

    /// The system's clock.
    static let system = GatewayClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// The current time, in milliseconds.
    var milliseconds: Int64 { read() }
    /// The current time.
    var now: Instant { Instant(milliseconds / 1000) }
}
