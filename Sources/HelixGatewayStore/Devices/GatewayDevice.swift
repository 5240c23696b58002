import HelixModel

/// A device that a user has approved.
public struct GatewayDevice: Hashable, Sendable {
    /// The SHA-256 of its key.
    public var id: String
    /// The public key.
    public var publicKey: String
    /// The name that it sends.
    public var name: String
    /// The platform.
    public var platform: String
    /// The permissions.
    public var scopes: [String]
    /// The time of approval.
    public var createdAt: Instant
    /// The time of its last connection.
    public var seenAt: Instant

    /// Creates a device.
    public init(
        id: String, publicKey: String, name: String, platform: String, scopes: [String], createdAt: Instant,
        seenAt: Instant
    ) {
        (self.id, self.publicKey, self.name, self.platform) = (id, publicKey, name, platform)
        (self.scopes, self.createdAt, self.seenAt) = (scopes, createdAt, seenAt)
    }
}

/// A pairing request of a device.
public struct PairingRequest: Hashable, Sendable {
    /// The identity of the request.
    public var id: String
    /// The user that the device signed in as.
    public var user: EntityID
    /// The device with the requested permissions.
    public var device: GatewayDevice
    /// The address that it connected from.
    public var remote: String
    /// The time of the request.
    public var madeAt: Instant
}

extension PairingRequest {
    /// Whether a text names it: its id or that of the device, or the first characters of one.
    func isNamed(_ text: String) -> Bool {
        [id, device.id].contains { $0 == text || text.utf8.count >= 4 && $0.hasPrefix(text) }
    }
}
