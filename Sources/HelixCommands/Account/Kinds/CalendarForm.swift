import FoundationEssentials
import HelixModel
import HelixNetwork
import HelixStore
import HelixSync
import HelixTerminal

/// Calendars on a CalDAV server, address books on a CardDAV server, and published calendars.
struct CalendarForm: AccountForm {
    /// `caldav`, `carddav` or `webcal`.
    let kind: Account.Kind

    var choice: String? {
        switch kind {
        case .webcal: "a published calendar (webcal)"
        case .carddav: "contacts on a server (CardDAV)"
        default: "calendars and tasks on a server (CalDAV)"
        }
    }

    func needsPassword(_ plan: AccountPlan) -> Bool { kind != .webcal && plan.servers.user != nil }

    func isComplete(_ plan: AccountPlan) -> Bool {
        plan.path != nil || kind != .webcal && plan.servers.address != nil
    }

    func prepare(_ plan: inout AccountPlan, _ name: String, _ context: CommandContext) throws {
        try plan.prepareCalendars(kind, name, context)
    }

    func ask(_ wizard: inout AccountWizard) throws {
        if kind != .webcal { return try wizard.askCalendars() }
        if wizard.plan.path == nil {
            wizard.plan.path = try wizard.ask("Address of the calendar", check: AccountWizard.isAddress)
        }
    }
}

extension AccountPlan {
    fileprivate mutating func prepareCalendars(
        _ kind: Account.Kind, _ name: String, _ context: CommandContext
    ) throws {
        if kind != .webcal { try findCalendars(context) }
        guard let path else {
            throw HelixError(
                .usage, "an account of type '\(kind.rawValue)' needs an address",
                hint: "Use helix account add \(name) \(kind.rawValue) https://example.org/")
        }
        guard let url = URL(address: path), let scheme = url.scheme, let host = url.host else {
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
                hint: "Give its address: helix account add NAME \(kind?.rawValue ?? "caldav") https://dav.example.org/")
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
}

extension AccountWizard {
    fileprivate mutating func askCalendars() throws {
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
}
