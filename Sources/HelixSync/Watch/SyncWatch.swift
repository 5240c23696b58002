import FoundationEssentials
import Glibc
import HelixGateway
import HelixModel
import HelixNetwork
import HelixStore

/// Syncs an account continuously: after a change on the server, after a local change, and at regular intervals.
///
/// Only the position in the journal is kept between rounds, so that it can run for weeks.
public final class SyncWatch: Sendable {
    private let path: String
    private let account: String
    private let options: SyncOptions
    private let interval: Int

    /// - Parameters:
    ///   - path: the store.
    ///   - account: the name of the account.
    ///   - interval: the maximum time between two syncs, in seconds.
    public init(path: String, account: String, options: SyncOptions, interval: Int) {
        self.path = path
        self.account = account
        self.options = options
        self.interval = interval
    }

    /// Runs until the account is removed.
    ///
    /// - Parameters:
    ///   - clock: the present time.
    ///   - report: receives the outcome of each round.
    public func run(clock: () -> Instant, report: (SyncOutcome) -> Void) {
        var failures = 0
        let local = LocalChanges(path)
        while true {
            local.settle()
            guard let outcome = round(clock()) else { return }
            report(outcome)
            if outcome.failure == nil {
                failures = 0
                wait(local, clock())
            } else {
                // An unreachable server is retried soon, then less often; and at once after a network change.
                failures += 1
                local.wait(milliseconds: Int(min(Double(interval), Retry.delay(failures)) * 1000), alsoNetwork: true)
            }
        }
    }

    private func round(_ now: Instant) -> SyncOutcome? {
        do {
            let store = try Store(path: path, now: now)
            guard let account = try store.accounts().first(where: { $0.name == account }) else { return nil }
            return AccountSync(store, account, options).run { _ in }
        } catch {
            var outcome = SyncOutcome(account: account)
            outcome.failure = error as? HelixError ?? HelixError(.unexpected, "\(error)")
            return outcome
        }
    }

    /// Waits for a change on either side, or for the timeout.
    private func wait(_ local: LocalChanges, _ now: Instant) {
        let interval = patience(now)
        let end = Date().addingTimeInterval(Double(interval))
        // The server pushes changes, if it can.
        if let session = idling() {
            defer { session.end() }
            while Date() < end {
                guard
                    let event = try? session.idle(
                        seconds: Int(max(1, end.timeIntervalSinceNow)), wake: local.descriptor)
                else { return }
                if event != .woken || local.isNews() { return }
            }
            return
        }
        if let (client, known) = jmap() {
            var (isCompared, isAhead) = (false, false)
            // It ends with the first change of either side. The server is asked once for changes from before it was listened to.
            let told = try? client.waitForChange(seconds: Int(max(1, end.timeIntervalSinceNow))) {
                if !isCompared, let known {
                    isCompared = true
                    if let state = try? client.stateBesides(), state != known {
                        isAhead = true
                        return false
                    }
                }
                return !local.isNews()
            }
            // A server whose state never equals the known one would be asked without a pause.
            if isAhead { local.wait(seconds: 2) }
            if told ?? nil != nil { return }
        }
        if let client = gateway() {
            defer { client.close() }
            while Date() < end {
                let rest = Int(max(1, end.timeIntervalSinceNow)) * 1000
                guard let arrival = try? client.wait(milliseconds: rest, wake: local.descriptor) else { return }
                switch arrival {
                case .event(let event):
                    if ["sync.changed", "chat", "chat.changed", "chat.edited"].contains(event.name) || event.isAfterGap
                    {
                        return
                    }
                case .woken: if local.isNews() { return }
                case .timeout: return
                }
            }
            return
        }
        local.wait(seconds: interval)
    }

