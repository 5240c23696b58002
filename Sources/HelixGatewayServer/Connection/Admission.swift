import Foundation
import HelixGateway
import HelixGatewayStore
import HelixModel

/// Who a client is, once it is let in.
struct ClientSession: Sendable {
    var connection: String
    var version: Int
    var user: GatewayUser
    var device: String
    var deviceName: String
    var platform: String
    var scopes: Set<GatewayProtocol.Scope>
    /// The token the device is to use from now on, where it has a new one.
    var token: String?

    /// Whether it may do what a scope allows: administrators may do all, and whoever writes may read.
    func can(_ scope: GatewayProtocol.Scope) -> Bool {
        if scopes.contains(scope) || scopes.contains(.admin) { return true }
        return scope == .read && scopes.contains(.write)
    }
}

/// Decides who is let in. All of it happens on the gateway's own queue, one after the other.
final class Admission {
    private let store: GatewayStore
    private let allowsSignUp: Bool
    private var guards = FailureGuard()

    /// - Parameter allowsSignUp: whether anybody may give themselves a place.
    init(_ store: GatewayStore, allowsSignUp: Bool) {
        self.store = store
        self.allowsSignUp = allowsSignUp
    }

    /// Checks what a client says of itself, in the order in which gateways do.
    ///
    /// - Parameters:
    ///   - nonce: that of the challenge it was given.
    ///   - remote: where it comes from.
    ///   - isLocal: whether that is this machine, and nobody in between.
    /// - Throws: ``ConnectRefusal``, ``HelixError``.
    func admit(
        _ params: ConnectParams, connection: String, nonce: String, remote: String, isLocal: Bool, now: Instant
    ) throws -> ClientSession {
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
        guard isSigned(params, device) else {
            throw ConnectRefusal(.invalidRequest, "device signature invalid", "DEVICE_AUTH_SIGNATURE_INVALID")
        }
        // No scopes are no rights in protocol 4; in 3 they were all of them, which nobody gets here for the asking.
        let asked = params.scopes.isEmpty && params.version < 4 ? ["operator.read", "operator.write"] : params.scopes
        // Nobody who gives themselves a place runs the gateway: then they get none.
        if params.signsUp, params.token == nil { try checkAdmin(asked, isAdmin: false) }
        let user = try user(params, device.id, remote, now)
        let known = try store.device(device.id, of: user.id)
        try checkAdmin(asked, isAdmin: user.isAdmin)
        let isEnough = known.map { Set(asked).isSubset(of: Admission.covered($0.scopes)) } ?? false
        let paired = GatewayDevice(
            id: device.id, publicKey: device.publicKey, name: params.deviceName, platform: params.platform,
            scopes: isEnough ? known?.scopes ?? asked : asked, createdAt: now, seenAt: now)
        if !isEnough {
            // The first device of a user who knows the password is let in, and so is whoever sits at this machine.
            guard try isLocal || store.devices(of: user.id).isEmpty else {
                throw try pairingRequired(paired, known, user, remote, now)
            }
            try store.admit(paired, user: user.id, remote: remote, now: now)
        }
        // With a full disk those who are known are let in all the same.
        try? store.noteSeen(device.id, user: user.id, now: now)
        let token = params.token == nil ? try store.makeToken(for: device.id, user: user.id, now: now) : nil
        return ClientSession(
            connection: connection, version: params.version, user: user, device: device.id,
            deviceName: params.deviceName, platform: params.platform,
            scopes: Set(asked.compactMap(GatewayProtocol.Scope.init)), token: token)
    }

    private func checkAdmin(_ asked: [String], isAdmin: Bool) throws {
        guard asked.contains("operator.admin"), !isAdmin else { return }
        throw ConnectRefusal(
            GatewayError(
                .forbidden, "missing scope: operator.admin",
                details: ["code": "MISSING_SCOPE", "missingScope": "operator.admin"]))
    }

    /// What scopes let one do, with what they imply.
    static func covered(_ scopes: [String]) -> Set<String> {
        var all = Set(scopes)
        if all.contains("operator.write") { all.insert("operator.read") }
        if all.contains("operator.admin") { all.formUnion(GatewayProtocol.Scope.allCases.map(\.rawValue)) }
        return all
    }

    /// Protocol 4 may sign platform and family, too; both ways are taken.
    private func isSigned(_ params: ConnectParams, _ device: ConnectParams.Device) -> Bool {
        let text = ConnectRequest.signedText(
            device: device.id, client: params.clientID, mode: params.clientMode, role: params.role,
            scopes: params.scopes, moment: device.signedAt, token: params.token ?? "", nonce: device.nonce ?? "")
        if DeviceIdentity.isValid(signature: device.signature, of: text, key: device.publicKey) { return true }
        let platform = params.platform.trimmingCharacters(in: .whitespaces)
        let longer = "v3" + text.dropFirst(2) + "|" + platform.lowercased() + "|"
        return DeviceIdentity.isValid(signature: device.signature, of: longer, key: device.publicKey)
    }

