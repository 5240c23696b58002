import Dispatch
import HelixGatewayStore
import HelixModel

/// A serial queue, on a thread of its own, for work on conversations or their files: passwords and large files, which take
/// long to check, must not delay messages.
///
/// `@unchecked`: the store is used only in the queue.
final class ChatQueue: @unchecked Sendable {
    private let queue: FairQueue
    private let store: GatewayStore

    /// - Parameter kilobytes: the size of the store's page cache.
    init(folder: String, label: String, qos: DispatchQoS, keeping kilobytes: Int) throws {
        queue = FairQueue(label: label, qos: qos)
        store = try GatewayStore(folder: folder, keeping: kilobytes)
    }

    /// Runs mandatory work, regardless of what is queued.
    func perform(_ body: @escaping @Sendable (GatewayStore) -> Void) {
        queue.add("", FairQueue.Job { self.run(body) })
    }

    /// Runs work for a client, or sends them an error if the queue is overloaded.
    func perform(for asker: Asker, _ body: @escaping @Sendable (GatewayStore) -> Void) {
        queue.add(
            asker.user, FairQueue.Job(isWanted: asker.isWanted, refuse: asker.refuse) { self.run(body) })
    }

    private func run(_ body: (GatewayStore) -> Void) {
        body(store)
        store.didServe()
    }

    /// The number of queued jobs.
    var waiting: Int { queue.waiting }

    /// Drops queued jobs and waits for the running one.
    func finish() { queue.finish() }
}
