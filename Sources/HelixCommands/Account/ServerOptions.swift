import ArgumentParser
import FoundationEssentials
import HelixModel
import HelixNetwork
import HelixSync
import HelixTerminal

/// The options for an account's servers.
struct ServerOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Your mail address.", valueName: "address"))
    var address: String?

    @Option(name: .long, help: ArgumentHelp("User name; default: the address.", valueName: "name"))
    var user: String?

    @Option(name: .long, help: ArgumentHelp("IMAP server.", valueName: "host"))
    var imapHost: String?

    @Option(name: .long, help: ArgumentHelp("IMAP port.", valueName: "port"))
    var imapPort: Int?

    @Option(name: .long, help: ArgumentHelp("tls, starttls, or none on this machine.", valueName: "how"))
    var imapSecurity: Endpoint.Security?

    @Option(name: .long, help: ArgumentHelp("SMTP server.", valueName: "host"))
    var smtpHost: String?

    @Option(name: .long, help: ArgumentHelp("SMTP port.", valueName: "port"))
    var smtpPort: Int?

    @Option(name: .long, help: ArgumentHelp("tls, starttls, or none on this machine.", valueName: "how"))
    var smtpSecurity: Endpoint.Security?

    @Option(
        name: .long,
        help: ArgumentHelp("ManageSieve server, if it is not the IMAP server.", valueName: "host"))
    var sieveHost: String?

    @Option(name: .long, help: ArgumentHelp("ManageSieve port; default: 4190.", valueName: "port"))
    var sievePort: Int?

    @Option(name: .long, help: ArgumentHelp("tls, starttls, or none on this machine.", valueName: "how"))
    var sieveSecurity: Endpoint.Security?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Send with this program instead of SMTP: /usr/sbin/sendmail, '/usr/bin/msmtp -a work'.",
            valueName: "command"))
    var sendmail: String?

    @Option(
        name: .long, help: ArgumentHelp("Command that prints the password: 'pass show mail'.", valueName: "command"))
    var passwordCommand: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Command that prints an OAuth 2 token, or oama, mailctl, pizauth.", valueName: "command"))
    var tokenCommand: String?

    @Flag(name: .long, help: "Prompt for the password and store it in the keyring (secret-tool).")
    var keyring = false

    @Option(
        name: .long,
        help: ArgumentHelp("A file of CA certificates to trust instead of the system's.", valueName: "file"),
        completion: .file())
    var ca: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "SHA-256 fingerprint of the gateway's certificate.", valueName: "digits"))
    var fingerprint: String?

    @Flag(name: .long, help: "Allow an unencrypted connection to a gateway, in a trusted network.")
    var plaintext = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Messages to download in full: all, 'recent 90 days' or on-demand. Headers only for the rest.",
            valueName: "which"))
    var bodies: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Mailboxes to sync: names and patterns ('INBOX,Work/*'), exclusions ('-Spam'), 'subscribed' or 'all'.",
            valueName: "list"))
    var mailboxes: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Save sent mail on the server: yes, no, or auto (if the server has no copy).", valueName: "how")
    )
    var sentCopy: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Compress IMAP connections: yes, no, or auto (to other machines).",
            valueName: "how"))
    var compress: String?

    /// Whether no option is given.
    var isEmpty: Bool {
        address == nil && user == nil && imapHost == nil && imapPort == nil && imapSecurity == nil && smtpHost == nil
            && smtpPort == nil && smtpSecurity == nil && sendmail == nil && passwordCommand == nil
            && tokenCommand == nil && ca == nil && !keyring && bodies == nil && fingerprint == nil && !plaintext
            && mailboxes == nil && sentCopy == nil && compress == nil && !hasSieve
    }

    /// Whether options for ManageSieve are given.
    private var hasSieve: Bool { sieveHost != nil || sievePort != nil || sieveSecurity != nil }

    /// Whether only options for sending mail are given, which an account without a server may have.
    var isForSending: Bool {
        imapHost == nil && imapPort == nil && imapSecurity == nil && bodies == nil && fingerprint == nil && !plaintext
            && mailboxes == nil && sentCopy == nil && compress == nil && !hasSieve
    }

    /// Merges the given options into the settings.
    /// - Throws: ``HelixError`` of code `usage` or `notFound`.
    func apply(to settings: inout AccountSettings, in context: CommandContext) throws {
        if let address {
            guard address.contains("@"), !address.contains(where: \.isWhitespace) else {
                throw HelixError(.usage, "'\(address)' is not a mail address", hint: "Use the form ana@example.org.")
            }
            settings.address = address
        }
        if let user { settings.user = user.isEmpty ? nil : user }
        settings.imap = try server(settings.imap, imapHost, imapPort, imapSecurity, usual: [.tls: 993, .starttls: 143])
        settings.smtp = try server(settings.smtp, smtpHost, smtpPort, smtpSecurity, usual: [.tls: 465, .starttls: 587])
        if hasSieve {
            settings.sieve = try server(
                settings.sieveServer, sieveHost, sievePort, sieveSecurity, usual: [.starttls: 4190])
        }
        if let sendmail {
            let command = UserPath.expanded(sendmail, context.environment)
            let program = command.split(separator: " ").first.map(String.init) ?? command
            guard [command, program].contains(where: FileManager.default.isExecutableFile) else {
                throw HelixError(.notFound, "no program \(program)", hint: "Give its whole path: /usr/bin/msmtp.")
            }
            settings.sendmail = command
        }
        try applySecrets(to: &settings)
        try applyMail(to: &settings)
        try applyCertificates(to: &settings, in: context)
    }

    /// Merges the source of the password or token.
    private func applySecrets(to settings: inout AccountSettings) throws {
        if [passwordCommand != nil, tokenCommand != nil, keyring].filter({ $0 }).count > 1 {
            throw HelixError(
                .usage, "only one source of the password is allowed",
                hint: "Use one of --password-command, --token-command and --keyring.")
        }
        if let passwordCommand { (settings.passwordCommand, settings.tokenCommand) = (passwordCommand, nil) }
        if let tokenCommand {
            let command = try TokenProgram.command(tokenCommand, address: settings.address ?? settings.login)
            (settings.tokenCommand, settings.passwordCommand) = (command, nil)
        }
        if passwordCommand != nil || tokenCommand != nil || keyring { settings.oauth = nil }
        if keyring { (settings.passwordCommand, settings.tokenCommand) = (nil, nil) }
        if keyring || passwordCommand != nil || tokenCommand != nil { settings.usesKeyring = keyring ? true : nil }
    }

    /// Merges the options for syncing mail.
    private func applyMail(to settings: inout AccountSettings) throws {
        if let bodies {
            guard let policy = BodyPolicy(bodies) else {
                throw HelixError(
                    .usage, "invalid selection of full messages '\(bodies)'",
                    hint: "Use all, 'recent 90 days', or on-demand.")
            }
            settings.bodies = policy == .all ? nil : policy.text
        }
        if let mailboxes { settings.mailboxes = try SyncingOptions.selection(mailboxes) }
        if let word = sentCopy?.lowercased() {
            let policy = AccountSettings.SentCopyPolicy(rawValue: word)
            guard policy != nil || word == "auto" else {
                throw HelixError(.usage, "invalid value '\(word)' for sent copies", hint: "Use yes, no or auto.")
            }
            settings.sentCopy = policy
        }
        if let word = compress?.lowercased() {
            guard ["yes", "no", "auto"].contains(word) else {
                throw HelixError(.usage, "invalid value '\(word)' for compression", hint: "Use yes, no or auto.")
            }
            settings.compresses = word == "auto" ? nil : word == "yes"
        }
    }

    /// Merges the certificates to trust.
    private func applyCertificates(to settings: inout AccountSettings, in context: CommandContext) throws {
        if let fingerprint {
            let digits = fingerprint.lowercased().filter { $0 != ":" && $0 != " " }
            guard digits.utf8.count == 64, digits.allSatisfy(\.isHexDigit) else {
                throw HelixError(
                    .usage, "'\(fingerprint)' is not the SHA-256 of a certificate",
                    hint: "Print it with openssl x509 -in gateway.pem -noout -fingerprint -sha256.")
            }
            settings.fingerprint = digits
        }
        if plaintext { settings.allowsPlaintext = true }
        if let ca {
            let path = URL(fileURLWithPath: UserPath.expanded(ca, context.environment)).path
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw HelixError(.notFound, "no file \(path)", hint: "Give a file of PEM certificates.")
            }
            settings.authorities = path
        }
    }

    /// Prompts for the password if requested, and stores it in the keyring.
    /// - Throws: ``HelixError`` if there is no keyring, or no password was entered.
    func keepPassword(for account: String, _ console: Console) throws {
        guard keyring else { return }
        guard Secrets.hasKeyring else {
            throw HelixError(
                .configuration, "cannot find secret-tool, which stores passwords in the system's keyring",
                hint: "Run 'apt-get install libsecret-tools', or set --password-command 'pass show mail'.")
        }
        let password = console.secret("Password of '\(account)'")
        guard !password.isEmpty else { throw HelixError(.usage, "no password was given", hint: "Nothing was changed.") }
        try Secrets.keep(password, for: account)
    }

    private func server(
        _ former: AccountSettings.Server?, _ host: String?, _ port: Int?, _ security: Endpoint.Security?,
        usual: [Endpoint.Security: Int]
    ) throws -> AccountSettings.Server? {
        guard host != nil || port != nil || security != nil else { return former }
        guard let name = host ?? former?.host, !name.isEmpty else {
            throw HelixError(
                .usage, "no server name given", hint: "Set it with --imap-host, --smtp-host or --sieve-host.")
        }
        let hasPort = name.count { $0 == ":" } == 1
        guard !hasPort || name.contains("/") else {
            throw HelixError(
                .usage, "'\(name)' is not a server name", hint: "Set the port with --imap-port or --smtp-port.")
        }
        guard Endpoint.isHost(name) else {
            throw HelixError(.usage, "'\(name)' is not a server name", hint: "It is a name alone: imap.example.org")
        }
        if let port, !(1...65535).contains(port) { throw HelixError(.usage, "invalid port \(port)") }
        // The usual ports imply the kind of encryption.
        let guessed = usual.first { $0.value == port }?.key
        let how =
            security ?? guessed ?? former.flatMap { Endpoint.Security(rawValue: $0.security) } ?? .tls
        if how == .none, !Endpoint.isLoopback(name) {
            throw HelixError(
                .usage, "a password would be sent unencrypted to '\(name)', which is not this machine",
                hint: "Use tls or starttls.")
        }
        // A custom port is kept; a default one follows the kind of encryption.
        let own = former.flatMap { server in
            security != nil && usual.values.contains(server.port) ? nil : server.port
        }
        let number = port ?? own ?? usual[how] ?? usual[.starttls] ?? 0
        return AccountSettings.Server(host: name, port: number, security: how.rawValue)
    }
}

