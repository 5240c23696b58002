import Synchronization

/// Whether a client is still there, for threads that do what it asked.
final class Presence: Sendable {
    private let flag = Atomic<Bool>(true)

    var isThere: Bool { flag.load(ordering: .relaxed) }

    func end() { flag.store(false, ordering: .relaxed) }
}
