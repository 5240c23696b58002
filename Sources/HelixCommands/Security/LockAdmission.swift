import FoundationEssentials
import Glibc
import HelixCalendar
import HelixModel
import HelixSecurity
import HelixSystem
import HelixTerminal

/// The treatment of a command while helix is locked.
enum LockAdmission {
    /// It asks for the passphrase at a terminal, and fails without one.
    case asks
    /// It waits until helix is unlocked.
    case waits
    /// It runs: it shows nothing of the store.
    case passes
}

extension Invocation {
    /// The lock of the home; nil if nothing protects it.
    /// - Throws: ``HelixError`` of code `configuration` if there is no home.
    func homeLock() throws -> HomeLock? {
        let lock = HomeLock(
            home: try Paths(environment: environment).store.deletingLastPathComponent, environment: environment)
        return lock.isProtected ? lock : nil
    }

    /// Whether a person gives this command, whose use keeps helix unlocked.
    private var isOfPerson: Bool {
        agent == nil && (isOfScreen || console.isInputTerminal || console.isOutputTerminal)
    }

    /// Lets a command begin, or not, if the home is locked.
    /// - Returns: the lock, which is open; nil if nothing protects the home.
    /// - Throws: ``HelixError`` of code `locked`.
    func admit(_ admission: LockAdmission) throws -> HomeLock? {
        guard admission != .passes, let lock = try homeLock() else { return nil }
        guard let reason = lock.reason else {
            if admission == .asks, isOfPerson { lock.session.touch() }
            return lock
        }
        switch admission {
        case .waits:
            console.report("helix: \(reason.message); waiting for 'helix unlock'.\n")
            while lock.reason != nil { _ = usleep(1_000_000) }
        case .asks:
            guard ownsProcess, agent == nil, console.canAsk else { throw reason.error }
            console.report("\(reason.message.capitalizingFirst).\n")
            try unlock(lock)
        case .passes: break
        }
        // The paths of its files depend on the vault.
        return try homeLock()
    }

    /// Shows a prompt of the lock, and reads the answer.
    func ask(_ prompt: SystemLogin.Prompt) -> String? {
        func trimmed(_ text: String) -> String {
            var text = SafeText.line(text)
            while let last = text.last, last == ":" || last.isWhitespace { text.removeLast() }
            return text
        }
        switch prompt {
        case .secret(let text):
            let typed = console.secret(trimmed(text))
            return typed.isEmpty ? nil : typed
        case .question(let text): return console.line(trimmed(text))
        case .note(let text):
            console.report(SafeText.line(text) + "\n")
            return ""
        }
    }

    /// Unlocks; at a terminal, a wrong passphrase can be corrected twice.
    /// - Throws: ``HelixError``.
    func unlock(_ lock: HomeLock) throws {
        for attempt in 1... {
            do {
                try lock.unlock(lockAfter: { try lockAfter() }, ask)
                break
            } catch let error as HelixError where error.code == .authentication && attempt < 3 && console.canAsk {
                console.report("helix: \(error.message)\n")
            }
        }
        // Somebody must notice the log-out, and a time without use.
        if ownsProcess { ChildProcess.detach(["vault", "guard"]) }
    }

    /// The longest pause in seconds by the settings; nil for any.
    func lockAfter() throws -> Int? {
        let configuration = try Configuration(file: Paths(environment: environment).configuration)
            .overlaid(by: environment)
        return configuration.lockAfter
    }
}

extension Configuration {
    /// The longest pause in seconds; nil for any.
    var lockAfter: Int? {
        let seconds = seconds(.lockAfter)
        return seconds > 0 ? seconds : nil
    }
}

extension HomeLock {
    /// Takes a changed setting over.
    func follow(_ configuration: Configuration) {
        guard case .valid(let known) = session.state, known != configuration.lockAfter else { return }
        try? session.begin(lockAfter: configuration.lockAfter)
    }
}

extension HomeLock.Reason {
    /// The reason in words.
    var message: String {
        switch self {
        case .locked: "locked"
        case .idle(let seconds): "locked: not used for \(DateWords.text(duration: seconds))"
        case .broken: "the vault's program was ended, so that no file of helix can be read"
        case .missing: "the folder of the vault is not there"
        case .unfinished: "the creation or removal of the vault was interrupted; all files are there"
        }
    }

    /// The error of a command that does not begin.
    var error: HelixError {
        let hint =
            switch self {
            case .unfinished: "'helix vault open' finishes it."
            case .missing: "Is its disk connected?"
            default: "helix unlock"
            }
        return HelixError(.locked, message, hint: hint)
    }
}

extension String {
    /// The text with its first letter as a capital.
    fileprivate var capitalizingFirst: String { prefix(1).uppercased() + dropFirst() }
}
