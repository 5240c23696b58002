import HelixModel

/// A user of a gateway.
public struct GatewayUser: Hashable, Sendable {
    /// The identity.
    public var id: EntityID
    /// The user name for signing in.
    public var name: String
    /// Whether they are an administrator.
    public var isAdmin: Bool
    /// Whether they are disabled.
    public var isDisabled: Bool
    /// The time of creation.
    public var createdAt: Instant
    /// The number of approved devices.
    public var deviceCount: Int
    /// The epoch: incremented to end all of the user's sessions.
    public var epoch: Int64 = 0
    /// The device that stays signed in although the epoch was incremented, because it initiated that.
    public var keptDevice: String?
    /// The epoch since which that device stays signed in.
    public var keptSince: Int64 = 0

    /// The subject that identifies the user of the gateway's assistant, in place of one of another service.
    public static let assistantSubject = "helix assistant"

    /// Whether a device that signed in at an epoch is still signed in.
    public func admits(_ device: String, since epoch: Int64) -> Bool {
        !isDisabled && (epoch == self.epoch || device == keptDevice && epoch >= keptSince)
    }
}
