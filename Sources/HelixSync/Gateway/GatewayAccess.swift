import FoundationEssentials
import Glibc
import HelixGateway
import HelixModel
import HelixNetwork

/// This device's access to an account's gateway: by the token of the pairing, or by the account's credentials.
public struct GatewayAccess {
    /// Returns the access to the gateway of an account.
    public typealias Maker = @Sendable (Account) -> GatewayAccess

    private let account: Account
    private let tokens: DeviceTokens
    private let folder: String
    private let version: String
    private let deviceName: String

    /// - Parameters:
    ///   - folder: the folder of this device's key and tokens.
    ///   - version: the version of helix.
    ///   - deviceName: the display name of this device.
    public init(_ account: Account, folder: String, version: String, deviceName: String) {
        self.account = account
        self.folder = folder
        self.version = version
        self.deviceName = deviceName
        tokens = DeviceTokens(folder: folder)
    }

    /// The name of this machine.
    public static var hostName: String {
        var room = [CChar](repeating: 0, count: 256)
        gethostname(&room, room.count - 1)
        let name = String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.isEmpty ? "helix" : name
    }

    /// The scopes that this device requests: a helix gateway has users, who may approve their devices.
    private var scopes: [String] {
        if account.settings.isReadOnly == true { return [GatewayProtocol.Scope.read.rawValue] }
        let more: [GatewayProtocol.Scope] = account.settings.user == nil ? [] : [.pairing]
        return ([.read, .write] + more).map(\.rawValue)
    }

    /// Connects to the gateway.
    ///
    /// - Parameters:
    ///   - password: prompts for the password, if there is no other credential.
    ///   - signsUp: whether to register a new user.
    ///   - patience: the timeout in seconds of the connection.
    /// - Throws: ``HelixError``.
    public func connect(
        password: (() throws -> String)? = nil, signsUp: Bool = false, patience: Int = 30
    ) throws -> GatewayClient {
        let identity = try DeviceIdentity.load(from: folder)
        let settings = account.settings
        let address = try GatewayAddress(settings.url ?? "")
        func client(_ secret: ConnectRequest.Secret) throws -> GatewayClient {
            let client = try GatewayClient(
                GatewayClient.Target(
                    address: address,
                    request: ConnectRequest(
                        version: version, scopes: scopes, secret: secret, deviceName: deviceName, signsUp: signsUp,
                        account: account.name),
                    authorities: settings.authorities, fingerprint: settings.fingerprint,
                    allowsPlaintext: settings.allowsPlaintext == true), identity: identity, patience: patience)
            if let token = client.hello.token { try tokens.keep(token, for: account.id, device: identity.id) }
            return client
        }
        let known = try tokens.token(for: account.id, device: identity.id)
        // A token in the account's settings takes precedence: it is the gateway's own.
        if settings.tokenCommand == nil, !signsUp, let known {
            do { return try client(.token(known.text)) } catch let error as HelixError
                where error.code == .authentication
            {
                // The token was revoked or has expired: signing in starts over.
                guard settings.passwordCommand != nil || settings.usesKeyring == true || password != nil else {
                    throw HelixError(
                        .authentication, "\(address.label) no longer accepts this device's token",
                        hint: "Sign in again: helix gateway pair \(account.name)")
                }
            }
        }
        if settings.tokenCommand == nil, settings.passwordCommand == nil, settings.usesKeyring != true {
            guard let password else {
                guard settings.user == nil else {
                    throw HelixError(
                        .authentication, "this device has no token for \(address.label) yet",
                        hint: "Run 'helix gateway pair \(account.name)' in a terminal to enter the password once;"
                            + " or set a command that prints it: helix account edit \(account.name) --password-command")
                }
                return try client(.none)
            }
            return try client(secret(.password(try password())))
        }
        return try client(secret(try Secrets.credential(account)))
    }

    /// Signs in with the account's password as another device.
    ///
    /// - Parameters:
    ///   - name: the name of the device in lists.
    ///   - password: prompts for the password, if the account has none.
    /// - Returns: the device's token.
    /// - Throws: ``HelixError``: `notAllowed` if the device must be approved first.
    public func token(
        for identity: DeviceIdentity, named name: String, scopes: [String], password: (() throws -> String)?
    ) throws -> DeviceTokens.Token {
        let settings = account.settings
        let secret: ConnectRequest.Secret
        if settings.tokenCommand != nil || settings.passwordCommand != nil || settings.usesKeyring == true {
            secret = self.secret(try Secrets.credential(account))
        } else if let password {
            secret = self.secret(.password(try password()))
        } else {
            throw HelixError(
                .authentication, "no password for '\(account.name)'",
                hint: "Run this in a terminal, or set a command: helix account edit \(account.name) --password-command")
        }
        let client = try GatewayClient(
            GatewayClient.Target(
                address: try GatewayAddress(settings.url ?? ""),
                request: ConnectRequest(
                    version: version, scopes: scopes, secret: secret, deviceName: name, account: account.name),
                authorities: settings.authorities, fingerprint: settings.fingerprint,
                allowsPlaintext: settings.allowsPlaintext == true), identity: identity)
        defer { client.close() }
        guard let token = client.hello.token else {
            throw HelixError(.protocol, "\(client.label) accepted the device, but sent no token for it")
        }
        return token
    }

    /// Revokes this device's token at the gateway, which ends its sessions there, and removes the token.
    /// - Returns: false if there is no token.
    /// - Throws: ``HelixError``, if the gateway cannot be reached or refuses; the token is removed nevertheless.
    public func signOut() throws -> Bool {
        let identity = try DeviceIdentity.load(from: folder)
        guard try tokens.token(for: account.id, device: identity.id) != nil else { return false }
        defer { tokens.remove(for: account.id) }
        let client = try connect()
        defer { client.close() }
        _ = try client.call(
            "device.token.revoke", ["deviceId": .string(identity.id), "role": "operator"], milliseconds: 5000)
        return true
    }

    /// Stores the token that a response to `device.token.rotate` has for this device: the previous one is no longer valid.
    /// - Throws: ``HelixError`` of code `io`.
    public func keepToken(of answer: JSONText, to method: String) throws {
        let identity = try DeviceIdentity.load(from: folder)
        guard method == "device.token.rotate", answer["deviceId"]?.text == identity.id, let text = answer["token"]?.text
        else { return }
        let token = DeviceTokens.Token(
            text: text, role: answer["role"]?.text ?? "operator", scopes: answer["scopes"]?.strings ?? [])
        try tokens.keep(token, for: account.id, device: identity.id)
    }

    private func secret(_ credential: Endpoint.Credential) -> ConnectRequest.Secret {
        switch credential {
        case .none: .none
        case .token(let text): .token(text)
        // Helix gateways have users; the protocol has no field for a user name except the password.
        case .password(let text): .password(account.settings.user.map { "\($0):\(text)" } ?? text)
        }
    }
}

extension AccountSteps {
    /// Checks whether a gateway answers, and accepts this device.
    mutating func checkGateway() {
        guard let url = account.settings.url, let address = try? GatewayAddress(url), let access else { return }
        guard reach("gateway's", address.host, address.port) else { return }
        _ = attempt("sign in") {
            let client = try access.connect()
            defer { client.close() }
            return
                "\(client.hello.isHelix ? "helix" : "OpenClaw family") \(client.hello.server), protocol \(client.hello.version)"
        }
    }
}
