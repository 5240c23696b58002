/// Numbers and names that both sides of the protocol share.
public enum GatewayProtocol {
    /// The oldest version that is spoken.
    public static let oldest = 3
    /// The newest version that is spoken.
    public static let newest = 4
    /// The port where none is named.
    public static let port = 18789
    /// No message that a client takes may be larger.
    public static let largestReceived = 25 << 20
    /// What stands in the place of a bootstrap token for somebody who gives themselves a place.
    public static let signUp = "helix-sign-up"
    /// The name that helix calls itself by; gateways know only some.
    public static let clientID = "cli"
    /// How helix is used; gateways know only some.
    public static let clientMode = "cli"

    /// What a device may do.
    public enum Scope: String, CaseIterable, Sendable {
        case read = "operator.read"
        case write = "operator.write"
        case admin = "operator.admin"
        case approvals = "operator.approvals"
        case pairing = "operator.pairing"
    }
}
