import HelixGateway
import HelixGatewayStore
import HelixModel
import Logging

/// Admits clients: the decision, with the hashing of passwords on threads of its own.
final class ClientAdmission: Sendable {
    private let accounts: StoreQueue<StoreQueues.Accounts>
    private let clients: ClientNotifier
    private let assistant: AssistantRuns
    private let clock: GatewayClock
    private let metrics: GatewayMetrics
    private let log: Logger
    /// The threads that hash passwords at sign-in.
    private let hashing = PasswordWorkers()

    init(
        accounts: StoreQueue<StoreQueues.Accounts>, clients: ClientNotifier, assistant: AssistantRuns,
        clock: GatewayClock, metrics: GatewayMetrics, log: Logger
    ) {
        self.accounts = accounts
        self.clients = clients
        self.assistant = assistant
        self.clock = clock
        self.metrics = metrics
        self.log = log
    }

    /// Starts no more decisions.
    func finish() { hashing.finish() }

    /// Decides whether a client is accepted.
    ///
    /// - Parameters:
    ///   - isWanted: whether it still waits.
    ///   - done: called with the decision, on any thread.
    func admit(
        _ params: ConnectParams, connection: String, nonce: String, remote: String, isLocal: Bool,
        isWanted: @escaping @Sendable () -> Bool,
        then done: @escaping @Sendable (Result<ClientSession, ConnectRefusal>) -> Void
    ) {
        let now = clock.now
        let network = "network " + Network.of(remote)
        let asker = Asker(user: network, isWanted: isWanted) { done(.failure(ConnectRefusal($0))) }
        accounts.performAlone(for: asker) { [self] accounts in
            let admission = accounts.admission
            do {
                switch try admission.begin(
                    params, connection: connection, nonce: nonce, remote: remote, isLocal: isLocal, now: now)
                {
                case .admitted(let session): admitted(session, remote, accounts.store, done)
                case .password(let question):
                    let isTaken = hashing.perform(network, isWanted: isWanted) {
                        try question.answer()
                    } then: { [self] outcome in
                        self.accounts.perform { [self] accounts in
                            do {
                                admitted(
                                    try accounts.admission.end(question, outcome.get(), now: now), remote,
                                    accounts.store, done)
                            } catch {
                                refused(error, remote, done)
                            }
                        }
                    }
                    if !isTaken {
                        throw ConnectRefusal(
                            GatewayError(
                                .unavailable, "too many clients are signing in", isRetryable: true, retryAfter: 1000))
                    }
                }
            } catch { refused(error, remote, done) }
        }
    }

    private func admitted(
        _ session: ClientSession, _ remote: String, _ store: any GatewayAccountStore,
        _ done: @Sendable (Result<ClientSession, ConnectRefusal>) -> Void
    ) {
        // The first client, too, finds the assistant among the users.
        if assistant.hasNoUser { assistant.becomeUser(store) }
        let own = clients.clients(of: session.user.id)
        guard own.count < UserLimits.mostConnections,
            own.count(where: { $0.session.device == session.device }) < UserLimits.mostOfDevice
        else {
            return refused(
                ConnectRefusal(
                    GatewayError(
                        .unavailable, "too many connections of this user or device", isRetryable: true,
                        retryAfter: 5000)), remote, done)
        }
        log.info(
            "signed in",
            metadata: ["user": "\(session.user.name)", "device": "\(session.device.prefix(12))", "from": "\(remote)"])
        done(.success(session))
    }

    private func refused(
        _ error: any Error, _ remote: String, _ done: @Sendable (Result<ClientSession, ConnectRefusal>) -> Void
    ) {
        if let refusal = error as? ConnectRefusal {
            metrics.failedSignIn()
            log.notice("client rejected", metadata: ["from": "\(remote)", "reason": "\(refusal.error.message)"])
            return done(.failure(refusal))
        }
        if let error = error as? HelixError, error.code == .busy {
            return done(
                .failure(
                    ConnectRefusal(
                        GatewayError(.unavailable, error.message, isRetryable: true, retryAfter: 60_000))))
        }
        if let error = error as? HelixError, error.code == .offline {
            return done(
                .failure(
                    ConnectRefusal(
                        GatewayError(.unavailable, error.message, isRetryable: true, retryAfter: 1000))))
        }
        if let error = error as? HelixError, error.code == .usage {
            return done(
                .failure(ConnectRefusal(.invalidRequest, "unauthorized: \(error.message)", "AUTH_UNAUTHORIZED")))
        }
        log.error("cannot check a client", metadata: ["error": "\(error)"])
        done(
            .failure(
                ConnectRefusal(
                    GatewayError(.unavailable, "sign-in is not possible now", isRetryable: true, retryAfter: 1000))))
    }
}
