import FoundationEssentials
import HelixModel
import HelixNetwork
import HelixStore
import HelixSync
import HelixTerminal

/// Mail on an IMAP server.
struct IMAPForm: AccountForm {
    var choice: String? { "mail on a server (IMAP and SMTP)" }

    func needsPassword(_ plan: AccountPlan) -> Bool { true }

    func isComplete(_ plan: AccountPlan) -> Bool {
        (plan.servers.address != nil || plan.servers.imapHost != nil) && plan.hasPassword || plan.path != nil
    }

    func prepare(_ plan: inout AccountPlan, _ name: String, _ context: CommandContext) throws {
        try plan.prepareIMAP(name, context)
    }

    func ask(_ wizard: inout AccountWizard) throws { try wizard.askMail() }
}

extension AccountPlan {
    fileprivate mutating func prepareIMAP(_ name: String, _ context: CommandContext) throws {
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
}

extension AccountWizard {
    fileprivate mutating func askMail() throws {
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
}
