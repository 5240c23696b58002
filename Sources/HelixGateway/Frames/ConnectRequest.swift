import HelixModel

/// A client's description of itself in its first frame.
public struct ConnectRequest: Sendable {
    /// The credential for signing in.
    public enum Secret: Hashable, Sendable {
        /// None.
        case none
        /// A token: of the gateway, or of this device.
        case token(String)
        /// A password.
        case password(String)

        /// The part that the device signs: the token only.
        var signed: String { if case .token(let text) = self { text } else { "" } }
    }

    /// The version of helix.
    public var version: String
    /// The requested scopes of the device.
    public var scopes: [String]
    /// The credential for signing in.
    public var secret: Secret
    /// A readable name of the device.
    public var deviceName: String?
    /// The role.
    public var role = "operator"
    /// Whether the user registers at a helix gateway.
    public var signsUp: Bool
    /// The name of the account, for messages to the user; it is not sent.
    public var account: String?

    /// Creates a request.
    public init(
        version: String, scopes: [String], secret: Secret, deviceName: String?, signsUp: Bool = false,
        account: String? = nil
    ) {
        self.account = account
        self.signsUp = signsUp
        self.version = version
        self.scopes = scopes
        self.secret = secret
        self.deviceName = deviceName
    }

    /// The parameters to send, signed by the device. (Protocol 3 knows only the payload `v2`, and 4 accepts it.)
    ///
    /// - Parameters:
    ///   - nonce: the challenge's nonce.
    ///   - moment: the challenge's time in milliseconds, so that differing clocks do no harm.
    /// - Throws: ``HelixError`` if signing fails.
    func params(_ identity: DeviceIdentity, nonce: String, moment: Int64) throws -> JSONText {
        let text = ConnectRequest.signedText(
            device: identity.id, client: GatewayProtocol.clientID, mode: GatewayProtocol.clientMode, role: role,
            scopes: scopes, moment: moment, token: secret.signed, nonce: nonce)
        let auth: JSONText? =
            switch secret {
            case .none: nil
            case .token(let text): ["token": .string(text)]
            case .password(let text):
                // The protocol's name for a credential that is used once.
                ["password": .string(text), "bootstrapToken": signsUp ? .string(GatewayProtocol.signUp) : nil]
            }
        return [
            "minProtocol": .integer(GatewayProtocol.oldest), "maxProtocol": .integer(GatewayProtocol.newest),
            "client": [
                "id": .string(GatewayProtocol.clientID), "mode": .string(GatewayProtocol.clientMode),
                "version": .string(version), "platform": "linux", "displayName": deviceName.map { .string($0) },
            ],
            "caps": [.string(GatewayProtocol.helixCapability)], "role": .string(role), "scopes": .strings(scopes),
            "device": [
                "id": .string(identity.id), "publicKey": .string(identity.publicKey),
                "signature": .string(try identity.signature(of: text)), "signedAt": .integer(moment),
                "nonce": .string(nonce),
            ],
            "auth": auth,
        ]
    }

    /// The text that a device signs, in the version that every gateway knows.
    public static func signedText(
        device: String, client: String, mode: String, role: String, scopes: [String], moment: Int64, token: String,
        nonce: String
    ) -> String {
        ["v2", device, client, mode, role, scopes.joined(separator: ","), String(moment), token, nonce]
            .joined(separator: "|")
    }
}
