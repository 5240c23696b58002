import Foundation

/// The tokens of an account (RFC 6749 §5.1).
public struct OAuthTokens: Hashable, Sendable, Codable {
    /// The token that servers take.
    public var access: String
    /// The token that gets new ones; nil where the provider gave none.
    public var refresh: String?
    /// The end of the access token; nil if the provider did not say.
    public var end: Date?

    /// Whether the access token is good for a while still.
    /// - Parameter now: the time on the system's clock, by which the provider's lengths are counted.
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
    /// The end of the code.
    public var end: Date
    /// Seconds between two questions.
    public var interval: Double
}
