import HelixModel

/// A place that is notified of messages while a device is away: a telephone's token, or an address of a push service.
public struct PushTarget: Hashable, Sendable {
    /// The kinds of push services.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Apple's service, for the app of a telephone: the address is the device's token.
        case apns
        /// Web Push (RFC 8030), encrypted for its receiver (RFC 8291): browsers, and UnifiedPush with keys.
        case webpush
        /// UnifiedPush without keys.
        case unifiedpush
        /// A topic of an ntfy server.
        case ntfy
        /// A program's own address, which is sent signed JSON (Standard Webhooks).
        case webhook
    }

    /// The identity.
    public var id: EntityID
    /// The user.
    public var user: EntityID
    /// The device that registered it; when that is revoked, the target is removed.
    public var device: String
    /// The kind of service.
    public var kind: Kind
    /// The token or the URL.
    public var address: String
    /// The times at which it is notified.
    public var condition: Condition
    /// The settings of the kind.
    public var settings: Settings
    /// The time of registration.
    public var createdAt: Instant
    /// The number of failures in a row.
    public var failures = 0
    /// The reason for the last failure; empty for none.
    public var problem = ""

    /// The times at which a target is notified.
    public enum Condition: String, Hashable, Sendable, CaseIterable {
        /// While the device that registered it is not connected.
        case device
        /// While no device of the user is connected.
        case user
        /// Always, for a device that never connects itself.
        case always
    }

    /// The settings that some kinds have.
    public struct Settings: Hashable, Sendable {
        /// The app's identifier (APNs).
        public var topic: String?
        /// Whether it belongs to Apple's test service (APNs).
        public var isSandbox = false
        /// The receiver's public key, base64url (Web Push).
        public var key: String?
        /// The receiver's authentication secret, base64url (Web Push).
        public var authentication: String?
        /// The access token of a topic (ntfy), or the key of signatures (webhook).
        public var secret: String?

        /// Creates settings without any.
        public init() {}
    }

    /// Creates a target.
    public init(
        id: EntityID = EntityID(), user: EntityID, device: String, kind: Kind, address: String, condition: Condition,
        settings: Settings = Settings(), createdAt: Instant
    ) {
        (self.id, self.user, self.device, self.kind, self.address) = (id, user, device, kind, address)
        (self.condition, self.settings, self.createdAt) = (condition, settings, createdAt)
    }

    /// The host of a URL, or the first characters of a token: what may be logged.
    public var host: String {
        if kind == .apns { return String(address.prefix(8)) + "…" }
        let rest = address.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        return rest.count > 1 ? String(rest[1]) : address
    }

    /// The address as its user sees it: the host, and the last characters of the rest.
    public var shownAddress: String {
        let rest = address.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        guard kind != .apns, rest.count > 2, rest[2].count > 4 else { return host + (rest.count > 2 ? "/…" : "") }
        return host + "/…" + rest[2].suffix(4)
    }
}
