import HelixModel

/// A gateway's description of itself when it accepts a client.
public struct GatewayHello: Sendable {
    /// The protocol version in use from now on.
    public var version: Int
    /// The version of the gateway.
    public var server: String
    /// The identity of this connection.
    public var connection: String
    /// The methods that it lists; there may be others.
    public var methods: [String]
    /// The events that it lists.
    public var events: [String]
    /// Further capabilities.
    public var capabilities: [String]
    /// A token for this device.
    public var token: DeviceTokens.Token?
    /// The maximum size of a frame sent to it.
    public var largestFrame: Int
    /// The maximum time between two of its frames, in milliseconds.
    public var tick: Int
    /// The key of the default session.
    public var mainSession: String
    /// The gateway's state at the time of the connection.
    public var snapshot: JSONText

    /// Parses the response to `connect`.
    /// - Throws: ``HelixError`` of code `protocol`.
    init(_ json: JSONText) throws {
        guard let version = json["protocol"]?.integer,
            (GatewayProtocol.oldest...GatewayProtocol.newest).contains(Int(clamping: version))
        else { throw HelixError(.protocol, "the gateway chose a protocol version that was not offered") }
        self.version = Int(version)
        server = json["server"]?["version"]?.text ?? "?"
        connection = json["server"]?["connId"]?.text ?? ""
        methods = json["features"]?["methods"]?.strings ?? []
        events = json["features"]?["events"]?.strings ?? []
        capabilities = json["features"]?["capabilities"]?.strings ?? []
        if let text = json["auth"]?["deviceToken"]?.text {
            token = DeviceTokens.Token(
                text: text, role: json["auth"]?["role"]?.text ?? "operator",
                scopes: json["auth"]?["scopes"]?.strings ?? [])
        }
        // The gateway sets the limits; the defaults are those that every gateway has kept.
        largestFrame = json["policy"]?["maxPayload"]?.integer.map { Int(clamping: $0) } ?? 512 << 10
        tick = json["policy"]?["tickIntervalMs"]?.integer.map { Int(clamping: $0) } ?? 30_000
        snapshot = json["snapshot"] ?? .null
        mainSession = snapshot["sessionDefaults"]?["mainSessionKey"]?.text ?? "agent:main:main"
    }

    /// Whether it is a helix gateway, with methods for mail, calendars and tasks.
    public var isHelix: Bool { capabilities.contains(GatewayProtocol.helixCapability) }
}
