import CSodium

/// A key pair that signs messages with Ed25519 (RFC 8032).
public struct SigningKey: Sendable {
    /// A failure of the signature library.
    public enum Failure: Error {
        /// libsodium is not installed.
        case libraryMissing
        /// The bytes are not a key.
        case invalidKey
    }

    /// The secret of 32 bytes that the pair is derived from.
    public let seed: [UInt8]
    /// The public key: 32 bytes.
    public let publicKey: [UInt8]
    private let secret: [UInt8]

    /// Creates a random pair.
    /// - Throws: ``Failure``.
    public init() throws(Failure) {
        var random = SystemRandomNumberGenerator()
        try self.init(seed: (0..<Int(HELIX_SIGNING_SEED_SIZE)).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    /// Creates the pair of a seed of 32 bytes.
    /// - Throws: ``Failure``.
    public init(seed: [UInt8]) throws(Failure) {
        guard seed.count == Int(HELIX_SIGNING_SEED_SIZE) else { throw .invalidKey }
        var key = [UInt8](repeating: 0, count: Int(HELIX_SIGNING_KEY_SIZE))
        var secret = [UInt8](repeating: 0, count: Int(HELIX_SIGNING_SECRET_SIZE))
        try Self.check(helix_signing_keys(&key, &secret, seed))
        (self.seed, publicKey, self.secret) = (seed, key, secret)
    }

    /// The signature of a message: 64 bytes.
    /// - Throws: ``Failure``.
    public func signature(of message: [UInt8]) throws(Failure) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: Int(HELIX_SIGNATURE_SIZE))
        try Self.check(helix_sign(&signature, message, message.count, secret))
        return signature
    }

    /// Whether the owner of a public key signed a message.
    /// - Throws: ``Failure`` if libsodium is not installed: then nobody knows.
    public static func isValid(_ signature: [UInt8], of message: [UInt8], key: [UInt8]) throws(Failure) -> Bool {
        guard signature.count == Int(HELIX_SIGNATURE_SIZE), key.count == Int(HELIX_SIGNING_KEY_SIZE) else {
            return false
        }
        let answer = helix_signature_is_valid(signature, message, message.count, key)
        guard answer >= 0 else { throw .libraryMissing }
        return answer == 1
    }

    private static func check(_ answer: Int32) throws(Failure) {
        guard answer >= 0 else { throw .libraryMissing }
        guard answer == 1 else { throw .invalidKey }
    }
}
