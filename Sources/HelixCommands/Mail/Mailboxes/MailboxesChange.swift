import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// The option that selects the account of a mailbox.
struct MailboxOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("The account of the mailbox.", valueName: "name"),
        completion: .custom(CompletionLists.accounts))
    var account: String?
}

extension CommandContext {
    /// Finds a mailbox by its name, with its account.
    /// - Throws: ``HelixError`` of code `notFound`.
    func mailbox(
        _ name: String, _ options: MailboxOptions, in store: Store
    ) throws -> (mailbox: Mailbox, account: Account, count: Int) {
        if let account = options.account { _ = try store.account(named: account) }
        let found = try store.mailbox(named: name, of: options.account)
        let account = try store.accounts().first { $0.number == found.mailbox.account }
        guard let account else { throw HelixError(.notFound, "no account of '\(name)'") }
        return (found.mailbox, account, found.count)
    }

    /// Notes the rules that would create a mailbox again that was renamed or deleted.
    fileprivate func noteRules(movingTo name: String) throws {
        for rule in try store().mailRules() {
            for action in rule.actions {
                guard case .move(let target) = action,
                    target.lowercased() == name.lowercased() || target.lowercased().hasPrefix(name.lowercased() + "/")
                else { continue }
                note(
                    StyledText(
                        "The rule '\(rule.name)' moves messages to '\(target)': helix mail rules edit '\(rule.name)' --move …",
                        TextStyle(.yellow)))
            }
        }
    }

    /// Shows a mailbox in its current state, or all mailboxes of an account.
    func presentMailbox(_ name: String?, _ account: Account, _ words: String) throws {
        let boxes = try store().mailboxes().filter {
            $0.account == account.name && (name == nil || $0.mailbox.name.lowercased() == name?.lowercased())
        }
        note(StyledText(words))
        try present(
            MailboxReport(
                items: boxes.map {
                    MailboxItem(mailbox: $0.mailbox, account: $0.account, count: $0.count, unread: $0.unread)
                }))
    }
}

/// `helix mail mailboxes add`
struct MailboxesAdd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Create a mailbox.",
        discussion: """
            The next sync creates it on the server.

              helix mail mailboxes add Projects/House --account work
            """)
    static let reports: [PrintedReport] = [.json(MailboxReport.self)]

    @Argument(help: "Its name, '/' between levels.")
    var name: String

    @OptionGroup var mailbox: MailboxOptions
    @OptionGroup var mail: MailOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        let accounts = try store.accounts().filter { $0.kind.hasMail && $0.kind != .local }
        let account: Account
        if let given = mailbox.account {
            account = try store.account(named: given)
            guard account.kind.hasMail else {
                throw HelixError(.usage, "'\(account.name)' has calendars, not mailboxes")
            }
        } else {
            guard accounts.count == 1 else {
                throw HelixError(
                    .usage,
                    accounts.isEmpty ? "no account with mailboxes" : "several accounts have mailboxes",
                    hint: accounts.isEmpty
                        ? (try store.accounts().contains { $0.kind == .local })
                            ? "For mail that only helix has: --account local." : "'helix account add' adds one."
                        : "Name one: --account \(accounts.map(\.name).joined(separator: "|")).")
            }
            account = accounts[0]
        }
        try AccountSync.alone(store, account) {
            try store.addMailbox(
                name, in: account, as: MailboxChange(account, from: nil, to: name, command: "mail mailboxes add"))
        }
        try context.presentMailbox(name, account, "Created '\(name)' in '\(account.name)'.")
    }
}

/// `helix mail mailboxes rename`
struct MailboxesRename: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "rename", abstract: "Rename a mailbox and the mailboxes below it.",
        discussion: """
            Messages keep their ids, labels and links. The next sync renames it on the server.

              helix mail mailboxes rename Projects/House Projects/Mill
            """)
    static let reports: [PrintedReport] = [.json(MailboxReport.self)]

    @Argument(help: "The mailbox.", completion: .custom(CompletionLists.mailboxes))
    var name: String

    @Argument(help: "Its new name, '/' between levels.")
    var new: String

    @OptionGroup var mailbox: MailboxOptions
    @OptionGroup var mail: MailOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        let (mailbox, account, _) = try context.mailbox(name, mailbox, in: store)
        try AccountSync.alone(store, account) {
            try store.renameMailbox(
                mailbox, of: account, to: new,
                as: MailboxChange(account, from: mailbox.name, to: new, command: "mail mailboxes rename"))
        }
        try context.noteRules(movingTo: mailbox.name)
        try context.presentMailbox(new, account, "Renamed '\(mailbox.name)' to '\(new)'.")
    }
}

/// `helix mail mailboxes delete`
struct MailboxesDelete: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "delete", abstract: "Delete an empty mailbox.",
        discussion: """
            The mailbox must be empty. The next sync deletes it on the server, unless new messages have arrived there.

              helix mail mailboxes delete Old
            """)
    static let reports: [PrintedReport] = [.json(MailboxReport.self)]

    @Argument(help: "The mailbox.", completion: .custom(CompletionLists.mailboxes))
    var name: String

    @OptionGroup var mailbox: MailboxOptions
    @OptionGroup var mail: MailOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        let (mailbox, account, count) = try context.mailbox(name, mailbox, in: store)
        guard count == 0 else {
            throw HelixError(
                .conflict, "'\(mailbox.name)' has \(count == 1 ? "a message" : "\(count) messages")",
                hint: "Move or delete them first: helix mail move 'in:\"\(mailbox.name)\"' --to OTHER.")
        }
        try AccountSync.alone(store, account) {
            try store.deleteMailbox(
                mailbox, of: account,
                as: MailboxChange(account, from: mailbox.name, to: nil, command: "mail mailboxes delete"))
        }
        try context.noteRules(movingTo: mailbox.name)
        try context.presentMailbox(nil, account, "Deleted '\(mailbox.name)'.")
    }
}
