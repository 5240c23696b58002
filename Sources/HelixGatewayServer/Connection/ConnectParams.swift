import HelixGateway
import HelixModel

/// The parameters of `connect`, parsed strictly.
struct ConnectParams: Sendable {
    var version: Int
    var clientID: String
    var clientMode: String
    var clientVersion: String
    var platform: String
    /// The device family, which protocol 4 signs; empty if there is none.
    var deviceFamily: String
    var deviceName: String
    /// The name that the client shows, if it sends one: others keep the name that they have.
    var shownName: String?
    var role: String
    /// The scopes as they were sent, which the device signs; unknown ones grant nothing.
    var scopes: [String]
    /// The capabilities of the client.
    var capabilities: Set<String>
    var device: Device?
    var token: String?
    var password: String?
    /// Whether the client registers a new user.
    var signsUp = false

    /// The device, with its signature.
    struct Device: Sendable {
        var id: String
        var publicKey: String
        var signature: String
        var signedAt: Int64
        var nonce: String?
    }

    private static let clientIDs: Set<String> = [
        "webchat-ui", "openclaw-control-ui", "webchat", "cli", "gateway-client", "openclaw-macos", "openclaw-ios",
        "openclaw-android", "node-host", "test", "fingerprint", "openclaw-probe", "openclaw-tui",
        "openclaw-browser-copilot", "openclaw-linux", "openclaw-watchos", "openclaw-worker",
    ]
    private static let clientModes: Set<String> = [
        "webchat", "cli", "ui", "backend", "node", "probe", "test", "worker",
    ]

    /// - Throws: ``GatewayError``; ``ConnectRefusal`` if the connection is to be closed.
    init(_ json: JSONText?) throws {
        var params = try Params(json, of: "connect")
        guard let least = try params.integer("minProtocol", in: 1...1000) else {
            throw params.wrong("minProtocol", "is required")
        }
        guard let most = try params.integer("maxProtocol", in: 1...1000) else {
            throw params.wrong("maxProtocol", "is required")
        }
        // Since protocol 4.
        let isNew = most >= 4
        let client = try Client(params.take("client"), isNew: isNew)
        (clientID, clientMode, clientVersion) = (client.id, client.mode, client.version)
        (platform, deviceFamily) = (client.platform, client.family ?? "")
        (shownName, deviceName) = (client.shownName, client.deviceName)
        guard ConnectParams.clientIDs.contains(clientID) else {
            throw params.wrong("client.id", "is unknown")
        }
        guard ConnectParams.clientModes.contains(clientMode) else {
            throw params.wrong("client.mode", "is unknown")
        }
        capabilities = Set(try params.texts("caps", each: 128) ?? [])
        _ = try params.texts("commands", each: 256)
        if let permissions = params.take("permissions"),
            permissions.fields?.allSatisfy({ $0.value.bool != nil }) != true
        {
            throw params.wrong("permissions", "must be an object of booleans")
        }
        _ = try params.text("pathEnv", most: 65536)
        role = try params.text("role", most: 32) ?? "operator"
        scopes = try params.texts("scopes", most: 32, each: 64) ?? []
        device = try params.take("device").map { try Device($0) }
        if let auth = try params.take("auth").map({ try Auth($0, isNew: isNew) }) {
            (token, password, signsUp) = (auth.token, auth.password, auth.signsUp)
        }
        _ = try params.text("locale", most: 128)
        _ = try params.text("userAgent", most: 512)
        try params.end()
        version = try ConnectParams.version(from: least, to: most)
        // The family's apps for telephones sign in as nodes; here they are devices of their user like all others.
        guard ["operator", "node"].contains(role) else {
            throw ConnectRefusal(GatewayError(.invalidRequest, "invalid role: \(role)"))
        }
    }

    /// The newest protocol of both sides.
    private static func version(from least: Int, to most: Int) throws -> Int {
        guard least <= most, least <= GatewayProtocol.newest, most >= GatewayProtocol.oldest else {
            throw ConnectRefusal(
                GatewayError(
                    .invalidRequest, "protocol mismatch",
                    details: [
                        "code": "PROTOCOL_MISMATCH", "clientMinProtocol": .integer(least),
                        "clientMaxProtocol": .integer(most), "expectedProtocol": .integer(GatewayProtocol.newest),
                        "minimumProbeProtocol": .integer(GatewayProtocol.oldest),
                    ]), close: 1002)
        }
        return min(most, GatewayProtocol.newest)
    }
}

extension ConnectParams {
    /// The client, as it describes itself.
    private struct Client {
        let id: String
        let mode: String
        let version: String
        let platform: String
        let family: String?
        let shownName: String?
        let deviceName: String

        init(_ json: JSONText?, isNew: Bool) throws {
            var client = try Params(json, of: "connect client")
            id = try client.needed("id", most: 64)
            mode = try client.needed("mode", most: 64)
            version = try client.needed("version", most: 128)
            platform = try client.needed("platform", most: 128)
            shownName = try client.text("displayName", most: 128)
            family = try client.text("deviceFamily", most: 128)
            let model = try client.text("modelIdentifier", most: 128)
            _ = try client.text("instanceId", most: 128)
            if isNew { _ = (try client.text("buildId", most: 128), try client.text("timeZone", most: 128)) }
            try client.end()
            deviceName = shownName ?? model ?? family ?? platform
        }
    }

    /// The means of signing in.
    private struct Auth {
        var token: String?
        let password: String?
        var signsUp = false

        init(_ json: JSONText, isNew: Bool) throws {
            var fields = try Params(json, of: "connect auth")
            token = try fields.text("token", most: 4096)
            password = try fields.text("password", most: 4096)
            if isNew {
                // This gateway issues tokens for devices; clients may send them under either name.
                if let own = try fields.text("deviceToken", most: 4096), token == nil { token = own }
                signsUp = try fields.text("bootstrapToken", most: 4096) == GatewayProtocol.signUp
                for name in ["approvalRuntimeToken", "agentRuntimeIdentityToken"] {
                    _ = try fields.text(name, most: 4096)
                }
            }
            try fields.end()
        }
    }
}

extension ConnectParams.Device {
    fileprivate init(_ json: JSONText) throws {
        var fields = try Params(json, of: "connect device")
        id = try fields.needed("id", most: 128)
        publicKey = try fields.needed("publicKey", most: 128)
        signature = try fields.needed("signature", most: 256)
        signedAt = Int64(try fields.integer("signedAt", in: 0...Int.max) ?? 0)
        nonce = try fields.text("nonce", most: 256)
        try fields.end()
    }
}

/// The reason for rejecting a client, after which the connection is closed.
struct ConnectRefusal: Error, Sendable {
    var error: GatewayError
    var close: Int

    /// Creates a refusal; close code 1008 is a policy violation.
    init(_ error: GatewayError, close: Int = 1008) {
        let isOffline = error.code == GatewayError.Code.unavailable.rawValue
        self.error = error.forApps(isOffline ? .offline : .authentication)
        self.close = close
    }

    /// Creates a refusal with a detail code for programs.
    init(_ code: GatewayError.Code, _ message: String, _ detail: String, retryAfter: Int? = nil) {
        self.init(
            GatewayError(
                code, message, details: ["code": .string(detail)], isRetryable: retryAfter != nil,
                retryAfter: retryAfter))
    }
}
