import HelixModel

/// The approved devices of a gateway's users, their tokens, and pairing requests.
public protocol GatewayDeviceStore {
    /// A user's devices, the most recently connected first.
    /// - Throws: ``HelixError``.
    func devices(of user: EntityID) throws -> [GatewayDevice]

    /// A user's device; nil if it is not approved.
    /// - Throws: ``HelixError``.
    func device(_ id: String, of user: EntityID) throws -> GatewayDevice?

    /// The user and device of a token, if it is valid.
    /// - Throws: ``HelixError``.
    func holder(ofToken token: String, now: Instant) throws -> (user: EntityID, device: String)?

    /// Approves a device, or changes its permissions.
    /// - Throws: ``HelixError``.
    func admit(_ device: GatewayDevice, user: EntityID, remote: String, now: Instant) throws

    /// Creates a token for a device and revokes its older ones.
    /// - Parameter epoch: the user's epoch when the device signed in; if its session has ended since, it gets none.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    func makeToken(for device: String, user: EntityID, epoch: Int64, now: Instant) throws -> String

    /// Records a device's connection and its present name, and extends its token's lifetime.
    /// - Throws: ``HelixError``.
    func noteSeen(_ device: String, name: String?, user: EntityID, now: Instant) throws

    /// Removes a device and revokes its tokens.
    /// - Returns: whether it was approved before.
    /// - Throws: ``HelixError``.
    @discardableResult
    func revoke(_ device: String, user: EntityID, now: Instant) throws -> Bool

    /// Records a device's pairing request; a repeated request keeps its identity.
    /// - Returns: the identity of the request.
    /// - Throws: ``HelixError``: `busy` if too many are pending already.
    func requestPairing(_ device: GatewayDevice, user: EntityID, remote: String, now: Instant) throws -> String

    /// The pending requests, the oldest first, of one user or, without one, of all.
    /// - Throws: ``HelixError``.
    func pairings(of user: EntityID?, now: Instant) throws -> [PairingRequest]

    /// Approves or rejects a request.
    /// - Parameters:
    ///   - id: the identity of the request or of its device, or the first 4 or more characters of one.
    ///   - scopes: the permissions of the device, if fewer than requested.
    /// - Throws: ``HelixError`` of code `notFound`, also for another user's request.
    func answer(
        pairing id: String, of user: EntityID?, admits: Bool, scopes: [String]?, now: Instant
    ) throws -> PairingRequest
}