    /// A JMAP session, whose server pushes mail changes, and the locally known state; nil for other accounts.
    private func jmap() -> (JMAPClient, String?)? {
        guard let store = try? Store(path: path, now: Instant(0)),
            let account = try? store.accounts().first(where: { $0.name == account }), account.kind == .jmap
        else { return nil }
        guard account.settings.servedMail == nil, let client = try? JMAPRemote.client(of: account) else { return nil }
        return (client, (try? store.remoteMailState(account))??.state)
    }

    /// A connection to a gateway, which pushes the changes of other devices; nil for other accounts.
    private func gateway() -> GatewayClient? {
        guard let access = options.gateway, let store = try? Store(path: path, now: Instant(0)),
            let all = try? store.accounts(), let account = all.first(where: { $0.name == account })
        else { return nil }
        let owner = account.settings.servedMail.map(\.gateway) ?? account.id.text
        guard let gateway = all.first(where: { $0.id.text == owner }), gateway.kind == .gateway else { return nil }
        return try? access(gateway).connect()
    }

    /// The seconds until the next sync: after the interval, or when a queued message becomes due.
    private func patience(_ now: Instant) -> Int {
        guard let store = try? Store(path: path, now: now), let outbox = try? store.outbox(),
            let account = try? store.accounts().first(where: { $0.name == account })
        else { return interval }
        let waiting = outbox.filter { $0.account == account.id && $0.state == .queued && $0.leavesAt > now }
        let next = waiting.map(\.leavesAt).min().map { Int($0 - now) + 1 }
        return max(1, min(interval, next ?? interval))
    }

    /// An IDLE session in the inbox, or in all mail at Gmail; nil if the server cannot push.
    private func idling() -> IMAPSession? {
        guard let store = try? Store(path: path, now: Instant(0)),
            let account = try? store.accounts().first(where: { $0.name == account }), account.kind == .imap,
            let session = try? account.openingIMAP({ try IMAPSession($0, patience: 120) }),
            session.can("IDLE"),
            (try? session.run(IMAPCommand("EXAMINE").string(GmailRemote.heap(in: session) ?? "INBOX"))) != nil
        else { return nil }
        _ = try? session.notifyOfAll()
        return session
    }
}

/// Detects changes in the store, except those of a sync.
private final class LocalChanges {
    /// Becomes readable when the store's files change.
    let descriptor: Int32
    private let path: String
    private var last: Int64 = -1

    init(_ path: String) {
        self.path = path
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        let folder = path.deletingLastPathComponent
        if descriptor >= 0 { inotify_add_watch(descriptor, folder, UInt32(IN_MODIFY) | UInt32(IN_CREATE)) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Ignores all changes up to now.
    func settle() {
        drain()
        last = newest()
    }

    /// Whether there is a new change.
    ///
    /// A file is written before its content can be read: SQLite publishes the commit in shared memory, without a file event.
    /// After a write this checks again for a second.
    func isNews() -> Bool {
        for pause in [0, 2, 5, 10, 20, 40, 80, 160, 320, 400] {
            usleep(UInt32(pause) * 1000)
            drain()
            if newest() != last { return true }
        }
        return false
    }

    /// Waits for a new change, or for the timeout.
    func wait(seconds: Int) { wait(milliseconds: seconds * 1000) }

    /// Waits for a new change, or for the timeout.
    /// - Parameter alsoNetwork: whether a network change ends it, too.
    func wait(milliseconds: Int, alsoNetwork: Bool = false) {
        let network = alsoNetwork ? NetworkChanges.open() : -1
        defer { if network >= 0 { close(network) } }
        let end = Date().addingTimeInterval(Double(milliseconds) / 1000)
        while true {
            let left = end.timeIntervalSinceNow
            if left <= 0 { return }
            var places = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: network, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&places, 2, Int32(min(left, 3600) * 1000) + 1) > 0 else { continue }
            if places[1].revents != 0 { return }
            if isNews() { return }
        }
    }

    private func newest() -> Int64 { (try? Store(path: path, now: Instant(0)).newestChange()) ?? last }

    private func drain() {
        var bytes = [UInt8](repeating: 0, count: 8192)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
