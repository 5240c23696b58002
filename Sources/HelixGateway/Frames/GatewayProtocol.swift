/// Numbers and names of the protocol, shared by client and server.
public enum GatewayProtocol {
    /// The oldest supported version.
    public static let oldest = 3
    /// The newest supported version.
    public static let newest = 4
    /// The default port.
    public static let port = 18789
    /// The maximum size of a message that a client accepts.
    public static let largestReceived = 25 << 20
    /// The value sent instead of a bootstrap token to register a user.
    public static let signUp = "helix-sign-up"
    /// The capability of clients and gateways that know helix's own fields.
    public static let helixCapability = "helix-1"
    /// The client name that helix sends; gateways accept only some.
    public static let clientID = "cli"
    /// The client mode that helix sends; gateways accept only some.
    public static let clientMode = "cli"

    /// The permissions of a device.
    public enum Scope: String, CaseIterable, Sendable {
        case read = "operator.read"
        case write = "operator.write"
        case admin = "operator.admin"
        case approvals = "operator.approvals"
        case pairing = "operator.pairing"
    }
}
