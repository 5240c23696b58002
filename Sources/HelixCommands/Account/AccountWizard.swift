import FoundationEssentials
import HelixModel
import HelixNetwork
import HelixStore
import HelixSync
import HelixSystem
import HelixTerminal

/// Prompts for the settings of an account, tests it, and adds it.
struct AccountWizard {
    let context: CommandContext
    var plan: AccountPlan
    /// The address of the same user's calendars.
    private var calendars: String?

    init(_ context: CommandContext, _ plan: AccountPlan) {
        self.context = context
        self.plan = plan
    }

    /// Prompts, tests and adds.
    /// - Throws: ``HelixError``; then nothing was added.
    mutating func run() throws {
        if plan.kind == nil { plan.kind = try askKind() }
        switch plan.kind {
        case .imap?: try askMail()
        case .jmap?: try askJMAP()
        case .caldav?: try askCalendars()
        case .webcal?:
            if plan.path == nil { plan.path = try ask("Address of the calendar", check: AccountWizard.isAddress) }
        case .maildir?: try askFolder("Folder of your mail", usual: ["~/Maildir", "~/Mail", "~/.mail"])
        case .vdir?:
            try askFolder(
                "Folder of your calendars", usual: ["~/.calendars", "~/.local/share/calendars", "~/.calendar"])
        case .gateway?: try askGateway()
        case .local?, nil: break
        }
        try askName()
        try askPassword()
        try finish()
    }

    // MARK: Questions

    func ask(_ question: String, usual: String? = nil, check: (String) -> String? = { _ in nil }) throws
        -> String
    {
        while true {
            guard let answer = context.console.line(question, usual: usual) else {
                throw HelixError(.usage, "nothing was added")
            }
            if answer.isEmpty {
                context.note(StyledText("A value is required; Ctrl-D cancels.", .dim))
                continue
            }
            guard let problem = check(answer) else { return answer }
            context.note(StyledText(problem, TextStyle(.yellow)))
        }
    }

    /// Prompts for one of several choices by its number.
    func choose(_ question: String, _ choices: [String], usual: Int = 1) throws -> Int {
        context.note(StyledText(question, .bold))
        for (place, choice) in choices.enumerated() { context.note(StyledText("  \(place + 1)  \(choice)")) }
        let answer = try ask("Number", usual: "\(usual)") { text in
            Int(text).map { (1...choices.count).contains($0) } ?? false ? nil : "A number from 1 to \(choices.count)."
        }
        return Int(answer) ?? usual
    }

    func agrees(_ question: String, usual: Bool = true) throws -> Bool {
        guard let answer = context.console.line(question + (usual ? " [Y/n]" : " [y/N]")) else {
            throw HelixError(.usage, "nothing was added")
        }
        return answer.isEmpty ? usual : answer.lowercased().hasPrefix("y")
    }

    private func askKind() throws -> Account.Kind {
        let kinds: [(Account.Kind, String)] = [
            (.imap, "mail on a server (IMAP and SMTP)"),
            (.caldav, "calendars and tasks on a server (CalDAV)"),
            (.maildir, "a mail folder on this machine (Maildir)"),
            (.vdir, "a calendar folder on this machine, as khal and vdirsyncer use (vdir)"),
            (.webcal, "a published calendar (webcal)"),
            (.gateway, "a gateway, for device sync and chat"),
            (.jmap, "mail on a JMAP server"),
        ]
        return kinds[try choose("What do you want to add?", kinds.map(\.1)) - 1].0
    }

    private static func isMailAddress(_ text: String) -> String? {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let isGood = parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !text.contains(where: \.isWhitespace)
        return isGood ? nil : "Enter a mail address like ana@example.org."
    }

    static func isAddress(_ text: String) -> String? {
        let parts = URLComponents(string: text)
        let isGood = ["http", "https", "webcal"].contains(parts?.scheme ?? "") && parts?.host?.isEmpty == false
        return isGood ? nil : "Enter an https:// address."
    }

    // MARK: Mail

    private mutating func askJMAP() throws {
        if plan.servers.address == nil {
            plan.servers.address = try ask("Your mail address", check: AccountWizard.isMailAddress)
        }
        if plan.path == nil, let address = plan.servers.address {
            context.note(StyledText("Looking for the server of \(address) …", .dim))
            let found = try context.discovery(plan.servers.ca).jmap(address)
            plan.path = try ask(
                "Address of the session, or of the server", usual: found?.url, check: AccountWizard.isAddress)
        }
    }

