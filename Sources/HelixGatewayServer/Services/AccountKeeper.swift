import Dispatch
import FoundationEssentials
import Glibc
import HelixGatewayLogs
import HelixGatewayStore
import HelixModel
import HelixStore
import HelixSync
import Logging
import Synchronization

/// Syncs the accounts that users have at the gateway itself with their servers, by the connectors of 'helix sync':
/// periodically, and on request.
///
/// Each sync has a connection of its own to the user's store, so that it blocks no request. Of several gateways one at a time
/// has the right to sync a user's accounts and to send their messages; the others fetch the mail of the users who are there.
final class AccountKeeper: Sendable {
    private let log: Logger
    private let clock: GatewayClock
    private let clients: ClientNotifier
    private let users: UserServices
    private let leases: (any GatewayAccountLeases)?
    /// The name of this gateway among those of the database.
    private let name: String
    private let queue = DispatchQueue(label: "helix.gateway.accounts", attributes: .concurrent)
    private let state = Mutex(State())

    private struct State {
        var busy: Set<EntityID> = []
        /// The users whose accounts are to be synced once more when the running sync is done.
        var again: Set<EntityID> = []
        /// The users whose accounts are to be synced when the right of another gateway has ended.
        var waiting: Set<EntityID> = []
        /// The users whose accounts this gateway has synced, with the number of its right, and the marks of the saved states.
        var kept: [EntityID: Int64] = [:]
        var saved: [EntityID: Int] = [:]
    }

    /// The interval in seconds.
    static let interval = 300
    /// The seconds for which a right lasts, and after which it is renewed.
    private static let (life, renewal) = (30, 10)
    /// The number of times that a sync runs while others change the same store.
    private static let attempts = 5
    /// The name of the note in a store with the right under which it has the state of its accounts.
    private static let note = "account-lease"

    /// - Parameters:
    ///   - leases: the rights to sync accounts; nil for a gateway that is alone.
    ///   - name: the name of this gateway among others.
    init(
        users: UserServices, leases: (any GatewayAccountLeases)?, name: String, clock: GatewayClock,
        clients: ClientNotifier, log: Logger
    ) {
        self.users = users
        self.leases = leases
        self.name = name
        self.clock = clock
        self.clients = clients
        self.log = log
    }

    /// Syncs the accounts of all users for whom it is time.
    /// - Parameter all: the users of a gateway that is alone.
    func syncAll(_ all: () -> [EntityID]) {
        guard let leases else {
            for user in all() { sync(user) }
            return
        }
        do { for user in try leases.usersWithAccounts() { sync(user, pause: AccountKeeper.interval) } } catch {
            report("cannot sync accounts", error)
        }
    }

    /// Syncs the accounts of a user after another gateway has changed something, if this one keeps them.
    func noteChange(of user: EntityID) {
        if state.withLock({ $0.kept[user] != nil }) { sync(user) }
    }

    /// Syncs the accounts of a user, and notifies their devices. A sync that is running is followed by another one.
    /// - Parameter pause: the seconds since the last sync of any gateway, of which there must be as many.
    func sync(_ user: EntityID, pause: Int = 0) {
        let isFree = state.withLock { state in
            if state.busy.insert(user).inserted { return true }
            if pause == 0 { state.again.insert(user) }
            return false
        }
        guard isFree else { return }
        queue.async { [self] in
            do { try run(user, pause: pause) } catch { report("cannot sync accounts", error, user) }
            let isNext = state.withLock { state in
                state.busy.remove(user)
                return state.again.remove(user) != nil
            }
            if isNext { sync(user) }
        }
    }

    /// Gives its rights back.
    func finish() {
        if let leases { try? leases.release(name) }
    }

