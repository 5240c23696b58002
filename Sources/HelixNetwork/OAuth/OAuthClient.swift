import FoundationEssentials
import HelixModel

/// Requests tokens from a provider (RFC 6749), renews and revokes them.
public struct OAuthClient: Sendable {
    private let settings: OAuthSettings
    private let secret: String?
    private let authorities: String?
    private var host: String { URL(string: settings.token)?.host ?? settings.provider }

    /// - Parameters:
    ///   - secret: the client secret, for providers that issue one.
    ///   - authorities: a file of certificates to trust instead of the system's.
    public init(_ settings: OAuthSettings, secret: String?, authorities: String?) {
        (self.settings, self.secret, self.authorities) = (settings, secret, authorities)
    }

    /// A request for a browser that is redirected to this machine.
    /// - Throws: ``HelixError``.
    public func request(to receiver: LoopbackReceiver, login: String) throws -> OAuthRequest {
        try OAuthRequest(settings, redirect: OAuthProvider.redirect(settings, port: receiver.port), login: login)
    }

    /// The tokens for the browser's authorization code (RFC 6749 §4.1.3).
    /// - Throws: ``HelixError`` of code `authentication` if the provider refuses it.
    public func tokens(for code: String, of request: OAuthRequest) throws -> OAuthTokens {
        try tokens([
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", request.redirect),
            ("code_verifier", request.verifier),
        ])
    }

    /// Renews tokens (RFC 6749 §6); without a new refresh token the former one stays valid.
    /// - Throws: ``HelixError`` of code `authentication` if the provider ended them.
    public func refreshed(_ tokens: OAuthTokens) throws -> OAuthTokens {
        guard let refresh = tokens.refresh else { throw ended("issued no token to renew the sign-in") }
        var new = try self.tokens([("grant_type", "refresh_token"), ("refresh_token", refresh)])
        if new.refresh == nil { new.refresh = refresh }
        return new
    }

    /// Revokes tokens (RFC 7009).
    /// - Returns: false if the provider does not support that.
    /// - Throws: ``HelixError``.
    public func revoke(_ tokens: OAuthTokens) throws -> Bool {
        guard let place = settings.revocation else { return false }
        let answer = try post(place, [("token", tokens.refresh ?? tokens.access)])
        guard answer.isGood else { throw refusal(answer) }
        return true
    }

    // MARK: Devices

    /// Requests a code to type on another device.
    /// - Throws: ``HelixError`` of code `notAllowed` if the provider does not support that.
    public func deviceCode() throws -> OAuthDeviceCode {
        guard let place = settings.device else {
            throw HelixError(
                .notAllowed, "\(host) provides no codes for other devices",
                hint: "Sign in on this machine: 'helix account sign-in NAME --no-browser' prints the address to open.")
        }
        let scopes = settings.scopes.isEmpty ? [] : [("scope", settings.scopes.joined(separator: " "))]
        let answer = try post(place, scopes)
        guard answer.isGood, let found = try? OAuthForm.decoder.decode(Device.self, from: Data(answer.body)),
            let page = found.verificationUri ?? found.verificationUrl, OAuthProvider.isSafe(page)
        else { throw refusal(answer) }
        let whole = found.verificationUriComplete.flatMap { OAuthProvider.isSafe($0) ? $0 : nil }
        return OAuthDeviceCode(
            code: found.deviceCode, userCode: found.userCode, page: page, wholePage: whole,
            end: Date() + found.expiresIn.seconds, interval: max(1, found.interval?.seconds ?? 5))
    }

    /// The tokens for a code, once the user has agreed; nil until then.
    ///
    /// - Parameter device: its interval grows if the provider requires that (RFC 8628 §3.5).
    /// - Throws: ``HelixError`` of code `authentication` if the user refused, or the code has expired.
    public func tokens(for device: inout OAuthDeviceCode) throws -> OAuthTokens? {
        let fields = [("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", device.code)]
        let answer = try post(settings.token, fields)
        if answer.isGood { return try read(answer) }
        switch OAuthClient.problem(answer)?.error {
        case "authorization_pending": return nil
        case "slow_down":
            device.interval += 5
            return nil
        default: throw refusal(answer)
        }
    }

