import FoundationEssentials
import Glibc
import HelixModel
import HelixNetwork
import HelixSystem

/// The sign-in of an account by OAuth 2.0.
public struct OAuthAccess {
    private let account: Account
    private let settings: OAuthSettings
    private let store: TokenStore

    /// - Throws: ``HelixError`` of code `usage` for an account that signs in by other means.
    public init(_ account: Account) throws {
        guard let settings = account.settings.oauth else {
            throw HelixError(
                .usage, "'\(account.name)' does not sign in by OAuth 2.0",
                hint: "helix account edit \(account.name) --oauth google --client-id ID")
        }
        (self.account, self.settings) = (account, settings)
        store = TokenStore(account: account)
    }

    /// Whether tokens are stored in a file, for lack of a keyring.
    public var keepsFile: Bool { FileManager.default.fileExists(atPath: account.tokenFile) }

    /// A valid access token, renewed before it expires.
    ///
    /// - Parameter refused: a token that a server refused although it should still be valid.
    /// - Throws: ``HelixError`` of code `authentication` if the user has not signed in, or the provider ended the sign-in.
    public func token(refused: String? = nil) throws -> String {
        if refused == nil, let tokens = try store.load(), tokens.isFresh(at: Date()) { return tokens.access }
        return try store.alone {
            guard let tokens = try store.load() else {
                throw HelixError(
                    .authentication, "'\(account.name)' is not signed in yet",
                    hint: "helix account sign-in \(account.name)")
            }
            // Another process may have renewed it meanwhile.
            if tokens.access != refused, tokens.isFresh(at: Date()) { return tokens.access }
            do {
                let new = try client().refreshed(tokens)
                try store.save(new)
                return new.access
            } catch let error as HelixError {
                throw named(error)
            }
        }
    }

    /// Signs in with a browser on this machine.
    ///
    /// - Parameters:
    ///   - patience: the timeout in seconds.
    ///   - show: shows the address to open.
    /// - Throws: ``HelixError``.
    public func signIn(patience: Double, show: (String) -> Void) throws {
        do {
            let receiver = try LoopbackReceiver()
            let client = try client()
            let request = try client.request(to: receiver, login: account.settings.login)
            show(request.address)
            let code = try receiver.code(for: request, until: Date() + patience)
            try keep(try client.tokens(for: code, of: request))
        } catch let error as HelixError {
            throw named(error)
        }
    }

    /// Signs in with a code that the user types on another device.
    ///
    /// - Parameter show: shows the code and the page to type it on.
    /// - Throws: ``HelixError``.
    public func signInByDevice(show: (OAuthDeviceCode) -> Void) throws {
        do {
            let client = try client()
            var device = try client.deviceCode()
            show(device)
            while device.end > Date() {
                sleep(seconds: device.interval)
                if let tokens = try client.tokens(for: &device) { return try keep(tokens) }
            }
            throw HelixError(
                .authentication, "the code has expired without being used", hint: "helix account sign-in NAME")
        } catch let error as HelixError {
            throw named(error)
        }
    }

    /// Revokes the tokens at the provider, and deletes them.
    /// - Returns: false if the provider cannot revoke tokens; nil if there were none.
    /// - Throws: ``HelixError`` if the provider cannot be reached; they are deleted all the same.
    public func signOut() throws -> Bool? {
        defer { store.remove() }
        guard let tokens = try store.load() else { return nil }
        return try client().revoke(tokens)
    }

    private func keep(_ tokens: OAuthTokens) throws { try store.alone { try store.save(tokens) } }

    private func client() throws -> OAuthClient {
        let secret = try settings.secretCommand.map { try Secrets.output(of: $0, for: "'\(account.name)'") }
        return OAuthClient(settings, secret: secret, authorities: account.settings.authorities)
    }

    /// The error with the account's name in its hint.
    private func named(_ error: HelixError) -> HelixError {
        HelixError(error.code, error.message, hint: error.hint?.replacing("NAME", with: account.name))
    }
}

extension Account {
    /// Opens a session; a token that the server refuses is renewed once.
    /// - Throws: ``HelixError``.
    func opening<Session>(
        _ scheme: String, _ server: AccountSettings.Server, _ known: Endpoint.Credential? = nil,
        _ open: (Endpoint) throws -> Session
    ) throws -> Session {
        let credential = try known ?? Secrets.credential(self)
        do { return try open(endpoint(scheme, server, credential)) } catch let error as HelixError
            where error.code == .authentication
        {
            guard settings.oauth != nil, case .token(let token) = credential else { throw error }
            return try open(endpoint(scheme, server, .token(try OAuthAccess(self).token(refused: token))))
        }
    }

    /// Opens a session for reading mail.
    /// - Throws: ``HelixError``.
    func openingIMAP<Session>(_ open: (Endpoint) throws -> Session) throws -> Session {
        guard let server = settings.imap else {
            throw HelixError(
                .configuration, "the account '\(name)' has no IMAP server",
                hint: "helix account edit \(name) --imap-host HOST")
        }
        return try opening("imap", server, nil, open)
    }

    /// Opens a session for scripts that sort arriving mail.
    /// - Throws: ``HelixError``.
    func openingSieve() throws -> SieveSession {
        guard let server = settings.sieveServer else {
            throw HelixError(
                .configuration, "the account '\(name)' has no ManageSieve server",
                hint: "helix account edit \(name) --sieve-host HOST")
        }
        return try opening("sieve", server, nil) { try SieveSession($0) }
    }

    /// An HTTP client with the account's sign-in.
    /// - Throws: ``HelixError``.
    func httpClient(_ url: URL) throws -> HTTPClient {
        let isKnown = !settings.login.isEmpty || settings.oauth != nil
        let renewal: ((String) throws -> String)? =
            settings.oauth == nil ? nil : { refused in try OAuthAccess(self).token(refused: refused) }
        return try HTTPClient(
            url, user: settings.login, credential: isKnown ? try Secrets.credential(self) : .none,
            authorities: settings.authorities, renewal: renewal)
    }
}
