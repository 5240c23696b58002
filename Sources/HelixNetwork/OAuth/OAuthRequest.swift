import FoundationEssentials
import HelixCrypto
import HelixModel

/// An authorization request that a user answers in a browser (RFC 6749 §4.1.1), with PKCE (RFC 7636).
public struct OAuthRequest: Sendable {
    /// The secret whose hash is in the address.
    let verifier: String
    /// The value that the answer must return (RFC 6749 §10.12).
    let state: String
    /// The redirect address.
    let redirect: String
    /// The address to open.
    public let address: String

    /// - Parameters:
    ///   - login: the account's address, which the page offers first.
    /// - Throws: ``HelixError`` of code `configuration` for an invalid address.
    init(_ settings: OAuthSettings, redirect: String, login: String) throws {
        verifier = OAuthRequest.random()
        state = OAuthRequest.random()
        self.redirect = redirect
        guard var parts = URLComponents(string: settings.authorization), parts.host != nil else {
            throw HelixError(.configuration, "'\(settings.authorization)' is not a provider address")
        }
        var items = [
            ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", redirect),
            ("state", state), ("code_challenge", OAuthRequest.challenge(verifier)), ("code_challenge_method", "S256"),
        ]
        if !settings.scopes.isEmpty { items.append(("scope", settings.scopes.joined(separator: " "))) }
        if !login.isEmpty { items.append(("login_hint", login)) }
        // Google returns a refresh token only with these parameters.
        if settings.provider == "google" { items += [("access_type", "offline"), ("prompt", "consent")] }
        let query = items.map { "\($0)=\(OAuthForm.escaped($1))" }.joined(separator: "&")
        parts.percentEncodedQuery = [parts.percentEncodedQuery, query].compactMap { $0 }.joined(separator: "&")
        address = parts.string ?? settings.authorization
    }

    /// 32 bytes from the system's generator, as text (RFC 7636 §4.1).
    private static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return text((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// The challenge of a verifier (RFC 7636 §4.2).
    static func challenge(_ verifier: String) -> String { text(Array(SHA256.hash(Data(verifier.utf8)))) }

    /// Base64url without padding (RFC 4648 §5).
    private static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

/// Forms in `application/x-www-form-urlencoded`, and the JSON of responses.
enum OAuthForm {
    /// A decoder for responses, with names like `access_token`.
    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    private static let unreserved = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            if unreserved.contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    static func body(_ fields: [(String, String)]) -> [UInt8] {
        Array(fields.map { "\($0)=\(escaped($1))" }.joined(separator: "&").utf8)
    }
}
