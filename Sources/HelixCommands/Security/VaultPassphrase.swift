import ArgumentParser
import HelixModel
import HelixSecurity
import HelixTerminal

/// `helix vault passphrase`
struct VaultPassphrase: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "passphrase", abstract: "Change the passphrase of the vault.",
        discussion: """
            Asks for the present one, or with --recovery for the recovery key; in a script, they are two lines of standard input. \
            The files are not encrypted again, and the recovery key stays the same.

              helix vault passphrase
              helix vault passphrase --recovery
              helix vault passphrase --key keyring
            """)
    static let reports: [PrintedReport] = [.json(LockReport.self)]

    @Flag(name: .long, help: "Ask for the recovery key in place of the passphrase.")
    var recovery = false

    @Option(
        name: .long,
        help: ArgumentHelp("The new password: passphrase (typed) or keyring (random).", valueName: "source"),
        completion: .list(LockFile.VaultKey.allCases.map(\.rawValue)))
    var key: String = LockFile.VaultKey.passphrase.rawValue

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    var admission: LockAdmission { .passes }

    func validate() throws {
        if LockFile.VaultKey(rawValue: key) == nil {
            throw ValidationError("--key takes passphrase or keyring, not '\(key)'.")
        }
    }

    func run(in context: CommandContext) throws {
        try context.requireVault()
        if context.isDryRun { return try context.presentPlan("change the passphrase of the vault") }
        let lock = context.homeLock
        var settings = try lock.settings()
        var (former, recoveryKey): (String?, String?)
        if recovery {
            recoveryKey = context.console.secret("Recovery key")
        } else {
            former = try lock.vaultPassword(context.invocation.ask)
        }
        if let former { _ = try lock.vault.recoveryKey(password: former) }
        let isTyped = key == LockFile.VaultKey.passphrase.rawValue
        // A keyring that keeps a new password must not lose the present one if the change fails.
        let kept = settings.vaultKey == .keyring ? former : nil
        let password =
            isTyped ? try context.newPassphrase("New passphrase of the vault") : try context.keepRandomPassword()
        do { try lock.vault.changePassword(from: former, recoveryKey: recoveryKey, to: password) } catch {
            if !isTyped, let kept { try Keyring.keep(kept, of: lock.home, service: HomeLock.keyringService) }
            throw error
        }
        let was = settings.vaultKey
        settings.vaultKey = isTyped ? .passphrase : .keyring
        try lock.save(settings)
        if was == .keyring, isTyped { Keyring.forget(lock.home, service: HomeLock.keyringService) }
        context.note(StyledText("The passphrase of the vault was changed.", TextStyle(.green)))
        try context.present(LockReport(items: [LockItem(lock)]))
    }
}

/// `helix vault recovery`
struct VaultRecovery: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "recovery", abstract: "Print the recovery key of the vault.",
        discussion: """
            Asks for the passphrase. Whoever has the recovery key can read the vault.

              helix vault recovery
            """)
    static let reports: [PrintedReport] = [.json(LockReport.self)]

    @OptionGroup var output: OutputOptions

    var admission: LockAdmission { .passes }

    func run(in context: CommandContext) throws {
        try context.requireVault()
        let lock = context.homeLock
        // A stranger at an unlocked terminal must not take the key along.
        try lock.confirm(context.invocation.ask)
        var item = try LockItem(lock)
        item.recoveryKey = try lock.vault.recoveryKey(password: lock.vaultPassword(context.invocation.ask))
        try context.present(LockReport(items: [item]))
    }
}
