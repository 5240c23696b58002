import ArgumentParser
import HelixModel
import HelixNetwork
import HelixSync

/// The sign-in by OAuth 2.0, as flags.
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

    /// None given.
    static var none: OAuthOptions {
        var options = OAuthOptions()
        (options.oauth, options.clientID, options.clientSecretCommand, options.scopes) = (nil, nil, nil, nil)
        return options
    }

    /// Whether none was given.
    var isEmpty: Bool { oauth == nil && clientID == nil && clientSecretCommand == nil && scopes == nil }

    /// Writes what was given over what is there.
    ///
    /// - Parameters:
    ///   - forCalendars: whether the rights of calendars are asked for, and not those of mail.
    ///   - servers: the options beside these, which must not name another way to sign in.
    /// - Throws: ``HelixError`` of code `usage`, or those of a provider that cannot be reached.
    func apply(
        to settings: inout AccountSettings, forCalendars: Bool, beside servers: ServerOptions,
        in context: CommandContext
    ) throws {
        if isEmpty { return }
        guard servers.passwordCommand == nil, servers.tokenCommand == nil, !servers.keyring else {
            throw HelixError(
                .usage, "an account signs in one way",
                hint: "Either --oauth, or one of --password-command, --token-command and --keyring.")
        }
        guard let name = oauth ?? settings.oauth?.provider else {
            throw HelixError(
                .usage, "--client-id, --client-secret-command and --scopes are for a sign-in by OAuth 2.0",
                hint: "Name the provider: --oauth google.")
        }
        let provider = try OAuthProvider.named(name, authorities: settings.authorities)
        let former = settings.oauth?.provider == provider.name ? settings.oauth : nil
        let known = OAuthOptions.client(of: provider, context)
        guard let id = clientID ?? former?.clientID ?? known.id, !id.isEmpty else {
            throw HelixError(
                .usage, "\(provider.title) gives tokens only to programs that it knows, and no client id is said",
                hint: "docs/oauth.md says how to get one. Then: --client-id ID"
                    + (provider.isKnown ? ", or 'helix config set oauth.\(provider.name)-client-id ID'." : "."))
        }
        let asked = scopes.map { $0.split { $0 == " " || $0 == "," }.map(String.init) } ?? former?.scopes
        var oauth = provider.settings(clientID: id, forCalendars: forCalendars, scopes: asked)
        oauth.secretCommand = clientSecretCommand ?? former?.secretCommand ?? known.secretCommand
        if oauth.secretCommand?.isEmpty == true { oauth.secretCommand = nil }
        if oauth.scopes.isEmpty, provider.isKnown {
            throw HelixError(
                .notAllowed,
                "\(provider.title) has no \(forCalendars ? "calendars" : "mail") that are reached by OAuth 2.0",
                hint: forCalendars ? "Its calendars can be read as webcal, if you publish them." : nil)
        }
        if provider.needsSecret, oauth.secretCommand == nil {
            throw HelixError(
                .usage, "\(provider.title) gives a client secret with the client id, and wants to see both",
                hint: "Name a command that prints it: --client-secret-command 'pass show \(provider.name)-client'.")
        }
        settings.oauth = oauth
        (settings.passwordCommand, settings.tokenCommand, settings.usesKeyring) = (nil, nil, nil)
    }

    /// The client that the settings name for a provider.
    static func client(of provider: OAuthProvider, _ context: CommandContext) -> (id: String?, secretCommand: String?) {
        func text(_ name: String) -> String? {
            ConfigurationKey(rawValue: "oauth.\(provider.name)-\(name)").flatMap { context.configuration.text($0) }
        }
        return (text("client-id"), text("client-secret-command"))
    }
}