/// The options for syncing calendars and tasks.
struct SyncingOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Conflict strategy: merge, server, local or ask.", valueName: "how"))
    var strategy: AccountSettings.Strategy?

    @Flag(inversion: .prefixedNo, exclusivity: .chooseLast, help: "Never write to the server.")
    var readOnly: Bool?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Calendars to sync: names ('Work,Family'), exclusions ('-Birthdays') or 'all'.", valueName: "list"))
    var calendars: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Mail accounts of a gateway to sync: names ('work,home'), exclusions ('-work'), 'all' or 'none'.",
            valueName: "list"))
    var mailAccounts: String?

    /// Whether no option is given.
    var isEmpty: Bool { strategy == nil && readOnly == nil && calendars == nil && mailAccounts == nil }

    /// Parses the list; the inner nil means all.
    static func selection(_ text: String) throws -> String? {
        if text.lowercased() == "all" { return nil }
        guard CollectionSelection(text) != nil else {
            throw HelixError(.usage, "'\(text)' selects nothing", hint: "Use 'INBOX,Work/*', '-Spam' or all.")
        }
        return text
    }

    /// Merges the given options into the settings.
    /// - Throws: ``HelixError`` of code `usage` for an account of mail.
    func apply(to settings: inout AccountSettings, of kind: Account.Kind) throws {
        if isEmpty { return }
        if let mailAccounts {
            guard kind == .gateway else { throw HelixError(.usage, "--mail-accounts is only for gateways") }
            let isNone = mailAccounts.lowercased() == "none"
            settings.mailAccounts = isNone ? "none" : try Self.selection(mailAccounts == "*" ? "all" : mailAccounts)
        }
        guard kind.hasCalendars || kind == .gateway else {
            throw HelixError(
                .usage, "--strategy, --read-only and --calendars are only for calendars and tasks",
                hint: "See docs/sync.md for mail that is changed on both sides.")
        }
        if let strategy { settings.strategy = strategy == .merge ? nil : strategy }
        if let readOnly { settings.isReadOnly = readOnly ? true : nil }
        if let calendars {
            guard kind.hasCalendars else { throw HelixError(.usage, "--calendars requires an account with calendars") }
            settings.calendars = try Self.selection(calendars)
        }
    }
}

extension Endpoint.Security: ExpressibleByArgument {}
extension AccountSettings.Strategy: ExpressibleByArgument {}
