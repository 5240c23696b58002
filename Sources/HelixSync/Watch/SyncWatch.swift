import Foundation
import HelixGateway
import HelixModel
import HelixNetwork
import HelixStore

/// Keeps an account in step: when the server has something new, when somebody changes something here, and once in a while.
///
/// Nothing is kept from one round to the next but the place in the journal, so that it can go on for weeks.
public final class SyncWatch: Sendable {
    private let path: String
    private let account: String
    private let options: SyncOptions
    private let interval: Int

    /// - Parameters:
    ///   - path: the store.
    ///   - account: the name of the account.
    ///   - interval: at least so often, in seconds, both sides are compared.
    public init(path: String, account: String, options: SyncOptions, interval: Int) {
        self.path = path
        self.account = account
        self.options = options
        self.interval = interval
    }

    /// Goes on until the account is gone.
    ///
    /// - Parameters:
    ///   - clock: the present time.
    ///   - report: told what each round did.
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
                // A server that is away is asked again soon, then less often; and at once when the network is another one.
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

    /// Waits for something new on either side, or for the time to pass.
    private func wait(_ local: LocalChanges, _ now: Instant) {
        let interval = patience(now)
        let end = Date().addingTimeInterval(Double(interval))
        // The server tells what is new by itself, if it can.
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
            // It ends with the first news, of either side. What came before the server was listened to is asked for once.
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
            // A server whose state is never the one that is known would be asked without a pause.
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

    /// A session of JMAP, whose server tells when mail has changed, and the state that is known here; nil for other accounts.
    private func jmap() -> (JMAPClient, String?)? {
        guard let store = try? Store(path: path, now: Instant(0)),
            let account = try? store.accounts().first(where: { $0.name == account }), account.kind == .jmap
        else { return nil }
        guard let client = try? JMAPRemote.client(of: account) else { return nil }
        return (client, (try? store.remoteMailState(account))??.state)
    }

    /// A line to a gateway, which tells when another device has changed something; nil for other accounts.
    private func gateway() -> GatewayClient? {
        guard let access = options.gateway, let store = try? Store(path: path, now: Instant(0)),
            let account = try? store.accounts().first(where: { $0.name == account }), account.kind == .gateway
        else { return nil }
        return try? access(account).connect()
    }

    /// For how many seconds nothing has to be done: until both sides are compared again, or something is to leave.
    private func patience(_ now: Instant) -> Int {
        guard let store = try? Store(path: path, now: now), let outbox = try? store.outbox(),
            let account = try? store.accounts().first(where: { $0.name == account })
        else { return interval }
        let waiting = outbox.filter { $0.account == account.id && $0.state == .queued && $0.leavesAt > now }
        let next = waiting.map(\.leavesAt).min().map { Int($0 - now) + 1 }
        return max(1, min(interval, next ?? interval))
    }

    /// A session that looks at the inbox, at Gmail at all mail; nil where the server cannot tell.
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

/// Tells when somebody changes something in the store, other than a sync.
private final class LocalChanges {
    /// Can be read when the store's files change.
    let descriptor: Int32
    private let path: String
    private var last: Int64 = -1

    init(_ path: String) {
        self.path = path
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        let folder = (path as NSString).deletingLastPathComponent
        if descriptor >= 0 { inotify_add_watch(descriptor, folder, UInt32(IN_MODIFY) | UInt32(IN_CREATE)) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// From here on changes count.
    func settle() {
        drain()
        last = newest()
    }

    /// Whether there is a change that counts.
    ///
    /// A file is written before what was written can be read: SQLite says so in memory, of which nobody is told. Whoever hears of the
    /// write looks again for a second.
    func isNews() -> Bool {
        for pause in [0, 2, 5, 10, 20, 40, 80, 160, 320, 400] {
            usleep(UInt32(pause) * 1000)
            drain()
            if newest() != last { return true }
        }
        return false
    }

    /// Waits for a change that counts, or for the time to pass.
    func wait(seconds: Int) { wait(milliseconds: seconds * 1000) }

    /// Waits for a change that counts, or for the time to pass.
    /// - Parameter alsoNetwork: whether another network ends it, too.
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
