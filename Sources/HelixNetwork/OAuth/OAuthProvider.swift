import FoundationEssentials
import HelixModel

/// A provider of mail and calendars with sign-in by OAuth 2.0. docs/oauth.md describes how to get a client id from each.
public struct OAuthProvider: Sendable {
    /// The name in settings.
    public var name: String
    /// The display name.
    public var title: String
    var authorization: String
    var token: String
    var device: String?
    var revocation: String?
    var mailScopes: [String]
    var calendarScopes: [String]
    /// The domains of its own addresses.
    var domains: Set<String> = []
    /// Parts of its servers' names, which may serve addresses of other domains.
    var hosts: [String] = []
    /// Whether it accepts any port of this machine by name only, and not by address (RFC 8252 §7.3).
    var redirectsByName = false
    /// Whether it requires a client secret for tokens.
    public var needsSecret = false

    /// Whether it is a built-in provider.
    public var isKnown: Bool { !name.contains("/") }

    /// The built-in providers, without client ids.
    public static let all: [OAuthProvider] = [
        OAuthProvider(
            name: "google", title: "Google", authorization: "https://accounts.google.com/o/oauth2/v2/auth",
            token: "https://oauth2.googleapis.com/token",
            // Google issues no device codes for mail and calendars.
            device: nil, revocation: "https://oauth2.googleapis.com/revoke",
            mailScopes: ["https://mail.google.com/"], calendarScopes: ["https://www.googleapis.com/auth/calendar"],
            domains: ["gmail.com", "googlemail.com"], hosts: ["gmail.com", "googlemail.com", "googleapis.com"],
            needsSecret: true),
        OAuthProvider(
            name: "microsoft", title: "Microsoft",
            authorization: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
            token: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
            device: "https://login.microsoftonline.com/common/oauth2/v2.0/devicecode", revocation: nil,
            mailScopes: [
                "https://outlook.office.com/IMAP.AccessAsUser.All", "https://outlook.office.com/SMTP.Send",
                "offline_access",
            ],
            calendarScopes: [], domains: ["outlook.com", "hotmail.com", "live.com", "msn.com"],
            hosts: ["office365.com", "outlook.com"], redirectsByName: true),
        OAuthProvider(
            name: "yahoo", title: "Yahoo", authorization: "https://api.login.yahoo.com/oauth2/request_auth",
            token: "https://api.login.yahoo.com/oauth2/get_token", device: nil, revocation: nil,
            mailScopes: ["mail-w"], calendarScopes: ["ycal-w"],
            domains: ["yahoo.com", "ymail.com", "rocketmail.com", "yahoo.de", "yahoo.fr", "yahoo.it", "yahoo.es"],
            hosts: ["yahoo.com"], needsSecret: true),
        OAuthProvider(
            name: "fastmail", title: "Fastmail", authorization: "https://api.fastmail.com/oauth/authorize",
            token: "https://api.fastmail.com/oauth/refresh", device: nil, revocation: nil,
            mailScopes: [
                "https://www.fastmail.com/dev/protocol-imap", "https://www.fastmail.com/dev/protocol-smtp",
                "offline_access",
            ],
            calendarScopes: ["https://www.fastmail.com/dev/protocol-caldav", "offline_access"],
            domains: ["fastmail.com", "fastmail.fm"], hosts: ["fastmail.com"]),
    ]

    /// The provider of a server name, or of an address's domain.
    public static func serving(host: String?, address: String?) -> OAuthProvider? {
        let domain = address?.split(separator: "@").last?.lowercased() ?? ""
        let host = host?.lowercased() ?? ""
        return all.first { provider in
            provider.domains.contains(domain)
                || provider.hosts.contains { host == $0 || host.hasSuffix("." + $0) }
        }
    }

    /// The built-in provider of that name, or the one at that address, by its published metadata.
    /// - Parameter authorities: a file of certificates to trust instead of the system's.
    /// - Throws: ``HelixError`` of code `usage` for an unknown name, others if the address does not answer.
    public static func named(_ name: String, authorities: String?) throws -> OAuthProvider {
        if let known = all.first(where: { $0.name == name.lowercased() }) { return known }
        guard let url = URL(address: name) else {
            throw HelixError(
                .usage, "unknown provider '\(name)'",
                hint: "Known: \(all.map(\.name).joined(separator: ", ")); or give an address with https://."
            )
        }
        return try discovered(url, authorities)
    }

    /// Fetches the metadata of a provider (RFC 8414 §3; OpenID Connect Discovery 1.0 §4).
    private static func discovered(_ issuer: URL, _ authorities: String?) throws -> OAuthProvider {
        guard isSafe(issuer.absoluteString) else {
            throw HelixError(.usage, "'\(issuer.absoluteString)' is not secure", hint: "Use an address with https://.")
        }
        let path = issuer.path == "/" ? "" : issuer.path
        let places = [
            "/.well-known/oauth-authorization-server" + path, path + "/.well-known/openid-configuration",
        ]
        let client = try HTTPClient(issuer, user: "", credential: .none, authorities: authorities, patience: 30)
        for place in places {
            guard let url = URL(string: place, relativeTo: issuer)?.absoluteURL else { continue }
            let answer = try client.send("GET", url)
            guard answer.isGood, let found = try? OAuthForm.decoder.decode(Metadata.self, from: Data(answer.body))
            else {
                continue
            }
            let addresses = [
                found.authorizationEndpoint, found.tokenEndpoint, found.deviceAuthorizationEndpoint,
                found.revocationEndpoint,
            ]
            guard addresses.allSatisfy({ $0.map(isSafe) ?? true }) else {
                throw HelixError(.notAllowed, "\(issuer.host ?? "the provider") publishes unencrypted addresses")
            }
            let offline = found.scopesSupported?.contains("offline_access") == true ? ["offline_access"] : []
            return OAuthProvider(
                name: issuer.absoluteString, title: issuer.host ?? issuer.absoluteString,
                authorization: found.authorizationEndpoint, token: found.tokenEndpoint,
                device: found.deviceAuthorizationEndpoint, revocation: found.revocationEndpoint,
                mailScopes: offline, calendarScopes: offline)
        }
        throw HelixError(
            .notFound, "\(issuer.absoluteString) does not publish how to sign in by OAuth 2.0",
            hint: "Check the address: it must have a page /.well-known/oauth-authorization-server.")
    }

    /// The redirect address on this machine.
    static func redirect(_ settings: OAuthSettings, port: UInt16) -> String {
        let isByName = all.contains { $0.name == settings.provider && $0.redirectsByName }
        return isByName ? "http://localhost:\(port)" : "http://127.0.0.1:\(port)/"
    }

    private struct Metadata: Decodable {
        var authorizationEndpoint: String
        var tokenEndpoint: String
        var deviceAuthorizationEndpoint: String?
        var revocationEndpoint: String?
        var scopesSupported: [String]?
    }

    /// Whether the connection to an address cannot be intercepted.
    static func isSafe(_ address: String) -> Bool {
        guard let url = URL(address: address), let host = url.host else { return false }
        return url.scheme == "https" || url.scheme == "http" && Endpoint.isLoopback(host)
    }

    /// The settings for an account.
    /// - Parameters:
    ///   - scopes: the scopes to request; nil for those that mail or calendars need.
    public func settings(clientID: String, forCalendars: Bool, scopes: [String]?) -> OAuthSettings {
        OAuthSettings(
            provider: name, clientID: clientID, authorization: authorization, token: token, device: device,
            revocation: revocation, scopes: scopes ?? (forCalendars ? calendarScopes : mailScopes))
    }
}
