import ArgumentParser
import Foundation
import HelixModel
import HelixNetwork
import HelixStore
import HelixSync
import HelixTerminal

/// `helix account add`
struct AccountAdd: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Add an account.",
        discussion: """
            A Maildir is read where it lies, with all mailboxes below it; other programs may go on using it. No message's \
            bytes are ever changed.

            Of an IMAP account helix keeps a Maildir of its own that 'helix sync' makes the same as the server. Passwords \
            are never kept by helix: name a command that prints yours, or use the system's keyring.

            Calendars come from a CalDAV server, from a folder that khal, todoman or vdirsyncer use (vdir), or from an \
            address at which somebody publishes one (webcal). 'helix sync' keeps helix's calendars the same.

              helix account add home maildir ~/Mail
              helix account add work imap --address ana@example.org --imap-host imap.example.org \\
                  --smtp-host smtp.example.org --password-command 'pass show mail'
              helix account add cal caldav https://dav.example.org/ --user ana --password-command 'pass show dav'
              helix account add khal vdir ~/.calendars
              helix account add days webcal https://example.org/holidays.ics
            """)

    @Argument(help: "What to call it.")
    var name: String

    @Argument(help: "Its kind: maildir, imap, caldav, vdir or webcal.")
    var kind: String

    @Argument(help: "The folder or address, of all but imap.", completion: .directory)
    var path: String?

    @OptionGroup var servers: ServerOptions
    @OptionGroup var syncing: SyncingOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        switch MailAccount.Kind(rawValue: kind) {
        case .maildir?: try addMaildir(in: context)
        case .imap?: try addIMAP(in: context)
        case .caldav?: try addCalendars(.caldav, in: context)
        case .webcal?: try addCalendars(.webcal, in: context)
        case .vdir?: try addFolder(in: context)
        default:
            throw HelixError(
                .usage, "helix knows no accounts of the kind '\(kind)'",
                hint: "There are: maildir, imap, caldav, vdir, webcal.")
        }
    }

    private func addMaildir(in context: CommandContext) throws {
        guard let path else {
            throw HelixError(.usage, "a Maildir lies in a folder", hint: "helix account add \(name) maildir ~/Mail")
        }
        guard servers.isEmpty, syncing.isEmpty else {
            throw HelixError(.usage, "a Maildir has no servers", hint: "For those: helix account add \(name) imap …")
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

    private func addIMAP(in context: CommandContext) throws {
        if let path {
            throw HelixError(
                .usage, "an IMAP account has no folder of yours ('\(path)')", hint: "helix keeps one itself.")
        }
        var settings = AccountSettings()
        try servers.apply(to: &settings, in: context)
        try syncing.apply(to: &settings, of: .imap)
        guard settings.imap != nil else {
            throw HelixError(.usage, "no server is named where mail is read", hint: "Name it: --imap-host HOST.")
        }
        guard !settings.login.isEmpty else {
            throw HelixError(
                .usage, "nobody is named who signs in", hint: "Name the address: --address ana@example.org.")
        }
        guard settings.passwordCommand != nil || settings.tokenCommand != nil || servers.keyring else {
            throw HelixError(
                .usage, "there is no way to get the password",
                hint: "Name a command that prints it: --password-command 'pass show mail'.")
        }
        let store = try context.store()
        let known = settings
        try servers.keepPassword(for: name)
        _ = try store.change("add account '\(name)'", command: "account add") { change in
            try change.addMailAccount(name, kind: .imap, path: store.localMail + "/" + name, settings: known)
        }
        let account = try store.mailAccount(named: name)
        try store.prepareFolder(of: account)
        try context.presentAccounts([account])
        context.note(StyledText("Next: 'helix account check \(name)' tries it, 'helix sync' fetches the mail.", .dim))
    }
}

extension AccountAdd {
    private func addCalendars(_ kind: MailAccount.Kind, in context: CommandContext) throws {
        guard let path, let url = URL(string: path), let scheme = url.scheme, let host = url.host else {
            throw HelixError(
                .usage, "an account of the kind '\(kind.rawValue)' has an address",
                hint: "helix account add \(name) \(kind.rawValue) https://example.org/")
        }
        guard ["https", "http"].contains(scheme) || kind == .webcal && scheme == "webcal" else {
            throw HelixError(.usage, "'\(path)' is no address that helix can reach", hint: "It begins with https://.")
        }
        guard url.user == nil, url.password == nil else {
            throw HelixError(
                .usage, "the address has a user name or a password in it",
                hint: "Say them with --user and --password-command.")
        }
        guard servers.imapHost == nil, servers.smtpHost == nil, servers.sendmail == nil else {
            throw HelixError(.usage, "a calendar has no mail servers", hint: "Mail has accounts of its own.")
        }
        var settings = AccountSettings()
        try servers.apply(to: &settings, in: context)
        try syncing.apply(to: &settings, of: kind)
        settings.url = path
        if !settings.login.isEmpty, settings.passwordCommand == nil, settings.tokenCommand == nil, !servers.keyring {
            throw HelixError(
                .usage, "there is no way to get the password of '\(settings.login)'",
                hint: "Name a command that prints it: --password-command 'pass show dav'.")
        }
        if scheme == "http", !Endpoint.isLoopback(host), !settings.login.isEmpty {
            throw HelixError(.usage, "a password would go to \(host) in the clear", hint: "Use https://.")
        }
        try add(kind, path: path, settings, in: context)
    }

    private func addFolder(in context: CommandContext) throws {
        guard let path, servers.isEmpty else {
            throw HelixError(
                .usage, "a vdir lies in a folder, and has no servers",
                hint: "helix account add \(name) vdir ~/.calendars")
        }
        let folder = URL(fileURLWithPath: UserPath.expanded(path, context.environment)).resolvingSymlinksInPath().path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw HelixError(
                .notFound, "there is no folder \(folder)", hint: "Name the folder that has your calendars.")
        }
        var settings = AccountSettings()
        try syncing.apply(to: &settings, of: .vdir)
        try add(.vdir, path: folder, settings, in: context)
    }

    private func add(
        _ kind: MailAccount.Kind, path: String, _ settings: AccountSettings, in context: CommandContext
    ) throws {
        let store = try context.store()
        try servers.keepPassword(for: name)
        _ = try store.change("add account '\(name)'", command: "account add") { change in
            try change.addMailAccount(name, kind: kind, path: path, settings: settings)
        }
        try context.presentAccounts([try store.account(named: name)])
        context.note(
            StyledText("Next: 'helix account check \(name)' tries it, 'helix sync' fetches the calendars.", .dim))
    }
}

