import ArgumentParser
import FoundationEssentials
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix account`
struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Manage mail, calendar and gateway accounts.",
        subcommands: [
            AccountAdd.self, AccountEdit.self, AccountSignIn.self, AccountCheck.self, AccountList.self,
            AccountShow.self,
            AccountRemove.self,
        ])
}

/// `helix account list`
struct AccountList: ListingCommand {
    static let about = CommandConfiguration(commandName: "list", abstract: "List the accounts.")
    static let reports: [PrintedReport] = [.json(AccountReport.self)]

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws { try context.presentAccounts(try context.store().accounts()) }
}

/// `helix account show`
struct AccountShow: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "show", abstract: "Show the settings of an account.",
        discussion: "  helix account show work")
    static let reports: [PrintedReport] = [.json(AccountReport.self)]

    @Argument(help: "The account.", completion: .custom(CompletionLists.allAccounts))
    var name: String

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.presentAccounts([try context.store().account(named: name)], isWhole: true)
    }
}

extension CommandContext {
    /// Prints accounts.
    /// - Throws: ``HelixError``.
    func presentAccounts(_ accounts: [Account], isWhole: Bool = false) throws {
        let boxes = try store().mailboxes()
        let items = accounts.map { account in
            let own = boxes.filter { $0.account == account.name }
            return AccountItem(
                account: account, mailboxes: own.count, count: own.reduce(0) { $0 + $1.count },
                unread: own.reduce(0) { $0 + $1.unread })
        }
        try present(AccountReport(items: items, isWhole: isWhole))
    }
}

/// `helix account remove`
struct AccountRemove: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "remove", abstract: "Remove an account; its files are kept.",
        discussion: "  helix account remove home --yes")
    static let reports: [PrintedReport] = [.json(AccountReport.self)]

    @Argument(help: "The account.", completion: .custom(CompletionLists.allAccounts))
    var name: String

    @Flag(name: [.long, .customShort("y")], help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let account = try store.account(named: name)
        // The mail that a gateway keeps is synced through it.
        let served = try store.accounts().filter {
            account.kind == .gateway && $0.settings.servedMail?.gateway == account.id.text
        }
        let ids = Set(([account] + served).map(\.id))
        let waiting = try store.outbox().filter { ids.contains($0.account) }.count
        if waiting > 0 {
            throw HelixError(
                .conflict, "\(waiting) message\(waiting == 1 ? " is" : "s are") queued to send from '\(account.name)'",
                hint: "Send them with 'helix sync' or cancel them first; 'helix outbox' lists them.")
        }
        let others = served.map { "'\($0.name)'" }.joined(separator: ", ")
        let question =
            served.isEmpty
            ? "Remove '\(account.name)'? The files in \(account.path) are kept."
            : "Remove '\(account.name)', and \(others), whose mail it keeps? The files here are kept."
        try context.confirm(question, yes: yes)
        let owner = try store.accounts().first { $0.id.text == account.settings.servedMail?.gateway }
        try store.change("remove account '\(account.name)'", command: "account remove") { change in
            for one in served + [account] { try change.removeMailAccount(one.id) }
            // The next sync with the gateway would add it again.
            if var owner {
                owner.settings.leaveOut(mailAccount: account.settings.login)
                try change.setSettings(owner.settings, of: owner.id)
            }
        }
        if account.settings.oauth != nil, !context.isDryRun { context.signOut(account) }
        if account.kind == .gateway, !context.isDryRun { context.signOutOfGateway(account) }
        if let owner {
            context.note(
                StyledText(
                    "The gateway still has its mail. To add it again: helix account edit \(owner.name) --mail-accounts all",
                    .dim))
        }
        try context.present(AccountReport(items: [], removed: account.name))
    }
}

extension CommandContext {
    /// Ends this device's session at a gateway, and prints why if that fails.
    fileprivate func signOutOfGateway(_ account: Account) {
        do {
            if try gatewayAccess(account).signOut() {
                note(StyledText("This device is signed out of the gateway.", .dim))
            }
        } catch {
            let reason = (error as? HelixError)?.message ?? "\(error)"
            note(
                StyledText(
                    "The token was deleted locally, but not revoked at the gateway: \(reason). "
                        + "Revoke this device there: helix gateway devices", TextStyle(.yellow)))
        }
    }

    /// Revokes OAuth 2.0 tokens, and prints the result.
    fileprivate func signOut(_ account: Account) {
        do {
            guard let isRevoked = try OAuthAccess(account).signOut() else { return }
            let provider = account.settings.oauth?.provider ?? ""
            note(
                StyledText(
                    isRevoked
                        ? "The tokens were revoked at \(provider)."
                        : "The tokens were deleted locally; \(provider) cannot revoke them: do so on its account page.",
                    .dim))
        } catch {
            let reason = (error as? HelixError)?.message ?? "\(error)"
            note(
                StyledText(
                    "The tokens were deleted locally, but not revoked: \(reason). Do so on the provider's page.",
                    TextStyle(.yellow)))
        }
    }
}

/// An account in a report.
struct AccountItem: DescribedItem {
    let account: Account
    let mailboxes: Int
    let count: Int
    let unread: Int

    static let described = list {
        Field("kind", .choice(["account"]), "The kind of the item.") { _ in EntityKind.account.rawValue }
        Field("id", .id, "The identity.") { $0.account.id }
        Field("name", .string, "Name.") { $0.account.name }
        Field("type", .choice(Account.Kind.allCases.map(\.rawValue)), "The account type.") { $0.account.kind.rawValue }
        Field("path", .string, "The folder.") { $0.account.path }
        Field("address", .string, required: false, "Your mail address.") { $0.account.settings.address }
        Field("user", .string, required: false, "The user name.") {
            $0.account.settings.login.isEmpty ? nil : $0.account.settings.login
        }
        Field("url", .string, required: false, "The URL of the server.") { $0.account.settings.url }
        Field("oauth", .string, required: false, "The OAuth 2.0 provider.") { $0.account.settings.oauth?.provider }
        Field("imap", .string, required: false, "The server for reading mail: 'host:port tls'.") {
            text($0.account.settings.imap)
        }
        Field("smtp", .string, required: false, "The server for sending mail.") {
            text($0.account.settings.smtp) ?? $0.account.settings.sendmail
        }
        Field("bodies", .string, required: false, "The messages that are fetched in full, if not all.") {
            $0.account.settings.bodies
        }
        Field(
            "synced", .string, required: false,
            "The mailboxes, calendars or mail accounts that are synced, if not all."
        ) { $0.account.settings.mailboxes ?? $0.account.settings.calendars ?? $0.account.settings.mailAccounts }
        Field(
            "sent_copy", .choice(["auto", "yes", "no"]), required: false,
            "Who saves a copy of sent mail: helix (yes), the server (no), or auto."
        ) { $0.account.kind.hasMailServer ? $0.account.settings.sentCopy?.rawValue ?? "auto" : nil }
        Field(
            "compress", .choice(["auto", "yes", "no"]), required: false,
            "Whether the connection to the IMAP server is compressed."
        ) { $0.account.kind == .imap ? $0.account.settings.compresses.map { $0 ? "yes" : "no" } ?? "auto" : nil }
        Field("strategy", .string, required: false, "The conflict strategy.") {
            let account = $0.account
            return account.kind.hasCalendars || account.kind == .gateway && account.settings.user != nil
                ? (account.settings.strategy ?? .merge).rawValue : nil
        }
        Field("read_only", .bool, "Whether the server is never written to.") { $0.account.settings.isReadOnly == true }
        Field("ca", .string, required: false, "The CA certificates to trust instead of the system's.") {
            $0.account.settings.authorities
        }
        Field("mailboxes", .integer, "The number of mailboxes.") { $0.mailboxes }
        Field("messages", .integer, "The number of messages.") { $0.count }
        Field("unread", .integer, "The number of unread messages.") { $0.unread }
        Field("links", .array(.id), "The identities of linked entities.") { _ in [String]() }
    }

    private static func text(_ server: AccountSettings.Server?) -> String? {
        server.map { "\($0.host):\($0.port) \($0.security)" }
    }
}

extension AccountItem {
    /// Draws all settings, one per line.
    func draw(on canvas: inout Canvas) {
        let settings = account.settings
        func text(_ server: AccountSettings.Server?) -> String? {
            server.map { "\($0.host):\($0.port) (\($0.security))" }
        }
        var lines: [(String, String?)] = [
            ("kind", account.kind.rawValue), ("address", settings.address),
            ("user name", settings.login.isEmpty || settings.servedMail != nil ? nil : settings.login),
            (
                "server",
                settings.servedMail == nil ? settings.url : "a gateway, which keeps this mail as '\(settings.login)'"
            ),
            ("reading", text(settings.imap)),
            (
                "sending",
                text(settings.smtp) ?? settings.sendmail ?? (settings.submits == true ? "by the same server" : nil)
            ),
        ]
        let password: String? =
            settings.oauth.map { "OAuth 2.0 at \($0.provider)" } ?? settings.tokenCommand.map {
                "a token printed by: \($0)"
            }
            ?? settings.passwordCommand.map { "printed by: \($0)" }
            ?? (settings.usesKeyring == true ? "in the system's keyring" : nil)
        lines.append(("password", password))
        lines.append(("trusts", settings.authorities))
        if account.kind.hasCalendars || account.kind == .gateway && settings.user != nil {
            lines.append(("conflicts", (settings.strategy ?? .merge).rawValue))
        } else {
            lines.append(("full messages", account.kind.hasMailServer ? settings.bodies ?? "all" : nil))
        }
        lines.append(("synced", settings.mailboxes ?? settings.calendars ?? settings.mailAccounts))
        lines.append(("sent copies", settings.sentCopy?.rawValue))
        lines.append(("compression", settings.compresses.map { $0 ? "yes" : "no" }))
        if settings.isReadOnly == true { lines.append(("read only", "the server is never written to")) }
        lines.append(("folder", account.path.isEmpty || account.path == settings.url ? nil : account.path))
        canvas.line(StyledText(account.name, .bold))
        for case (let name, let value?) in lines {
            let label = name.padded(15)
            let whole = StyledText("  " + label, .dim) + StyledText(value)
            if whole.width <= canvas.width {
                canvas.line(whole)
            } else {
                canvas.line(StyledText("  " + name, .dim))
                canvas.paragraph(value, indent: 4)
            }
        }
    }
}

/// A report of accounts.
struct AccountReport: CuttableReport {
    static let schema = "helix.account.list/1"
    var items: [AccountItem]
    var isTruncated = false
    var removed: String?
    /// Whether all settings are shown.
    var isWhole = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if let removed {
            canvas.line("Removed '\(removed)'; its files are kept. 'helix undo' restores it.")
            return
        }
        if items.isEmpty {
            canvas.paragraph("No accounts yet. 'helix account add home maildir ~/Mail' adds one.", style: .dim)
            return
        }
        if isWhole {
            for item in items { item.draw(on: &canvas) }
            return
        }
        func hasMail(_ item: AccountItem) -> Bool { item.account.kind.hasMail }
        func number(_ count: Int, _ item: AccountItem) -> StyledText { StyledText(hasMail(item) ? "\(count)" : "") }
        var table = Table([
            .init("name"), .init("kind"), .init("messages", right: true), .init("unread", right: true),
            .init("mailboxes", right: true, importance: 1), .init("place", minimum: 8, importance: 2),
        ])
        for item in items {
            table.row([
                StyledText(item.account.name, .bold), StyledText(item.account.kind.rawValue),
                number(item.count, item),
                StyledText(hasMail(item) ? "\(item.unread)" : "", item.unread > 0 ? .bold : .dim),
                number(item.mailboxes, item), StyledText(item.account.path, .dim),
            ])
        }
        table.draw(on: &canvas)
    }
}
