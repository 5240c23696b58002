import FoundationEssentials
import Glibc
import HelixModel
import HelixNetwork
import HelixSecurity
import HelixSystem

/// Stores the tokens of an account that signs in by OAuth 2.0: in the system's keyring, or if there is none in a file that only
/// its owner can read.
struct TokenStore {
    let account: Account

    /// Whether tokens are stored in a file, because there is no keyring.
    private var isFile: Bool { !Keyring.isInstalled }
    private static let service = "helix-oauth"

    /// The tokens; nil before the sign-in.
    /// - Throws: ``HelixError`` of code `configuration` if they cannot be read.
    func load() throws -> OAuthTokens? {
        let bytes: Data?
        if !isFile, let text = try Keyring.secret(of: account.name, service: Self.service) {
            bytes = Data(text.utf8)
        } else {
            bytes = FileManager.default.contents(atPath: account.tokenFile)
        }
        guard let bytes, !bytes.isEmpty else { return nil }
        do { return try JSONDecoder().decode(OAuthTokens.self, from: bytes) } catch {
            throw HelixError(
                .configuration, "the tokens of '\(account.name)' cannot be read",
                hint: "Sign in again: helix account sign-in \(account.name)")
        }
    }

    /// Stores tokens, replacing the former ones.
    /// - Throws: ``HelixError``.
    func save(_ tokens: OAuthTokens) throws {
        let bytes = try JSONEncoder().encode(tokens)
        if !isFile,
            (try? Keyring.keep(String(decoding: bytes, as: UTF8.self), of: account.name, service: Self.service)) != nil
        {
            unlink(account.tokenFile)
            return
        }
        try prepareFolder()
        // A temporary file, so that a full disk keeps the old tokens.
        let path = account.tokenFile + ".new"
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        let file = FileStream(descriptor: descriptor)
        do {
            guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            try file.write(bytes)
            guard fsync(descriptor) == 0, rename(path, account.tokenFile) == 0 else {
                throw POSIXError(.init(rawValue: errno) ?? .EIO)
            }
        } catch {
            unlink(path)
            throw HelixError(.cannotCreate, "\(account.tokenFile) cannot be written: \(error.systemReason)")
        }
    }

    /// Deletes the tokens.
    func remove() {
        Keyring.forget(account.name, service: Self.service)
        for end in ["", ".new", ".lock"] { unlink(account.tokenFile + end) }
    }

    /// Runs a function while no other process renews the tokens: after two renewals the provider may revoke both results.
    /// - Throws: what `body` throws; ``HelixError`` if the folder cannot be written.
    func alone<Value>(_ body: () throws -> Value) throws -> Value {
        try prepareFolder()
        let descriptor = open(account.tokenFile + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw HelixError(.cannotCreate, "\(account.tokenFile).lock cannot be written")
        }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw HelixError(.io, "\(account.tokenFile).lock cannot be locked") }
        }
        return try body()
    }

    private func prepareFolder() throws {
        let folder = account.tokenFile.deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw HelixError(.cannotCreate, "cannot create \(folder): \(error.systemReason)") }
    }
}
