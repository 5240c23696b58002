import FoundationEssentials
import HelixGateway
import HelixGatewayStore
import HelixModel

/// The session of a client that signed in.
struct ClientSession: Sendable {
    var connection: String
    var version: Int
    var user: GatewayUser
    var device: String
    var deviceName: String
    var platform: String
    var role: String
    var dialect: ClientDialect
    var scopes: Set<GatewayProtocol.Scope>
    /// The device's new token, if it has one.
    var token: String?

    /// Whether it has a permission: `admin` implies all others, and `write` implies `read`.
    func can(_ scope: GatewayProtocol.Scope) -> Bool {
        if scopes.contains(scope) || scopes.contains(.admin) { return true }
        return scope == .read && scopes.contains(.write)
    }
}

/// Decides which clients are accepted. All of it runs on the gateway's own serial queue, except for the hashing of
/// passwords.
final class Admission {
    /// A client whose password must be checked before anything else is decided.
    struct PasswordQuestion: Sendable {
        let params: ConnectParams
        let device: ConnectParams.Device
        let asked: [String]
        let connection: String
        let remote: String
        let isLocal: Bool
        fileprivate let name: String
        fileprivate let password: String
        /// The hash of the user's password; nil for an unknown user.
        fileprivate let hash: String?
        fileprivate let keys: [String]

        /// Hashes the password of a user, or of somebody who registers. Takes a tenth of a second.
        func answer() throws -> Answer {
            if params.signsUp { return .made(try GatewayPassword.hash(password)) }
            return .compared(isRight: try GatewayPassword.isRight(password, hash))
        }
    }

    /// The result for a password.
    enum Answer: Sendable {
        case compared(isRight: Bool)
        case made(String)
    }

    /// The progress of a decision.
    enum Step: Sendable {
        case admitted(ClientSession)
        case password(PasswordQuestion)
    }

    private let store: any GatewayAccountStore
    private let allowsSignUp: Bool
    private let tokens: JWTVerifier?

    /// - Parameters:
    ///   - allowsSignUp: whether anybody may register.
    ///   - tokens: verifies tokens of another service; nil to accept none.
    init(_ store: any GatewayAccountStore, allowsSignUp: Bool, tokens: JWTVerifier? = nil) {
        (self.store, self.allowsSignUp, self.tokens) = (store, allowsSignUp, tokens)
    }

    /// Checks a client's `connect` request, in the order in which gateways do.
    ///
    /// - Parameters:
    ///   - nonce: the nonce of its challenge.
    ///   - remote: the address that it connects from.
    ///   - isLocal: whether that is this machine, without a proxy in between.
    /// - Throws: ``ConnectRefusal``, ``HelixError``.
    func begin(
        _ params: ConnectParams, connection: String, nonce: String, remote: String, isLocal: Bool, now: Instant
    ) throws -> Step {
        guard let device = params.device else {
            throw ConnectRefusal(.notPaired, "device identity required", "DEVICE_IDENTITY_REQUIRED")
        }
        guard let key = Base64URL.bytes(device.publicKey), key.count == 32 else {
            throw ConnectRefusal(.invalidRequest, "device public key invalid", "DEVICE_AUTH_PUBLIC_KEY_INVALID")
        }
        guard DeviceIdentity.id(ofKey: key) == device.id else {
            throw ConnectRefusal(.invalidRequest, "device identity mismatch", "DEVICE_AUTH_DEVICE_ID_MISMATCH")
        }
        guard abs(device.signedAt / 1000 - now.seconds) <= GatewayConfiguration.skew else {
            throw ConnectRefusal(.invalidRequest, "device signature expired", "DEVICE_AUTH_SIGNATURE_EXPIRED")
        }
        guard let given = device.nonce else {
            throw ConnectRefusal(.invalidRequest, "device nonce required", "DEVICE_AUTH_NONCE_REQUIRED")
        }
        guard given == nonce else {
            throw ConnectRefusal(.invalidRequest, "device nonce mismatch", "DEVICE_AUTH_NONCE_MISMATCH")
        }
        guard try isSigned(params, device) else {
            throw ConnectRefusal(.invalidRequest, "device signature invalid", "DEVICE_AUTH_SIGNATURE_INVALID")
        }
        // An empty list of scopes grants no rights in protocol 4; in 3 it meant all of them, of which only two are granted here.
        // Scopes that this gateway does not know are left out.
        let asked =
            params.scopes.isEmpty && params.version < 4
            ? ["operator.read", "operator.write"]
            : params.scopes.filter { GatewayProtocol.Scope(rawValue: $0) != nil }
        guard let token = params.token else {
            return .password(
                try question(params, device, asked, connection: connection, remote, isLocal: isLocal, now))
        }
        if let tokens, JWTVerifier.isToken(token) {
            return .admitted(
                try session(
                    params, device, asked, try user(of: token, tokens, device.id, remote, now), connection: connection,
                    remote, credential: .issuer, now))
        }
        // A token of 256 bits cannot be guessed: a valid one is accepted whatever others have tried from its network.
        if let holder = try store.holder(ofToken: token, now: now), holder.device == device.id,
            let user = try store.user(holder.user)
        {
            try checkEnabled(user, device.id, remote, now)
            return .admitted(
                try session(
                    params, device, asked, user, connection: connection, remote, credential: .token, now))
        }
        // Clients that were given a password may send a stale token beside it: the password decides.
        if params.password != nil {
            return .password(
                try question(params, device, asked, connection: connection, remote, isLocal: isLocal, now))
        }
        let keys = ["tokens of \(Network.of(remote))"]
        try checkGuards(keys, now)
        throw try failed("device token mismatch", "AUTH_DEVICE_TOKEN_MISMATCH", keys, device.id, remote, now)
    }

