import HelixModel

/// The sign-in with tokens of another service, such as Supabase (JSON Web Tokens, RFC 7519).
public struct JWTConfiguration: Sendable {
    /// The secret of tokens that are authenticated with HMAC (HS256); nil to accept none of those.
    public var secret: [UInt8]?
    /// The URL or file of the service's public keys (RFC 7517); nil to accept no signed tokens.
    public var keys: String?
    /// The service that issues the tokens, as they name it.
    public var issuer: String
    /// The audience that tokens must name.
    public var audience: String
    /// The file with the certificates to trust for the URL, if not the system's.
    public var authorities: String?

    /// - Throws: ``HelixError`` of code `usage` for a secret that can be guessed, or without any key.
    public init(
        secret: [UInt8]?, keys: String?, issuer: String, audience: String, authorities: String? = nil
    ) throws {
        guard secret != nil || keys != nil else {
            throw HelixError(
                .usage, "no key for the tokens is given", hint: "Pass --jwt-secret-command or --jwt-keys.")
        }
        if let secret, secret.count < 32 {
            throw HelixError(
                .usage, "the secret of the tokens has only \(secret.count) bytes",
                hint: "It must have 32 at least (RFC 7518, 3.2).")
        }
        guard !issuer.isEmpty, !audience.isEmpty else {
            throw HelixError(.usage, "tokens need an issuer and an audience")
        }
        (self.secret, self.keys, self.issuer, self.audience) = (secret, keys, issuer, audience)
        self.authorities = authorities
    }
}

/// The claims of a token about its user.
struct JWTClaims: Hashable, Sendable {
    /// The user, as the issuer knows them.
    var subject: String
    /// The e-mail address; nil if it is not known, or not verified.
    var email: String?
    /// The name.
    var name: String?
}
