import HelixGatewayStore
import HelixModel

/// Disconnects clients whose device was removed or lost permissions, or whose user was disabled.
struct SessionChecker: Sendable {
    let accounts: StoreQueue<StoreQueues.Accounts>

    /// Checks a client on the accounts queue.
    func check(_ client: ClientHandle) {
        let session = client.session
        accounts.perform { accounts in
            let store = accounts.store
            let (found, known): (GatewayUser?, GatewayDevice?)
            do {
                found = try store.user(session.user.id)
                known = try store.device(session.device, of: session.user.id)
            } catch {
                // The store is away: the next check decides.
                return
            }
            guard let user = found else { return client.end(code: 1008, reason: "user removed") }
            let may = Admission.covered(known?.scopes ?? [])
            if user.isDisabled { return client.end(code: 1008, reason: "user disabled") }
            guard user.admits(session.device, since: session.user.epoch) else {
                return client.end(code: 1008, reason: "session ended")
            }
            guard known != nil, session.scopes.allSatisfy({ may.contains($0.rawValue) }) else {
                return client.end(code: 1008, reason: "device revoked")
            }
        }
    }
}
