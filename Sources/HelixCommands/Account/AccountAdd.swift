import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix account add`
struct AccountAdd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Add an account.",
        discussion: """
            Without options, asks for what it needs; a mail address is enough to find its servers. With options, \
            it neither prompts nor tests the connection; 'helix account check' does.

            A Maildir is used in place, with all mailboxes below it; other programs can keep using it. The content of \
            messages is never changed.

            For an IMAP account helix keeps its own Maildir, which 'helix sync' syncs with the server. Passwords are \
            never stored by helix: give a command that prints yours, or use the keyring. Without --imap-host the servers \
            are discovered by autoconfig, Thunderbird's database and DNS.

            JMAP is a newer protocol with fewer round trips; give the URL of its session, or your mail address. It sends \
            mail, too.

            Calendars and tasks are synced with a CalDAV server or a folder as khal, todoman and vdirsyncer use it \
            (vdir), or subscribed by URL (webcal).

            A gateway syncs several devices and carries chat; see 'helix gateway'.

              helix account add
              helix account add home maildir ~/Mail
              helix account add work imap --address ana@example.org \\
                  --password-command 'pass show mail'
              helix account add work imap --address ana@example.org \\
                  --imap-host imap.example.org --smtp-host smtp.example.org --keyring
              helix account add work imap --address ana@gmail.com --oauth google \\
                  --client-id ID --client-secret-command 'pass show google'
              helix account add fast jmap https://api.fastmail.com/jmap/session \\
                  --address ana@fastmail.com --token-command 'pass show fastmail'
              helix account add cal caldav https://dav.example.org/ --user ana \\
                  --password-command 'pass show dav'
              helix account add khal vdir ~/.calendars
              helix account add days webcal https://example.org/holidays.ics
              helix account add home gateway wss://gateway.example.org --user ana
            """)
    static let reports: [PrintedReport] = [.json(MailIndexReport.self), .json(AccountReport.self)]

    @Argument(help: "Name.")
    var name: String?

    @Argument(help: "Account type: maildir, imap, jmap, caldav, carddav, vdir, webcal or gateway.")
    var kind: String?

    @Argument(help: "The folder or address; not for imap.", completion: .directory)
    var path: String?

    @Flag(name: .long, help: "Never prompt; fail if something is missing.")
    var noInput = false

    @OptionGroup var servers: ServerOptions
    @OptionGroup var oauth: OAuthOptions
    @OptionGroup var syncing: SyncingOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        var plan = AccountPlan(name: name, path: path, servers: servers, syncing: syncing, oauth: oauth)
        if let kind {
            guard let known = Account.Kind(rawValue: kind), known != .local else {
                throw HelixError(
                    .usage, "unknown account type '\(kind)'",
                    hint: "Use maildir, imap, jmap, caldav, carddav, vdir, webcal or gateway.")
            }
            plan.kind = known
        } else if servers.address != nil {
            plan.kind = .imap
        }
        if !noInput, !output.isMachine, context.console.canAsk, !plan.isComplete {
            var wizard = AccountWizard(context, plan)
            return try wizard.run()
        }
        guard plan.kind != nil else {
            throw HelixError(
                .usage, "no account type given, and there is no terminal to ask on",
                hint: "Use helix account add NAME maildir|imap|jmap|caldav|carddav|vdir|webcal|gateway …")
        }
        try plan.prepare(in: context)
        try plan.add(in: context)
        let what = plan.kind?.contents ?? "calendars"
        if plan.settings.oauth != nil {
            context.note(
                StyledText(
                    "Next: 'helix account sign-in \(plan.name ?? "")' signs in, 'helix sync' fetches the \(what).", .dim
                ))
        } else if plan.kind == .gateway {
            context.note(AccountAdd.nextStep(ofGateway: plan.name ?? ""))
        } else if plan.kind != .maildir {
            context.note(
                StyledText(
                    "Next: 'helix account check \(plan.name ?? "")' tests it, 'helix sync' fetches the \(what).", .dim))
        }
    }

    /// The note that follows a new gateway account.
    static func nextStep(ofGateway name: String) -> StyledText {
        StyledText("Next: 'helix gateway pair \(name)' pairs this device.", .dim)
    }
}
