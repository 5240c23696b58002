import ArgumentParser
import HelixModel
import HelixSecurity
import HelixTerminal

/// `helix vault`
struct VaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault", abstract: "Keep all files of helix encrypted while they are not used.",
        discussion: """
            The store, the files and helix's own mail lie in a folder that gocryptfs encrypts. While the vault is open, they \
            are seen at their usual place; 'helix lock' and the log-out close it.

              helix vault create
              helix vault open
              helix vault close
            """,
        subcommands: [
            VaultStatus.self, VaultCreate.self, VaultOpen.self, VaultClose.self, VaultPassphrase.self,
            VaultRecovery.self,
            VaultRemove.self, VaultGuard.self,
        ], defaultSubcommand: VaultStatus.self)
}

/// `helix vault status`, or without `status`
struct VaultStatus: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "status", abstract: "Show whether helix is locked and the vault is open.",
        discussion: "  helix vault\n  helix vault status --json")
    static let reports: [PrintedReport] = [.json(LockReport.self)]

    @OptionGroup var output: OutputOptions

    var admission: LockAdmission { .passes }

    func run(in context: CommandContext) throws {
        try context.present(LockReport(items: [LockItem(context.homeLock)]))
    }
}

/// `helix vault open`
struct VaultOpen: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "open", abstract: "Open the vault: 'helix unlock'.",
        discussion: """
            Also finishes a creation or removal that was interrupted.

              helix vault open
              pass show helix | helix vault open
            """)
    static let reports: [PrintedReport] = [.json(LockReport.self)]

    @OptionGroup var output: OutputOptions

    var admission: LockAdmission { .passes }

    func run(in context: CommandContext) throws {
        let vault = context.homeLock.vault
        if !vault.exists, vault.hasRemains {
            vault.removeRemains()
            context.note(
                StyledText("What was interrupted is undone: all files lie on the disk as they are.", TextStyle(.yellow))
            )
            return try context.present(LockReport(items: [LockItem(context.homeLock)]))
        }
        try context.requireVault()
        if vault.state == .unfinished {
            context.note(
                StyledText("Finishing what was interrupted. 'helix vault recovery' prints the recovery key.", .dim))
        }
        try vault.settle()
        let lock = context.homeLock
        if lock.reason != nil { try context.invocation.unlock(lock) }
        try context.present(LockReport(items: [LockItem(context.homeLock)]))
    }
}

/// `helix vault close`
struct VaultClose: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "close", abstract: "Close the vault: 'helix lock'.",
        discussion: "  helix vault close\n  helix vault close --force")
    static let reports: [PrintedReport] = [.json(LockReport.self)]

    @Flag(name: .long, help: "Close it also for programs that have files in it open.")
    var force = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    var admission: LockAdmission { .passes }

    func run(in context: CommandContext) throws {
        try context.requireVault()
        if context.isDryRun {
            return try context.presentPlan("close the vault and end the helix processes that use it")
        }
        let ended = try LockClosing(lock: context.homeLock, force: force).run()
        var item = try LockItem(context.homeLock)
        item.ended = ended
        try context.present(LockReport(items: [item]))
    }
}

extension CommandContext {
    /// Checks that there is a vault.
    /// - Throws: ``HelixError`` of code `notFound`.
    func requireVault() throws {
        guard homeLock.vault.exists || homeLock.vault.isMissing else {
            throw HelixError(.notFound, "there is no vault", hint: "helix vault create")
        }
    }
}
