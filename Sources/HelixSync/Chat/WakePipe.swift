import FoundationEssentials
import Glibc

/// A self-pipe: one thread wakes another that waits in `poll`.
final class WakePipe: Sendable {
    /// Becomes readable on a wake-up.
    let descriptor: Int32
    private let other: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            }
        }
        (descriptor, other) = (ends[0], ends[1])
    }

    deinit { for end in [descriptor, other] where end >= 0 { close(end) } }

    /// Wakes the waiting thread; pending wake-ups are combined.
    func ring() {
        var byte: UInt8 = 1
        _ = write(other, &byte, 1)
    }

    /// Clears the wake-up.
    func still() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }
}
