import Dispatch
import FoundationEssentials
import Glibc
import HelixGatewayLogs
import HelixModel
import HelixStore
import HelixSync
import Logging
import Synchronization

/// Syncs the accounts that users have at the gateway itself with their servers, by the connectors of 'helix sync':
/// periodically, and on request.
///
/// Each sync has a connection of its own to the user's store, so that it blocks no request.
final class AccountKeeper: Sendable {
    private let log: Logger
    private let clock: GatewayClock
    private let clients: ClientNotifier
    private let users: UserServices
    private let queue = DispatchQueue(label: "helix.gateway.accounts", attributes: .concurrent)
    private let busy = Mutex<Set<EntityID>>([])

    /// The interval in seconds.
    static let interval = 300

    init(users: UserServices, clock: GatewayClock, clients: ClientNotifier, log: Logger) {
        self.users = users
        self.clock = clock
        self.clients = clients
        self.log = log
    }

    /// Syncs the accounts of a user, unless a sync is running, and notifies their devices.
    func sync(_ user: EntityID) {
        guard busy.withLock({ $0.insert(user).inserted }) else { return }
        let (path, now) = (users.path(of: user), clock.now)
        queue.async { [self] in
            defer { _ = busy.withLock { $0.remove(user) } }
            guard access(path, F_OK) == 0 else { return }
            do {
                let store = try Store(path: path, now: now)
                let accounts = try store.accounts().filter {
                    $0.kind.isRemote && $0.kind != .gateway || $0.settings.canSend
                }
                if accounts.isEmpty { return }
                if let log = users.log(of: user) { try LoggedStore(store: store, log: log).log?.catchUp(store) }
                let own = accounts.compactMap(\.settings.address)
                for account in accounts {
                    let outcome = AccountSync(store, account, SyncOptions(zone: .utc, own: own)).run { _ in }
                    if let failure = outcome.failure {
                        log.warning(
                            "cannot sync an account",
                            metadata: [
                                "user": "\(user.text)", "account": "\(account.name)", "error": "\(failure.message)",
                            ])
                    }
                }
                clients.tell(user, "sync.changed", ["ts": .integer(clock.milliseconds)], as: .entities(user: user))
            } catch { log.error("cannot sync accounts", metadata: ["user": "\(user.text)", "error": "\(error)"]) }
        }
    }
}
