import FoundationEssentials
import HelixModel
import HelixNetwork
import HelixStore
import HelixSync
import HelixTerminal

/// An account to add.
struct AccountPlan {
    var name: String?
    var kind: Account.Kind?
    /// The folder or address; unused for IMAP.
    var path: String?
    var servers: ServerOptions
    var syncing: SyncingOptions
    var oauth = OAuthOptions.none
    var settings = AccountSettings()
    /// The password to store in the system's keyring.
    var password: String?

    init(
        name: String?, path: String?, servers: ServerOptions, syncing: SyncingOptions,
        oauth: OAuthOptions = .none
    ) {
        (self.name, self.path, self.servers, self.syncing) = (name, path, servers, syncing)
        self.oauth = oauth
    }

    /// Whether everything is given that an account of its type needs.
    var isComplete: Bool {
        guard let kind, name != nil || servers.address != nil else { return false }
        let hasPassword =
            servers.passwordCommand != nil || servers.tokenCommand != nil || servers.keyring || oauth.oauth != nil
        switch kind {
        case .jmap: return (path != nil || servers.address != nil) && hasPassword
        case .imap: return (servers.address != nil || servers.imapHost != nil) && hasPassword || path != nil
        case .caldav: return path != nil || servers.address != nil
        case .maildir, .vdir, .webcal, .gateway: return path != nil
        case .local: return false
        }
    }

    /// Checks the plan, and fills in missing settings.
    /// - Throws: ``HelixError``.
    mutating func prepare(in context: CommandContext) throws {
        guard let kind else { return }
        if name == nil, let address = servers.address { name = AccountPlan.name(for: address) }
        guard let name else { throw HelixError(.usage, "the account has no name") }
        guard !AccountPlan.verbs.contains(name.lowercased()) else {
            throw HelixError(.usage, "the name '\(name)' is a subcommand of 'helix sync'", hint: "Choose another name.")
        }
        guard oauth.isEmpty || kind.hasMailServer || kind == .caldav else {
            throw HelixError(.usage, "an account of type '\(kind.rawValue)' cannot sign in by OAuth 2.0")
        }
        switch kind {
        case .maildir: try prepareMaildir(name, context)
        case .imap: try prepareIMAP(name, context)
        case .jmap: try prepareJMAP(name, context)
        case .caldav, .webcal: try prepareCalendars(kind, name, context)
        case .vdir: try prepareFolder(name, context)
        case .gateway: try prepareGateway(name, context)
        case .local: throw HelixError(.usage, "the local mailboxes are created by helix itself")
        }
    }

    /// The subcommands of 'helix sync', which cannot be account names.
    private static let verbs = ["run", "conflicts", "resolve", "help"]

    /// `example` of `ana@mail.example.org`
    static func name(for address: String) -> String {
        let parts = address.split(separator: "@").last?.split(separator: ".") ?? []
        // A numeric address is no readable name.
        if parts.allSatisfy({ $0.allSatisfy(\.isNumber) }) { return "server" }
        let name = parts.count > 1 ? parts[parts.count - 2] : parts.first ?? "mail"
        return String(name.lowercased().prefix(40))
    }

    private mutating func prepareMaildir(_ name: String, _ context: CommandContext) throws {
        guard let given = path else {
            throw HelixError(.usage, "no Maildir folder given", hint: "Use helix account add \(name) maildir ~/Mail")
        }
        guard servers.isForSending, syncing.isEmpty else {
            throw HelixError(
                .usage, "a Maildir has no server for reading mail", hint: "Use helix account add \(name) imap …")
        }
        try servers.apply(to: &settings, in: context)
        let folder = try AccountPlan.folder(given, context, "Give the folder of your Maildir.")
        guard try Store.hasMailbox(below: folder) else {
            throw HelixError(
                .notFound, "no Maildir in \(folder)",
                hint: "Give a folder with a mailbox in it or below it: a folder with cur, new and tmp.")
        }
        path = folder
    }

