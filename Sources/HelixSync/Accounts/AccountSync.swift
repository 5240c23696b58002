import FoundationEssentials
import Glibc
import HelixGateway
import HelixModel
import HelixNetwork
import HelixStore

extension Account {
    func endpoint(_ scheme: String, _ server: AccountSettings.Server, _ credential: Endpoint.Credential) -> Endpoint {
        var endpoint = Endpoint(
            scheme: scheme, host: server.host, port: server.port,
            security: Endpoint.Security(rawValue: server.security) ?? .tls, user: settings.login,
            credential: credential, authorities: settings.authorities)
        endpoint.isPacked = settings.compresses
        return endpoint
    }
}

/// Syncs an account with its server.
public struct AccountSync {
    let store: Store
    let account: Account
    let options: SyncOptions

    /// Creates the sync of one account.
    public init(_ store: Store, _ account: Account, _ options: SyncOptions) {
        self.store = store
        self.account = account
        self.options = options
    }

    /// Runs the sync. A failure is returned in the outcome, so that other accounts continue.
    ///
    /// - Parameter progress: receives a description of each step.
    public func run(progress: @escaping (String) -> Void) -> SyncOutcome {
        settled { outcome in try account.kind.connector.sync(self, &outcome, progress) }
    }

    /// Runs one sync of the account under its lock, and records its result.
    func settled(_ body: (inout SyncOutcome) throws -> Void) -> SyncOutcome {
        var outcome = SyncOutcome(account: account.name)
        do {
            let lock = try SyncLock(store, account)
            outcome = try withExtendedLifetime(lock) {
                try body(&outcome)
                return outcome
            }
        } catch let error as HelixError {
            outcome.failure = error
        } catch is StoreIsBehind {
            outcome.failure = HelixError(
                .busy, "another gateway changed the same data at the same time", hint: "Try again.")
        } catch {
            outcome.failure = HelixError(.unexpected, "\(error)")
        }
        if !options.isDryRun {
            let done = outcome
            try? store.noteSync(
                account, isDone: done.failure == nil, problem: done.failure?.message ?? done.problems.first)
        }
        return outcome
    }
}

extension AccountSync {
    /// Syncs the account's mail without sending queued messages, which another gateway does.
    public func receive() -> SyncOutcome {
        settled { outcome in
            var server: (any MailRemote)?
            defer { server?.end() }
            server = try account.mailRemote(store, isFull: options.isFull, gateway: options.gateway)
            guard let server else { return }
            let sync = MailSync(store, account, server, options, outcome) { _ in }
            defer { outcome = sync.outcome }
            try sync.run()
        }
    }

    /// Sends the queued messages, and nothing else. A failure is returned in the outcome.
    public func send() -> SyncOutcome {
        var outcome = SyncOutcome(account: account.name)
        do {
            try withExtendedLifetime(try SyncLock(store, account)) {
                var server: (any MailRemote)?
                defer { server?.end() }
                func open() throws -> (any MailRemote)? {
                    if server == nil { server = try account.mailRemote(store, gateway: options.gateway) }
                    return server
                }
                try sender(open) { _ in }.run(&outcome, isDryRun: false) { id in try open()?.hasSent(id) }
            }
        } catch {
            outcome.failure = error as? HelixError ?? HelixError(.unexpected, "\(error)")
        }
        return outcome
    }

    /// Sends the account's queued messages; through the connected server, if that one sends.
    private func sender(
        _ open: @escaping () throws -> (any MailRemote)?, _ progress: @escaping (String) -> Void
    ) -> MailSender {
        let (store, account) = (store, account)
        return MailSender(
            store, account,
            submitter: {
                guard let server = try open() as? JMAPRemote else {
                    throw HelixError(.configuration, "the account '\(account.name)' has no server that sends mail")
                }
                return server.client
            }, progress: progress)
    }

    /// Runs a function on an account's folders while no sync uses them.
    /// - Throws: what `body` throws; ``HelixError`` of code `busy`.
    public static func alone<Value>(
        _ store: Store, _ account: Account, _ body: () throws -> Value
    ) throws -> Value {
        try withExtendedLifetime(try SyncLock(store, account), body)
    }

    /// Syncs calendars with the other side.
    func calendars(
        _ remote: any CalendarRemote, _ outcome: inout SyncOutcome, _ progress: @escaping (String) -> Void
    ) throws {
        let calendars = CalendarSync(store, account, remote, options, outcome, progress: progress)
        defer { outcome = calendars.outcome }
        try calendars.run()
    }

    /// Syncs mail with the account's own server, if it has one.
    func mail(_ outcome: inout SyncOutcome, _ progress: @escaping (String) -> Void) throws {
        var server: (any MailRemote)?
        defer { server?.end() }
        try mail(&outcome, progress) {
            if server == nil {
                server = try account.mailRemote(store, isFull: options.isFull, gateway: options.gateway)
            }
            return server
        }
    }

    /// Sends the queued messages, then syncs: sent mail is filed on the server at once.
    /// - Parameter open: connects to the server, or returns the connected one.
    func mail(
        _ outcome: inout SyncOutcome, _ progress: @escaping (String) -> Void,
        _ open: @escaping () throws -> (any MailRemote)?
    ) throws {
        var failure: (any Error)?
        func bring() throws {
            guard let server = try open() else { return }
            let sync = MailSync(store, account, server, options, outcome, progress: progress)
            // The steps done before a failure are reported as well.
            defer { outcome = sync.outcome }
            try sync.run()
        }
        // The server's sent mailbox must be known before the first copy is filed.
        let isFirst = try account.kind.hasMailServer && store.remoteMailboxes(account).isEmpty
        if isFirst { try bring() }
        if account.settings.canSend {
            do {
                try sender(open, progress).run(&outcome, isDryRun: options.isDryRun) { id in try open()?.hasSent(id) }
            } catch {
                // A failure to send does not stop the receiving.
                failure = error
            }
        }
        // A dry run would find the same changes again.
        if !isFirst || !options.isDryRun { try bring() }
        if !options.isDryRun {
            outcome.notes += try InvitationIntake(store, own: options.own).run()
            // The server gets now what the rules did.
            if try runRules(&outcome) { try bring() }
        }
        if let failure { throw failure }
    }

    /// Runs the rules on mail that arrived.
    /// - Returns: whether they changed something.
    private func runRules(_ outcome: inout SyncOutcome) throws -> Bool {
        guard let setting = options.rules else { return false }
        let effects = try RuleRun(store, setting).takeArrivals()
        outcome.notes += effects.filter { !$0.changed.isEmpty }.map(\.told)
        if try SieveScripts(store, account, setting).isOutdated() {
            outcome.notes.append("the server runs the rules as they were: helix mail rules upload")
        }
        for effect in effects {
            if let problem = effect.problem {
                outcome.problems.append("the rule '\(effect.rule.name)' did not run: \(problem)")
            }
        }
        return effects.contains { !$0.changed.isEmpty }
    }
}

/// The lock for one sync of an account at a time; the system releases it if the process dies.
final class SyncLock {
    private let descriptor: Int32

    /// - Throws: ``HelixError`` of code `busy`.
    init(_ store: Store, _ account: Account) throws {
        descriptor = open(store.path + ".sync-" + account.id.text, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            if descriptor >= 0 { close(descriptor) }
            throw HelixError(
                .busy, "'\(account.name)' is being synced by another process", hint: "That sync covers this one, too."
            )
        }
    }

    deinit { close(descriptor) }
}
