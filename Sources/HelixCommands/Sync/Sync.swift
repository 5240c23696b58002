import ArgumentParser
import Foundation
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix sync`
struct Sync: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "sync", abstract: "Make this machine and your servers the same.",
        discussion: """
            What changed on both sides since they last agreed is brought together; nothing is lost. It may be stopped at \
            any time, and goes on where it stopped.

              helix sync
              helix sync work --dry-run
            """)

    @Argument(help: "Only this account.", completion: .custom(CompletionLists.accounts))
    var account: String?

    @Flag(name: .long, help: "Only say what would be done.")
    var dryRun = false

    @Flag(name: .long, help: "Compare everything, also what both sides say has not changed.")
    var full = false

    @Flag(name: .long, help: "Follow a side that suddenly misses much of what it had.")
    var allowMassDelete = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        var options = SyncOptions()
        (options.isDryRun, options.isFull, options.allowsMassDelete) = (dryRun, full, allowMassDelete)
        let accounts = try accounts(store)
        let (path, now, chosen) = (store.path, store.now, options)
        let isShown = Terminal.isErrorTerminal && !output.isMachine
        let progress = SyncProgress(isShown: isShown)
        // Each with its own connection to the store: a slow server does not hold up the others.
        let outcomes = accounts.concurrently { account in
            do {
                return AccountSync(try Store(path: path, now: now), account, chosen).run(progress: progress.show)
            } catch {
                var outcome = SyncOutcome(account: account.name)
                outcome.failure = error as? HelixError ?? HelixError(.unexpected, "\(error)")
                return outcome
            }
        }
        progress.clear()
        try context.present(SyncReport(items: outcomes.map { SyncItem(outcome: $0, isDryRun: dryRun) }))
        if let failure = outcomes.compactMap(\.failure).first {
            if outcomes.count == 1 { throw failure }
            let failed = outcomes.filter { $0.failure != nil }.map { "'\($0.account)'" }.joined(separator: ", ")
            throw HelixError(failure.code, "\(failed) could not be synced; the others were", hint: failure.hint)
        }
    }

    /// The accounts that have servers.
    private func accounts(_ store: Store) throws -> [MailAccount] {
        if let account {
            let found = try store.account(named: account)
            guard found.kind == .imap || found.kind.hasCalendars || found.settings.canSend else {
                throw HelixError(
                    .usage, "'\(found.name)' is a folder, and has no server to sync with",
                    hint: "What other programs put there is found by itself.")
            }
            return [found]
        }
        return try store.accounts().filter { $0.kind == .imap || $0.kind.hasCalendars || $0.settings.canSend }
    }
}

/// What is being done, on a terminal's last line.
private final class SyncProgress: @unchecked Sendable {
    private let isShown: Bool
    private let lock = NSLock()
    private var wasShown = false

    init(isShown: Bool) { self.isShown = isShown }

    func show(_ text: String) {
        guard isShown else { return }
        lock.withLock {
            wasShown = true
            Terminal.progress(text)
        }
    }

    func clear() { lock.withLock { if wasShown { Terminal.progress("") } } }
}

extension [MailAccount] {
    /// Does something for each at the same time.
    fileprivate func concurrently<Value: Sendable>(_ body: @escaping @Sendable (MailAccount) -> Value) -> [Value] {
        if count <= 1 { return map(body) }
        let results = ResultBox<Value>(count)
        DispatchQueue.concurrentPerform(iterations: count) { place in results.set(place, body(self[place])) }
        return results.values
    }
}

/// Values that come in any order.
private final class ResultBox<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var found: [Value?]

    init(_ count: Int) { found = Array(repeating: nil, count: count) }

    func set(_ place: Int, _ value: Value) { lock.withLock { found[place] = value } }

    var values: [Value] { lock.withLock { found.compactMap { $0 } } }
}
