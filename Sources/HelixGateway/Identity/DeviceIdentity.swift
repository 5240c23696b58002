import FoundationEssentials
import HelixCrypto
import HelixModel

/// The key pair that identifies this device to gateways (docs/gateway.md, "Devices").
public struct DeviceIdentity: Sendable {
    private let key: SigningKey

    /// Creates a new identity.
    /// - Throws: ``HelixError`` of code `configuration` if libsodium is not installed.
    public init() throws { key = try Self.checked { () throws(SigningKey.Failure) in try SigningKey() } }

    /// Creates the identity of a 32-byte secret seed.
    /// - Throws: ``HelixError``: `badInput` for bytes that are not a key, `configuration` without libsodium.
    public init(seed: [UInt8]) throws {
        key = try Self.checked { () throws(SigningKey.Failure) in try SigningKey(seed: seed) }
    }

    private static func checked<Value>(_ body: () throws(SigningKey.Failure) -> Value) throws -> Value {
        do { return try body() } catch {
            switch error {
            case .libraryMissing:
                throw HelixError(
                    .configuration, "cannot find libsodium, which signs for this device",
                    hint: "Run 'apt-get install libsodium23'.")
            case .invalidKey: throw HelixError(.badInput, "the key of this device cannot be read")
            }
        }
    }

    /// The secret from which the key is made.
    var seed: [UInt8] { Array(key.seed) }

    /// The public key: base64url without padding.
    public var publicKey: String { Base64URL.text(key.publicKey) }

    /// The device's identity: the SHA-256 of its public key, in hexadecimal digits.
    public var id: String { DeviceIdentity.id(ofKey: key.publicKey) }

    /// The identity of the device with that public key.
    public static func id(ofKey key: some ContiguousBytes) -> String {
        SHA256.hash(key).hexadecimal
    }

    /// The signature of a text: base64url without padding.
    /// - Throws: ``HelixError``.
    public func signature(of text: String) throws -> String {
        Base64URL.text(
            try Self.checked { () throws(SigningKey.Failure) in try key.signature(of: Array(text.utf8)) })
    }

    /// Whether a device signed a text. Keys and signatures are base64url without padding.
    /// - Throws: ``HelixError`` of code `configuration` if libsodium is not installed.
    public static func isValid(signature: String, of text: String, key: String) throws -> Bool {
        guard let signature = Base64URL.bytes(signature), let key = Base64URL.bytes(key) else { return false }
        return try checked { () throws(SigningKey.Failure) in
            try SigningKey.isValid(Array(signature), of: Array(text.utf8), key: Array(key))
        }
    }

    /// Loads the identity from a folder; creates it on first use, readable only by its owner.
    /// - Throws: ``HelixError``: `io`, `badInput` for a file with other content.
    public static func load(from folder: String) throws -> DeviceIdentity {
        let path = folder + "/device.json"
        if let bytes = try PrivateFile.read(path) {
            guard let seed = (try? JSONText(bytes))?["seed"]?.text.flatMap(Base64URL.bytes) else {
                throw HelixError(
                    .badInput, "\(path) contains no device key",
                    hint: "Restore it from a backup, or remove it: gateways then see this as a new device.")
            }
            return try DeviceIdentity(seed: Array(seed))
        }
        let made = try DeviceIdentity()
        let json: JSONText = [
            "version": 1, "device": .string(made.id), "seed": .string(Base64URL.text(made.key.seed)),
        ]
        // If two processes create one at once, the first one's is kept.
        try PrivateFile.create(path, Array((json.compact + "\n").utf8))
        guard let bytes = try PrivateFile.read(path), bytes != Array((json.compact + "\n").utf8) else { return made }
        return try load(from: folder)
    }
}

/// Base64 for URLs, without padding (RFC 4648 §5).
public enum Base64URL {
    /// Encodes bytes.
    public static func text(_ bytes: some DataProtocol) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Decodes a text; nil if it is malformed.
    public static func bytes(_ text: String) -> Data? {
        guard !text.contains("="), !text.contains("+"), !text.contains("/") else { return nil }
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }
}
