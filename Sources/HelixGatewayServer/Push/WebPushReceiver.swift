import FoundationEssentials
import HelixCrypto
import HelixGateway
import HelixGatewayStore
import HelixSignatures

/// The receiver of encrypted push messages (RFC 8291).
struct WebPushReceiver {
    private let publicKey: [UInt8]
    private let authentication: [UInt8]

    /// The maximum size of a message that all services accept, in bytes (RFC 8291 §4).
    static let largest = 3993

    /// Nil if the keys are invalid.
    init?(_ settings: PushTarget.Settings) {
        guard let key = settings.key.flatMap(Self.bytes), let secret = settings.authentication.flatMap(Self.bytes),
            key.count == 65, secret.count == 16, CurveKey().secret(with: key) != nil
        else { return nil }
        (publicKey, authentication) = (key, secret)
    }

    /// Decodes base64url, with padding or without: browsers give both.
    private static func bytes(_ text: String) -> [UInt8]? {
        Base64URL.bytes(text.replacing("=", with: "")).map { Array($0) }
    }

    /// A random salt.
    static func salt() -> [UInt8] { (0..<16).map { _ in UInt8.random(in: 0...255) } }

    /// The encrypted form of a text, one record of `aes128gcm` (RFC 8188); nil if it is too large.
    /// - Parameters:
    ///   - sender: a key for this message alone.
    ///   - salt: 16 random bytes.
    func sealed(_ text: [UInt8], sender: CurveKey, salt: [UInt8]) -> [UInt8]? {
        guard text.count <= Self.largest, let common = sender.secret(with: publicKey) else { return nil }
        func info(_ name: String) -> [UInt8] { Array(name.utf8) + [0] }
        let secret = HKDF.key(
            secret: common, salt: authentication, info: info("WebPush: info") + publicKey + sender.publicKey, count: 32)
        let key = HKDF.key(secret: secret, salt: salt, info: info("Content-Encoding: aes128gcm"), count: 16)
        let nonce = HKDF.key(secret: secret, salt: salt, info: info("Content-Encoding: nonce"), count: 12)
        let recordSize: [UInt8] = [0, 0, 0x10, 0]
        // The byte 2 ends the last record.
        return salt + recordSize + [UInt8(sender.publicKey.count)] + sender.publicKey
            + AES128GCM.seal(text + [2], key: key, nonce: nonce)
    }
}
