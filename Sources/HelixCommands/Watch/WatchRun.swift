import ArgumentParser
import CMemory
import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixNetwork
import HelixSecurity
import HelixStore
import HelixSync
import HelixSystem
import HelixTerminal
import Synchronization

/// `helix watch run`, or just `helix watch`
struct WatchRun: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "run", abstract: "Keep running: sync, announce reminders and news, run hooks.",
        discussion: """
            Announces reminders of events and tasks, new messages, invitations, mentions and direct messages in chats, \
            forgotten timers and messages that could not be sent: each once, also what happened while the machine slept. Five \
            and more at once are one summary. Accounts are synced as by 'helix sync --watch'.

            Where: on the desktop if there is one (with buttons), at this terminal, and at the addresses in notify.push (ntfy, \
            UnifiedPush) and notify.webhook. When not: notify.quiet and notify.hold-while-busy. Settings of hooks.* name \
            programs that get each notice as JSON; 'helix config list' describes them. One watch runs for a store; changed \
            settings count at once.

              helix watch
              helix watch --no-sync --json
              helix watch --once
              systemctl --user enable --now helix-watch
            """)
    // Accounts are synced beside it.
    static let usesThreads = true
    static let changesSomething = true
    static let reports: [PrintedReport] = [.json(NoticeReport.self)]

    @Flag(name: .long, help: "Announce what is due now, run hooks, and end.")
    var once = false

    @Flag(name: .long, help: "Do not sync.")
    var noSync = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Sync at least this often: 5m, 1h.", valueName: "time"))
    var every: String?

    @OptionGroup var output: OutputOptions

    var admission: LockAdmission { once ? .asks : .waits }

    func validate() throws {
        if every != nil, noSync || once { throw ValidationError("--every needs a watch that syncs.") }
    }

    func run(in context: CommandContext) throws {
        let interval = try every.map { try context.syncInterval($0) } ?? 300
        let store = try context.store()
        let lock = try WatchLock(beside: store.path)
        defer { withExtendedLifetime(lock) {} }
        let channels = try context.noticeChannels(lasts: !once)
        guard !channels.isEmpty || !HookRunner.kinds(context.configuration).isEmpty else {
            throw HelixError(
                .configuration, "there is nothing to announce with: no terminal, no desktop, no address and no hook",
                hint: "Run it at a terminal, or 'helix config set notify.push https://ntfy.sh/TOPIC'.")
        }
        // Everything from now on is news.
        _ = try context.readFolders()
        _ = try store.beginWatch()
        if once { return try NoticeRound(context, lasts: false).run(outcomes: []).finish() }
        if !output.isMachine, !output.quiet {
            let names = channels.map(\.name).joined(separator: ", ")
            context.note(StyledText("Announcing at: \(names.isEmpty ? "hooks alone" : names). Ctrl-C ends it.", .dim))
        }
        // 'helix lock' ends a pause with it.
        signal(SIGUSR1) { _ in }
        var wakeUp = sigset_t()
        sigemptyset(&wakeUp)
        sigaddset(&wakeUp, SIGUSR1)
        pthread_sigmask(SIG_UNBLOCK, &wakeUp, nil)
        let outcomes = OutcomeQueue()
        if !noSync { try follow(store.path, interval, context, outcomes) }
        let changes = WatchedFiles(store: store.path, folders: try context.mailFolders())
        while true {
            if context.invocation.lock?.reason != nil { try restart(context) }
            changes.drain()
            // Settings, zone and clock may have changed.
            let pause: Double
            do {
                let present = try CommandContext(context.invocation, output: output)
                // It was started by a command, and can tell nobody any more; or its store is gone.
                if try access(store.path, F_OK) != 0 || present.isMute(quiet: output.quiet) { return }
                let done = outcomes.take()
                for failed in done {
                    guard let failure = failed.failure else { continue }
                    outcomes.note("\(failed.account): \(failure.message)", context)
                }
                let end = try NoticeRound(present, lasts: true).run(outcomes: done)
                present.startAttachmentIndex()
                for problem in end.problems { outcomes.note(problem, context) }
                pause = Double(end.next.seconds) - Date().timeIntervalSince1970
            } catch let error as HelixError {
                outcomes.note(error.message, context)
                pause = 30
            }
            // A look takes megabytes for a moment, and the watch mostly sleeps.
            helix_memory_trim()
            // A clock that is set, and sleep of the machine, are noticed within the longest pause.
            changes.wait(seconds: min(max(pause, 0.05), 15))
        }
    }

    /// Starts the program anew, which then waits until helix is unlocked: with it, all files of the store are closed.
    private func restart(_ context: CommandContext) throws {
        guard context.invocation.ownsProcess, let program = ProcessArguments.program else {
            throw HelixError(.locked, "helix is locked, and the watch has ended", hint: "helix unlock")
        }
        var words = (["helix"] + ProcessArguments.current).map { strdup($0) } + [nil]
        execv(program, &words)
        throw HelixError(.unexpected, "helix cannot start itself anew (\(FileStream.Failure().systemReason))")
    }

    /// Syncs all accounts in other threads.
    private func follow(
        _ path: String, _ interval: Int, _ context: CommandContext, _ outcomes: OutcomeQueue
    ) throws {
        let options = context.syncOptions
        let (follower, clock) = (
            AccountFollower(path: path, options: options, interval: interval), context.invocation.clock
        )
        do {
            try DetachedThread.start(stackSize: 8 << 20) { follower.run(clock: clock, report: outcomes.add) }
        } catch { throw HelixError(.unexpected, "no thread is left for syncing (\(error.systemReason))") }
    }
}

