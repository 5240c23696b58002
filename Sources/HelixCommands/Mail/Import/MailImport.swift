import ArgumentParser
import FoundationEssentials
import HelixMail
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix mail import`
struct MailImport: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "import", abstract: "Import mail from files into local mailboxes.",
        discussion: """
            Reads mbox files, single messages (.eml, .emlx), folders of both, Maildirs, and '-' for standard input. \
            Flags, labels and mailboxes of Thunderbird, Gmail (Takeout), Apple Mail and others are kept: the folders in \
            a folder become mailboxes. --mailbox puts all messages in one. Identical messages are not imported again. A \
            list of tags written by 'notmuch dump' adds labels to messages that helix has.

              helix mail import old.mbox
              helix mail import ~/.thunderbird/abc.default/Mail/"Local Folders"
              helix mail import ~/Takeout/Mail --mailbox Takeout
              curl -s https://example.org/list.mbox | helix mail import - --mailbox List
              notmuch dump > tags.txt; helix mail import tags.txt
            """)
    static let reports: [PrintedReport] = [.json(MailImportReport.self)]

    @Argument(help: ArgumentHelp("Files, folders, or '-'.", valueName: "file"), completion: .file())
    var files: [String]

    @Option(
        name: .long, help: ArgumentHelp("The local account to import into.", valueName: "name"),
        completion: .custom(CompletionLists.accounts))
    var account: String = "local"

    @Option(
        name: [.long, .customShort("m")],
        help: ArgumentHelp("The mailbox for all messages; created if missing.", valueName: "name"),
        completion: .custom(CompletionLists.mailboxes))
    var mailbox: String?

    @Flag(name: .long, help: "Create the account if it does not exist.")
    var create = false

    @Flag(name: .long, help: "Show what would be imported, and change nothing.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let target = try target(in: context, store)
        let existing = try target.map { target in
            try store.mailboxes().map(\.mailbox).filter { $0.account == target.number }
        }
        if let mailbox, let target { _ = try store.mailboxFolder(mailbox, in: target) }
        let delivery = try dryRun ? nil : target.map { try MailDeliveries(store, to: $0) }
        var intent: DeliveryIntent?
        if let delivery, let target {
            intent = try store.beginDelivery(delivery, to: target, command: "mail import")
        }
        let progress = ProgressLine(
            dryRun ? "Reading mail" : "Copying mail", .items("messages"), on: context.console,
            isQuiet: output.isMachine || output.quiet)
        var importer = MailFileImporter(
            copies: try MailCopies(store, account: target), delivery: delivery, mailbox: mailbox,
            existing: existing ?? [], progress: progress,
            totalBytes: progress.isShown ? files.reduce(0) { $0 + FileTree.size(of: $1) } : 0)
        var failure: (any Error)?
        do {
            for file in files { try importer.take(file) }
        } catch { failure = error }
        progress.end()
        delivery?.finish()
        if let intent, let delivery { try finish(delivery, intent, importer.outcome, target, failure, context) }
        if failure == nil { try importer.label(store, isDryRun: dryRun) }
        if importer.outcome.copied > 0, !dryRun {
            // As for mail that arrives: answers and cancellations change the calendar.
            for words in try InvitationIntake(store, own: context.ownAddresses.map(\.address)).run() {
                context.note(StyledText(words + "."))
            }
        }
        if let failure { throw importer.outcome.copied == 0 ? failure : Self.partial(importer.outcome, failure) }
        try context.present(MailImportReport(outcome: importer.outcome, isDryRun: dryRun))
        let outcome = importer.outcome
        if outcome.copied + outcome.known + outcome.deleted + outcome.labelled == 0, let first = outcome.problems.first
        {
            throw HelixError(.badInput, "no mail was found in \(files.joined(separator: ", "))", hint: first + ".")
        }
    }

    /// The account to import into, with a current index; created if requested. In a dry run nil if it does not exist.
    private func target(in context: CommandContext, _ store: Store) throws -> Account? {
        for file in files where file != "-" && !FileManager.default.fileExists(atPath: file) {
            throw HelixError(.notFound, "no file \(file)")
        }
        guard Account.isName(account) else {
            throw HelixError(.usage, "invalid account name '\(account)'", hint: "Use one word of letters and digits.")
        }
        let known: Account?
        do { known = try store.mailAccount(named: account) } catch let error as HelixError
            where error.code == .notFound
        {
            known = nil
        }
        if known == nil, account != "local", !create {
            let names = try store.mailAccounts().map { "'\($0.name)'" }.joined(separator: ", ")
            throw HelixError(
                .notFound, "unknown account '\(account)'",
                hint: (names.isEmpty ? "" : "Use one of: \(names). ") + "Or create it with --create.")
        }
        if dryRun { return known }
        if known == nil, account != "local" {
            context.note(StyledText("Created the account '\(account)'.", .dim))
        }
        let made = try store.localAccount(named: account)
        try store.indexMail(account: made.id, waits: true)
        return made
    }

    /// Indexes and labels the delivered messages, and records them in the history.
    /// - Parameter failure: the error that interrupted the import.
    private func finish(
        _ delivery: MailDeliveries, _ intent: DeliveryIntent, _ outcome: MailFileImporter.Outcome, _ target: Account?,
        _ failure: (any Error)?, _ context: CommandContext
    ) throws {
        let store = try context.store()
        do {
            _ = try context.indexing { try store.indexMail(waits: true, progress: $0) }
            try store.forgetRuleIntake(ofDelivery: delivery.mark)
            if let target { try Self.label(outcome.labels, target, store) }
            try store.noteDelivery(delivery.mark, command: "mail import") {
                "import \($0) \($0 == 1 ? "message" : "messages")"
            }
            intent.end()
        } catch {
            intent.leave()
            throw outcome.copied == 0 ? failure ?? error : Self.unnoted(outcome.copied, failure ?? error)
        }
    }

    /// Adds the labels of other programs to the imported messages.
    private static func label(
        _ labels: [(message: String, labels: [String])], _ account: Account, _ store: Store
    ) throws {
        if labels.isEmpty { return }
        let groups = Dictionary(grouping: labels, by: \.labels)
        try store.change("label imported messages", command: "mail import", origin: .importing) { change in
            for (labels, messages) in groups.sorted(by: { $0.key.joined() < $1.key.joined() }) {
                let ids = try messages.compactMap { try store.message(withID: $0.message, in: account)?.id }
                var edit = MessageEdit()
                (edit.addedLabels, edit.isOptional) = (labels, true)
                try change.editMessages(ids, edit)
            }
        }
    }

    /// The error of an interrupted import.
    private static func partial(_ outcome: MailFileImporter.Outcome, _ error: any Error) -> any Error {
        guard let error = error as? HelixError else { return error }
        let came = outcome.copied == 1 ? "1 message was" : "\(outcome.copied) messages were"
        return HelixError(
            error.code, "\(error.message); \(came) imported before that",
            hint: "Run the import again for the rest, or undo it: helix undo.")
    }

    /// The error where messages were delivered, but could not be recorded in the store.
    private static func unnoted(_ count: Int, _ error: any Error) -> any Error {
        return HelixError(
            (error as? HelixError)?.code ?? .io,
            "\(HelixError.reason(error)); \(count == 1 ? "1 message was" : "\(count) messages were") delivered to the mailbox",
            hint: "The next helix command indexes them and records them in the history, so that 'helix undo' can undo"
                + " the import. Importing again copies only missing messages.")
    }
}