    private mutating func askMail() throws {
        if plan.servers.address == nil {
            plan.servers.address = try ask("Your mail address", check: AccountWizard.isMailAddress)
        }
        try plan.servers.apply(to: &plan.settings, in: context)
        guard plan.settings.imap == nil, let address = plan.settings.address else { return }
        context.note(StyledText("Looking for the servers of \(address) …", .dim))
        let found = try context.servers(of: address, authorities: plan.settings.authorities)
        calendars = found.calendars
        plan.settings.imap = found.imap
        if plan.settings.sendmail == nil { plan.settings.smtp = found.smtp }
        if plan.settings.user == nil { plan.settings.user = found.user }
        guard found.imap != nil else {
            context.note(StyledText("None found. Ask your provider for the servers.", TextStyle(.yellow)))
            return try typeServers()
        }
        showServers(found.source)
        if !found.isCertain {
            context.note(
                StyledText(
                    "The source is DNS, which can be forged: is this really your provider?",
                    TextStyle(.yellow)))
        }
        if try !agrees("Is this correct?") { try typeServers() }
    }

    private func showServers(_ source: String) {
        func line(_ what: String, _ server: AccountSettings.Server?) {
            guard let server else { return }
            context.note(StyledText("  \(what)  \(server.host):\(server.port) (\(server.security))"))
        }
        context.note(StyledText("Found by \(source):", .bold))
        line("reading  ", plan.settings.imap)
        line("sending  ", plan.settings.smtp)
        context.note(StyledText("  user name  \(plan.settings.login)"))
        if let calendars { context.note(StyledText("  calendars  \(calendars)")) }
    }

    /// Prompts for all server settings, with the known ones as defaults.
    mutating func typeServers() throws {
        plan.settings.imap = try typeServer("IMAP server", plan.settings.imap, tls: 993, start: 143)
        if try agrees("Send mail from this account?") {
            plan.settings.smtp = try typeServer("SMTP server", plan.settings.smtp, tls: 465, start: 587)
        } else {
            plan.settings.smtp = nil
        }
        let user = try ask("User name", usual: plan.settings.login)
        plan.settings.user = user == plan.settings.address ? nil : user
    }

    private func typeServer(
        _ question: String, _ known: AccountSettings.Server?, tls: Int, start: Int
    ) throws -> AccountSettings.Server {
        let host = try ask(question, usual: known?.host) { text in
            text.contains(where: { $0.isWhitespace || "/:@".contains($0) })
                ? "Enter a host name like imap.example.org." : nil
        }
        let port = try ask("  port", usual: "\(known?.port ?? tls)") { text in
            Int(text).map { (1...65_535).contains($0) } ?? false ? nil : "A number from 1 to 65535, like \(tls)."
        }
        let number = Int(port) ?? tls
        let usual = number == start ? "starttls" : known.flatMap { $0.port == number ? $0.security : nil } ?? "tls"
        let words = Endpoint.Security.allCases.map(\.rawValue)
        let security = try ask("  tls, starttls, or none on this machine", usual: usual) { text in
            if !words.contains(text) { return "Enter tls, starttls or none." }
            return text == "none" && !Endpoint.isLoopback(host) ? "The password would be sent unencrypted." : nil
        }
        return AccountSettings.Server(host: host, port: number, security: security)
    }

    // MARK: Calendars and folders

    private mutating func askCalendars() throws {
        if plan.path == nil {
            let answer = try ask("Address of the server, or your mail address") { text in
                AccountWizard.isAddress(text) == nil || AccountWizard.isMailAddress(text) == nil
                    ? nil : "Enter https://dav.example.org/ or ana@example.org, for example."
            }
            if AccountWizard.isAddress(answer) == nil {
                plan.path = answer
            } else {
                context.note(StyledText("Looking for the calendars of \(answer) …", .dim))
                let found = try context.servers(of: answer, authorities: plan.servers.ca)
                if found.calendars == nil {
                    context.note(
                        StyledText("None found. Ask your provider for the address.", TextStyle(.yellow)))
                }
                plan.path = try ask("Address of the server", usual: found.calendars, check: AccountWizard.isAddress)
                if plan.servers.user == nil { plan.servers.user = answer }
            }
        }
        if plan.servers.user == nil || plan.servers.passwordCommand == nil {
            let user = context.console.line("User name (empty for none)", usual: plan.servers.user)
            guard let user else { throw HelixError(.usage, "nothing was added") }
            plan.servers.user = user.isEmpty ? nil : user
        }
    }

    private mutating func askFolder(_ question: String, usual: [String]) throws {
        if plan.path != nil { return }
        let there = usual.first { FileManager.default.fileExists(atPath: UserPath.expanded($0, context.environment)) }
        plan.path = try ask(question, usual: there) { text in
            var isFolder = false
            let path = UserPath.expanded(text, context.environment)
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
                ? nil : "No such folder."
        }
    }

