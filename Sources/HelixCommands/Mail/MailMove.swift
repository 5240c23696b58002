import ArgumentParser
import HelixModel
import HelixStore
import HelixSync

/// `helix mail move`
struct MailMove: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "move", abstract: "Move messages to another mailbox.",
        discussion: """
              helix mail move k3f7 m2pa --to Projects/House --create
              helix mail move from:ana subject:invoice --to Billing --dry-run
            """)
    static let reports: [PrintedReport] = [.json(MailChangeReport.self)]

    @OptionGroup var targets: MailTargets
    var dryRun: Bool { targets.dryRun }

    @Option(
        name: .long, help: ArgumentHelp("The mailbox, in the account of each message.", valueName: "mailbox"),
        completion: .custom(CompletionLists.mailboxes))
    var to: String

    @Flag(name: .long, help: "Create the mailbox if it does not exist.")
    var create = false

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        if create, !dryRun { try makeMailboxes(context) }
        var edit = MessageEdit()
        edit.target = create ? .made(to) : .named(to)
        try context.changeMessages(targets, mail, verb: "moved to \(to)", command: "mail move", edit)
    }

    /// Creates the mailbox where it is missing, as a change of its own, which is undone after the move.
    private func makeMailboxes(_ context: CommandContext) throws {
        let store = try context.mailStore(mail)
        let ids = try context.messageIDs(targets.messages, query: targets.query)
        for name in try store.messages(ids: ids).map(\.account).uniqued {
            let account = try store.account(named: name)
            let known = try store.mailboxes().map(\.mailbox).filter { $0.account == account.number }
            let word = to.lowercased()
            if known.contains(where: { $0.name.lowercased() == word || $0.role?.rawValue == word }) { continue }
            try AccountSync.alone(store, account) {
                try store.addMailbox(
                    to, in: account, as: MailboxChange(account, from: nil, to: to, command: "mail move"))
            }
        }
    }
}

/// `helix mail archive`
struct MailArchive: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "archive", abstract: "Move messages to the archive.",
        discussion: """
            Uses the archive mailbox of each message's account, created if missing.

              helix mail archive k3f7
              helix mail archive in:inbox is:read before:2026-01-01
            """)
    static let reports: [PrintedReport] = [.json(MailChangeReport.self)]

    @OptionGroup var targets: MailTargets
    var dryRun: Bool { targets.dryRun }
    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        var edit = MessageEdit()
        edit.target = .role(.archive)
        try context.changeMessages(targets, mail, verb: "archived", command: "mail archive", edit)
    }
}

/// `helix mail trash`
struct MailTrash: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "trash", abstract: "Move messages to the trash.",
        discussion: "  helix mail trash k3f7 m2pa")
    static let reports: [PrintedReport] = [.json(MailChangeReport.self)]

    @OptionGroup var targets: MailTargets
    var dryRun: Bool { targets.dryRun }
    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        var edit = MessageEdit()
        edit.target = .role(.trash)
        try context.changeMessages(targets, mail, verb: "moved to the trash", command: "mail trash", edit)
    }
}

/// `helix mail delete`
struct MailDelete: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "delete", abstract: "Delete messages.",
        discussion: """
            Removes the files from the mailbox. 'helix undo' restores them for 30 days; after that they are deleted.

              helix mail delete k3f7 --yes
              helix mail delete in:trash before:-30d
            """)
    static let reports: [PrintedReport] = [.json(MailChangeReport.self)]

    @OptionGroup var targets: MailTargets
    var dryRun: Bool { targets.dryRun }

    @Flag(name: [.long, .customShort("y")], help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        if !targets.dryRun {
            _ = try context.mailStore(mail)
            let count = try context.messageIDs(targets.messages, query: targets.query).count
            if count == 0 { return try context.present(MailChangeReport(verb: "deleted", items: [])) }
            try context.confirm("Delete \(count == 1 ? "this message" : "\(count) messages")?", yes: yes)
        }
        var edit = MessageEdit()
        edit.target = .deleted
        var looked = mail
        // New mail was indexed above.
        if !targets.dryRun { looked.noIndex = true }
        try context.changeMessages(targets, looked, verb: "deleted", command: "mail delete", edit)
    }
}
