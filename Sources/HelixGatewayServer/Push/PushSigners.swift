import FoundationEssentials
import HelixCrypto
import HelixGateway
import HelixModel
import HelixSignatures
import Synchronization

/// The keys with which this gateway identifies itself to push services.
final class PushSigners: Sendable {
    let configuration: PushConfiguration
    /// The key that Web Push services know this gateway by (RFC 8292).
    private let own: CurveKey
    private let apple = Mutex<(token: String, madeAt: Int64)?>(nil)

    /// Apple accepts a token for an hour, and does not want a new one more often than every 20 minutes.
    private static let appleLife: Int64 = 45 * 60
    /// The lifetime of a token for a Web Push service: at most a day (RFC 8292 §2).
    private static let vapidLife: Int64 = 12 * 3600

    /// - Parameter secret: the gateway's secret; the key is derived from it, so that all processes of a gateway have the same.
    init(_ configuration: PushConfiguration, secret: [UInt8]) {
        self.configuration = configuration
        own = CurveKey(secret: secret, purpose: "web push")
    }

    /// The public key that apps pass to their push service, base64url.
    var publicKey: String { Base64URL.text(own.publicKey) }

    /// The token for Apple's service.
    func appleToken(_ account: PushConfiguration.Apple, now: Instant) -> String {
        apple.withLock { kept in
            if let kept, now.seconds - kept.madeAt < Self.appleLife, now.seconds >= kept.madeAt { return kept.token }
            let token = Self.token(
                account.key, ["alg": "ES256", "kid": .string(account.keyID)],
                ["iss": .string(account.team), "iat": .integer(now.seconds)])
            kept = (token, now.seconds)
            return token
        }
    }

    /// Drops the token for Apple's service, which refused it.
    func renewAppleToken() { apple.withLock { $0 = nil } }

    /// The value of the field `Authorization` for a Web Push service.
    func vapid(for address: String, now: Instant) -> String {
        let parts = address.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        let origin = parts.count > 1 ? "\(parts[0])//\(parts[1])" : address
        let token = Self.token(
            own, ["typ": "JWT", "alg": "ES256"],
            [
                "aud": .string(origin), "exp": .integer(now.seconds + Self.vapidLife),
                "sub": configuration.contact.map { .string($0) },
            ])
        return "vapid t=\(token), k=\(publicKey)"
    }

    /// A signed token (RFC 7519).
    private static func token(_ key: CurveKey, _ header: JSONText, _ claims: JSONText) -> String {
        let text = [header, claims].map { Base64URL.text(Array($0.compact.utf8)) }.joined(separator: ".")
        return text + "." + Base64URL.text(key.signature(of: Array(text.utf8)))
    }
}