    private mutating func askName() throws {
        if plan.name != nil { return }
        let taken = try context.store().accounts().map { $0.name.lowercased() }
        var usual = plan.settings.address.map(AccountPlan.name)
        usual = usual ?? plan.path.flatMap { URL(string: $0)?.host }.map { AccountPlan.name(for: "@" + $0) }
        if plan.kind == .maildir || plan.kind == .vdir {
            usual = plan.path.map { $0.lastPathComponent.lowercased().filter { $0 != "." } }
        }
        if let name = usual, taken.contains(name.lowercased()) || !Account.isName(name) {
            usual = plan.kind.map { "\(name)-\($0.rawValue)" }.flatMap {
                Account.isName($0) && !taken.contains($0) ? $0 : nil
            }
        }
        plan.name = try ask("Name of the account", usual: usual) { text in
            if !Account.isName(text) { return "Enter one word of letters and digits." }
            return taken.contains(text.lowercased()) ? "The account '\(text)' already exists." : nil
        }
    }

    // MARK: Password

    mutating func askPassword() throws {
        guard plan.kind?.hasMailServer == true || plan.kind == .caldav && plan.servers.user != nil,
            plan.servers.passwordCommand == nil, plan.servers.tokenCommand == nil, !plan.servers.keyring,
            plan.oauth.oauth == nil
        else { return }
        let provider = OAuthProvider.serving(host: plan.settings.imap?.host, address: plan.settings.address)
        let hasKeyring = Secrets.hasKeyring
        let way = try choose(
            "Where does the password come from? helix itself stores none.",
            [
                "the system's keyring" + (hasKeyring ? "" : " (needs secret-tool, which is not installed)"),
                "a command that prints it, such as 'pass show mail'",
                "a command that prints an OAuth 2 token, or oama, mailctl, pizauth",
                "none: sign in with a browser by OAuth 2.0" + (provider.map { ", as \($0.title) requires" } ?? ""),
            ], usual: provider != nil ? 4 : hasKeyring ? 1 : 2)
        switch way {
        case 1:
            plan.servers.keyring = true
            let password = context.console.secret("Password")
            guard !password.isEmpty else { throw HelixError(.usage, "nothing was added: no password given") }
            plan.password = password
        case 2: plan.servers.passwordCommand = try ask("Command that prints the password")
        case 3: plan.servers.tokenCommand = try ask("Command that prints a token")
        default: try askOAuth(provider)
        }
    }

    /// Prompts for the provider and for the client credentials that it issued.
    private mutating func askOAuth(_ usual: OAuthProvider?) throws {
        let names = OAuthProvider.all.map(\.name).joined(separator: ", ")
        let name = try ask("Provider: \(names), or the https address of another", usual: usual?.name)
        let provider = try OAuthProvider.named(name, authorities: plan.servers.ca)
        let known = OAuthOptions.client(of: provider, context)
        plan.oauth.oauth = name
        if known.id == nil {
            context.note(StyledText("See docs/oauth.md for how to get a client id from \(provider.title).", .dim))
            plan.oauth.clientID = try ask("Client id")
        }
        if provider.needsSecret, known.secretCommand == nil {
            plan.oauth.clientSecretCommand = try ask(
                "Command that prints the client secret, such as 'pass show google'")
        }
    }

    // MARK: The end

    private mutating func finish() throws {
        // Discovered and entered settings are in place; options override them.
        repeat { try plan.prepare(in: context) } while try needsAnotherTry()
        guard let kind = plan.kind else { return }
        try plan.add(in: context)
        try addCalendars()
        let what = kind.hasMail ? "mail" : "calendars"
        if kind == .gateway { return }
        if kind != .maildir { context.note(StyledText("Next: 'helix sync' fetches the \(what).", .dim)) }
    }

    /// Adds the calendars of the same address, with the same password.
    private func addCalendars() throws {
        guard let calendars, plan.kind == .imap, let name = plan.name else { return }
        let taken = try context.store().accounts().map { $0.name.lowercased() }
        let other = name + "-cal"
        guard !taken.contains(other.lowercased()), try agrees("Add the calendars and tasks, too, as '\(other)'?") else {
            return
        }
        var second = AccountPlan(
            name: other, path: calendars, servers: plan.servers, syncing: plan.syncing, oauth: plan.oauth)
        second.kind = .caldav
        (second.servers.address, second.servers.user) = (nil, plan.settings.login)
        (second.servers.imapHost, second.servers.smtpHost, second.servers.sendmail) = (nil, nil, nil)
        second.password = plan.password
        try second.prepare(in: context)
        try second.add(in: context)
    }
}
