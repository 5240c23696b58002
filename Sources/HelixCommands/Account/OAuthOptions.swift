import ArgumentParser
import HelixModel
import HelixNetwork
import HelixSync

/// The options for signing in by OAuth 2.0.
struct OAuthOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Sign in by OAuth 2.0 at google, microsoft, yahoo, fastmail or another provider's https address.",
            valueName: "provider"))
    var oauth: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The client id from the provider; see docs/oauth.md.", valueName: "id"))
    var clientID: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Command that prints the client secret: 'pass show google'.", valueName: "command"))
    var clientSecretCommand: String?

    @Option(
        name: .long, help: ArgumentHelp("Scopes to request instead of the default ones.", valueName: "scopes"))
    var scopes: String?

    /// No options.
    static var none: OAuthOptions {
        var options = OAuthOptions()
        (options.oauth, options.clientID, options.clientSecretCommand, options.scopes) = (nil, nil, nil, nil)
        return options
    }

    /// Whether no option is given.
    var isEmpty: Bool { oauth == nil && clientID == nil && clientSecretCommand == nil && scopes == nil }

    /// Merges the given options into the settings.
    ///
    /// - Parameters:
    ///   - forCalendars: whether to request the scopes of calendars instead of those of mail.
    ///   - servers: the other options, which must not select another way to sign in.
    /// - Throws: ``HelixError`` of code `usage`, or those of a provider that cannot be reached.
    func apply(
        to settings: inout AccountSettings, forCalendars: Bool, beside servers: ServerOptions,
        in context: CommandContext
    ) throws {
        if isEmpty { return }
        guard servers.passwordCommand == nil, servers.tokenCommand == nil, !servers.keyring else {
            throw HelixError(
                .usage, "an account has one way to sign in",
                hint: "Use either --oauth, or one of --password-command, --token-command and --keyring.")
        }
        guard let name = oauth ?? settings.oauth?.provider else {
            throw HelixError(
                .usage, "--client-id, --client-secret-command and --scopes require a sign-in by OAuth 2.0",
                hint: "Choose the provider with --oauth google, for example.")
        }
        let provider = try OAuthProvider.named(name, authorities: settings.authorities)
        let former = settings.oauth?.provider == provider.name ? settings.oauth : nil
        let known = OAuthOptions.client(of: provider, context)
        guard let id = clientID ?? former?.clientID ?? known.id, !id.isEmpty else {
            throw HelixError(
                .usage, "\(provider.title) issues tokens only to registered programs, but no client id is given",
                hint: "Get one as described in docs/oauth.md, then use --client-id ID"
                    + (provider.isKnown ? ", or 'helix config set oauth.\(provider.name)-client-id ID'." : "."))
        }
        let asked = scopes.map { $0.split { $0 == " " || $0 == "," }.map(String.init) } ?? former?.scopes
        var oauth = provider.settings(clientID: id, forCalendars: forCalendars, scopes: asked)
        oauth.secretCommand = clientSecretCommand ?? former?.secretCommand ?? known.secretCommand
        if oauth.secretCommand?.isEmpty == true { oauth.secretCommand = nil }
        if oauth.scopes.isEmpty, provider.isKnown {
            throw HelixError(
                .notAllowed,
                "\(provider.title) offers no \(forCalendars ? "calendars" : "mail") by OAuth 2.0",
                hint: forCalendars ? "Publish its calendars, and add them as webcal." : nil)
        }
        if provider.needsSecret, oauth.secretCommand == nil {
            throw HelixError(
                .usage, "\(provider.title) requires the client secret with the client id",
                hint: "Set a command that prints it: --client-secret-command 'pass show \(provider.name)-client'.")
        }
        settings.oauth = oauth
        (settings.passwordCommand, settings.tokenCommand, settings.usesKeyring) = (nil, nil, nil)
    }

    /// The configured client credentials for a provider.
    static func client(of provider: OAuthProvider, _ context: CommandContext) -> (id: String?, secretCommand: String?) {
        func text(_ name: String) -> String? {
            ConfigurationKey(rawValue: "oauth.\(provider.name)-\(name)").flatMap { context.configuration.text($0) }
        }
        return (text("client-id"), text("client-secret-command"))
    }
}
