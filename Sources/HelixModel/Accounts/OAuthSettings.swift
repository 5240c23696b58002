/// The OAuth 2.0 settings of an account (RFC 6749). They contain no secrets.
public struct OAuthSettings: Hashable, Sendable, Codable {
    /// The name of a known provider (`google`), or the URL of another one.
    public var provider: String
    /// The client id; the provider issues one to each developer, or user, on request.
    public var clientID: String
    /// A command that prints the client secret that some providers issue with the id.
    public var secretCommand: String?
    /// The authorization endpoint, opened in a browser.
    public var authorization: String
    /// The token endpoint.
    public var token: String
    /// The device authorization endpoint for devices without a browser (RFC 8628); nil if there is none.
    public var device: String?
    /// The token revocation endpoint (RFC 7009); nil if there is none.
    public var revocation: String?
    /// The requested scopes.
    public var scopes: [String]

    /// Creates settings.
    public init(
        provider: String, clientID: String, authorization: String, token: String, device: String? = nil,
        revocation: String? = nil, scopes: [String]
    ) {
        (self.provider, self.clientID) = (provider, clientID)
        (self.authorization, self.token, self.device, self.revocation) = (authorization, token, device, revocation)
        self.scopes = scopes
    }
}
