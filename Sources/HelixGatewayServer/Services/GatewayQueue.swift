import Dispatch
import Foundation
import HelixGatewayStore
import HelixModel

/// Does what concerns users and devices, one thing after the other, on a thread of its own.
///
/// `@unchecked`: the store is touched in the queue alone.
final class GatewayQueue: @unchecked Sendable {
    private let queue = FairQueue(label: "helix.gateway.gate")
    private let store: GatewayStore
    private let admission: Admission

    /// Held for as long as the gateway runs.
    private let lock: Int32

    init(folder: String, allowsSignUp: Bool) throws {
        store = try GatewayStore(folder: folder)
        // The system lets go of it, however a gateway ends.
        lock = open(folder + "/gateway.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw HelixError(
                .conflict, "another gateway serves the store in \(folder)",
                hint: "End it first; one store has one gateway.")
        }
        admission = Admission(store, allowsSignUp: allowsSignUp)
    }

    /// Does what must be done, whoever waits for it.
    func perform(_ body: @escaping @Sendable (GatewayStore, Admission) -> Void) {
        queue.add("", FairQueue.Job { self.run(body) })
    }

    /// Does something for a client, or tells them that there is no time for it.
    func perform(for asker: Asker, _ body: @escaping @Sendable (GatewayStore, Admission) -> Void) {
        queue.add(asker.user, FairQueue.Job(isWanted: asker.isWanted, refuse: asker.refuse) { self.run(body) })
    }

    private func run(_ body: (GatewayStore, Admission) -> Void) {
        body(store, admission)
        store.didServe()
    }

    /// Drops what waits, and waits for what is being done.
    func finish() { queue.finish() }
}
