import CSignatures
import HelixCrypto

/// A secret key of the curve P-256: signatures of web tokens (ES256, RFC 7518 §3.4) and agreed secrets (ECDH).
public struct CurveKey: Sendable {
    /// The secret number, 32 bytes.
    private let scalar: [UInt8]
    /// The public key, uncompressed: 65 bytes (SEC 1 §2.3.3).
    public let publicKey: [UInt8]

    /// - Parameter scalar: 32 bytes. Nil if they are no secret key.
    public init?(scalar: [UInt8]) {
        guard scalar.count == Int(HELIX_P256_SCALAR_SIZE) else { return nil }
        var point = [UInt8](repeating: 0, count: Int(HELIX_P256_POINT_SIZE))
        guard helix_p256_public(scalar, &point) == 1 else { return nil }
        (self.scalar, publicKey) = (scalar, point)
    }

    /// Creates a random key.
    public init() {
        self.init { _ in (0..<Int(HELIX_P256_SCALAR_SIZE)).map { _ in UInt8.random(in: 0...255) } }
    }

    /// Derives a key from a secret: the same one for the same secret and purpose.
    public init(secret: [UInt8], purpose: String) {
        self.init { attempt in
            Array(SHA256.authenticationCode(of: Array("\(purpose) \(attempt)".utf8), key: secret))
        }
    }

    /// Takes the first number below the curve's order; of 2³² numbers one is not.
    private init(_ number: (_ attempt: Int) -> [UInt8]) {
        var attempt = 0
        while true {
            if let key = CurveKey(scalar: number(attempt)) {
                self = key
                return
            }
            attempt += 1
        }
    }

    /// Reads a key in PEM, PKCS#8 or SEC 1. Nil if the text is not one, or has a password.
    public init?(pem text: String) {
        var scalar = [UInt8](repeating: 0, count: Int(HELIX_P256_SCALAR_SIZE))
        let bytes = text.utf8.map { CChar(bitPattern: $0) }
        guard helix_p256_read_pem(bytes, bytes.count, &scalar) == 1 else { return nil }
        self.init(scalar: scalar)
    }

    /// The signature of a message: r and s, 64 bytes.
    public func signature(of message: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: Int(HELIX_P256_SIGNATURE_SIZE))
        guard helix_p256_sign(scalar, Array(SHA256.hash(message)), &signature) == 1 else { return [] }
        return signature
    }

    /// The secret that this key has in common with another's public key; nil if that is not on the curve.
    public func secret(with publicKey: [UInt8]) -> [UInt8]? {
        guard publicKey.count == Int(HELIX_P256_POINT_SIZE) else { return nil }
        var secret = [UInt8](repeating: 0, count: 32)
        return helix_p256_agree(scalar, publicKey, &secret) == 1 ? secret : nil
    }
}

/// HKDF with SHA-256 (RFC 5869), for results of up to 32 bytes.
public enum HKDF {
    /// Derives a key.
    /// - Parameter count: the number of bytes, at most 32.
    public static func key(secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        let extracted = Array(SHA256.authenticationCode(of: secret, key: salt))
        return Array(SHA256.authenticationCode(of: info + [1], key: extracted).prefix(count))
    }
}

/// AES-128 in the mode GCM (NIST SP 800-38D).
public enum AES128GCM {
    /// Encrypts a text, with the tag of 16 bytes behind it; empty if a size is wrong.
    /// - Parameters:
    ///   - key: 16 bytes.
    ///   - nonce: 12 bytes, never the same twice with a key.
    public static func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8] {
        guard key.count == 16, nonce.count == 12 else { return [] }
        var sealed = [UInt8](repeating: 0, count: text.count + Int(HELIX_GCM_TAG_SIZE))
        return helix_aes128gcm_seal(key, nonce, text, text.count, &sealed) == 1 ? sealed : []
    }
}
