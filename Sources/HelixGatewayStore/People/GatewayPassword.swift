import CSodium
import HelixModel

/// Passwords, hashed with Argon2id by libsodium.
public enum GatewayPassword {
    /// The hash of a password.
    /// - Throws: ``HelixError``: `usage` for one that is too short or too long, `unexpected`.
    public static func hash(_ password: String) throws -> String {
        guard (8...1024).contains(password.utf8.count) else {
            throw HelixError(.usage, "a password has 8 to 1024 bytes", hint: "Use a few unrelated words.")
        }
        var room = [CChar](repeating: 0, count: Int(HELIX_PASSWORD_HASH_SIZE))
        switch helix_password_hash(&room, password, password.utf8.count) {
        case 1: return String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        case 0: throw HelixError(.unexpected, "not enough memory to hash a password")
        default: throw missing
        }
    }

    /// Whether a password matches a hash. A missing hash takes as long, so as not to reveal which users exist.
    /// - Throws: ``HelixError`` of code `unexpected`.
    public static func isRight(_ password: String, _ hash: String?) throws -> Bool {
        guard password.utf8.count <= 1024 else { return false }
        let code = helix_password_is_right(hash ?? nobody, password, password.utf8.count)
        if code < 0 { throw missing }
        return code == 1 && hash != nil
    }

    /// A hash that no password matches.
    private static let nobody =
        "$argon2id$v=19$m=65536,t=3,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    private static let missing = HelixError(
        .configuration, "cannot open libsodium, which hashes the passwords",
        hint: "Install it with 'apt-get install libsodium23'.")
}
