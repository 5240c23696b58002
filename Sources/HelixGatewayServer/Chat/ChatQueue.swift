import Dispatch
import HelixGatewayStore
import HelixModel

/// Does what concerns conversations, or their files, one thing after the other, on a thread of its own: passwords and large
/// files, which take long to check, keep nobody from talking.
///
/// `@unchecked`: the store is touched in the queue alone.
final class ChatQueue: @unchecked Sendable {
    private let queue: FairQueue
    private let store: GatewayStore

    /// - Parameter kilobytes: of the store's pages, so many are kept.
    init(folder: String, label: String, qos: DispatchQoS, keeping kilobytes: Int) throws {
        queue = FairQueue(label: label, qos: qos)
        store = try GatewayStore(folder: folder, keeping: kilobytes)
    }

    /// Does what must be done, whoever waits for it.
    func perform(_ body: @escaping @Sendable (GatewayStore) -> Void) {
        queue.add("", FairQueue.Job { self.run(body) })
    }

    /// Does something for a client, or tells them that there is no time for it.
    func perform(for asker: Asker, _ body: @escaping @Sendable (GatewayStore) -> Void) {
        queue.add(
            asker.user, FairQueue.Job(isWanted: asker.isWanted, refuse: asker.refuse) { self.run(body) })
    }

    private func run(_ body: (GatewayStore) -> Void) {
        body(store)
        store.didServe()
    }

    /// How many questions wait.
    var waiting: Int { queue.waiting }

    /// Drops what waits, and waits for what is being done.
    func finish() { queue.finish() }
}