    // MARK: Parts

    private func tokens(_ fields: [(String, String)]) throws -> OAuthTokens {
        let answer = try post(settings.token, fields)
        guard answer.isGood else { throw refusal(answer) }
        return try read(answer)
    }

    private func post(_ place: String, _ fields: [(String, String)]) throws -> HTTPClient.Answer {
        guard let url = URL(address: place), OAuthProvider.isSafe(place) else {
            throw HelixError(.configuration, "'\(place)' is not a provider address", hint: "It begins with https://.")
        }
        let client = try HTTPClient(url, user: "", credential: .none, authorities: authorities, patience: 30)
        var form = fields + [("client_id", settings.clientID)]
        if let secret { form.append(("client_secret", secret)) }
        return try client.send(
            "POST", url, headers: ["Content-Type: application/x-www-form-urlencoded", "Accept: application/json"],
            body: OAuthForm.body(form))
    }

    private func read(_ answer: HTTPClient.Answer) throws -> OAuthTokens {
        guard let found = try? OAuthForm.decoder.decode(Tokens.self, from: Data(answer.body)),
            !found.accessToken.isEmpty, found.tokenType.map({ $0.lowercased() == "bearer" }) ?? true,
            // A line break in a token would break the request's headers.
            !found.accessToken.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value >= 0x7F })
        else { throw HelixError(.protocol, "\(host) returned no token that mail and calendar servers accept") }
        return OAuthTokens(
            access: found.accessToken, refresh: found.refreshToken,
            end: found.expiresIn.map { Date() + $0.seconds })
    }

    /// Converts an error response.
    private func refusal(_ answer: HTTPClient.Answer) -> HelixError {
        guard let problem = OAuthClient.problem(answer) else {
            let code: HelixError.Code = answer.status == 429 || answer.status >= 500 ? .offline : .protocol
            return HelixError(code, "\(host) answers \(answer.status) to the token request")
        }
        switch problem.error {
        case "invalid_grant": return ended("reports that the sign-in has expired or was revoked")
        case "expired_token": return ended("reports that the code has expired")
        case "access_denied": return ended("reports that you did not agree")
        case "invalid_client", "unauthorized_client":
            return HelixError(
                .authentication, "\(host) does not know the client id '\(settings.clientID)', or refuses its secret",
                hint: "Get one as in docs/oauth.md, and set it: helix account edit NAME --client-id ID")
        default:
            let detail = problem.errorDescription.map { ": \($0)" } ?? ""
            return HelixError(.authentication, "\(host) refuses a token: \(problem.error)\(detail)")
        }
    }

    private func ended(_ text: String) -> HelixError {
        HelixError(.authentication, "\(host) \(text)", hint: "Sign in again: helix account sign-in NAME")
    }

    private static func problem(_ answer: HTTPClient.Answer) -> Problem? {
        try? OAuthForm.decoder.decode(Problem.self, from: Data(answer.body))
    }

    private struct Problem: Decodable {
        var error: String
        var errorDescription: String?
    }

    private struct Tokens: Decodable {
        var accessToken: String
        var tokenType: String?
        var refreshToken: String?
        var expiresIn: Length?
    }

    private struct Device: Decodable {
        var deviceCode: String
        var userCode: String
        var verificationUri: String?
        /// The name in drafts of the standard, and at Google.
        var verificationUrl: String?
        var verificationUriComplete: String?
        var expiresIn: Length
        var interval: Length?
    }

    /// Seconds, which some providers return as a string.
    private struct Length: Decodable {
        var seconds: Double

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let number = try? value.decode(Double.self) {
                seconds = number
            } else {
                seconds = Double(try value.decode(String.self)) ?? 0
            }
            seconds = min(max(0, seconds), 10 * 365 * 86_400)
        }
    }
}
