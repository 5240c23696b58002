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
        return kind.form.isComplete(self)
    }

    /// Whether a source of the password is given.
    var hasPassword: Bool {
        servers.passwordCommand != nil || servers.tokenCommand != nil || servers.keyring || oauth.oauth != nil
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
        guard oauth.isEmpty || kind.hasMailServer || kind == .caldav || kind == .carddav else {
            throw HelixError(.usage, "an account of type '\(kind.rawValue)' cannot sign in by OAuth 2.0")
        }
        try kind.form.prepare(&self, name, context)
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

    /// The path of an existing folder.
    static func folder(_ path: String, _ context: CommandContext, _ hint: String) throws -> String {
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
