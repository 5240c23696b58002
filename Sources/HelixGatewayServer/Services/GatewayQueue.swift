import Dispatch
import FoundationEssentials
import Glibc
import HelixGatewayStore
import HelixModel

/// The accounts queue: work on users and devices, run serially on a thread of its own.
///
/// `@unchecked`: the store is used only in the queue.
final class GatewayQueue: @unchecked Sendable {
    private let queue = FairQueue(label: "helix.gateway.accounts")
    private let store: GatewayStore
    private let admission: Admission

    /// The lock file, held while the gateway runs.
    private let lock: Int32

    init(folder: String, allowsSignUp: Bool) throws {
        store = try GatewayStore(folder: folder)
        // The system releases the lock, however a gateway ends.
        lock = open(folder + "/gateway.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw HelixError(
                .conflict, "another gateway serves the store in \(folder)",
                hint: "Stop it first; a store has one gateway.")
        }
        admission = Admission(store, allowsSignUp: allowsSignUp)
    }

    /// Runs mandatory work, regardless of what is queued.
    func perform(_ body: @escaping @Sendable (GatewayStore, Admission) -> Void) {
        queue.add("", FairQueue.Job { self.run(body) })
    }

    /// Runs work for a client, or sends them an error if the queue is overloaded.
    func perform(for asker: Asker, _ body: @escaping @Sendable (GatewayStore, Admission) -> Void) {
        queue.add(asker.user, FairQueue.Job(isWanted: asker.isWanted, refuse: asker.refuse) { self.run(body) })
    }

    private func run(_ body: (GatewayStore, Admission) -> Void) {
        body(store, admission)
        store.didServe()
    }

    /// Drops queued jobs and waits for the running one.
    func finish() { queue.finish() }
}
