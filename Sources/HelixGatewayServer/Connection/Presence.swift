import Synchronization

/// Whether a client is still there, for threads that do what it asked.
final class Presence: Sendable {
    private let flag = Atomic<Bool>(true)

    var isThere: Bool { flag.load(ordering: .relaxed) }

    /// The same, for those who ask later.
    var check: @Sendable () -> Bool { { self.isThere } }

    func end() { flag.store(false, ordering: .relaxed) }
}
