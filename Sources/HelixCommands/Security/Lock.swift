import ArgumentParser
import HelixModel
import HelixSecurity
import HelixSystem
import HelixTerminal

/// `helix lock`
struct Lock: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "lock", abstract: "Lock helix, and close the vault.",
        discussion: """
            While it is locked, no command of helix shows or changes anything; commands at a terminal ask for the passphrase. \
            A watch waits, and announces nothing; processes of helix that have a file open are ended; assistants get nothing. A vault is closed: then nobody can read \
            the files. Without one, the lock keeps people from helix, and not programs from its files: 'helix vault create' \
            encrypts them.

            --with sets the check: a passphrase, or the system's login (PAM), by password, fingerprint or what the system is \
            set up for. security.lock-after locks after some time without use. A lock ends with the log-in.

              helix lock
              helix lock --with passphrase
              helix lock --with login
              helix config set security.lock-after 15m
            """)
    static let reports: [PrintedReport] = [.json(LockReport.self)]

    @Option(
        name: .long,
        help: ArgumentHelp("Set the check: passphrase, login or none.", valueName: "check"),
        completion: .list(["passphrase", "login", "none"]))
    var with: String?

    @Flag(name: .long, help: "Close the vault also for programs that have files in it open.")
    var force = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    /// Only an unlocked home gets another check.
    var admission: LockAdmission { with == nil ? .passes : .asks }

    func validate() throws {
        if let with, with != "none", LockFile.Method(rawValue: with) == nil {
            throw ValidationError("--with takes passphrase, login or none, not '\(with)'.")
        }
    }

    func run(in context: CommandContext) throws {
        let lock = context.homeLock
        if let with {
            try set(LockFile.Method(rawValue: with), lock, context)
            if with == "none" {
                if context.isDryRun { return try context.presentPlan("remove the check") }
                if lock.vault.exists { context.note(StyledText("The vault still asks for its own password.", .dim)) }
                return try context.present(LockReport(items: [LockItem(lock)]))
            }
        } else if !lock.isProtected {
            throw HelixError(
                .configuration, "nothing locks helix: there is no passphrase and no vault",
                hint: "Set a passphrase: helix lock --with passphrase; or encrypt the files: helix vault create")
        }
        if context.isDryRun {
            return try context.presentPlan(with == nil ? "lock helix" : "set the check and lock helix")
        }
        let closing = LockClosing(lock: lock, force: force)
        let ended = try closing.run()
        var item = try LockItem(lock)
        item.ended = ended
        for holder in OpenFiles.holders(in: lock.home, program: ProcessArguments.program)
        where closing.isObstacle(holder) {
            context.explain("Still open: \(LockClosing.words(holder)). It can save what it has.")
        }
        try context.present(LockReport(items: [item]))
    }

    /// Sets the check, or removes it.
    private func set(_ method: LockFile.Method?, _ lock: HomeLock, _ context: CommandContext) throws {
        var settings = try lock.settings()
        if method == .passphrase, settings.vaultKey == .passphrase {
            throw HelixError(
                .usage, "the vault asks for a passphrase already",
                hint: "'helix vault passphrase' changes it. --with login asks for the system's login besides.")
        }
        if context.isDryRun { return }
        // A stranger at an unlocked terminal must not lock its owner out.
        try lock.confirm(context.invocation.ask)
        switch method {
        case nil: (settings.method, settings.hash) = (nil, nil)
        case .login:
            // A login that does not work would lock for good.
            try SystemLogin().confirm(context.invocation.ask)
            (settings.method, settings.hash) = (.login, nil)
        case .passphrase: try settings.set(passphrase: context.newPassphrase("New passphrase of helix"))
        }
        try lock.save(settings)
    }
}

/// `helix unlock`
struct Unlock: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "unlock", abstract: "Unlock helix, and open the vault.",
        discussion: """
            Asks for the passphrase, or for the system's login; in a script, a line of standard input is the passphrase. helix \
            stays unlocked until 'helix lock', until you log out, or until the time of security.lock-after has passed without \
            use.

              helix unlock
              pass show helix | helix unlock
            """)
    static let reports: [PrintedReport] = [.json(LockReport.self)]

    @OptionGroup var output: OutputOptions

    var admission: LockAdmission { .passes }

    func run(in context: CommandContext) throws {
        let lock = context.homeLock
        guard lock.isProtected else {
            throw HelixError(
                .configuration, "nothing locks helix", hint: "helix lock --with passphrase; helix vault create")
        }
        if lock.reason != nil { try context.invocation.unlock(lock) }
        try context.present(LockReport(items: [LockItem(context.homeLock)]))
    }
}

extension CommandContext {
    /// The lock of the home, as it is now.
    var homeLock: HomeLock { HomeLock(home: paths.store.deletingLastPathComponent, environment: environment) }

    /// Asks for a new passphrase: twice at a terminal.
    /// - Throws: ``HelixError`` of code `usage`.
    func newPassphrase(_ question: String) throws -> String {
        let typed = console.secret(question)
        try LockFile.check(typed)
        if console.canAsk, console.secret("Once more") != typed {
            throw HelixError(.usage, "the two passphrases differ", hint: "Nothing was changed.")
        }
        return typed
    }
}
