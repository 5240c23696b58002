/// The way in which an account signs in by OAuth 2.0 (RFC 6749). Nothing secret stands in it.
public struct OAuthSettings: Hashable, Sendable, Codable {
    /// The name of a provider that helix knows (`google`), or the address of another one.
    public var provider: String
    /// The name under which the provider knows the program; it gives one to each developer, or user, who asks for it.
    public var clientID: String
    /// A command that prints the secret that some providers give out with that name.
    public var secretCommand: String?
    /// Address at which the user agrees, in a browser.
    public var authorization: String
    /// Address that gives out tokens.
    public var token: String
    /// Address that gives out codes for devices without a browser (RFC 8628); nil where there is none.
    public var device: String?
    /// Address that takes tokens back (RFC 7009); nil where there is none.
    public var revocation: String?
    /// The rights that are asked for.
    public var scopes: [String]

    /// Settings without a secret.
    public init(
        provider: String, clientID: String, authorization: String, token: String, device: String? = nil,
        revocation: String? = nil, scopes: [String]
    ) {
        (self.provider, self.clientID) = (provider, clientID)
        (self.authorization, self.token, self.device, self.revocation) = (authorization, token, device, revocation)
        self.scopes = scopes
    }
}
