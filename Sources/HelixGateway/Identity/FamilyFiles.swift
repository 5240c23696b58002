import FoundationEssentials
import HelixModel

/// The identity and the token of a device in the layout of the family's command line, which its SDK reads, too:
/// `identity/device.json` and `identity/device-auth.json` in a folder such as `~/.openclaw`.
public struct FamilyFiles: Sendable {
    /// The folder.
    public let folder: String

    private var identityFile: String { folder + "/identity/device.json" }
    private var tokenFile: String { folder + "/identity/device-auth.json" }

    /// The beginning of an Ed25519 public key in DER (RFC 8410 §4).
    private static let publicPrefix: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
    /// The beginning of an Ed25519 private key in DER (RFC 8410 §7).
    private static let privatePrefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]

    /// Creates the description of a folder, which need not exist.
    public init(folder: String) { self.folder = folder }

    /// The identity in the folder; a new one is created if there is none.
    /// - Parameter moment: the time of creation, in milliseconds.
    /// - Throws: ``HelixError``: `badInput` for a file of another layout, `notAllowed` if others may read it, `io`.
    public func identity(at moment: Int64) throws -> DeviceIdentity {
        if let bytes = try PrivateFile.read(identityFile) {
            guard let pem = (try? JSONText(bytes))?["privateKeyPem"]?.text,
                let der = FamilyFiles.bytes(ofPEM: pem), der.count == 48,
                der.prefix(FamilyFiles.privatePrefix.count).elementsEqual(FamilyFiles.privatePrefix)
            else {
                throw HelixError(
                    .badInput, "\(identityFile) has no Ed25519 key",
                    hint: "Choose another folder with --folder, or move that file away.")
            }
            return try DeviceIdentity(seed: Array(der.suffix(32)))
        }
        let identity = try DeviceIdentity()
        guard let key = Base64URL.bytes(identity.publicKey) else {
            throw HelixError(.unexpected, "the new key cannot be encoded")
        }
        let json: JSONText = [
            "version": 1, "deviceId": .string(identity.id),
            "publicKeyPem": .string(FamilyFiles.pem("PUBLIC KEY", FamilyFiles.publicPrefix + key)),
            "privateKeyPem": .string(FamilyFiles.pem("PRIVATE KEY", FamilyFiles.privatePrefix + identity.seed)),
            "createdAtMs": .integer(moment),
        ]
        try PrivateFile.replace(identityFile, Array((json.compact + "\n").utf8))
        return identity
    }

    /// Stores the token of the identity; tokens of other roles are kept.
    /// - Parameter moment: the present time, in milliseconds.
    /// - Throws: ``HelixError`` of code `io`.
    public func keep(_ token: DeviceTokens.Token, of identity: DeviceIdentity, at moment: Int64) throws {
        let known = (try PrivateFile.read(tokenFile)).flatMap { try? JSONText($0) }
        let others = known?["deviceId"]?.text == identity.id ? known?["tokens"]?.fields ?? [] : []
        let entry: JSONText = [
            "token": .string(token.text), "role": .string(token.role), "scopes": .strings(token.scopes),
            "updatedAtMs": .integer(moment),
        ]
        let tokens = others.filter { $0.name != token.role } + [JSONText.Field(name: token.role, value: entry)]
        let json: JSONText = ["version": 1, "deviceId": .string(identity.id), "tokens": .object(tokens)]
        try PrivateFile.replace(tokenFile, Array((json.compact + "\n").utf8))
    }

    private static func pem(_ label: String, _ bytes: [UInt8]) -> String {
        "-----BEGIN \(label)-----\n\(Data(bytes).base64EncodedString())\n-----END \(label)-----\n"
    }

    private static func bytes(ofPEM text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
        return Data(base64Encoded: lines.joined()).map(Array.init)
    }
}
