import FoundationEssentials

/// The tokens of an account (RFC 6749 §5.1).
public struct OAuthTokens: Hashable, Sendable, Codable {
    /// The access token.
    public var access: String
    /// The refresh token; nil if the provider issued none.
    public var refresh: String?
    /// The expiry of the access token; nil if unknown.
    public var end: Date?

    /// Whether the access token is valid for a while.
    /// - Parameter now: the time on the system's clock, which the expiry refers to.
    public func isFresh(at now: Date) -> Bool { end.map { $0 > now + 60 } ?? true }
}

/// A code that the user types on another device (RFC 8628 §3.2).
public struct OAuthDeviceCode: Sendable {
    var code: String
    /// The code to type.
    public var userCode: String
    /// The page to type it on.
    public var page: String
    /// The page with the code in it; nil where the provider has none.
    public var wholePage: String?
    /// The expiry of the code.
    public var end: Date
    /// The seconds between two requests.
    public var interval: Double
}
