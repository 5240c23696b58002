import Dispatch
import Glibc
import HelixGatewayLogs
import HelixGatewayStore
import HelixModel
import HelixStore
import Synchronization

/// The store of one user, with a queue that runs all requests for it serially.
///
/// `@unchecked`: the store is used only in the queue.
final class UserService: @unchecked Sendable {
    private let queue: FairQueue
    private let path: String
    private let log: UserLog?
    private var store: Store?
    private var lastUsed = ContinuousClock.now

    fileprivate init(path: String, log: UserLog?) {
        (self.path, self.log) = (path, log)
        // A first sync writes for seconds, and its next page is requested after the previous response.
        queue = FairQueue(label: "helix.gateway.user", longestWait: 8)
    }

    /// Runs work on the user's store.
    /// - Parameter isBrief: whether the store is closed afterwards if it was not open before, since no request follows.
    func perform(
        for asker: Asker, now: Instant, isBrief: Bool = false,
        _ body: @escaping @Sendable (Result<LoggedStore, any Error>) -> Void
    ) {
        queue.add(
            asker.user,
            FairQueue.Job(
                isWanted: asker.isWanted, refuse: asker.refuse,
                run: {
                    let wasOpen = self.store != nil
                    defer { if isBrief, !wasOpen { self.store = nil } }
                    if !isBrief { self.lastUsed = .now }
                    body(Result { LoggedStore(store: try self.opened(now), log: self.log) })
                    if self.log?.isForeign == true { self.setAside() }
                    self.store?.didServe()
                }))
    }

    private func opened(_ now: Instant) throws -> Store {
        if store?.isReplaced == true { store = nil }
        if let store {
            store.now = now
            return store
        }
        var made = try Store(path: path, now: now)
        if let log, try !log.fits(made) {
            // The database was restored to an earlier state: its entities are read anew.
            setAside()
            made = try Store(path: path, now: now)
        }
        try made.prepareForServing(most: UserLimits.mostStored)
        // An event that occurs every second would take too long to check completely.
        made.listLimit = 5_000
        store = made
        return made
    }

    /// Sets the store aside: the next request makes another one from the log.
    private func setAside() {
        store = nil
        log?.isForeign = false
        for end in ["", "-wal", "-shm"] {
            unlink("\(path).old\(end)")
            rename(path + end, "\(path).old\(end)")
        }
    }

    /// Closes the store after a pause without requests; the next request opens it again.
    fileprivate func closeIdleStores(after pause: Duration) {
        queue.add("", FairQueue.Job { if self.lastUsed.duration(to: .now) >= pause { self.store = nil } })
    }

    /// Drops queued jobs, waits for the running one, and closes the store.
    fileprivate func finish() {
        queue.add("", FairQueue.Job { self.store = nil })
        queue.finish()
    }
}

/// The stores of all users, each opened on first use.
final class UserServices: Sendable {
    private let folder: GatewayFolder
    private let logs: (any GatewayUserLogs)?
    private let services = Mutex<[EntityID: UserService]>([:])

    /// - Parameter logs: the logs that the stores are made from; nil if they are the only ones.
    init(folder: GatewayFolder, logs: (any GatewayUserLogs)? = nil) { (self.folder, self.logs) = (folder, logs) }

    /// The log of a user; nil if there is none.
    func log(of user: EntityID) -> UserLog? { logs.map { UserLog(user, $0) } }

    /// The users who assign something to others; nil if only their stores know.
    /// - Throws: ``HelixError``.
    func usersWhoAssign() throws -> [EntityID]? { try logs?.usersWhoAssign() }

    /// The service of a user.
    func service(_ user: EntityID) -> UserService {
        services.withLock { all in
            if let known = all[user] { return known }
            let made = UserService(path: path(of: user), log: log(of: user))
            all[user] = made
            return made
        }
    }

    /// The path of a user's own store.
    func path(of user: EntityID) -> String { folder.storePath(of: user) }

    /// Closes the stores without requests for that time: each holds open files, and pages in memory.
    func closeIdleStores(after pause: Duration) {
        for service in services.withLock({ Array($0.values) }) { service.closeIdleStores(after: pause) }
    }

    /// Waits until all jobs are done.
    func finish() {
        let all = services.withLock { Array($0.values) }
        for service in all { service.finish() }
    }
}
