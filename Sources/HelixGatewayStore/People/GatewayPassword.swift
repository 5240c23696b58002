import HelixCrypto
import HelixModel

/// Passwords of users, hashed with Argon2id.
public enum GatewayPassword {
    /// The hash of a password.
    /// - Throws: ``HelixError``: `usage` for one that is too short or too long, `unexpected`.
    public static func hash(_ password: String) throws -> String {
        guard (8...1024).contains(password.utf8.count) else {
            throw HelixError(.usage, "a password has 8 to 1024 bytes", hint: "Use a few unrelated words.")
        }
        return try checked { () throws(PasswordHash.Failure) in try PasswordHash.make(password) }
    }

    /// Whether a password matches a hash. A missing hash takes as long, so as not to reveal which users exist.
    /// - Throws: ``HelixError`` of code `unexpected`.
    public static func isRight(_ password: String, _ hash: String?) throws -> Bool {
        guard password.utf8.count <= 1024 else { return false }
        let isRight = try checked { () throws(PasswordHash.Failure) in
            try PasswordHash.isRight(password, hash ?? nobody)
        }
        return isRight && hash != nil
    }

    /// A hash that no password matches.
    private static let nobody =
        "$argon2id$v=19$m=65536,t=3,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    private static func checked<Value>(_ body: () throws(PasswordHash.Failure) -> Value) throws -> Value {
        do { return try body() } catch {
            switch error {
            case .outOfMemory: throw HelixError(.unexpected, "not enough memory to hash a password")
            case .libraryMissing:
                throw HelixError(
                    .configuration, "cannot open libsodium, which hashes the passwords",
                    hint: "Install it with 'apt-get install libsodium23'.")
            }
        }
    }
}
