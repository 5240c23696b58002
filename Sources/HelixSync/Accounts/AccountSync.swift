import Foundation
import HelixModel
import HelixNetwork
import HelixStore

extension MailAccount {
    func endpoint(_ scheme: String, _ server: AccountSettings.Server, _ credential: Endpoint.Credential) -> Endpoint {
        var endpoint = Endpoint(
            scheme: scheme, host: server.host, port: server.port,
            security: Endpoint.Security(rawValue: server.security) ?? .tls, user: settings.login,
            credential: credential, authorities: settings.authorities)
        endpoint.isPacked = settings.compresses
        return endpoint
    }
}

extension MailAccount {
    /// The server that mail is read from; nil for an account without one.
    /// - Parameter isFull: whether all is asked for, and not only what has changed.
    /// - Throws: ``HelixError``.
    func mailRemote(_ store: Store, isFull: Bool = false) throws -> (any MailRemote)? {
        switch kind {
        case .imap: try openingIMAP { try IMAPRemote($0).specific(store, self, isFull: isFull) }
        case .jmap: try JMAPRemote(store, self, isFull: isFull)
        case .maildir, .local, .caldav, .vdir, .webcal, .gateway: nil
        }
    }
}

/// Syncs an account with its server.
public struct AccountSync {
    private let store: Store
    private let account: MailAccount
    private let options: SyncOptions

    /// A sync of one account.
    public init(_ store: Store, _ account: MailAccount, _ options: SyncOptions) {
        self.store = store
        self.account = account
        self.options = options
    }

    /// Does it. What went wrong stands in the outcome: the other accounts go on.
    ///
    /// - Parameter progress: told what is being done.
    public func run(progress: @escaping (String) -> Void) -> SyncOutcome {
        var outcome = SyncOutcome(account: account.name)
        do {
            let lock = try SyncLock(store, account)
            outcome = try withExtendedLifetime(lock) {
                try sync(&outcome, progress)
                return outcome
            }
        } catch let error as HelixError {
            outcome.failure = error
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
    /// Sends what may leave, and does nothing else. What went wrong stands in the outcome.
    public func send() -> SyncOutcome {
        var outcome = SyncOutcome(account: account.name)
        do {
            try withExtendedLifetime(try SyncLock(store, account)) {
                var server: (any MailRemote)?
                defer { server?.end() }
                try MailSender(store, account) { _ in }.run(&outcome, isDryRun: false) { id in
                    if server == nil { server = try account.mailRemote(store) }
                    return try server?.hasSent(id)
                }
            }
        } catch {
            outcome.failure = error as? HelixError ?? HelixError(.unexpected, "\(error)")
        }
        return outcome
    }

    /// Does something to an account's folders while no sync is at work in them.
    /// - Throws: what `body` throws; ``HelixError`` of code `busy`.
    public static func alone<Value>(
        _ store: Store, _ account: MailAccount, _ body: () throws -> Value
    ) throws -> Value {
        try withExtendedLifetime(try SyncLock(store, account), body)
    }

    /// Sends what waits, then brings both sides together: what was sent is filed on the server at once.
    private func sync(_ outcome: inout SyncOutcome, _ progress: @escaping (String) -> Void) throws {
        if account.kind == .gateway {
            guard let access = options.gateway else { return }
            let client = try access(account).connect()
            defer { client.close() }
            var sync = GatewaySync(store, account, client, options, outcome, progress: progress)
            defer { outcome = sync.outcome }
            return try sync.run()
        }
        if account.kind.hasCalendars {
            let calendars = CalendarSync(store, account, try remote(), options, outcome, progress: progress)
            defer { outcome = calendars.outcome }
            return try calendars.run()
        }
        var server: (any MailRemote)?
        defer { server?.end() }
        var failure: (any Error)?
        func open() throws -> (any MailRemote)? {
            if server == nil { server = try account.mailRemote(store, isFull: options.isFull) }
            return server
        }
        func bring() throws {
            guard let server = try open() else { return }
            let sync = MailSync(store, account, server, options, outcome, progress: progress)
            // What was done until then is said all the same.
            defer { outcome = sync.outcome }
            try sync.run()
        }
        // Which mailbox the server has for sent mail must be known before the first copy is filed.
        let isFirst = try account.kind.hasMailServer && store.remoteMailboxes(account).isEmpty
        if isFirst { try bring() }
        if account.settings.canSend {
            do {
                try MailSender(store, account, progress: progress).run(&outcome, isDryRun: options.isDryRun) { id in
                    guard let server = try open() else { return nil }
                    return try server.hasSent(id)
                }
            } catch {
                // A server that takes no mail does not keep the other one from giving it.
                failure = error
            }
        }
        // A rehearsal leaves nothing of which a second look would know.
        if !isFirst || !options.isDryRun { try bring() }
        if !options.isDryRun { outcome.notes += try InvitationIntake(store, own: options.own).run() }
        if let failure { throw failure }
    }
}

extension AccountSync {
    /// The other side of an account with calendars.
    private func remote() throws -> any CalendarRemote {
        switch account.kind {
        case .vdir: return FolderRemote(root: account.path)
        case .webcal:
            let marker = options.isFull ? nil : try store.remoteCalendars(account).first?.marker
            return try PublishedCalendar(account, known: PublishedCalendar.RemoteState(marker: marker))
        default: return try CalDAVRemote(account)
        }
    }
}

/// One sync of an account at a time; the system takes the lock back from a process that dies.
final class SyncLock {
    private let descriptor: Int32

    /// - Throws: ``HelixError`` of code `busy`.
    init(_ store: Store, _ account: MailAccount) throws {
        descriptor = open(store.path + ".sync-" + account.id.text, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            if descriptor >= 0 { close(descriptor) }
            throw HelixError(
                .busy, "another helix syncs '\(account.name)' just now", hint: "What it does is done for this one, too."
            )
        }
    }

    deinit { close(descriptor) }
}
