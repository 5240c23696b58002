import Glibc
import HelixModel
import HelixStore
import HelixSync
import HelixSystem
import Synchronization

/// Syncs all accounts continuously, each in a thread of its own. Those that are added later are followed, too; the thread of a
/// removed one ends by itself.
struct AccountFollower: Sendable {
    /// The store.
    let path: String
    let options: SyncOptions
    /// The maximum time between two syncs of an account, in seconds.
    let interval: Int

    /// Runs for ever.
    /// - Parameters:
    ///   - clock: the present time.
    ///   - report: receives the outcome of each round, in the threads of the accounts.
    func run(
        clock: @escaping @Sendable () -> Instant, report: @escaping @Sendable (SyncOutcome) -> Void
    ) -> Never {
        let followed = NamesAtWork()
        while true {
            // A store that cannot be read now may be readable later; each account reports its own failures.
            let found = (try? Store(path: path, now: clock()).syncedAccounts()) ?? []
            for name in found.map(\.name) where followed.begin(name) {
                let isStarted: Void? = try? DetachedThread.start(stackSize: 8 << 20) {
                    SyncWatch(path: path, account: name, options: options, interval: interval).run(
                        clock: clock, report: report)
                    followed.end(name)
                }
                // Without a free thread, the next round tries again.
                if isStarted == nil { followed.end(name) }
            }
            sleep(15)
        }
    }
}

extension Store {
    /// The accounts with servers that a sync of all accounts covers.
    /// - Throws: ``HelixError``.
    func syncedAccounts() throws -> [Account] {
        // Mail that a gateway keeps is synced with the gateway.
        try accounts().filter { ($0.kind.isRemote || $0.settings.canSend) && $0.settings.servedMail == nil }
    }
}

/// The names of the accounts at work, each once at a time.
private final class NamesAtWork: Sendable {
    private let names = Mutex<Set<String>>([])

    /// Marks an account as at work.
    /// - Returns: false if it already was.
    func begin(_ name: String) -> Bool { names.withLock { $0.insert(name).inserted } }

    func end(_ name: String) { _ = names.withLock { $0.remove(name) } }
}
