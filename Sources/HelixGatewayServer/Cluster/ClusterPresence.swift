import HelixModel
import Synchronization

/// The users and devices that are connected to other gateways, as those say. What a gateway said is forgotten when it gives no more signs of
/// life.
final class ClusterPresence: Sendable {
    private struct Gateway {
        var users: Set<EntityID> = []
        var devices: Set<String> = []
        var lastSign = ContinuousClock.now
    }

    private let gateways = Mutex<[String: Gateway]>([:])

    /// The time without a sign after which a gateway is gone.
    private static let patience = Duration.seconds(16)

    /// Records a sign of life.
    func noteLife(_ gateway: String) {
        gateways.withLock { all in
            all[gateway, default: Gateway()].lastSign = .now
            all = all.filter { $0.value.lastSign.duration(to: .now) < ClusterPresence.patience }
        }
    }

    /// Records who came to a gateway, and who left it.
    func note(_ gateway: String, present: [EntityID], absent: [EntityID]) {
        gateways.withLock { all in
            var known = all[gateway] ?? Gateway()
            known.users.formUnion(present)
            known.users.subtract(absent)
            known.lastSign = .now
            all[gateway] = known
        }
    }

    /// Records which devices came to a gateway, and which left it.
    func note(_ gateway: String, devices present: [String], absent: [String]) {
        gateways.withLock { all in
            var known = all[gateway] ?? Gateway()
            known.devices.formUnion(present)
            known.devices.subtract(absent)
            known.lastSign = .now
            all[gateway] = known
        }
    }

    /// Whether a device is connected to another gateway, and may read.
    func isPresent(device: String) -> Bool { isAnywhere { $0.devices.contains(device) } }

    /// Whether a user is connected to another gateway.
    func isPresent(_ user: EntityID) -> Bool { isAnywhere { $0.users.contains(user) } }

    private func isAnywhere(_ condition: (Gateway) -> Bool) -> Bool {
        gateways.withLock { all in
            all.values.contains {
                $0.lastSign.duration(to: .now) < ClusterPresence.patience && condition($0)
            }
        }
    }
}
