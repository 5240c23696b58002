import Dispatch
import HelixGatewayStore

/// The gateway's store with a serial queue, on a thread of its own. Each kind of work has one: passwords and large files, which
/// take long to check, must not delay messages.
///
/// `@unchecked`: the store is used only in the queue.
final class StoreQueue<Access>: @unchecked Sendable {
    private let queue: FairQueue
    private let store: any GatewayStore
    private let access: Access

    /// - Parameters:
    ///   - store: a store that only this queue uses.
    ///   - access: the part of it that the work may use.
    init(_ store: any GatewayStore, label: String, qos: DispatchQoS, as access: (any GatewayStore) -> Access) {
        queue = FairQueue(label: label, qos: qos)
        self.store = store
        self.access = access(store)
    }

    /// Runs mandatory work, regardless of what is queued.
    func perform(_ body: @escaping @Sendable (Access) -> Void) {
        queue.add("", FairQueue.Job { self.run { body(self.access) } })
    }

    /// Runs work for a client, or sends them an error if the queue is overloaded.
    func perform(for asker: Asker, _ body: @escaping @Sendable (Access) -> Void) {
        queue.add(
            asker.user,
            FairQueue.Job(isWanted: asker.isWanted, refuse: asker.refuse) { self.run { body(self.access) } })
    }

    /// Runs maintenance, which concerns the whole store.
    func maintain(_ body: @escaping @Sendable (any GatewayStore) -> Void) {
        queue.add("", FairQueue.Job { self.run { body(self.store) } })
    }

    private func run(_ body: () -> Void) {
        body()
        store.didServe()
    }

    /// Drops queued jobs and waits for the running one.
    func finish() { queue.finish() }
}
