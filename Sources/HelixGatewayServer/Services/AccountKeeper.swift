import Dispatch
import FoundationEssentials
import Glibc
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
    private let users: UserServices
    private let queue = DispatchQueue(label: "helix.gateway.accounts", attributes: .concurrent)
    private let busy = Mutex<Set<EntityID>>([])

    /// The interval in seconds.
    static let interval = 300

    init(users: UserServices, log: Logger) {
        self.users = users
        self.log = log
    }

    /// Syncs the accounts of a user, unless a sync is running.
    /// - Parameter done: called when something may have changed.
    func sync(_ user: EntityID, now: Instant, done: @escaping @Sendable () -> Void) {
        guard busy.withLock({ $0.insert(user).inserted }) else { return }
        let path = users.path(of: user)
        queue.async { [self] in
            defer { _ = busy.withLock { $0.remove(user) } }
            guard access(path, F_OK) == 0 else { return }
            do {
                let store = try Store(path: path, now: now)
                let accounts = try store.accounts().filter {
                    $0.kind.isRemote && $0.kind != .gateway || $0.settings.canSend
                }
                if accounts.isEmpty { return }
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
                done()
            } catch { log.error("cannot sync accounts", metadata: ["user": "\(user.text)", "error": "\(error)"]) }
        }
    }
}
