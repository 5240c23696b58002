import Synchronization

/// The services that a client's connection uses.
struct ConnectionServices: Sendable {
    let clock: GatewayClock
    let metrics: GatewayMetrics
    let clients: ClientNotifier
    let sessions: SessionChecker
    /// The limits on requests of each user.
    let userLimits: UserLimits
    /// The bytes queued for all clients together.
    let unsent: UnsentBytes
    let admission: ClientAdmission
    let methods: MethodTable
    let hello: GatewayGreeting
}

/// The bytes queued for all clients together.
final class UnsentBytes: Sendable {
    let count = Atomic<Int>(0)
}
