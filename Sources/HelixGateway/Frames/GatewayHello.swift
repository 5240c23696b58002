import HelixModel

/// What a gateway says of itself when it lets a client in.
public struct GatewayHello: Sendable {
    /// The version of the protocol that is spoken from now on.
    public var version: Int
    /// The gateway's own version.
    public var server: String
    /// The name of this connection.
    public var connection: String
    /// The methods that it tells of; there may be others.
    public var methods: [String]
    /// The events that it tells of.
    public var events: [String]
    /// What it can do beside that.
    public var capabilities: [String]
    /// A token for this device.
    public var token: DeviceTokens.Token?
    /// No frame that is sent to it may be larger.
    public var largestFrame: Int
    /// It says something at least this often, in milliseconds.
    public var tick: Int
    /// Which session is meant where none is named.
    public var mainSession: String
    /// The gateway's state when we came in.
    public var snapshot: JSONText

    /// Reads the answer to `connect`.
    /// - Throws: ``HelixError`` of code `protocol`.
    init(_ json: JSONText) throws {
        guard let version = json["protocol"]?.integer,
            (GatewayProtocol.oldest...GatewayProtocol.newest).contains(Int(clamping: version))
        else { throw HelixError(.protocol, "the gateway speaks a version of the protocol that nobody asked for") }
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
        // The limits are the gateway's to say; where it says nothing, those that every gateway has kept.
        largestFrame = json["policy"]?["maxPayload"]?.integer.map { Int(clamping: $0) } ?? 512 << 10
        tick = json["policy"]?["tickIntervalMs"]?.integer.map { Int(clamping: $0) } ?? 30_000
        snapshot = json["snapshot"] ?? .null
        mainSession = snapshot["sessionDefaults"]?["mainSessionKey"]?.text ?? "agent:main:main"
    }

    /// Whether it is a gateway of helix, with methods for mail, calendars and tasks.
    public var isHelix: Bool { capabilities.contains("helix-1") }
}
