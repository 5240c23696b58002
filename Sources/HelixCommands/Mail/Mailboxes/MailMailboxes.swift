import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix mail mailboxes`
struct MailMailboxes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mailboxes", abstract: "List, create, rename and delete mailboxes.",
        subcommands: [MailboxesList.self, MailboxesAdd.self, MailboxesRename.self, MailboxesDelete.self],
        defaultSubcommand: MailboxesList.self)
}

/// `helix mail mailboxes list`, or without `list`
struct MailboxesList: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List mailboxes with message counts.",
        discussion: "  helix mail mailboxes")
    static let reports: [PrintedReport] = [.json(MailboxReport.self)]

    @OptionGroup var mail: MailOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let boxes = try context.mailStore(mail).mailboxes()
        try context.present(
            MailboxReport(
                items: boxes.map {
                    MailboxItem(mailbox: $0.mailbox, account: $0.account, count: $0.count, unread: $0.unread)
                }))
    }
}

/// A mailbox in a report.
struct MailboxItem: DescribedItem {
    let mailbox: Mailbox
    let account: String
    let count: Int
    let unread: Int

    static let described = list {
        Field("kind", .choice(["mailbox"]), "The kind of item.") { _ in "mailbox" }
        Field("account", .string, "The account's name.") { $0.account }
        Field("name", .string, "Its name, '/' between levels.") { $0.mailbox.name }
        Field("role", .choice(Mailbox.Role.allCases.map(\.rawValue)), required: false, "Its role.") {
            $0.mailbox.role?.rawValue
        }
        Field("messages", .integer, "Number of messages.") { $0.count }
        Field("unread", .integer, "Number of unread messages.") { $0.unread }
    }

}

/// The mailboxes.
struct MailboxReport: CuttableReport {
    static let schema = "helix.mail.mailboxes/1"
    var items: [MailboxItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            canvas.line(StyledText("No mailboxes. 'helix account add home maildir ~/Mail' adds some.", .dim))
        }
        let hasSeveral = Set(items.map(\.account)).count > 1
        var table = Table([
            .init("mailbox", minimum: 10), .init("messages", right: true), .init("unread", right: true),
            .init(hasSeveral ? "account" : "", minimum: 4),
        ])
        for item in items {
            table.row([
                StyledText(item.mailbox.name, item.unread > 0 ? .bold : .plain), StyledText("\(item.count)"),
                StyledText(
                    item.unread > 0 ? "\(item.unread)" : "–", item.unread > 0 ? TextStyle(.blue, bold: true) : .dim),
                StyledText(hasSeveral ? item.account : "", .dim),
            ])
        }
        table.draw(on: &canvas)
    }
}