/// `helix account edit`
struct AccountEdit: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "edit", abstract: "Change how an account's servers are reached.",
        discussion: """
              helix account edit work --smtp-host smtp.example.org --smtp-port 587
              helix account edit work --password-command 'secret-tool lookup mail work'
              helix account edit cal --strategy ask
            """)

    @Argument(help: "Its name.", completion: .custom(CompletionLists.allAccounts))
    var name: String

    @OptionGroup var servers: ServerOptions
    @OptionGroup var syncing: SyncingOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let account = try store.account(named: name)
        guard !servers.isEmpty || !syncing.isEmpty else {
            throw HelixError(.usage, "nothing is said that should change", hint: "helix account edit --help")
        }
        if account.kind != .imap, servers.imapHost != nil || servers.imapPort != nil || servers.imapSecurity != nil {
            throw HelixError(.usage, "'\(account.name)' is a folder, and reads no mail from a server")
        }
        var settings = account.settings
        try servers.apply(to: &settings, in: context)
        try syncing.apply(to: &settings, of: account.kind)
        let known = settings
        try servers.keepPassword(for: account.name)
        try store.change("edit account '\(account.name)'", command: "account edit") { change in
            try change.setSettings(known, of: account.id)
        }
        try context.presentAccounts([try store.account(named: account.name)])
    }
}

/// `helix account check`
struct AccountCheck: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "check", abstract: "Try each step that an account needs, and say which one fails.",
        discussion: "  helix account check work")

    @Argument(help: "Its name.", completion: .custom(CompletionLists.allAccounts))
    var name: String

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let account = try context.store().account(named: name)
        let steps = AccountSteps.check(account)
        try context.present(AccountCheckReport(items: steps.map { AccountCheckItem(step: $0) }))
        if let failure = steps.compactMap(\.failure).first {
            throw HelixError(
                failure.code, "'\(account.name)' does not work yet: \(failure.message)", hint: failure.hint)
        }
    }
}

/// A step in a report.
struct AccountCheckItem: ReportItem {
    let step: AccountStep

    static let fields = [
        SchemaField("kind", .choice(["step"]), "What the item is."),
        SchemaField("step", .string, "What was tried."),
        SchemaField("ok", .bool, "Whether it worked."),
        SchemaField("detail", .string, "What was found, or why it did not work."),
        SchemaField("links", .array(.string), "Always empty."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        json.set("kind", "step")
        json.set("step", step.name)
        json.set("ok", step.failure == nil)
        json.set("detail", step.failure?.message ?? step.detail)
        json.set("links", [String]())
        return json
    }
}

/// What was tried.
struct AccountCheckReport: CuttableReport {
    static let schema = "helix.account.check/1"
    var items: [AccountCheckItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var table = Table([.init(), .init(), .init(minimum: 20)])
        for item in items {
            let isGood = item.step.failure == nil
            table.row([
                StyledText(isGood ? "✓" : "✗", TextStyle(isGood ? .green : .red)),
                StyledText(item.step.name, .bold), StyledText(item.step.failure == nil ? item.step.detail : "failed"),
            ])
        }
        table.draw(on: &canvas)
        // What went wrong is said in full.
        for failure in items.compactMap(\.step.failure) {
            canvas.paragraph("  " + failure.message, style: TextStyle(.red))
        }
    }
}
