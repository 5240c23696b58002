import HelixModel

/// Users, their devices and what notifies those.
public typealias GatewayAccountStore = GatewayUserStore & GatewayPeopleStore & GatewayDeviceStore & GatewayAuditLog
    & GatewayPushStore & GatewayShareStore & GatewayFailureStore

/// Conversations with the files of their messages, and the invitations to them.
public typealias GatewayMessageStore = GatewayChatStore & GatewayFileStore & GatewayInvitationStore

/// The store that a gateway's users share: users, devices, conversations and files. Calendars, tasks and mail are in a store of
/// their own for each user, so that a request for one user cannot reach another's data.
///
/// It belongs to one thread at a time. Several processes may have the same one open. All implementations pass the tests of
/// `HelixGatewayStoreTests`.
public protocol GatewayStore: GatewayUserStore, GatewayPeopleStore, GatewayDeviceStore, GatewayAuditLog,
    GatewayChatStore, GatewayInvitationStore, GatewayFileStore, GatewayPushStore,
    GatewayShareStore, GatewayFailureStore
{
    /// The secret from which identities are derived, known only to the gateway.
    /// - Throws: ``HelixError``.
    func secret() throws -> [UInt8]

    /// Starts a dry run: all further changes are rolled back at the end of the process.
    /// - Throws: ``HelixError`` of code `busy` if another process is writing.
    func rehearse() throws

    /// Runs work whose changes are stored at once when it ends, or not at all: one write to the disk serves many requests.
    /// - Throws: ``HelixError`` if they could not be stored; then none of them was.
    func together(_ body: () -> Void) throws

    /// Trims caches between two requests.
    func didServe()
}
