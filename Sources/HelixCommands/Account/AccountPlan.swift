import Foundation
import HelixModel
import HelixNetwork
import HelixStore
import HelixSync
import HelixTerminal

/// An account that is to be added.
struct AccountPlan {
    var name: String?
    var kind: MailAccount.Kind?
    /// The folder or address, of all but IMAP.
    var path: String?
    var servers: ServerOptions
    var syncing: SyncingOptions
    var oauth = OAuthOptions.none
    var settings = AccountSettings()
    /// What goes to the system's keyring.
    var password: String?

    init(
        name: String?, path: String?, servers: ServerOptions, syncing: SyncingOptions,
        oauth: OAuthOptions = .none
    ) {
        (self.name, self.path, self.servers, self.syncing) = (name, path, servers, syncing)
        self.oauth = oauth
    }

    /// Whether all is said that an account of its kind needs.
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

    /// Checks all of it, and finds what is not said.
    /// - Throws: ``HelixError``.
    mutating func prepare(in context: CommandContext) throws {
        guard let kind else { return }
        if name == nil, let address = servers.address { name = AccountPlan.name(for: address) }
        guard let name else { throw HelixError(.usage, "the account has no name") }
        guard !AccountPlan.verbs.contains(name.lowercased()) else {
            throw HelixError(.usage, "'helix sync \(name)' means something else", hint: "Give it another name.")
        }
        guard oauth.isEmpty || kind.hasMailServer || kind == .caldav else {
            throw HelixError(.usage, "an account of the kind '\(kind.rawValue)' does not sign in by OAuth 2.0")
        }
        switch kind {
        case .maildir: try prepareMaildir(name, context)
        case .imap: try prepareIMAP(name, context)
        case .jmap: try prepareJMAP(name, context)
        case .caldav, .webcal: try prepareCalendars(kind, name, context)
        case .vdir: try prepareFolder(name, context)
        case .gateway: try prepareGateway(name, context)
        case .local: throw HelixError(.usage, "helix makes its own mailboxes itself")
        }
    }

    /// What comes after 'helix sync' and is no account.
    private static let verbs = ["run", "conflicts", "resolve", "help"]

    /// `example` of `ana@mail.example.org`
    static func name(for address: String) -> String {
        let parts = address.split(separator: "@").last?.split(separator: ".") ?? []
        // An address of numbers says nothing to people.
        if parts.allSatisfy({ $0.allSatisfy(\.isNumber) }) { return "server" }
        let name = parts.count > 1 ? parts[parts.count - 2] : parts.first ?? "mail"
        return String(name.lowercased().prefix(40))
    }

    private mutating func prepareMaildir(_ name: String, _ context: CommandContext) throws {
        guard let given = path else {
            throw HelixError(.usage, "a Maildir lies in a folder", hint: "helix account add \(name) maildir ~/Mail")
        }
        guard servers.isEmpty, syncing.isEmpty else {
            throw HelixError(.usage, "a Maildir has no servers", hint: "For those: helix account add \(name) imap …")
        }
        let folder = try AccountPlan.folder(given, context, "Name the Maildir that your mail lies in.")
        guard try Store.hasMailbox(below: folder) else {
            throw HelixError(
                .notFound, "there is no Maildir in \(folder)",
                hint: "A mailbox is a folder with cur, new and tmp in it; none is in it or below it.")
        }
        path = folder
    }

    private mutating func prepareIMAP(_ name: String, _ context: CommandContext) throws {
        if let path {
            throw HelixError(
                .usage, "an IMAP account has no folder of yours ('\(path)')", hint: "helix keeps one itself.")
        }
        try servers.apply(to: &settings, in: context)
        try syncing.apply(to: &settings, of: .imap)
        try oauth.apply(to: &settings, forCalendars: false, beside: servers, in: context)
        guard !settings.login.isEmpty else {
            throw HelixError(
                .usage, "nobody is named who signs in", hint: "Name the address: --address ana@example.org.")
        }
        let hasSecret = settings.passwordCommand != nil || settings.tokenCommand != nil || servers.keyring
        guard hasSecret || settings.oauth != nil else {
            let provider = OAuthProvider.serving(host: settings.imap?.host, address: settings.address)
            throw HelixError(
                .usage, "there is no way to get the password",
                hint: "Name a command that prints it: --password-command 'pass show mail'."
                    + (provider.map { " \($0.title) signs in by --oauth \($0.name)." } ?? ""))
        }
        if settings.imap == nil { try findServers(context) }
    }