    /// Continues after the password was checked.
    /// - Throws: ``ConnectRefusal``, ``HelixError``.
    func end(_ question: PasswordQuestion, _ answer: Answer, now: Instant) throws -> ClientSession {
        let user: GatewayUser
        switch answer {
        case .made(let hash): user = try signUp(question, hash, now)
        case .compared(let isRight):
            guard isRight, let found = try? store.user(named: question.name),
                try store.passwordHash(ofUser: question.name) == question.hash
            else {
                throw try failed(
                    "password mismatch", "AUTH_PASSWORD_MISMATCH", question.keys, question.device.id, question.remote,
                    now)
            }
            try checkEnabled(found, question.device.id, question.remote, now)
            // The network's failures are kept: a valid password of one user does not excuse failedLogins at others'.
            try store.forgetSignInFailures([FailureGuard.key(ofName: question.name)])
            user = found
        }
        return try session(
            question.params, question.device, question.asked, user, connection: question.connection, question.remote,
            credential: .password(isLocal: question.isLocal), now)
    }

    /// The proof of a client's identity that was accepted.
    private enum AcceptedCredential {
        case token
        /// - isLocal: whether the user connects from this machine.
        case password(isLocal: Bool)
        /// A token of another service, which has just made sure who the user is.
        case issuer

        /// Whether it proves the user, and not only a device that was approved.
        var isUsers: Bool { if case .token = self { false } else { true } }
    }

    /// The user of another service's token, made on the first sign-in.
    private func user(
        of token: String, _ tokens: JWTVerifier, _ device: String, _ remote: String, _ now: Instant
    ) throws -> GatewayUser {
        let keys = ["tokens of \(Network.of(remote))"]
        let claims: JWTClaims
        do { claims = try tokens.claims(of: token, now: now) } catch let error as JWTVerifier.Invalid {
            if error.isTemporary {
                throw ConnectRefusal(
                    GatewayError(.unavailable, error.reason, isRetryable: true, retryAfter: 2000))
            }
            try checkGuards(keys, now)
            throw try failed(error.reason, "AUTH_TOKEN_MISMATCH", keys, device, remote, now)
        }
        // The first user becomes the administrator, and must be created on the gateway.
        guard try store.hasUsers() else { throw Admission.noPlace("this gateway has no administrator yet") }
        let (user, isNew) = try store.user(
            ofSubject: "\(tokens.issuer) \(claims.subject)", email: claims.email, name: claims.name, now: now)
        if isNew {
            try store.audit(AuditEntry("user.issuer", user: user.id, device: device, remote: remote), now: now)
        }
        try checkEnabled(user, device, remote, now)
        return user
    }

