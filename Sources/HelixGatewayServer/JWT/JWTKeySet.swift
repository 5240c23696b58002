import FoundationEssentials
import HelixCrypto
import HelixGateway
import HelixModel
import HelixSignatures

/// The public keys of an issuer (RFC 7517), for RS256 and ES256.
struct JWTKeySet: Sendable {
    /// A key with its name.
    struct Key: Sendable {
        var id: String?
        var key: VerifyingKey
    }

    let keys: [Key]

    /// Reads a set, leaving out keys for other purposes and of other kinds.
    /// - Throws: ``HelixError`` of code `badInput`.
    init(_ bytes: [UInt8]) throws {
        guard let json = try? JSONText(bytes), let list = json["keys"]?.elements else {
            throw HelixError(.badInput, "the keys are no key set", hint: "It is JSON with a list 'keys' (RFC 7517).")
        }
        keys = list.compactMap(JWTKeySet.key)
    }

    private static func key(_ json: JSONText) -> Key? {
        func bytes(_ name: String) -> [UInt8]? { json[name]?.text.flatMap { Base64URL.bytes($0) }.map { Array($0) } }
        guard json["use"]?.text ?? "sig" == "sig" else { return nil }
        let algorithm = json["alg"]?.text
        switch json["kty"]?.text {
        case "RSA":
            guard algorithm ?? "RS256" == "RS256", let modulus = bytes("n"), let exponent = bytes("e") else {
                return nil
            }
            return Key(id: json["kid"]?.text, key: .rsa(modulus: modulus, exponent: exponent))
        case "EC":
            guard algorithm ?? "ES256" == "ES256", json["crv"]?.text == "P-256", let x = bytes("x"), let y = bytes("y"),
                x.count == 32, y.count == 32
            else { return nil }
            return Key(id: json["kid"]?.text, key: .p256([4] + x + y))
        default: return nil
        }
    }

    /// The keys that a token may be signed with.
    func candidates(id: String?, isRSA: Bool) -> [VerifyingKey] {
        keys.filter { key in
            if case .rsa = key.key { guard isRSA else { return false } } else { guard !isRSA else { return false } }
            return id == nil || key.id == nil || key.id == id
        }.map(\.key)
    }
}
