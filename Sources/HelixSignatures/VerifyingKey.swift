import CSignatures
import HelixCrypto

/// A public key of somebody else, which proves their signatures.
public enum VerifyingKey: Hashable, Sendable {
    /// RSA: the modulus and the exponent, big-endian. Signatures are PKCS #1 v1.5 with SHA-256 (RS256, RFC 7518 §3.3).
    case rsa(modulus: [UInt8], exponent: [UInt8])
    /// A point of the curve P-256, uncompressed: 65 bytes. Signatures are r and s, 64 bytes (ES256, RFC 7518 §3.4).
    case p256([UInt8])

    /// Whether a signature is that of a message. False also for a key that is none, or too short.
    public func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        let digest = Array(SHA256.hash(message))
        switch self {
        case .rsa(let modulus, let exponent):
            return helix_rsa_verify(
                modulus, modulus.count, exponent, exponent.count, digest, signature, signature.count) == 1
        case .p256(let point):
            guard point.count == 65, signature.count == 64 else { return false }
            return helix_p256_verify(point, digest, signature) == 1
        }
    }
}
