import HelixModel

/// What a client says of itself in its first frame.
public struct ConnectRequest: Sendable {
    /// What one signs in with.
    public enum Secret: Hashable, Sendable {
        /// Nothing.
        case none
        /// A token: of the gateway, or of this device.
        case token(String)
        /// A password.
        case password(String)

        /// What is signed of it: the token alone.
        var signed: String { if case .token(let text) = self { text } else { "" } }
    }

    /// The version of helix.
    public var version: String
    /// What the device may do.
    public var scopes: [String]
    /// What one signs in with.
    public var secret: Secret
    /// A name for people to know the device by.
    public var deviceName: String?
    /// The role.
    public var role = "operator"
    /// Whether one gives oneself a place at a gateway of helix.
    public var signsUp: Bool
    /// What people call the account, for what they are told; it is not sent.
    public var account: String?

    /// A request.
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

    /// What goes to the gateway, signed by the device (protocol 3 knows the payload `v2` alone, and 4 takes it).
    ///
    /// - Parameters:
    ///   - nonce: that of the challenge.
    ///   - moment: that of the challenge in milliseconds, so that clocks that differ do no harm.
    /// - Throws: ``HelixError`` if nothing can be signed.
    func params(_ identity: DeviceIdentity, nonce: String, moment: Int64) throws -> JSONText {
        let text = ConnectRequest.signedText(
            device: identity.id, client: GatewayProtocol.clientID, mode: GatewayProtocol.clientMode, role: role,
            scopes: scopes, moment: moment, token: secret.signed, nonce: nonce)
        let auth: JSONText? =
            switch secret {
            case .none: nil
            case .token(let text): ["token": .string(text)]
            case .password(let text):
                // The family's word for a way in that is used once.
                ["password": .string(text), "bootstrapToken": signsUp ? .string(GatewayProtocol.signUp) : nil]
            }
        return [
            "minProtocol": .integer(GatewayProtocol.oldest), "maxProtocol": .integer(GatewayProtocol.newest),
            "client": [
                "id": .string(GatewayProtocol.clientID), "mode": .string(GatewayProtocol.clientMode),
                "version": .string(version), "platform": "linux", "displayName": deviceName.map { .string($0) },
            ],
            "role": .string(role), "scopes": .strings(scopes),
            "device": [
                "id": .string(identity.id), "publicKey": .string(identity.publicKey),
                "signature": .string(try identity.signature(of: text)), "signedAt": .integer(moment),
                "nonce": .string(nonce),
            ],
            "auth": auth,
        ]
    }

    /// What a device signs, in the version that every gateway knows.
    public static func signedText(
        device: String, client: String, mode: String, role: String, scopes: [String], moment: Int64, token: String,
        nonce: String
    ) -> String {
        ["v2", device, client, mode, role, scopes.joined(separator: ","), String(moment), token, nonce]
            .joined(separator: "|")
    }
}
