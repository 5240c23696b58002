import Dispatch
import HelixGatewayStore
import HelixModel

/// Does what concerns conversations, one thing after the other, on a thread of its own: passwords, which take long to check,
/// keep nobody from talking.
///
/// `@unchecked`: the store is touched in the queue alone.
final class ChatQueue: @unchecked Sendable {
    private let queue = DispatchQueue(label: "helix.gateway.chat", qos: .userInteractive)
    private let store: GatewayStore

    init(folder: String) throws { store = try GatewayStore(folder: folder) }

    func perform(_ body: @escaping @Sendable (GatewayStore) -> Void) { queue.async { body(self.store) } }

    /// Waits until all is done.
    func finish() { queue.sync {} }
}
