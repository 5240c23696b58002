import ArgumentParser
import FoundationEssentials
import Glibc
import HelixModel
import HelixNetwork
import HelixStore
import HelixSync
import HelixSystem
import HelixTerminal

/// `helix account sign-in`
struct AccountSignIn: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "sign-in", abstract: "Sign in by OAuth 2.0, in a browser or on another device.",
        discussion: """
            For accounts with --oauth. Opens the provider's page in a browser, which redirects to this machine (RFC \
            8252); --device shows a code to enter on another device, if the provider supports it (RFC 8628). Tokens are \
            stored in the keyring, or in a file readable only by you. They are refreshed automatically; 'helix account \
            remove' revokes them.

              helix account sign-in work
              helix account sign-in work --no-browser
              helix account sign-in work --device
            """)
    static let reports: [PrintedReport] = [.json(AccountReport.self)]

    @Argument(help: "The account.", completion: .custom(CompletionLists.allAccounts))
    var name: String

    @Flag(name: .long, help: "Sign in with a code on another device.")
    var device = false

    @Flag(name: .long, help: "Print the URL instead of opening a browser.")
    var noBrowser = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        if device, noBrowser {
            throw HelixError(.usage, "--device opens no browser", hint: "Omit --no-browser.")
        }
        let account = try context.store().account(named: name)
        if context.isDryRun {
            // Throws the reason if the account does not use OAuth.
            _ = try OAuthAccess(account)
            guard let oauth = account.settings.oauth else { return }
            let rights = oauth.scopes.isEmpty ? "" : " for \(oauth.scopes.joined(separator: " "))"
            context.note(StyledText("Would sign in at \(SafeText.line(oauth.provider))\(SafeText.line(rights))."))
            return try context.presentAccounts([account])
        }
        try context.signIn(account, byDevice: device, opensBrowser: !noBrowser)
        try context.presentAccounts([account])
    }
}

extension CommandContext {
    /// The time to complete the sign-in, in seconds.
    private static let patience: Double = 600

    /// Signs in by OAuth 2.0.
    /// - Throws: ``HelixError``.
    func signIn(_ account: Account, byDevice: Bool, opensBrowser: Bool) throws {
        let access = try OAuthAccess(account)
        if byDevice {
            try access.signInByDevice { code in
                note(StyledText("Open this page on any device, and type the code:", .bold))
                write(address: code.page)
                note(StyledText("  \(SafeText.line(code.userCode))", .bold))
                if let whole = code.wholePage {
                    note(StyledText("Or open this, which has the code in it:", .dim))
                    write(address: whole)
                }
            }
        } else {
            try access.signIn(patience: CommandContext.patience) { address in
                let isOpened = opensBrowser && hasScreen && open(address)
                note(
                    StyledText(
                        isOpened
                            ? "Sign in with the browser; if none opens, open:" : "Open in a browser on this machine:",
                        .bold))
                write(address: address)
            }
        }
        note(StyledText("Signed in.", TextStyle(.green)))
        if access.keepsFile {
            note(
                StyledText(
                    "No keyring (secret-tool) answers; the tokens are stored in \(account.tokenFile), readable only by you.",
                    TextStyle(.yellow)))
        }
    }

    /// Writes a URL unwrapped: a line break would make it unusable.
    private func write(address: String) {
        console.report("  \(SafeText.line(address))\n")
    }

    /// Whether a browser can be displayed.
    private var hasScreen: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].contains { environment[$0]?.isEmpty == false }
    }

    /// Opens an address in the user's browser.
    private func open(_ address: String) -> Bool {
        let browser = environment["BROWSER"].flatMap { $0.isEmpty ? nil : $0 }
        return (try? Subprocess(browser ?? "xdg-open", [address], output: .null, errors: .null)) != nil
    }
}
