import HelixGateway
import HelixGatewayStore
import HelixModel

/// Admits agents by their tokens: each request has one.
struct AgentAdmission: Sendable {
    let accounts: StoreQueue<StoreQueues.Accounts>
    let clock: GatewayClock
    let metrics: GatewayMetrics

    /// An agent whose token was accepted.
    struct Agent: Sendable {
        let access: AgentAccess
        let session: ClientSession
    }

    /// The reason that an agent is turned away.
    enum Refusal: Error {
        /// The token is missing, unknown, expired, or of a device that is no agent.
        case unauthorized
        /// Too many wrong tokens came from its network.
        case waits(seconds: Int)
        /// The store is away.
        case unavailable
    }

    /// Decides whether a request is accepted.
    /// - Parameters:
    ///   - token: the token of its header; nil for none.
    ///   - remote: the address that it comes from.
    ///   - done: called with the decision, on any thread.
    func admit(
        _ token: String?, remote: String, isWanted: @escaping @Sendable () -> Bool,
        then done: @escaping @Sendable (Result<Agent, Refusal>) -> Void
    ) {
        let (now, network) = (clock.now, Network.of(remote))
        let asker = Asker(user: "network " + network, isWanted: isWanted) { _ in done(.failure(.unavailable)) }
        accounts.performAlone(for: asker) { accounts in
            do {
                done(.success(try agent(of: token, network, remote, accounts.store, now)))
            } catch let refusal as Refusal {
                metrics.failedSignIn()
                done(.failure(refusal))
            } catch { done(.failure(.unavailable)) }
        }
    }

    private func agent(
        of token: String?, _ network: String, _ remote: String, _ store: any GatewayAccountStore, _ now: Instant
    ) throws -> Agent {
        // A token of 256 bits cannot be guessed: a valid one is accepted whatever others have tried from its network.
        if let token, let holder = try store.holder(ofToken: token, now: now), let user = try store.user(holder.user),
            !user.isDisabled, let device = try store.device(holder.device, of: user.id),
            device.platform == AgentAccess.platform
        {
            // The token lasts as long as it is used; an hour is exact enough.
            if now.seconds - device.seenAt.seconds > 3_600 {
                try? store.noteSeen(device.id, name: nil, user: user.id, now: now)
            }
            let access = AgentAccess(scopes: device.scopes)
            let session = ClientSession(
                connection: "agent \(device.id)", version: GatewayProtocol.newest, user: user, device: device.id,
                deviceName: device.name, platform: device.platform, role: "operator", dialect: .agent,
                scopes: access.scopes, token: nil)
            return Agent(access: access, session: session)
        }
        guard token != nil else { throw Refusal.unauthorized }
        let keys = ["tokens of \(network)"]
        if let wait = FailureGuard(try store.signInFailures(keys, now: now)).wait(keys, now: now) {
            throw Refusal.waits(seconds: wait)
        }
        try store.noteSignInFailure(keys, now: now)
        try store.audit(AuditEntry("signin.fail", device: "", remote: remote, detail: "AGENT_TOKEN_MISMATCH"), now: now)
        throw Refusal.unauthorized
    }
}

extension ClientDialect {
    /// The form of answers for agents.
    static let agent = ClientDialect(version: GatewayProtocol.newest, isHelix: true)
}