extension CommandContext {
    /// Whether a watch without a terminal can tell nobody.
    fileprivate func isMute(quiet: Bool) throws -> Bool {
        try quiet && noticeChannels(lasts: true).isEmpty && HookRunner.kinds(configuration).isEmpty
    }

    /// The ways to tell people, by the settings and by what is there.
    /// - Parameter lasts: whether the watch lasts, so that it can follow the buttons of a notification.
    /// - Throws: ``HelixError`` of code `configuration` if a demanded one is not there.
    func noticeChannels(lasts: Bool) throws -> [any NoticeChannel] {
        var channels: [any NoticeChannel] = []
        let wanted = configuration.text(.notifyTerminal) ?? "auto"
        if wanted != "never", !isSilent, !output.quiet {
            let isTerminal = console.isOutputTerminal
            if isTerminal || output.isMachine || wanted != "auto" || invocation.environment["INVOCATION_ID"] == nil {
                let sequence = TerminalSequence(rawValue: wanted) ?? TerminalSequence(environment)
                channels.append(TerminalChannel(context: self, sequence: isTerminal ? sequence : nil))
            }
        }
        let desktop = configuration.text(.notifyDesktop) ?? "auto"
        let isThere = DesktopChannel.isThere(environment)
        if desktop == "always", !isThere {
            throw HelixError(
                .configuration,
                DesktopChannel.program(environment) == nil
                    ? "notify.desktop is 'always', and notify-send is not installed"
                    : "notify.desktop is 'always', and there is no session bus",
                hint: DesktopChannel.program(environment) == nil
                    ? "Install it: apt-get install libnotify-bin; or 'helix config set notify.desktop auto'."
                    : "Run it in a desktop session, or 'helix config set notify.desktop auto'.")
        }
        if desktop != "never", isThere {
            channels.append(
                DesktopChannel(
                    opener: configuration.text(.opener) ?? ConfigurationKey.opener.fallback,
                    helix: ProcessArguments.program ?? "helix", hasButtons: lasts))
        }
        if let address = configuration.text(.notifyPush), !address.isEmpty, let url = URL(address: address) {
            channels.append(
                PushChannel(
                    url: url, tokenCommand: configuration.text(.notifyPushToken).flatMap { $0.isEmpty ? nil : $0 }))
        }
        return channels
    }
}