    private func run(_ user: EntityID, pause: Int) throws {
        let path = users.path(of: user)
        guard leases != nil || access(path, F_OK) == 0 else { return }
        let store = LoggedStore(store: try Store(path: path, now: clock.now), log: users.log(of: user))
        try store.log?.catchUp(store.store)
        let accounts = try store.store.accounts().filter {
            $0.kind.isRemote && $0.kind != .gateway || $0.settings.canSend
        }
        if accounts.isEmpty { return }
        guard let leases else {
            for account in accounts { sync(account, of: user, store, accounts) { $0.run { _ in } } }
            return tell(user)
        }
        guard let lease = try leases.take(user, for: name, pause: pause) else {
            state.withLock { $0.kept[user] = nil }
            // The gateway that has the right may have died.
            let isUrgent = try accounts.contains { try !store.store.dueOutgoing($0, at: clock.now).isEmpty }
            if pause == 0 || isUrgent { tryAgain(user) }
            // Others need not have fetched the mail that its devices ask for here.
            guard pause == 0 || clients.isPresentHere(user) else { return }
            for account in accounts where account.kind.hasMailServer {
                sync(account, of: user, store, accounts) { $0.receive() }
            }
            return tell(user)
        }
        try keep(accounts, of: user, store, lease, leases)
        tell(user)
    }

    /// Tries to sync the accounts of a user again, unless the gateway that has the right has done so by then.
    private func tryAgain(_ user: EntityID) {
        guard state.withLock({ $0.waiting.insert(user).inserted }) else { return }
        queue.asyncAfter(deadline: .now() + .seconds(Self.renewal)) { [weak self] in
            guard let self else { return }
            state.withLock { _ = $0.waiting.remove(user) }
            sync(user, pause: Self.life - 1)
        }
    }

    /// Syncs accounts while this gateway has the right to.
    private func keep(
        _ accounts: [Account], of user: EntityID, _ store: LoggedStore, _ lease: Int64,
        _ leases: any GatewayAccountLeases
    ) throws {
        state.withLock { $0.kept[user] = lease }
        let renewal = DispatchSource.makeTimerSource(queue: queue)
        let name = name
        renewal.schedule(deadline: .now() + .seconds(Self.renewal), repeating: .seconds(Self.renewal))
        renewal.setEventHandler { _ = try? leases.take(user, for: name, pause: 0) }
        renewal.resume()
        defer { renewal.cancel() }
        // It continues where the gateway that had the right before stopped.
        let mark = "\(name) \(lease)"
        if try store.store.note(Self.note) != mark {
            for account in accounts where account.kind.hasCalendars {
                // Without a stored state that of this gateway is all there is, as after it was alone.
                guard let text = try leases.state(of: account.id, user) else { continue }
                try store.store.setCalendarSyncState(text, of: account)
            }
            try store.store.setNote(Self.note, mark)
        }
        for account in accounts {
            // The changes at the server of a sync that failed are known, too.
            sync(account, of: user, store, accounts) { $0.run { _ in } }
            guard account.kind.hasCalendars, let text = try store.store.calendarSyncState(account) else { continue }
            if state.withLock({ $0.saved[account.id] == text.hashValue }) { continue }
            guard try leases.save((account.id, text), of: user, lease: lease) else { return }
            state.withLock { $0.saved[account.id] = text.hashValue }
        }
        _ = try leases.save(nil, of: user, lease: lease)
    }

    /// Syncs one account; again if another gateway changes the same data at the same time.
    private func sync(
        _ account: Account, of user: EntityID, _ store: LoggedStore, _ accounts: [Account],
        _ body: (AccountSync) -> SyncOutcome
    ) {
        let options = SyncOptions(zone: .utc, own: accounts.compactMap(\.settings.address))
        for _ in 0..<Self.attempts {
            let outcome = body(AccountSync(store.store, account, options))
            guard let failure = outcome.failure else { return }
            if failure.code == .busy, let log = store.log, (try? log.catchUp(store.store)) != nil { continue }
            log.warning(
                "cannot sync an account",
                metadata: ["user": "\(user.text)", "account": "\(account.name)", "error": "\(failure.message)"])
            return
        }
    }

    private func tell(_ user: EntityID) {
        clients.tell(user, "sync.changed", ["ts": .integer(clock.milliseconds)], as: .entities(user: user))
    }

    private func report(_ what: Logger.Message, _ error: any Error, _ user: EntityID? = nil) {
        let problem = (error as? HelixError)?.message ?? "\(error)"
        log.error(what, metadata: ["user": "\(user?.text ?? "")", "error": "\(problem)"])
    }
}
