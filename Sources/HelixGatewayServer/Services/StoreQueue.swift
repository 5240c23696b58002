import Dispatch
import HelixGatewayStore
import Synchronization

/// The gateway's store with serial queues, each on a thread of its own. Each kind of work has some: passwords and large files,
/// which take long to check, must not delay messages. The jobs of one sender are in one queue, and keep their order.
///
/// `@unchecked`: each store is used only in its queue.
final class StoreQueue<Access>: @unchecked Sendable {
    private struct Lane {
        let queue: FairQueue
        let store: any GatewayStore
        let access: Access
    }

    private let lanes: [Lane]

    /// `@unchecked`: as the queue.
    private struct Owned: @unchecked Sendable { let store: any GatewayStore }

    /// - Parameters:
    ///   - stores: the stores, one for each queue, that nothing else uses.
    ///   - access: the part of them that the work may use.
    init(
        _ stores: [any GatewayStore], label: String, qos: DispatchQoS, as access: (any GatewayStore) -> Access
    ) {
        lanes = stores.map { store in
            let owned = Owned(store: store)
            let queue = FairQueue(label: label, qos: qos) { jobs in try owned.store.together(jobs) }
            return Lane(queue: queue, store: store, access: access(store))
        }
    }

    /// Runs mandatory work, regardless of what is queued.
    func perform(_ body: @escaping @Sendable (Access) -> Void) {
        lanes[0].queue.add(
            "",
            FairQueue.Job(run: { [self] in
                body(lanes[0].access)
                lanes[0].store.didServe()
            }))
    }

    /// Runs work for a client, or sends them an error if the queue is overloaded. It runs together with other work: the
    /// completion that it returns is called when its effects are stored.
    func perform(for asker: Asker, _ body: @escaping @Sendable (Access) -> FairQueue.Completion) {
        let place = place(of: asker.user)
        lanes[place].queue.add(
            asker.user,
            FairQueue.Job(
                isWanted: asker.isWanted, refuse: asker.refuse,
                together: { [self] in
                    defer { lanes[place].store.didServe() }
                    return body(lanes[place].access)
                }))
    }

    /// Runs work for a client alone, or sends them an error if the queue is overloaded.
    func performAlone(for asker: Asker, _ body: @escaping @Sendable (Access) -> Void) {
        let place = place(of: asker.user)
        lanes[place].queue.add(
            asker.user,
            FairQueue.Job(
                isWanted: asker.isWanted, refuse: asker.refuse,
                run: { [self] in
                    body(lanes[place].access)
                    lanes[place].store.didServe()
                }))
    }

    /// Runs maintenance, which concerns the whole store.
    func maintain(_ body: @escaping @Sendable (any GatewayStore) -> Void) {
        lanes[0].queue.add(
            "",
            FairQueue.Job(run: { [self] in
                body(lanes[0].store)
                lanes[0].store.didServe()
            }))
    }

    private func place(of asker: String) -> Int {
        if lanes.count == 1 { return 0 }
        return Int(asker.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }) % lanes.count
    }

    /// Drops queued jobs and waits for the running ones.
    func finish() { for lane in lanes { lane.queue.finish() } }
}
