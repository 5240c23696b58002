import ArgumentParser
import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixNetwork
import HelixStore
import HelixSync
import HelixSystem
import HelixTerminal
import Synchronization

extension CommandContext {
    /// The options of a sync, with the user's settings.
    var syncOptions: SyncOptions {
        var options = SyncOptions(zone: zone, own: ownAddresses.map(\.address))
        (options.gateway, options.rules) = (gatewayMaker, ruleSetting)
        return options
    }
}

/// `helix sync`
struct Sync: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Sync mail, calendars and tasks with your servers.",
        discussion: """
            'helix sync' alone is 'helix sync run' and takes its options: --dry-run, --full, --watch. \
            'helix sync run --help' describes them.

              helix sync
              helix sync work --dry-run
              helix sync --watch
            """,
        subcommands: [SyncRun.self, SyncConflicts.self, SyncResolve.self], defaultSubcommand: SyncRun.self)
}

/// `helix sync run`, or just `helix sync`
struct SyncRun: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "run", abstract: "Sync mail, calendars and tasks with your servers.",
        discussion: """
            Merges all local and server changes since the last sync; nothing is lost. It can be interrupted at any time and \
            resumes where it stopped.

            With --watch it keeps running: local changes, and changes on servers that push them, are synced at once; \
            everything is compared at least every five minutes.

              helix sync
              helix sync work --dry-run
              helix sync --watch
            """)
    // Accounts are synced at the same time, each with a connection of its own.
    static let usesThreads = true
    static let reports: [PrintedReport] = [.json(SyncReport.self)]

    @Argument(help: "Sync only this account.", completion: .custom(CompletionLists.allAccounts))
    var account: String?

    @Flag(name: .long, help: "Show what would be done.")
    var dryRun = false

    @Flag(name: .long, help: "Compare everything, including what the server reports as unchanged.")
    var full = false

    @Flag(name: .long, help: "Allow mass deletions reported by one side.")
    var allowMassDelete = false

    @Flag(name: .long, help: "Keep running and sync local and server changes.")
    var watch = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("With --watch, sync at least this often: 5m, 1h.", valueName: "time"))
    var every: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if watch, dryRun { throw ValidationError("--watch and --dry-run exclude each other.") }
        if every != nil, !watch { throw ValidationError("--every needs --watch.") }
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        var options = context.syncOptions
        (options.isDryRun, options.isFull, options.allowsMassDelete) = (dryRun, full, allowMassDelete)
        let accounts = try accounts(store)
        if watch { return try follow(accounts, store.path, options, context) }
        let (path, now, chosen) = (store.path, store.now, options)
        let isShown = context.console.isErrorTerminal && !output.isMachine && !output.quiet && !output.verbose
        let progress = SyncProgress(context.console, isShown: isShown)
        // Each account has its own connection to the store, so that a slow server does not delay the others.
        let results = accounts.concurrently { account in
            do {
                return AccountSync(try Store(path: path, now: now), account, chosen).run(progress: progress.show)
            } catch {
                var outcome = SyncOutcome(account: account.name)
                outcome.failure = error as? HelixError ?? HelixError(.unexpected, "\(error)")
                return outcome
            }
        }
        let outcomes = results.flatMap { [$0] + $0.mail }
        progress.clear()
        let isSilent = output.quiet && !output.isMachine
        let shown = outcomes.filter { !isSilent || !$0.problems.isEmpty }
        if !isSilent || !shown.isEmpty {
            try context.present(SyncReport(items: shown.map { SyncItem(outcome: $0, isDryRun: dryRun) }))
        }
        context.indexMeaning()
        context.startAttachmentIndex()
        if let failure = outcomes.compactMap(\.failure).first {
            if outcomes.count == 1 { throw failure }
            let failed = outcomes.filter { $0.failure != nil }.map { "'\($0.account)'" }.joined(separator: ", ")
            let isAll = outcomes.allSatisfy { $0.failure != nil }
            throw HelixError(
                failure.code, "\(failed) could not be synced" + (isAll ? "" : "; the rest were"), hint: failure.hint)
        }
        if outcomes.contains(where: \.needsChoice) {
            throw HelixError(
                .syncConflict, "sync conflict: something was changed both locally and on the server",
                hint: "'helix sync conflicts' shows both versions; the rest is synced.")
        }
        if !dryRun, outcomes.contains(where: { !$0.problems.isEmpty }) {
            throw HelixError(
                .conflict, "not everything could be synced",
                hint: "See the report; 'helix outbox' lists the messages that were not sent.")
        }
    }

    /// Keeps running, and prints the result of each round.
    private func follow(
        _ accounts: [Account], _ path: String, _ options: SyncOptions, _ context: CommandContext
    ) throws {
        guard !accounts.isEmpty else {
            throw HelixError(.notFound, "no account has a server to watch", hint: "helix account add work imap …")
        }
        let interval = try every.map { try context.syncInterval($0) } ?? 300
        let printer = SyncPrinter(context)
        if let only = accounts.first, account != nil {
            return SyncWatch(path: path, account: only.name, options: options, interval: interval).run(
                clock: printer.clock, report: printer.show)
        }
        AccountFollower(path: path, options: options, interval: interval).run(
            clock: printer.clock, report: printer.show)
    }

    /// The accounts that have servers.
    private func accounts(_ store: Store) throws -> [Account] {
        if let account {
            let found = try store.account(named: account)
            guard found.kind.isRemote || found.settings.canSend else {
                throw HelixError(
                    .usage, "'\(found.name)' is a local folder without a server",
                    hint: "Nothing to sync: messages that other programs put there are found automatically.")
            }
            return [found]
        }
        return try store.syncedAccounts()
    }
}

extension CommandContext {
    /// The seconds between two syncs.
    /// - Throws: ``HelixError`` of code `usage`.
    func syncInterval(_ text: String) throws -> Int {
        let interval = try dates.duration(text)
        guard interval >= 5 else {
            throw HelixError(.usage, "the interval '\(text)' is too short", hint: "Use at least 5s.")
        }
        return interval
    }
}

/// The progress of a sync, on a terminal's last line.
private final class SyncProgress: Sendable {
    private let console: Console
    private let isShown: Bool
    private let wasShown = Mutex(false)

    init(_ console: Console, isShown: Bool) { (self.console, self.isShown) = (console, isShown) }

    func show(_ text: String) {
        guard isShown else { return }
        wasShown.withLock {
            $0 = true
            console.progress(text)
        }
    }

    func clear() { wasShown.withLock { if $0 { console.progress("") } } }
}

/// Prints the results of the rounds of a watch, one after the other.
private final class SyncPrinter: @unchecked Sendable {
    private let context: CommandContext
    /// The last failure of each account; the lock of the context, too.
    private let failures = Mutex<[String: String]>([:])

    init(_ context: CommandContext) { self.context = context }

    func clock() -> Instant { failures.withLock { _ in context.clock } }

    func show(_ outcome: SyncOutcome) {
        for part in [outcome] + outcome.mail { showOne(part) }
    }

    private func showOne(_ outcome: SyncOutcome) {
        failures.withLock { failures in
            // A persistent failure is printed once.
            let failure = outcome.failure?.message
            let isNew = failure != failures[outcome.account]
            failures[outcome.account] = failure
            if let error = outcome.failure {
                if isNew { context.note(StyledText("\(outcome.account): \(error.message).", TextStyle(.red))) }
                return
            }
            if outcome.steps.isEmpty, outcome.problems.isEmpty { return }
            try? context.present(SyncReport(items: [SyncItem(outcome: outcome, isDryRun: false)]))
        }
    }
}
