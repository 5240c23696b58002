import ArgumentParser
import HelixModel
import HelixStore

/// `helix account edit`
struct AccountEdit: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "edit", abstract: "Edit the settings of an account.",
        discussion: """
              helix account edit work --smtp-host smtp.example.org --smtp-port 587
              helix account edit work --password-command 'secret-tool lookup mail work'
              helix account edit work --mailboxes 'INBOX,Work/*'
              helix account edit cal --strategy ask --calendars '-Birthdays'
            """)
    static let reports: [PrintedReport] = [.json(AccountReport.self)]

    @Argument(help: "The account.", completion: .custom(CompletionLists.allAccounts))
    var name: String

    @OptionGroup var servers: ServerOptions
    @OptionGroup var oauth: OAuthOptions
    @OptionGroup var syncing: SyncingOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let account = try store.account(named: name)
        guard !servers.isEmpty || !syncing.isEmpty || !oauth.isEmpty else {
            throw HelixError(.usage, "no changes given", hint: "See 'helix account edit --help'.")
        }
        if !account.kind.hasMailServer, servers.bodies != nil || servers.mailboxes != nil || servers.sentCopy != nil {
            throw HelixError(.usage, "'\(account.name)' has no messages on a server")
        }
        if account.kind != .imap,
            servers.imapHost != nil || servers.imapPort != nil || servers.imapSecurity != nil || servers.compress != nil
        {
            throw HelixError(
                .usage,
                account.kind.hasMail
                    ? "'\(account.name)' is a folder without a mail server"
                    : "'\(account.name)' is an account for calendars, not for mail")
        }
        var settings = account.settings
        try servers.apply(to: &settings, in: context)
        try syncing.apply(to: &settings, of: account.kind)
        if !oauth.isEmpty, !account.kind.hasMailServer, account.kind != .caldav, account.kind != .carddav {
            throw HelixError(.usage, "'\(account.name)' does not sign in by OAuth 2.0")
        }
        try oauth.apply(to: &settings, forCalendars: account.kind.hasCalendars, beside: servers, in: context)
        let known = settings
        if !context.isDryRun { try servers.keepPassword(for: account.name, context.console) }
        try store.change("edit account '\(account.name)'", command: "account edit") { change in
            try change.setSettings(known, of: account.id)
        }
        try context.presentAccounts([try store.account(named: account.name)])
    }
}