    private mutating func prepareIMAP(_ name: String, _ context: CommandContext) throws {
        if let path {
            throw HelixError(
                .usage, "an IMAP account takes no folder ('\(path)')", hint: "Omit it; helix manages its own.")
        }
        try servers.apply(to: &settings, in: context)
        try syncing.apply(to: &settings, of: .imap)
        try oauth.apply(to: &settings, forCalendars: false, beside: servers, in: context)
        guard !settings.login.isEmpty else {
            throw HelixError(
                .usage, "no user name given", hint: "Set the address: --address ana@example.org.")
        }
        let hasSecret = settings.passwordCommand != nil || settings.tokenCommand != nil || servers.keyring
        guard hasSecret || settings.oauth != nil else {
            let provider = OAuthProvider.serving(host: settings.imap?.host, address: settings.address)
            throw HelixError(
                .usage, "no password source given",
                hint: "Set a command that prints it: --password-command 'pass show mail'."
                    + (provider.map { " \($0.title) signs in by --oauth \($0.name)." } ?? ""))
        }
        if settings.imap == nil { try findServers(context) }
    }

    /// Adopts the servers that the address's domain publishes.
    private mutating func findServers(_ context: CommandContext) throws {
        guard let address = settings.address else {
            throw HelixError(.usage, "no server for reading mail given", hint: "Set it with --imap-host HOST.")
        }
        let found = try context.servers(of: address, authorities: settings.authorities)
        guard let imap = found.imap else {
            throw HelixError(
                .notFound, "no servers found for '\(address)'", hint: "Set them with --imap-host and --smtp-host.")
        }
        let names = [imap, found.smtp].compactMap { $0.map { "\($0.host):\($0.port)" } }.joined(separator: " and ")
        // An attacker who forges a DNS answer would receive the password.
        guard found.isCertain else {
            throw HelixError(
                .notAllowed, "\(found.source) names \(names), which is not certain",
                hint: "If it is right, use --imap-host \(imap.host) --imap-port \(imap.port)"
                    + (found.smtp.map { " --smtp-host \($0.host) --smtp-port \($0.port)" } ?? "") + ".")
        }
        settings.imap = imap
        if settings.smtp == nil, settings.sendmail == nil { settings.smtp = found.smtp }
        if settings.user == nil { settings.user = found.user }
        context.note(StyledText("Found \(names) by \(found.source).", .dim))
        if let calendars = found.calendars {
            context.note(StyledText("Calendars: helix account add NAME caldav \(calendars)", .dim))
        }
    }

    private mutating func prepareCalendars(
        _ kind: Account.Kind, _ name: String, _ context: CommandContext
    ) throws {
        if kind == .caldav { try findCalendars(context) }
        guard let path else {
            throw HelixError(
                .usage, "an account of type '\(kind.rawValue)' needs an address",
                hint: "Use helix account add \(name) \(kind.rawValue) https://example.org/")
        }
        guard let url = URL(string: path), let scheme = url.scheme, let host = url.host else {
            throw HelixError(.usage, "'\(path)' is not a server address", hint: "Use an https:// address.")
        }
        guard ["https", "http"].contains(scheme) || kind == .webcal && scheme == "webcal" else {
            throw HelixError(.usage, "unsupported scheme in '\(path)'", hint: "Use an https:// address.")
        }
        guard url.user == nil, url.password == nil else {
            throw HelixError(
                .usage, "the address contains a user name or a password",
                hint: "Use --user and --password-command instead.")
        }
        guard servers.imapHost == nil, servers.smtpHost == nil, servers.sendmail == nil, servers.bodies == nil,
            servers.mailboxes == nil, servers.sentCopy == nil, servers.compress == nil
        else {
            throw HelixError(.usage, "a calendar has no mail servers", hint: "Add another account for mail.")
        }
        if kind == .webcal, let same = try context.store().accounts().first(where: { $0.settings.url == path }) {
            throw HelixError(
                .conflict, "the account '\(same.name)' has that address already",
                hint: "Change it with 'helix account edit \(same.name)'.")
        }
        try servers.apply(to: &settings, in: context)
        try syncing.apply(to: &settings, of: kind)
        settings.url = path
        try oauth.apply(to: &settings, forCalendars: true, beside: servers, in: context)
        if !settings.login.isEmpty, settings.oauth == nil, settings.passwordCommand == nil,
            settings.tokenCommand == nil, !servers.keyring
        {
            throw HelixError(
                .usage, "no source of the password of '\(settings.login)' given",
                hint: "Set a command that prints it: --password-command 'pass show dav'.")
        }
        if scheme == "http", !Endpoint.isLoopback(host), !settings.login.isEmpty {
            throw HelixError(.usage, "a password would be sent unencrypted to \(host)", hint: "Use https://.")
        }
    }

