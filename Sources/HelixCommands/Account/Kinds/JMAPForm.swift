import FoundationEssentials
import HelixModel
import HelixNetwork
import HelixStore
import HelixSync
import HelixTerminal

/// Mail on a JMAP server.
struct JMAPForm: AccountForm {
    var choice: String? { "mail on a JMAP server" }

    func needsPassword(_ plan: AccountPlan) -> Bool { true }

    func isComplete(_ plan: AccountPlan) -> Bool {
        (plan.path != nil || plan.servers.address != nil) && plan.hasPassword
    }

    func prepare(_ plan: inout AccountPlan, _ name: String, _ context: CommandContext) throws {
        try plan.prepareJMAP(name, context)
    }

    func ask(_ wizard: inout AccountWizard) throws { try wizard.askJMAP() }
}

extension AccountPlan {
    /// Finds the server by the mail address, if only that is given.
    private mutating func findJMAP(_ name: String, _ context: CommandContext) throws {
        if let text = path, text.contains("@"), !text.contains("://") {
            servers.address = servers.address ?? text
            path = nil
        }
        guard path == nil, let address = servers.address else { return }
        guard let found = try context.discovery(servers.ca).jmap(address) else {
            throw HelixError(
                .notFound, "the domain of \(address) publishes no JMAP server",
                hint: "Get its address: helix account add \(name) jmap https://… --address \(address)")
        }
        // An attacker who can forge DNS answers would receive the password.
        guard found.isCertain else {
            throw HelixError(
                .usage, "DNS names \(found.url) for \(address), which is a server of another domain",
                hint: "If it is yours, run helix account add \(name) jmap \(found.url) --address \(address)")
        }
        path = found.url
    }

    /// Checks a JMAP account: the address of its session, or of its server.
    fileprivate mutating func prepareJMAP(_ name: String, _ context: CommandContext) throws {
        try findJMAP(name, context)
        guard let path, let url = URL(address: path), let scheme = url.scheme, let host = url.host,
            ["https", "http"].contains(scheme)
        else {
            throw HelixError(
                .usage, path.map { "'\($0)' is not a server address" } ?? "no JMAP address given",
                hint: "Use an https:// address such as https://api.fastmail.com/jmap/session.")
        }
        guard url.user == nil, url.password == nil else {
            throw HelixError(
                .usage, "the address contains a user name or a password",
                hint: "Use --user and --password-command instead.")
        }
        guard servers.imapHost == nil else {
            throw HelixError(.usage, "an account uses either JMAP or IMAP", hint: "Add another account for IMAP.")
        }
        try servers.apply(to: &settings, in: context)
        try syncing.apply(to: &settings, of: .jmap)
        settings.url = path
        // The JMAP server also sends, unless another server is configured for that.
        settings.submits = settings.smtp == nil && settings.sendmail == nil ? true : nil
        try oauth.apply(to: &settings, forCalendars: false, beside: servers, in: context)
        guard !settings.login.isEmpty || settings.tokenCommand != nil || settings.oauth != nil else {
            throw HelixError(
                .usage, "no user name given", hint: "Set the address: --address ana@example.org.")
        }
        let hasSecret = settings.passwordCommand != nil || settings.tokenCommand != nil || servers.keyring
        guard hasSecret || settings.oauth != nil else {
            throw HelixError(
                .usage, "no password source given",
                hint: "Set a command that prints it, --password-command 'pass show mail', or a token of the server:"
                    + " --token-command 'pass show jmap'.")
        }
        if scheme == "http", !Endpoint.isLoopback(host) {
            throw HelixError(.usage, "a password would be sent unencrypted to \(host)", hint: "Use https://.")
        }
    }
}

extension AccountWizard {
    fileprivate mutating func askJMAP() throws {
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
}