    private func session(
        _ params: ConnectParams, _ device: ConnectParams.Device, _ asked: [String], _ user: GatewayUser,
        connection: String, _ remote: String, credential: AcceptedCredential, _ now: Instant
    ) throws -> ClientSession {
        let known = try store.device(device.id, of: user.id)
        try checkAdmin(asked, isAdmin: user.isAdmin)
        let isEnough = known.map { Set(asked).isSubset(of: Admission.covered($0.scopes)) } ?? false
        let paired = GatewayDevice(
            id: device.id, publicKey: device.publicKey, name: params.deviceName, platform: params.platform,
            scopes: isEnough ? known?.scopes ?? asked : asked, createdAt: now, seenAt: now)
        if !isEnough {
            // The first device of a user who knows the password is approved, and so is one on this machine. A token grants only
            // the scopes that it was issued with, wherever it is used. Another service lets in each device itself.
            let isApproved =
                switch credential {
                case .token: false
                case .password(let isLocal): try isLocal || store.devices(of: user.id).isEmpty
                case .issuer: true
                }
            guard isApproved else { throw try pairingRequired(paired, known, user, remote, now) }
            try store.admit(paired, user: user.id, remote: remote, now: now)
        }
        // Known devices are accepted even if the disk is full.
        try? store.noteSeen(device.id, name: params.shownName, user: user.id, now: now)
        var token: String?
        if credential.isUsers {
            token = try store.makeToken(for: device.id, user: user.id, epoch: user.epoch, now: now)
        }
        return ClientSession(
            connection: connection, version: params.version, user: user, device: device.id,
            deviceName: params.deviceName, platform: params.platform, role: params.role,
            dialect: ClientDialect(params), scopes: Set(asked.compactMap(GatewayProtocol.Scope.init)), token: token)
    }

    private func checkAdmin(_ asked: [String], isAdmin: Bool) throws {
        guard asked.contains("operator.admin"), !isAdmin else { return }
        throw ConnectRefusal(
            GatewayError(
                .forbidden, "missing scope: operator.admin",
                details: ["code": "MISSING_SCOPE", "missingScope": "operator.admin"]))
    }

    /// The scopes, with those that they imply.
    static func covered(_ scopes: [String]) -> Set<String> {
        var all = Set(scopes)
        if all.contains("operator.write") { all.insert("operator.read") }
        if all.contains("operator.admin") { all.formUnion(GatewayProtocol.Scope.allCases.map(\.rawValue)) }
        return all
    }

    /// Protocol 4 may sign platform and device family, too; both forms are accepted.
    private func isSigned(_ params: ConnectParams, _ device: ConnectParams.Device) throws -> Bool {
        let text = ConnectRequest.signedText(
            device: device.id, client: params.clientID, mode: params.clientMode, role: params.role,
            scopes: params.scopes, moment: device.signedAt, token: params.token ?? "", nonce: device.nonce ?? "")
        if try DeviceIdentity.isValid(signature: device.signature, of: text, key: device.publicKey) { return true }
        let more = [params.platform, params.deviceFamily].map { lowercasedASCII($0.trimmingBlanks()) }
        let longer = (["v3" + text.dropFirst(2)] + more).joined(separator: "|")
        return try DeviceIdentity.isValid(signature: device.signature, of: longer, key: device.publicKey)
    }