    /// Adopts the calendar server that a mail address's domain publishes.
    private mutating func findCalendars(_ context: CommandContext) throws {
        let given = path ?? servers.address
        guard let given, given.contains("@"), !given.contains("/") else { return }
        let found = try context.servers(of: given, authorities: servers.ca)
        guard let calendars = found.calendars else {
            throw HelixError(
                .notFound, "no calendar server found for '\(given)'",
                hint: "Give its address: helix account add NAME caldav https://dav.example.org/")
        }
        guard found.isCertain else {
            throw HelixError(
                .notAllowed, "\(found.source) names \(calendars), which is not certain",
                hint: "If it is right, give it instead of '\(given)'.")
        }
        path = calendars
        servers.address = nil
        if servers.user == nil { servers.user = given }
        context.note(StyledText("Found \(calendars) by \(found.source).", .dim))
    }

    private mutating func prepareFolder(_ name: String, _ context: CommandContext) throws {
        guard let given = path, servers.isEmpty else {
            throw HelixError(
                .usage, "a vdir needs a folder, and no servers",
                hint: "Use helix account add \(name) vdir ~/.calendars")
        }
        path = try AccountPlan.folder(given, context, "Give the folder of your calendars.")
        try syncing.apply(to: &settings, of: .vdir)
    }

    private static func folder(_ path: String, _ context: CommandContext, _ hint: String) throws -> String {
        let folder = URL(fileURLWithPath: UserPath.expanded(path, context.environment)).resolvingSymlinksInPath().path
        var isFolder = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder else {
            let exists = FileManager.default.fileExists(atPath: folder)
            throw HelixError(
                exists ? .usage : .notFound, exists ? "\(folder) is not a folder" : "no folder \(folder)", hint: hint)
        }
        return folder
    }

    /// Adds the account, and prints it.
    /// - Throws: ``HelixError``.
    func add(in context: CommandContext) throws {
        guard let name, let kind else { throw HelixError(.usage, "the account has no name") }
        let store = try context.store()
        if context.isDryRun {
            // A password that will not be stored is not prompted for.
        } else if let password {
            try Secrets.keep(password, for: name)
        } else {
            try servers.keepPassword(for: name, context.console)
        }
        let place = kind.hasMailServer ? store.localMail + "/" + name : path ?? ""
        let id = try store.change("add account '\(name)'", command: "account add") { change in
            try change.addMailAccount(name, kind: kind, path: place, settings: settings)
        }
        let account = try store.account(named: name)
        if kind.hasMailServer, !context.isDryRun { try store.prepareFolder(of: account) }
        guard kind == .maildir else { return try context.presentAccounts([account]) }
        let outcome = try context.indexing { try store.indexMail(account: id, waits: true, progress: $0) }
        try context.present(MailIndexReport(outcome: outcome))
    }
}

extension CommandContext {
    /// The servers of an address.
    /// - Throws: ``HelixError`` of code `configuration`.
    func servers(of address: String, authorities: String?) throws -> FoundServers {
        try discovery(authorities).find(address)
    }

    /// The discovery of servers that domains publish.
    func discovery(_ authorities: String?) throws -> ServerDiscovery {
        try ServerDiscovery(
            nameServer: environment["HELIX_NAMESERVER"], autoconfig: environment["HELIX_AUTOCONFIG"],
            authorities: authorities)
    }
}