    private func user(
        _ params: ConnectParams, _ device: String, _ remote: String, _ now: Instant
    ) throws -> GatewayUser {
        // A token is judged alone: who has one does not start anew at guessing another's password.
        let name =
            params.token == nil
            ? params.password.map { FailureGuard.key(ofName: String($0.prefix { $0 != ":" })) } : nil
        let keys = ["\(params.token == nil ? "address" : "tokens of") \(remote)"] + [name].compactMap { $0 }
        if let wait = guards.wait(keys, now: now) {
            throw ConnectRefusal(
                .invalidRequest, "unauthorized: too many failed attempts", "AUTH_RATE_LIMITED", retryAfter: wait * 1000)
        }
        func refused(_ text: String, _ code: String) throws -> ConnectRefusal {
            guards.noteFailure(keys, now: now)
            try store.audit("signin.fail", device: device, remote: remote, detail: code, now: now)
            return ConnectRefusal(.invalidRequest, "unauthorized: \(text)", code)
        }
        // Whoever knows the secret is told that they are kept out; it is no guess.
        func admitted(_ user: GatewayUser) throws -> GatewayUser {
            if user.isDisabled {
                try store.audit("signin.disabled", user: user.id, device: device, remote: remote, now: now)
                throw ConnectRefusal(.invalidRequest, "unauthorized: this user is kept out", "AUTH_USER_DISABLED")
            }
            guards.forget(keys)
            return user
        }
        if let token = params.token {
            guard let holder = try store.holder(ofToken: token, now: now), holder.device == device,
                let user = try store.user(holder.user)
            else { throw try refused("device token mismatch", "AUTH_DEVICE_TOKEN_MISMATCH") }
            return try admitted(user)
        }
        guard let password = params.password else {
            throw ConnectRefusal(.invalidRequest, "unauthorized: password missing", "AUTH_PASSWORD_MISSING")
        }
        // `name:password`; a name has no colon.
        guard let colon = password.firstIndex(of: ":") else {
            throw try refused("password must be NAME:PASSWORD", "AUTH_PASSWORD_MISMATCH")
        }
        let given = String(password[..<colon])
        if params.signsUp {
            return try signUp(given, String(password[password.index(after: colon)...]), device, remote, now)
        }
        let isRight = try GatewayPassword.isRight(
            String(password[password.index(after: colon)...]), try store.passwordHash(ofUser: given))
        guard isRight, let user = try? store.user(named: given) else {
            throw try refused("password mismatch", "AUTH_PASSWORD_MISMATCH")
        }
        return try admitted(user)
    }

    /// Gives somebody a place who asks for one, where anybody may; from one address a few at a time.
    private func signUp(
        _ name: String, _ password: String, _ device: String, _ remote: String, _ now: Instant
    ) throws -> GatewayUser {
        func refused(_ text: String, retryAfter: Int? = nil) -> ConnectRefusal {
            ConnectRefusal(.invalidRequest, "unauthorized: \(text)", "AUTH_UNAUTHORIZED", retryAfter: retryAfter)
        }
        let key = "places for \(remote)"
        guard allowsSignUp else { throw refused("nobody gives themselves a place at this gateway") }
        if let wait = guards.wait([key], now: now) {
            throw refused("too many places were asked for", retryAfter: wait * 1000)
        }
        guards.noteFailure([key], now: now)
        // Who runs a gateway is not whoever comes first.
        guard try !store.users().isEmpty else { throw refused("whoever runs this gateway has no place yet") }
        do {
            let user = try store.addUser(name, hash: try GatewayPassword.hash(password), now: now)
            try store.audit("user.signup", user: user.id, device: device, remote: remote, now: now)
            return user
        } catch let error as HelixError where [.usage, .conflict].contains(error.code) { throw refused(error.message) }
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

/// Keeps those away for a while who guess passwords.
struct FailureGuard {
    private var failures: [String: (count: Int, last: Instant)] = [:]

    /// Failures are forgotten after so many seconds without another one.
    private static let memory: Int64 = 900
    /// So many cost nothing, and no pause is longer.
    private static let usual: (free: Int, longest: Int64) = (5, 300)
    /// Whoever guesses from many places slows the one they guess at down, and keeps them out no longer than a moment.
    private static let ofNames: (free: Int, longest: Int64) = (20, 8)

    /// The key of a user's name.
    static func key(ofName name: String) -> String { "name \(name.lowercased())" }

    /// The seconds that must pass before another try; nil for none.
    func wait(_ keys: [String], now: Instant) -> Int? {
        keys.compactMap { key -> Int? in
            let limits = key.hasPrefix("name ") ? FailureGuard.ofNames : FailureGuard.usual
            guard let found = failures[key], found.count >= limits.free else { return nil }
            let pause = min(limits.longest, 1 << min(9, Int64(found.count - limits.free)))
            let rest = found.last.seconds + pause - now.seconds
            return rest > 0 ? Int(rest) : nil
        }.max()
    }

    mutating func noteFailure(_ keys: [String], now: Instant) {
        // Whoever comes from a thousand places does not fill the memory.
        if failures.count > 10_000 {
            failures = failures.filter { now.seconds - $0.value.last.seconds < FailureGuard.memory }
        }
        for key in keys where failures[key] != nil || failures.count < 100_000 {
            var found = failures[key] ?? (0, now)
            if now.seconds - found.last.seconds > FailureGuard.memory { found.count = 0 }
            failures[key] = (found.count + 1, now)
        }
    }

    mutating func forget(_ keys: [String]) { for key in keys { failures[key] = nil } }
}
