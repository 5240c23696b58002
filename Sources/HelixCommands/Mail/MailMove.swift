import ArgumentParser
import HelixModel
import HelixStore

/// `helix mail move`
struct MailMove: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "move", abstract: "Move messages to another mailbox.",
        discussion: """
              helix mail move k3f7 m2pa --to Projects/House --create
              helix mail move from:ana subject:invoice --to Billing --dry-run
            """)
    static let reports: [PrintedReport] = [.json(MailChangeReport.self)]

    @OptionGroup var targets: MailTargets

    @Option(
        name: .long, help: ArgumentHelp("The mailbox, in the account of each message.", valueName: "mailbox"),
        completion: .custom(CompletionLists.mailboxes))
    var to: String

    @Flag(name: .long, help: "Create the mailbox if it does not exist.")
    var create = false

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        var edit = MessageEdit()
        edit.target = create ? .made(to) : .named(to)
        try context.changeMessages(targets, mail, verb: "moved to \(to)", command: "mail move", edit)
    }
}

/// `helix mail archive`
struct MailArchive: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "archive", abstract: "Move messages to the archive.",
        discussion: """
            Uses the archive mailbox of each message's account, created if missing.

              helix mail archive k3f7
              helix mail archive in:inbox is:read before:2026-01-01
            """)
    static let reports: [PrintedReport] = [.json(MailChangeReport.self)]

    @OptionGroup var targets: MailTargets
    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        var edit = MessageEdit()
        edit.target = .role(.archive)
        try context.changeMessages(targets, mail, verb: "archived", command: "mail archive", edit)
    }
}

/// `helix mail trash`
struct MailTrash: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "trash", abstract: "Move messages to the trash.",
        discussion: "  helix mail trash k3f7 m2pa")
    static let reports: [PrintedReport] = [.json(MailChangeReport.self)]

    @OptionGroup var targets: MailTargets
    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        var edit = MessageEdit()
        edit.target = .role(.trash)
        try context.changeMessages(targets, mail, verb: "moved to the trash", command: "mail trash", edit)
    }
}

/// `helix mail delete`
struct MailDelete: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "delete", abstract: "Delete messages.",
        discussion: """
            Removes the files from the mailbox. 'helix undo' restores them for 30 days; after that they are deleted.

              helix mail delete k3f7 --yes
              helix mail delete in:trash before:-30d
            """)
    static let reports: [PrintedReport] = [.json(MailChangeReport.self)]

    @OptionGroup var targets: MailTargets

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