    private func lowercasedASCII(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    (0x41...0x5A).contains(scalar.value) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar
                }))
    }

    private func checkGuards(_ keys: [String], _ now: Instant) throws {
        guard let wait = FailureGuard(try store.signInFailures(keys, now: now)).wait(keys, now: now) else { return }
        throw ConnectRefusal(
            .invalidRequest, "unauthorized: too many failed attempts", "AUTH_RATE_LIMITED", retryAfter: wait * 1000)
    }

    private func failed(
        _ text: String, _ code: String, _ keys: [String], _ device: String, _ remote: String, _ now: Instant
    ) throws -> ConnectRefusal {
        try store.noteSignInFailure(keys, now: now)
        try store.audit(AuditEntry("signin.fail", device: device, remote: remote, detail: code), now: now)
        return ConnectRefusal(.invalidRequest, "unauthorized: \(text)", code)
    }

    /// Rejects a disabled user with that reason: a client that knows the secret is not guessing.
    private func checkEnabled(_ user: GatewayUser, _ device: String, _ remote: String, _ now: Instant) throws {
        guard user.isDisabled else { return }
        try store.audit(AuditEntry("signin.disabled", user: user.id, device: device, remote: remote), now: now)
        throw ConnectRefusal(.invalidRequest, "unauthorized: this user is disabled", "AUTH_USER_DISABLED")
    }

    private func question(
        _ params: ConnectParams, _ device: ConnectParams.Device, _ asked: [String], connection: String,
        _ remote: String, isLocal: Bool, _ now: Instant
    ) throws -> PasswordQuestion {
        let network = "address \(Network.of(remote))"
        guard let password = params.password else {
            try checkGuards([network], now)
            throw try failed("password missing", "AUTH_PASSWORD_MISSING", [network], device.id, remote, now)
        }
        // `name:password`; neither a name nor an e-mail address of a user has a colon.
        let given = String(password.prefix { $0 != ":" })
        let name = params.signsUp ? given : try store.userName(ofEmail: given) ?? given
        let wide = "addresses \(Network.wide(remote))"
        let keys = [network, wide, FailureGuard.key(ofName: name)]
        // Guesses from elsewhere do not lock out the owner of a name: a network without failures may try.
        let guards = FailureGuard(try store.signInFailures(keys, now: now))
        let isInnocent = guards.failures(of: network, now: now) == 0 && guards.failures(of: wide, now: now) < 5
        try checkGuards(isInnocent ? [network] : keys, now)
        guard let colon = password.firstIndex(of: ":") else {
            throw try failed(
                "password must be NAME:PASSWORD", "AUTH_PASSWORD_MISMATCH", keys, device.id, remote, now)
        }
        if params.signsUp {
            // A user who registers is never an administrator: a request for that scope fails before the user is created.
            try checkAdmin(asked, isAdmin: false)
            try checkSignUp(remote, now)
        }
        return PasswordQuestion(
            params: params, device: device, asked: asked, connection: connection, remote: remote, isLocal: isLocal,
            name: name, password: String(password[password.index(after: colon)...]),
            hash: params.signsUp ? nil : try store.passwordHash(ofUser: name), keys: keys)
    }

    private static func noPlace(_ text: String, retryAfter: Int? = nil) -> ConnectRefusal {
        ConnectRefusal(.invalidRequest, "unauthorized: \(text)", "AUTH_UNAUTHORIZED", retryAfter: retryAfter)
    }

    /// Checks that anybody may register, and limits the number of registrations from one network.
    private func checkSignUp(_ remote: String, _ now: Instant) throws {
        let key = "places for \(Network.of(remote))"
        guard allowsSignUp else { throw Admission.noPlace("registration is disabled at this gateway") }
        if let wait = FailureGuard(try store.signInFailures([key], now: now)).wait([key], now: now) {
            throw Admission.noPlace("too many registrations", retryAfter: wait * 1000)
        }
        try store.noteSignInFailure([key], now: now)
        // The first user becomes the administrator, and must be created on the gateway.
        guard try store.hasUsers() else {
            throw Admission.noPlace("this gateway has no administrator yet")
        }
    }

    /// Creates a user who registers, if registration is enabled.
    private func signUp(_ question: PasswordQuestion, _ hash: String, _ now: Instant) throws -> GatewayUser {
        do {
            let user = try store.signUp(question.name, hash: hash, now: now)
            try store.audit(
                AuditEntry("user.signup", user: user.id, device: question.device.id, remote: question.remote), now: now)
            return user
        } catch let error as HelixError where [.usage, .conflict].contains(error.code) {
            throw Admission.noPlace(error.message)
        }
    }

    private func pairingRequired(
        _ device: GatewayDevice, _ known: GatewayDevice?, _ user: GatewayUser, _ remote: String, _ now: Instant
    ) throws -> ConnectRefusal {
        let request = try store.requestPairing(device, user: user.id, remote: remote, now: now)
        return ConnectRefusal(
            GatewayError(
                .notPaired, "pairing required",
                details: [
                    "code": "PAIRING_REQUIRED", "requestId": .string(request),
                    "reason": known == nil ? "not-paired" : "scope-upgrade", "deviceId": .string(device.id),
                    "requestedRole": "operator", "requestedScopes": .strings(device.scopes),
                    "approvedScopes": .strings(known?.scopes ?? []),
                    "remediationHint": .string("helix gateway approve \(request)"), "retryable": true,
                    "pauseReconnect": true,
                ]))
    }
}
