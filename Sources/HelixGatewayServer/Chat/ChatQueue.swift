import Dispatch
import HelixGatewayStore
import HelixModel

/// Does what concerns conversations, or their files, one thing after the other, on a thread of its own: passwords and large
/// files, which take long to check, keep nobody from talking.
///
/// `@unchecked`: the store is touched in the queue alone.
final class ChatQueue: @unchecked Sendable {
    private let queue: DispatchQueue
    private let store: GatewayStore

    /// - Parameter kilobytes: of the store's pages, so many are kept.
    init(folder: String, label: String, qos: DispatchQoS, keeping kilobytes: Int) throws {
        queue = DispatchQueue(label: label, qos: qos)
        store = try GatewayStore(folder: folder, keeping: kilobytes)
    }

    func perform(_ body: @escaping @Sendable (GatewayStore) -> Void) {
        queue.async {
            body(self.store)
            self.store.didServe()
        }
    }

    /// Waits until all is done.
    func finish() { queue.sync {} }
}
