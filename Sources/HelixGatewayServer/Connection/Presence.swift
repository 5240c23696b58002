import Synchronization

/// Whether a client is still connected, for threads that process its requests.
final class Presence: Sendable {
    private let flag = Atomic<Bool>(true)

    var isThere: Bool { flag.load(ordering: .relaxed) }

    /// A closure that checks it later.
    var check: @Sendable () -> Bool { { self.isThere } }

    func end() { flag.store(false, ordering: .relaxed) }
}
