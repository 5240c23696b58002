import HelixModel

/// An entry of the audit log.
public struct AuditEntry: Sendable {
    /// The action, such as `device.admit`.
    public var action: String
    /// The user.
    public var user: EntityID?
    /// The device.
    public var device: String?
    /// The address of the client.
    public var remote: String?
    /// Details, such as a name.
    public var detail: String

    /// Creates an entry.
    public init(
        _ action: String, user: EntityID? = nil, device: String? = nil, remote: String? = nil, detail: String = ""
    ) {
        self.action = action
        self.user = user
        self.device = device
        self.remote = remote
        self.detail = detail
    }
}

/// The log of changes to users and devices.
public protocol GatewayAuditLog {
    /// Appends an entry.
    /// - Throws: ``HelixError``.
    func audit(_ entry: AuditEntry, now: Instant) throws

    /// The users whom the entries since a mark are about: their devices or sessions may have ended.
    /// - Parameter mark: a former one; nil to begin.
    /// - Returns: the present mark, and the users.
    /// - Throws: ``HelixError``.
    func audited(since mark: String?) throws -> (mark: String, users: [EntityID])

    /// Removes entries older than a year, and old failures of sign-ins.
    /// - Throws: ``HelixError``.
    func sweepAudit(now: Instant) throws
}
