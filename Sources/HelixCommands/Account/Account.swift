import ArgumentParser
import Foundation
import HelixModel
import HelixStore
import HelixTerminal

/// `helix account`
struct Account: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Where your mail lies.",
        subcommands: [AccountAdd.self, AccountList.self, AccountRemove.self])
}

/// `helix account add`
struct AccountAdd: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Add an account, and index its mail.",
        discussion: """
            A Maildir is read where it lies, with all mailboxes below it; other programs may go on using it. No message's \
            bytes are ever changed.

              helix account add home maildir ~/Mail
            """)

    @Argument(help: "What to call it.")
    var name: String

    @Argument(help: "Its kind: maildir.")
    var kind: String

    @Argument(help: "The folder.", completion: .directory)
    var path: String

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        guard kind == MailAccount.Kind.maildir.rawValue else {
            throw HelixError(.usage, "helix knows no accounts of the kind '\(kind)'", hint: "There is: maildir.")
        }
        let folder = URL(fileURLWithPath: UserPath.expanded(path, context.environment)).resolvingSymlinksInPath().path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw HelixError(
                .notFound, "there is no folder \(folder)", hint: "Name the Maildir that your mail lies in.")
        }
        guard try Store.hasMailbox(below: folder) else {
            throw HelixError(
                .notFound, "there is no Maildir in \(folder)",
                hint: "A mailbox is a folder with cur, new and tmp in it; none is in it or below it.")
        }
        let store = try context.store()
        let id = try store.change("add account '\(name)'", command: "account add") { change in
            try change.addMailAccount(name, kind: .maildir, path: folder)
        }
        let outcome = try context.indexing { try store.indexMail(account: id, waits: true, progress: $0) }
        try context.present(MailIndexReport(outcome: outcome))
    }
}

/// `helix account list`
struct AccountList: HelixCommand {
    static let about = CommandConfiguration(commandName: "list", abstract: "List the accounts.")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let boxes = try store.mailboxes()
        let items = try store.mailAccounts().map { account in
            let own = boxes.filter { $0.account == account.name }
            return AccountItem(
                account: account, mailboxes: own.count, count: own.reduce(0) { $0 + $1.count },
                unread: own.reduce(0) { $0 + $1.unread })
        }
        try context.present(AccountReport(items: items))
    }
}

/// `helix account remove`
struct AccountRemove: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "remove", abstract: "Take an account away; its files stay.",
        discussion: "  helix account remove home --yes")

    @Argument(help: "Its name.", completion: .custom(CompletionLists.accounts))
    var name: String

    @Flag(name: [.long, .customShort("y")], help: "Do not ask.")
    var yes = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let account = try store.mailAccount(named: name)
        try context.confirm("Take '\(account.name)' away? The files in \(account.path) stay.", yes: yes)
        try store.change("remove account '\(account.name)'", command: "account remove") { change in
            try change.removeMailAccount(account.id)
        }
        try context.present(AccountReport(items: [], removed: account.name))
    }
}

/// An account in a report.
struct AccountItem: ReportItem {
    let account: MailAccount
    let mailboxes: Int
    let count: Int
    let unread: Int

    static let fields = [
        SchemaField("kind", .choice(["account"]), "What the item is."),
        SchemaField("id", .string, "Its identity."),
        SchemaField("name", .string, "What it is called."),
        SchemaField("type", .choice(MailAccount.Kind.allCases.map(\.rawValue)), "What kind of account it is."),
        SchemaField("path", .string, "The folder."),
        SchemaField("mailboxes", .integer, "How many mailboxes it has."),
        SchemaField("messages", .integer, "How many messages."),
        SchemaField("unread", .integer, "How many of them are unread."),
        SchemaField("links", .array(.string), "Identities of entities it is linked with."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        json.set("kind", EntityKind.account.rawValue)
        json.set("id", account.id.text)
        json.set("name", account.name)
        json.set("type", account.kind.rawValue)
        json.set("path", account.path)
        json.set("mailboxes", mailboxes)
        json.set("messages", count)
        json.set("unread", unread)
        json.set("links", [String]())
        return json
    }
}

/// The accounts.
struct AccountReport: CuttableReport {
    static let schema = "helix.account.list/1"
    var items: [AccountItem]
    var isTruncated = false
    var removed: String?

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if let removed {
            canvas.line("Removed '\(removed)'; its files stay. 'helix undo' takes that back.")
            return
        }
        if items.isEmpty {
            canvas.paragraph("No accounts yet. 'helix account add home maildir ~/Mail' adds one.", style: .dim)
            return
        }
        var table = Table([
            .init("name"), .init("kind"), .init("messages", right: true), .init("unread", right: true),
            .init("mailboxes", right: true, importance: 1), .init("folder", minimum: 8, importance: 2),
        ])
        for item in items {
            table.row([
                StyledText(item.account.name, .bold), StyledText(item.account.kind.rawValue),
                StyledText("\(item.count)"), StyledText("\(item.unread)", item.unread > 0 ? .bold : .dim),
                StyledText("\(item.mailboxes)"), StyledText(item.account.path, .dim),
            ])
        }
        table.draw(on: &canvas)
    }
}
