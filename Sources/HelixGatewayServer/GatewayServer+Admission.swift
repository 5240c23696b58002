import HelixGateway
import HelixGatewayStore
import HelixModel
import Logging

extension GatewayServer {
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
        let now = now
        let network = "network " + Network.of(remote)
        let asker = Asker(user: network, isWanted: isWanted) { done(.failure(ConnectRefusal($0))) }
        accountsQueue.perform(for: asker) { [self] _, admission in
            do {
                switch try admission.begin(
                    params, connection: connection, nonce: nonce, remote: remote, isLocal: isLocal, now: now)
                {
                case .admitted(let session): admitted(session, remote, done)
                case .password(let question):
                    let isTaken = hashing.perform(network, isWanted: isWanted) {
                        try question.answer()
                    } then: { [self] outcome in
                        accountsQueue.perform { [self] _, admission in
                            do { admitted(try admission.end(question, outcome.get(), now: now), remote, done) } catch {
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

    fileprivate func admitted(
        _ session: ClientSession, _ remote: String,
        _ done: @Sendable (Result<ClientSession, ConnectRefusal>) -> Void
    ) {
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

    fileprivate func refused(
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

    /// Disconnects a client whose device was removed or lost permissions, or whose user was disabled.
    func check(_ client: ClientHandle) {
        let session = client.session
        withAccounts { store in
            guard let user = try? store.user(session.user.id) else {
                return client.end(code: 1008, reason: "user removed")
            }
            let known = try? store.device(session.device, of: user.id)
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