/// The lock of the one watch of a store; the system releases it if the process dies.
final class WatchLock {
    private let descriptor: Int32

    /// - Throws: ``HelixError`` of code `busy`.
    init(beside store: String) throws {
        descriptor = open(store + ".watch", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw HelixError(.io, "\(store).watch cannot be opened (\(FileStream.Failure().systemReason))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw HelixError(
                .busy, "a watch of this store runs already", hint: "'helix watch log' shows what it announced.")
        }
    }

    deinit { close(descriptor) }

    /// Whether a watch runs.
    static func isHeld(beside store: String) -> Bool {
        let descriptor = open(store + ".watch", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0
    }
}

/// The outcomes of syncs in other threads, and the problems that were printed.
private final class OutcomeQueue: Sendable {
    private let state = Mutex<(outcomes: [SyncOutcome], failures: [String: String], problem: String?)>(([], [:], nil))

    /// Adds the outcome of a round; a failure that lasts is added once.
    @Sendable func add(_ outcome: SyncOutcome) {
        state.withLock { state in
            for part in [outcome] + outcome.mail {
                let failure = part.failure?.message
                // One outage may have several reasons in turn.
                let isNew = state.failures[part.account] == nil
                state.failures[part.account] = failure
                if failure == nil ? !part.steps.isEmpty : isNew { state.outcomes.append(part) }
            }
        }
    }

    /// The outcomes since the last call.
    func take() -> [SyncOutcome] {
        state.withLock { state in
            defer { state.outcomes = [] }
            return state.outcomes
        }
    }

    /// Prints a problem, unless it was the last one.
    func note(_ problem: String, _ context: CommandContext) {
        let isNew = state.withLock { state in
            defer { state.problem = problem }
            return state.problem != problem
        }
        // Standard error, also beside JSON: a watch without it would fail in silence.
        if isNew { context.console.report("helix: \(SafeText.line(problem)).\n") }
    }
}

extension CommandContext {
    /// The folders in which other programs put new messages.
    fileprivate func mailFolders() throws -> [String] {
        try store().mailAccounts().filter { !$0.kind.isRemote }.map { $0.path + "/new" }
    }

    /// Reads messages that other programs put into Maildirs.
    /// - Returns: what could not be read.
    /// - Throws: ``HelixError``.
    func readFolders() throws -> [String] {
        let store = try store()
        guard try !store.mailAccounts().isEmpty else { return [] }
        do {
            let outcome = try store.indexMail()
            if outcome.added > 0 {
                for words in try InvitationIntake(store, own: ownAddresses.map(\.address)).run() {
                    note(StyledText(words + "."))
                }
            }
            try runRules(store)
            return Array(outcome.problems.prefix(3))
        } catch let error as HelixError where [.notFound, .notAllowed, .io, .busy].contains(error.code) {
            // Another process that reads them brings the news.
            return error.code == .busy ? [] : [HelixError.reason(error)]
        }
    }
}

/// Waits for changes of the store's files, and of folders with mail.
private struct WatchedFiles {
    private let descriptor: Int32

    init(store path: String, folders: [String]) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        if descriptor >= 0 {
            inotify_add_watch(descriptor, path.deletingLastPathComponent, UInt32(IN_MODIFY) | UInt32(IN_CREATE))
            // A message is renamed into its folder when it is whole.
            for folder in folders { inotify_add_watch(descriptor, folder, UInt32(IN_MOVED_TO) | UInt32(IN_CREATE)) }
        }
    }

    /// Forgets changes up to now.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 8192)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }

    /// Waits for a change, or for the timeout.
    func wait(seconds: Double) {
        guard descriptor >= 0 else {
            _ = usleep(UInt32(seconds * 1_000_000))
            return
        }
        var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&place, 1, Int32(seconds * 1000) + 1) > 0 else { return }
        // A write comes before its commit, and seldom alone.
        usleep(100_000)
    }
}
