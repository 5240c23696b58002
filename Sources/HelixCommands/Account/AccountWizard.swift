import FoundationEssentials
import HelixModel
import HelixNetwork
import HelixSecurity
import HelixStore
import HelixSync
import HelixSystem
import HelixTerminal

/// Prompts for the settings of an account, tests it, and adds it.
struct AccountWizard {
    let context: CommandContext
    var plan: AccountPlan
    /// The address of the same user's calendars.
    var calendars: String?

    init(_ context: CommandContext, _ plan: AccountPlan) {
        self.context = context
        self.plan = plan
    }

    /// Prompts, tests and adds.
    /// - Throws: ``HelixError``; then nothing was added.
    mutating func run() throws {
        if plan.kind == nil { plan.kind = try askKind() }
        try plan.kind?.form.ask(&self)
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
        let kinds = Account.Kind.offered.compactMap { kind in kind.form.choice.map { (kind, $0) } }
        return kinds[try choose("What do you want to add?", kinds.map(\.1)) - 1].0
    }

    static func isMailAddress(_ text: String) -> String? {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let isGood = parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !text.contains(where: \.isWhitespace)
        return isGood ? nil : "Enter a mail address like ana@example.org."
    }

    static func isAddress(_ text: String) -> String? {
        let parts = URLComponents(string: text)
        let isGood = ["http", "https", "webcal"].contains(parts?.scheme ?? "") && parts?.host?.isEmpty == false
        return isGood ? nil : "Enter an https:// address."
    }

    // MARK: Name

    private mutating func askName() throws {
        if plan.name != nil { return }
        let taken = try context.store().accounts().map { $0.name.lowercased() }
        var usual = plan.settings.address.map(AccountPlan.name)
        usual = usual ?? plan.path.flatMap { URL(address: $0)?.host }.map { AccountPlan.name(for: "@" + $0) }
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
        guard plan.kind?.form.needsPassword(plan) == true, !plan.hasPassword else { return }
        let provider = OAuthProvider.serving(host: plan.settings.imap?.host, address: plan.settings.address)
        let hasKeyring = Secrets.hasKeyring
        let way = try choose(
            "Where does the password come from? helix itself stores none.",
            [
                "the system's keyring" + (hasKeyring ? "" : " (needs secret-tool, which is not installed)"),
                "a command that prints it, such as 'pass show mail'",
                "a command that prints an OAuth 2 token, or oama, mailctl, pizauth",
                "none: sign in with a browser by OAuth 2.0" + (provider.map { ", as \($0.title) requires" } ?? ""),
            ], usual: provider != nil ? 4 : Keyring.isReachable ? 1 : 2)
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
        if kind == .gateway { return context.note(AccountAdd.nextStep(ofGateway: plan.name ?? "")) }
        let what = kind.contents
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
