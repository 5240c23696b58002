import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix account add`
struct AccountAdd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Add an account.",
        discussion: """
            Alone, it asks for what it needs: an address is enough to find its servers, and all can be typed by hand. \
            With flags nothing is asked that they say, and nothing is tried: 'helix account check' does that.

            A Maildir is read where it lies, with all mailboxes below it; other programs may go on using it. No message's \
            bytes are ever changed.

            Of an IMAP account helix keeps a Maildir of its own that 'helix sync' makes the same as the server. Passwords \
            are never kept by helix: name a command that prints yours, or use the system's keyring. Without --imap-host the \
            servers of the address are looked for: what its domain publishes (autoconfig), Thunderbird's list, and the domain \
            name system.

            JMAP is a newer way to the same mail, in fewer round trips, where the server has it: name the address of its \
            session. It sends mail, too.

            Calendars and tasks come from a CalDAV server, from a folder that khal, todoman or vdirsyncer use (vdir), or from \
            an address at which somebody publishes one (webcal). 'helix sync' keeps helix's calendars the same.

            A gateway keeps several devices the same, and has chat: 'helix gateway' says more.

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

    @Argument(help: "What to call it.")
    var name: String?

    @Argument(help: "Its kind: maildir, imap, jmap, caldav, vdir, webcal or gateway.")
    var kind: String?

    @Argument(help: "The folder or address, of all but imap.", completion: .directory)
    var path: String?

    @Flag(name: .long, help: "Ask nothing: what the flags do not say must be found.")
    var noInput = false

    @OptionGroup var servers: ServerOptions
    @OptionGroup var oauth: OAuthOptions
    @OptionGroup var syncing: SyncingOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        var plan = AccountPlan(name: name, path: path, servers: servers, syncing: syncing, oauth: oauth)
        if let kind {
            guard let known = MailAccount.Kind(rawValue: kind), known != .local else {
                throw HelixError(
                    .usage, "helix knows no accounts of the kind '\(kind)'",
                    hint: "There are: maildir, imap, jmap, caldav, vdir, webcal, gateway.")
            }
            plan.kind = known
        } else if servers.address != nil {
            plan.kind = .imap
        }
        if !noInput, !output.isMachine, Terminal.canAsk, !plan.isComplete {
            var wizard = AccountWizard(context, plan)
            return try wizard.run()
        }
        guard plan.kind != nil else {
            throw HelixError(
                .usage, "it is not said what kind of account this is, and nobody can be asked",
                hint: "helix account add NAME maildir|imap|jmap|caldav|vdir|webcal|gateway …")
        }
        try plan.prepare(in: context)
        try plan.add(in: context)
        let what = plan.kind?.hasMail == true ? "mail" : "calendars"
        if plan.settings.oauth != nil {
            context.note(
                StyledText(
                    "Next: 'helix account sign-in \(plan.name ?? "")' signs in, 'helix sync' fetches the \(what).", .dim
                ))
        } else if plan.kind == .gateway {
            context.note(
                StyledText("Next: 'helix gateway pair \(plan.name ?? "")' makes this device known there.", .dim))
        } else if plan.kind != .maildir {
            context.note(
                StyledText(
                    "Next: 'helix account check \(plan.name ?? "")' tries it, 'helix sync' fetches the \(what).", .dim))
        }
    }
}
