import Crypto
import FoundationEssentials
import HelixModel

/// The key pair that identifies this device to gateways (docs/gateway.md, "Devices").
public struct DeviceIdentity: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// Creates a new identity.
    public init() { key = Curve25519.Signing.PrivateKey() }

    /// Creates the identity of a 32-byte secret seed.
    /// - Throws: ``HelixError`` of code `badInput` for bytes that are not a key.
    public init(seed: some ContiguousBytes) throws {
        do { key = try Curve25519.Signing.PrivateKey(rawRepresentation: seed) } catch {
            throw HelixError(.badInput, "the key of this device cannot be read")
        }
    }

    /// The public key: base64url without padding.
    public var publicKey: String { Base64URL.text(key.publicKey.rawRepresentation) }

    /// The device's identity: the SHA-256 of its public key, in hexadecimal digits.
    public var id: String { DeviceIdentity.id(ofKey: key.publicKey.rawRepresentation) }

    /// The identity of the device with that public key.
    public static func id(ofKey key: some DataProtocol) -> String {
        SHA256.hash(data: key).hexadecimal
    }

    /// The signature of a text: base64url without padding.
    /// - Throws: ``HelixError`` of code `unexpected`.
    public func signature(of text: String) throws -> String {
        do { return Base64URL.text(try key.signature(for: Data(text.utf8))) } catch {
            throw HelixError(.unexpected, "cannot sign with the key of this device")
        }
    }

    /// Whether a device signed a text. Keys and signatures are base64url without padding.
    public static func isValid(signature: String, of text: String, key: String) -> Bool {
        guard let signature = Base64URL.bytes(signature), let raw = Base64URL.bytes(key),
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: raw)
        else { return false }
        return key.isValidSignature(signature, for: Data(text.utf8))
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
            return try DeviceIdentity(seed: seed)
        }
        let made = DeviceIdentity()
        let json: JSONText = [
            "version": 1, "device": .string(made.id), "seed": .string(Base64URL.text(made.key.rawRepresentation)),
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
