import FoundationEssentials
import HelixGateway
import HelixModel
import HelixStore

/// Accounts at a gateway, which syncs a user's devices.
struct GatewayConnector: AccountConnector {
    func sync(_ sync: AccountSync, _ outcome: inout SyncOutcome, _ progress: @escaping (String) -> Void) throws {
        guard let access = sync.options.gateway else { return }
        let client = try access(sync.account).connect()
        defer { client.close() }
        var devices = GatewaySync(sync.store, sync.account, client, sync.options, outcome, progress: progress)
        do {
            defer { outcome = devices.outcome }
            try devices.run()
        }
        // The mail that a gateway keeps: each account under its own lock and with its own result.
        let found = try ServedAccounts(sync.store, sync.account, client).match(isDryRun: sync.options.isDryRun)
        outcome.notes += found.notes
        for (mail, served) in found.accounts {
            let remote = JMAPRemote(
                sync.store, mail, GatewayMail(client, served, ownsClient: false), isFull: sync.options.isFull)
            let part = AccountSync(sync.store, mail, sync.options)
            outcome.mail.append(part.settled { try part.mail(&$0, progress) { remote } })
        }
    }

    func check(_ steps: inout AccountSteps) { steps.checkGateway() }

    func wait(_ watch: AccountWatch) -> Bool { wait(watch, at: watch.account) }

    /// Waits for an event of a gateway: it pushes the changes of other devices.
    func wait(_ watch: AccountWatch, at gateway: Account) -> Bool {
        guard gateway.kind == .gateway, let access = watch.options.gateway,
            let client = try? access(gateway).connect()
        else { return false }
        defer { client.close() }
        while Date() < watch.end {
            guard
                let arrival = try? client.wait(
                    milliseconds: watch.secondsLeft * 1000, wake: watch.local.descriptor)
            else { return true }
            switch arrival {
            case .event(let event):
                if ["sync.changed", "chat", "chat.changed", "chat.edited"].contains(event.name) || event.isAfterGap {
                    return true
                }
            case .woken: if watch.local.isNews() { return true }
            case .timeout: return true
            }
        }
        return true
    }
}