    /// Takes the servers that the address's domain names.
    private mutating func findServers(_ context: CommandContext) throws {
        guard let address = settings.address else {
            throw HelixError(.usage, "no server is named where mail is read", hint: "Name it: --imap-host HOST.")
        }
        let found = try context.servers(of: address, authorities: settings.authorities)
        guard let imap = found.imap else {
            throw HelixError(
                .notFound, "no servers of '\(address)' were found", hint: "Name them: --imap-host and --smtp-host.")
        }
        let names = [imap, found.smtp].compactMap { $0.map { "\($0.host):\($0.port)" } }.joined(separator: " and ")
        // Who forges an answer of the domain name system would be given the password.
        guard found.isCertain else {
            throw HelixError(
                .notAllowed, "\(found.source) names \(names), which may be right, and is not certain",
                hint: "If it is right: --imap-host \(imap.host) --imap-port \(imap.port)"
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
        _ kind: MailAccount.Kind, _ name: String, _ context: CommandContext
    ) throws {
        if kind == .caldav { try findCalendars(context) }
        guard let path else {
            throw HelixError(
                .usage, "an account of the kind '\(kind.rawValue)' has an address",
                hint: "helix account add \(name) \(kind.rawValue) https://example.org/")
        }
        guard let url = URL(string: path), let scheme = url.scheme, let host = url.host else {
            throw HelixError(.usage, "'\(path)' is no address of a server", hint: "It begins with https://.")
        }
        guard ["https", "http"].contains(scheme) || kind == .webcal && scheme == "webcal" else {
            throw HelixError(.usage, "'\(path)' is no address that helix can reach", hint: "It begins with https://.")
        }
        guard url.user == nil, url.password == nil else {
            throw HelixError(
                .usage, "the address has a user name or a password in it",
                hint: "Say them with --user and --password-command.")
        }
        guard servers.imapHost == nil, servers.smtpHost == nil, servers.sendmail == nil, servers.bodies == nil,
            servers.mailboxes == nil, servers.sentCopy == nil, servers.compress == nil
        else {
            throw HelixError(.usage, "a calendar has no mail servers", hint: "Mail has accounts of its own.")
        }
        if kind == .webcal, let same = try context.store().accounts().first(where: { $0.settings.url == path }) {
            throw HelixError(
                .conflict, "'\(same.name)' has that address already",
                hint: "'helix account edit \(same.name)' changes it.")
        }
        try servers.apply(to: &settings, in: context)
        try syncing.apply(to: &settings, of: kind)
        settings.url = path
        try oauth.apply(to: &settings, forCalendars: true, beside: servers, in: context)
        if !settings.login.isEmpty, settings.oauth == nil, settings.passwordCommand == nil,
            settings.tokenCommand == nil, !servers.keyring
        {
            throw HelixError(
                .usage, "there is no way to get the password of '\(settings.login)'",
                hint: "Name a command that prints it: --password-command 'pass show dav'.")
        }
        if scheme == "http", !Endpoint.isLoopback(host), !settings.login.isEmpty {
            throw HelixError(.usage, "a password would go to \(host) in the clear", hint: "Use https://.")
        }
    }

    /// Takes the server of calendars that a mail address's domain names.
    private mutating func findCalendars(_ context: CommandContext) throws {
        let given = path ?? servers.address
        guard let given, given.contains("@"), !given.contains("/") else { return }
        let found = try context.servers(of: given, authorities: servers.ca)
        guard let calendars = found.calendars else {
            throw HelixError(
                .notFound, "no server of calendars was found for '\(given)'",
                hint: "Name its address: helix account add NAME caldav https://dav.example.org/")
        }
        guard found.isCertain else {
            throw HelixError(
                .notAllowed, "\(found.source) names \(calendars), which may be right, and is not certain",
                hint: "If it is right, name it instead of '\(given)'.")
        }
        path = calendars
        servers.address = nil
        if servers.user == nil { servers.user = given }
        context.note(StyledText("Found \(calendars) by \(found.source).", .dim))
    }

    private mutating func prepareFolder(_ name: String, _ context: CommandContext) throws {
        guard let given = path, servers.isEmpty else {
            throw HelixError(
                .usage, "a vdir lies in a folder, and has no servers",
                hint: "helix account add \(name) vdir ~/.calendars")
        }
        path = try AccountPlan.folder(given, context, "Name the folder that has your calendars.")
        try syncing.apply(to: &settings, of: .vdir)
    }

    private static func folder(_ path: String, _ context: CommandContext, _ hint: String) throws -> String {
        let folder = URL(fileURLWithPath: UserPath.expanded(path, context.environment)).resolvingSymlinksInPath().path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw HelixError(.notFound, "there is no folder \(folder)", hint: hint)
        }
        return folder
    }

    /// Adds it, and says so.
    /// - Throws: ``HelixError``.
    func add(in context: CommandContext) throws {
        guard let name, let kind else { throw HelixError(.usage, "the account has no name") }
        let store = try context.store()
        if context.isDryRun {
            // No password is asked for that is not kept.
        } else if let password {
            try Secrets.keep(password, for: name)
        } else {
            try servers.keepPassword(for: name)
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

    /// Finds servers by what domains publish.
    func discovery(_ authorities: String?) throws -> ServerDiscovery {
        try ServerDiscovery(
            nameServer: environment["HELIX_NAMESERVER"], autoconfig: environment["HELIX_AUTOCONFIG"],
            authorities: authorities)
    }
}
