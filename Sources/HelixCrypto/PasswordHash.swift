import CSodium

/// Hashes of passwords by Argon2id (RFC 9106), with their salt and parameters in them.
public enum PasswordHash {
    /// A failure of the library.
    public enum Failure: Error {
        /// libsodium is not installed.
        case libraryMissing
        /// There is not enough memory for a hash: 64 MB.
        case outOfMemory
    }

    /// The hash of a password: a tenth of a second of computing.
    /// - Throws: ``Failure``.
    public static func make(_ password: String) throws(Failure) -> String {
        var room = [CChar](repeating: 0, count: Int(HELIX_PASSWORD_HASH_SIZE))
        switch helix_password_hash(&room, password, password.utf8.count) {
        case 1: return String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        case 0: throw .outOfMemory
        default: throw .libraryMissing
        }
    }

    /// Whether a password is the one of a hash.
    /// - Throws: ``Failure``.
    public static func isRight(_ password: String, _ hash: String) throws(Failure) -> Bool {
        let code = helix_password_is_right(hash, password, password.utf8.count)
        if code < 0 { throw .libraryMissing }
        return code == 1
    }
}
