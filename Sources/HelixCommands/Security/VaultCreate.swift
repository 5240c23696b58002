import ArgumentParser
import FoundationEssentials
import Glibc
import HelixModel
import HelixSecurity
import HelixStore
import HelixSystem
import HelixTerminal

/// `helix vault create`
struct VaultCreate: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "create", abstract: "Encrypt the store, the files and helix's own mail.",
        discussion: """
            Copies them into an encrypted folder beside helix's own, compares the copy byte by byte, and deletes the plain \
            files; no path changes. An interruption loses nothing. It needs gocryptfs, and as much room on the disk as the \
            files. Whoever forgets the passphrase needs the recovery key, which is printed once; 'helix vault recovery' prints it again.

            Not in the vault: the settings (unless HELIX_HOME names their folder), mail folders elsewhere, backups and \
            exports, and what the disk keeps of deleted files.

              helix vault create
              helix vault create --key keyring
            """)
    static let reports: [PrintedReport] = [.json(LockReport.self)]

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The password: passphrase (typed) or keyring (a random one in the system's keyring).", valueName: "source"),
        completion: .list(LockFile.VaultKey.allCases.map(\.rawValue)))
    var key: String = LockFile.VaultKey.passphrase.rawValue

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if LockFile.VaultKey(rawValue: key) == nil {
            throw ValidationError("--key takes passphrase or keyring, not '\(key)'.")
        }
    }

    func run(in context: CommandContext) throws {
        let (lock, home) = (context.homeLock, context.paths.store.deletingLastPathComponent)
        guard !lock.vault.exists else {
            throw HelixError(.conflict, "there is a vault already: \(lock.vault.folder)", hint: "helix vault")
        }
        try refuseLink(home)
        try context.requireUnused(home)
        if context.isDryRun {
            return try context.presentPlan("encrypt \(home) into \(lock.vault.folder) and delete the plain files")
        }
        var settings = try lock.settings()
        settings.vaultKey = LockFile.VaultKey(rawValue: key)
        let password = try password(settings, home, context)
        // One passphrase is enough.
        if settings.vaultKey == .passphrase, settings.method == .passphrase {
            (settings.method, settings.hash) = (nil, nil)
        }
        let hold = try StoreHold(path: context.paths.store)
        let recovery = try context.showingBytes("Encrypting") { progress in
            try lock.vault.create(
                password: password, settings: settings, retire: { try hold?.retire() }, progress: progress)
        }
        for name in ["lock.json", "unlocked"] { unlink("\(home)/\(name)") }
        lock.session.end()
        try context.beginSession()
        var item = try LockItem(context.homeLock)
        item.recoveryKey = recovery
        try context.present(LockReport(items: [item]))
        context.note(StyledText("Deleted files stay readable on a disk until it writes over them.", .dim))
    }

    /// The password of the new vault.
    private func password(_ settings: LockFile, _ home: String, _ context: CommandContext) throws -> String {
        guard settings.vaultKey == .keyring else { return try context.newPassphrase("New passphrase of the vault") }
        return try context.keepRandomPassword()
    }

    /// A symbolic link cannot be the place where the vault is seen.
    private func refuseLink(_ home: String) throws {
        var info = stat()
        if lstat(home, &info) == 0, info.st_mode & S_IFMT == S_IFLNK {
            throw HelixError(
                .usage, "\(home) is a symbolic link", hint: "Name the folder itself: HELIX_HOME, or XDG_DATA_HOME.")
        }
    }
}

/// `helix vault remove`
struct VaultRemove: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "remove", abstract: "Decrypt all files, and delete the vault.",
        discussion: """
            The vault must be open. The files lie at their usual place as they are; nothing else changes.

              helix vault remove
            """)
    static let reports: [PrintedReport] = [.json(LockReport.self)]

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.requireVault()
        let (lock, home) = (context.homeLock, context.paths.store.deletingLastPathComponent)
        try context.requireUnused(home)
        if context.isDryRun { return try context.presentPlan("decrypt \(home) and delete \(lock.vault.folder)") }
        try context.confirm("Decrypt all files, and delete the vault?", yes: yes)
        var settings = try lock.settings()
        let isInKeyring = settings.vaultKey == .keyring
        settings.vaultKey = nil
        let hold = try StoreHold(path: context.paths.store)
        try context.showingBytes("Decrypting") { progress in
            try lock.vault.remove(retire: { try hold?.retire() }, progress: progress)
        }
        lock.session.end()
        if isInKeyring { Keyring.forget(home, service: HomeLock.keyringService) }
        if settings.method != nil {
            try context.homeLock.save(settings)
            try context.beginSession()
        }
        try context.present(LockReport(items: [LockItem(context.homeLock)]))
    }
}

extension CommandContext {
    /// Checks that no other process has a file of the home open.
    /// - Throws: ``HelixError`` of code `busy`.
    func requireUnused(_ home: String) throws {
        let holders = OpenFiles.holders(in: home, program: ProcessArguments.program)
        guard let first = holders.first else { return }
        let words = holders.prefix(3).map { "\(SafeText.line($0.name)) (process \($0.id))" }.joined(separator: ", ")
        throw HelixError(
            .busy, "\(words) has files in \(home) open, such as \(SafeText.line(first.file))",
            hint: "End \(holders.count == 1 ? "it" : "them") first; a watch: systemctl --user stop helix-watch.")
    }

    /// Begins the time in which helix is unlocked, after the vault was created or removed.
    /// - Throws: ``HelixError``.
    func beginSession() throws {
        let lock = homeLock
        try lock.session.begin(lockAfter: configuration.lockAfter, generation: lock.settings().generation ?? 0)
        if invocation.ownsProcess { ChildProcess.detach(["vault", "guard"]) }
    }

    /// A random password in the system's keyring, for the vault.
    /// - Throws: ``HelixError`` of code `configuration` if the keyring does not keep it.
    func keepRandomPassword() throws -> String {
        let home = paths.store.deletingLastPathComponent
        var random = SystemRandomNumberGenerator()
        let password = (0..<32).map { _ in
            let byte = UInt8.random(in: 0...255, using: &random)
            return String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
        do { try Keyring.keep(password, of: home, service: HomeLock.keyringService) } catch let error as HelixError {
            throw HelixError(error.code, error.message, hint: "With --key passphrase, the password is typed.")
        }
        guard try Keyring.secret(of: home, service: HomeLock.keyringService) == password else {
            throw HelixError(.configuration, "the system's keyring does not give back what it stored")
        }
        return password
    }

    /// Shows the progress of bytes at a terminal.
    fileprivate func showingBytes<Value>(
        _ title: String, _ body: ((Int, Int) -> Void) throws -> Value
    ) throws -> Value {
        let line = ProgressLine(title, .bytes, on: console, isQuiet: output.isMachine || output.quiet)
        defer { line.end() }
        return try body { done, total in line.update(done, of: total) }
    }
}
