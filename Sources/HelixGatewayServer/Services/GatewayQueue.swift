import Dispatch
import HelixGatewayStore
import HelixModel

/// Does what concerns users and devices, one thing after the other, on a thread of its own.
///
/// `@unchecked`: the store is touched in the queue alone.
final class GatewayQueue: @unchecked Sendable {
    private let queue = DispatchQueue(label: "helix.gateway.gate")
    private let store: GatewayStore
    private let admission: Admission

    init(folder: String, allowsSignUp: Bool) throws {
        store = try GatewayStore(folder: folder)
        admission = Admission(store, allowsSignUp: allowsSignUp)
    }

    func perform(_ body: @escaping @Sendable (GatewayStore, Admission) -> Void) {
        queue.async { body(self.store, self.admission) }
    }

    /// Waits until all is done.
    func finish() { queue.sync {} }
}
