import FoundationEssentials
import Glibc
import HelixCrypto
import HelixModel
import HelixSystem

/// The file that says how a home is unlocked. It is read before anything else, so it lies outside of the vault.
public struct LockFile: Codable, Equatable, Sendable {
    /// The check before helix opens.
    public enum Method: String, Codable, CaseIterable, Sendable {
        /// A passphrase of helix.
        case passphrase
        /// The login of the system.
        case login
    }

    /// The source of the vault's password.
    public enum VaultKey: String, Codable, CaseIterable, Sendable {
        /// It is typed.
        case passphrase
        /// A random one in the system's keyring.
        case keyring
    }

    /// The check before helix opens; nil for none besides that of the vault.
    public var method: Method?
    /// The hash of the passphrase.
    public var hash: String?
    /// The source of the vault's password; nil without a vault.
    public var vaultKey: VaultKey?
    /// The number of the times it was locked: what was unlocked before is locked everywhere.
    public var generation: Int?

    /// Creates the settings of a lock.
    public init(method: Method? = nil, hash: String? = nil, vaultKey: VaultKey? = nil) {
        (self.method, self.hash, self.vaultKey) = (method, hash, vaultKey)
    }

    /// Reads a file; nil if there is none.
    /// - Throws: ``HelixError`` of code `configuration` if it cannot be read: a damaged lock is not an open one.
    static func load(_ path: String) throws -> LockFile? {
        guard access(path, F_OK) == 0 || errno != ENOENT else { return nil }
        do {
            return try JSONDecoder().decode(LockFile.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw HelixError(
                .configuration, "the lock of helix, \(path), cannot be read",
                hint: "It says how helix is unlocked. Restore it from a backup of your disk.")
        }
    }

    /// Writes the file, readable for its owner only; a crash leaves the former one.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    func save(_ path: String) throws {
        let part = path + ".new"
        do {
            unlink(part)
            let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw FileStream.Failure() }
            let file = FileStream(descriptor: descriptor)
            try file.write(Array(JSONEncoder().encode(self)))
            guard fsync(descriptor) == 0, rename(part, path) == 0 else { throw FileStream.Failure() }
        } catch {
            unlink(part)
            throw HelixError(.cannotCreate, "\(path) cannot be written (\(error.systemReason))")
        }
    }

    /// Sets a passphrase.
    /// - Throws: ``HelixError``: `usage` for one that is too short, `configuration` without libsodium.
    public mutating func set(passphrase: String) throws {
        try Self.check(passphrase)
        do { hash = try PasswordHash.make(passphrase) } catch { throw Self.readable(error) }
        method = .passphrase
    }

    /// Whether a passphrase is right.
    /// - Throws: ``HelixError`` of code `configuration` without libsodium.
    func isRight(_ passphrase: String) throws -> Bool {
        guard let hash, passphrase.utf8.count <= 1024 else { return false }
        do { return try PasswordHash.isRight(passphrase, hash) } catch { throw Self.readable(error) }
    }

    /// Checks the length of a new passphrase.
    /// - Throws: ``HelixError`` of code `usage`.
    public static func check(_ passphrase: String) throws {
        guard (8...1000).contains(passphrase.utf8.count) else {
            throw HelixError(.usage, "a passphrase has 8 to 1000 bytes", hint: "Use a few unrelated words.")
        }
        // It is given to gocryptfs as a line.
        guard !passphrase.contains(where: \.isNewline), !passphrase.utf8.contains(0) else {
            throw HelixError(.usage, "a passphrase is one line")
        }
    }

    private static func readable(_ failure: PasswordHash.Failure) -> HelixError {
        switch failure {
        case .outOfMemory: HelixError(.unexpected, "not enough memory to check the passphrase")
        case .libraryMissing:
            HelixError(
                .configuration, "cannot open libsodium, which checks the passphrase",
                hint: "Install it with 'apt-get install libsodium23'.")
        }
    }
}
