import FoundationEssentials
import HelixCrypto
import HelixGateway
import HelixModel
import Synchronization

/// Verifies tokens of another service. The keys that are fetched from a URL are kept for an hour; an unknown one lets them be
/// fetched again, at most every half minute.
final class JWTVerifier: Sendable {
    /// The reason for refusing a token; it says nothing of the secret.
    struct Invalid: Error, Equatable {
        let reason: String
        /// Whether the keys are being fetched: then the token may be accepted a moment later.
        var isTemporary = false
    }

    private struct Keys {
        var set: JWTKeySet?
        var fetchedAt: Instant?
        var isFetching = false
    }

    private let configuration: JWTConfiguration
    private let fetch: @Sendable (String) throws -> [UInt8]
    private let start: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let keys = Mutex(Keys())

    /// The service that issues the tokens.
    var issuer: String { configuration.issuer }

    /// The longest token in bytes.
    static let longest = 8_192
    /// The tolerated difference of clocks, and the longest life of a token without a later check, in seconds.
    private static let leeway: Int64 = 60
    /// The time for which keys are kept, and between two attempts to fetch them, in seconds.
    private static let (life, pause): (Int64, Int64) = (3_600, 30)

    /// - Parameters:
    ///   - fetch: reads a URL or file.
    ///   - start: runs work in the background.
    init(
        _ configuration: JWTConfiguration, fetch: @escaping @Sendable (String) throws -> [UInt8],
        start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) { (self.configuration, self.fetch, self.start) = (configuration, fetch, start) }

    /// Whether a credential has the form of a token of this kind: three parts, the first of which is a JSON object.
    static func isToken(_ text: String) -> Bool {
        text.hasPrefix("eyJ") && text.utf8.count(where: { $0 == 0x2E }) == 2
    }

    /// Verifies a token, and returns what it says.
    /// - Throws: ``Invalid``.
    func claims(of token: String, now: Instant) throws -> JWTClaims {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard token.utf8.count <= JWTVerifier.longest, parts.count == 3,
            let header = JWTVerifier.object(parts[0]), let payload = JWTVerifier.object(parts[1]),
            let signature = Base64URL.bytes(parts[2]).map({ Array($0) })
        else { throw Invalid(reason: "the token is malformed") }
        // Extensions that must be understood are not (RFC 7515, 4.1.11).
        guard header["crit"] == nil else { throw Invalid(reason: "the token has unknown extensions") }
        try checkSignature(header, Array("\(parts[0]).\(parts[1])".utf8), signature, now)
        return try claims(payload, now)
    }

    private static func object(_ part: String) -> JSONText? {
        guard let bytes = Base64URL.bytes(part), let json = try? JSONText(Array(bytes)), json.fields != nil else {
            return nil
        }
        return json
    }

    private func checkSignature(
        _ header: JSONText, _ message: [UInt8], _ signature: [UInt8], _ now: Instant
    ) throws {
        switch header["alg"]?.text {
        case "HS256":
            guard let secret = configuration.secret else { throw Invalid(reason: "tokens with HS256 are not accepted") }
            let code = Array(SHA256.authenticationCode(of: message, key: secret))
            guard JWTVerifier.areEqual(code, signature) else { throw Invalid(reason: "the token is not authentic") }
        case let algorithm? where ["RS256", "ES256"].contains(algorithm) && configuration.keys != nil:
            let set = try keySet(now)
            let candidates = set.candidates(id: header["kid"]?.text, isRSA: algorithm == "RS256")
            if candidates.isEmpty {
                refresh(now)
                throw Invalid(reason: "the token is signed with an unknown key", isTemporary: true)
            }
            guard candidates.contains(where: { $0.isValid(signature, of: message) }) else {
                throw Invalid(reason: "the token is not authentic")
            }
        default: throw Invalid(reason: "the algorithm of the token is not accepted")
        }
    }

    /// Compares in a time that does not depend on the bytes.
    private static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        a.count == b.count && zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func claims(_ payload: JSONText, _ now: Instant) throws -> JWTClaims {
        guard payload["iss"]?.text == configuration.issuer else {
            throw Invalid(reason: "the token has another issuer")
        }
        let audiences = payload["aud"]?.text.map { [$0] } ?? payload["aud"]?.strings ?? []
        guard audiences.contains(configuration.audience) else {
            throw Invalid(reason: "the token has another audience")
        }
        guard let end = payload["exp"]?.integer, end > now.seconds - JWTVerifier.leeway else {
            throw Invalid(reason: "the token has expired")
        }
        for name in ["nbf", "iat"] {
            guard let value = payload[name] else { continue }
            guard let start = value.double, start <= 1e15 else { throw Invalid(reason: "the token is malformed") }
            if start > Double(now.seconds + JWTVerifier.leeway) {
                throw Invalid(reason: "the token is not valid yet")
            }
        }
        guard let subject = payload["sub"]?.text, (1...200).contains(subject.utf8.count) else {
            throw Invalid(reason: "the token names no user")
        }
        let more = payload["user_metadata"]
        // Users of some services write their metadata themselves: it proves no address.
        let isVerified = payload["email_verified"]?.bool ?? false
        return JWTClaims(
            subject: subject, email: isVerified ? payload["email"]?.text : nil,
            name: payload["preferred_username"]?.text ?? more?["preferred_username"]?.text ?? payload["name"]?.text)
    }

    // MARK: Keys

    private func keySet(_ now: Instant) throws -> JWTKeySet {
        let (set, isOld) = keys.withLock { keys in
            (keys.set, keys.fetchedAt.map { now.seconds - $0.seconds > JWTVerifier.life } ?? true)
        }
        if isOld { refresh(now) }
        guard let set else { throw Invalid(reason: "the keys of the issuer are not known yet", isTemporary: true) }
        return set
    }

    /// Fetches the keys in the background.
    func refresh(_ now: Instant) {
        guard let place = configuration.keys else { return }
        let isDue = keys.withLock { keys in
            guard !keys.isFetching, keys.fetchedAt.map({ now.seconds - $0.seconds >= JWTVerifier.pause }) ?? true else {
                return false
            }
            keys.isFetching = true
            keys.fetchedAt = now
            return true
        }
        guard isDue else { return }
        start { [self] in
            let found = try? JWTKeySet(try fetch(place))
            keys.withLock { keys in
                keys.isFetching = false
                // Keys that were valid stay so while their place cannot be reached.
                if let found, !found.keys.isEmpty { keys.set = found }
            }
        }
    }
}
