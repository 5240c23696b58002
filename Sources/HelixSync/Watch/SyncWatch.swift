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
        if let account = try? Store(path: path, now: Instant(0)).accounts().first(where: { $0.name == account }),
            account.kind.connector.wait(
                AccountWatch(
                    path: path, account: account, options: options,
                    end: Date().addingTimeInterval(Double(interval)), local: local))
        {
            return
        }
        local.wait(seconds: interval)
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
}
