import ArgumentParser
import Glibc
import HelixModel
import HelixSecurity
import HelixSystem
import Synchronization

/// `helix vault guard`: the process that locks helix at log-out and after `security.lock-after`. 'helix unlock' starts it.
struct VaultGuard: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "guard", abstract: "Lock helix at log-out and after a time without use.",
        discussion: "'helix unlock' starts it.\n\n  helix vault guard", shouldDisplay: false)
    static let reports: [PrintedReport] = []

    @OptionGroup var output: OutputOptions

    var admission: LockAdmission { .passes }

    /// The seconds between two looks.
    private static let interval: UInt32 = 2
    /// The seconds until a vault that is in use is tried again.
    private static let retryInterval: UInt32 = 30

    func run(in context: CommandContext) throws {
        let lock = context.homeLock
        let place = lock.session.path + ".guard"
        let descriptor = open(place, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // One that has just locked may be about to end.
        var tries = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            tries += 1
            if tries > 50 { return }
            usleep(100_000)
        }
        // A folder that it stands in could not be unmounted.
        chdir("/")
        for number in [SIGTERM, SIGHUP] { signal(number) { _ in isEnding.store(true, ordering: .relaxed) } }
        let hadSessions = UnlockSession.hasSessions
        var isOver = false
        while true {
            // It was removed, with all that there was to lock.
            if !HomeLock(home: lock.home, environment: context.environment).isProtected { return }
            if isEnding.load(ordering: .relaxed) || lock.session.isLoggedOut(hadSessions: hadSessions) {
                // Nobody is there to be asked.
                return try end(LockClosing(lock: lock, force: true))
            }
            switch lock.session.state {
            case .valid:
                isOver = false
                if lock.vault.exists, lock.vault.state != .open { return }
                _ = Glibc.sleep(Self.interval)
            case .over where !isOver:
                // A session ends for a moment while a vault is created or removed.
                isOver = true
                _ = Glibc.sleep(Self.interval)
            case .over, .expired:
                do { return try end(LockClosing(lock: lock)) } catch { _ = Glibc.sleep(Self.retryInterval) }
            }
        }
    }

    private func end(_ closing: LockClosing) throws {
        // Somebody may have locked already, or be about to.
        guard !closing.lock.vault.exists || closing.lock.vault.state != .closed else { return }
        _ = try closing.run()
    }
}

/// Whether a signal asked the process to end. A global: a handler has no context.
private let isEnding = Atomic<Bool>(false)
