import FoundationEssentials
import Glibc
import HelixModel
import HelixSystem

/// The lock of a home: the check before helix opens, and the vault in which the home lies encrypted.
public struct HomeLock: Sendable {
    /// The folder of the store.
    public let home: String
    /// The vault, which may not exist.
    public let vault: Vault
    /// The time in which it is unlocked.
    public let session: UnlockSession
    private let path: String

    /// - Parameter home: the folder of the store.
    public init(home: String, environment: [String: String]) {
        self.home = home
        vault = Vault(home: home)
        let folder = vault.exists ? vault.folder : home
        path = folder + "/lock.json"
        session = UnlockSession(home: home, fallback: folder, environment: environment)
    }

    /// Whether helix must be unlocked before it opens.
    public var isProtected: Bool { vault.exists || access(path, F_OK) == 0 || vault.isMissing }

    /// The reason for which helix does not open.
    public enum Reason: Equatable, Sendable {
        /// It was locked, or not unlocked since the log-in.
        case locked
        /// Nobody used it for so many seconds.
        case idle(Int)
        /// The vault's program was ended from outside.
        case broken
        /// The creation or the removal of the vault was interrupted.
        case unfinished
        /// The folder of the vault is not there.
        case missing
    }

    /// Why helix does not open; nil if it does.
    public var reason: Reason? {
        guard isProtected else { return nil }
        switch vault.state {
        case .unfinished: return .unfinished
        case .broken: return .broken
        case .closed: return .locked
        case .absent where vault.isMissing: return .missing
        case .absent, .open: break
        }
        // A lock that cannot be read is not an open one.
        guard let settings = try? settings() else { return .locked }
        switch session.state(generation: settings.generation ?? 0) {
        case .over: return .locked
        case .expired(let seconds): return .idle(seconds)
        case .valid: return nil
        }
    }

    /// How it is unlocked.
    /// - Throws: ``HelixError`` of code `configuration` if the file cannot be read.
    public func settings() throws -> LockFile { try LockFile.load(path) ?? LockFile() }

    /// Changes how it is unlocked; without a method and a vault, the lock is removed.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    public func save(_ settings: LockFile) throws {
        if settings.method == nil, settings.vaultKey == nil {
            unlink(path)
            session.end()
        } else {
            do {
                try FileManager.default.createDirectory(
                    atPath: path.deletingLastPathComponent, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            } catch {
                throw HelixError(
                    .cannotCreate, "\(path.deletingLastPathComponent) cannot be created (\(error.systemReason))")
            }
            try settings.save(path)
        }
    }

    /// Locks: what was unlocked before is locked, also in other log-ins.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    public func lock() throws {
        session.end()
        // The folder of the settings is not there.
        if vault.isMissing { return }
        var settings = try settings()
        settings.generation = (settings.generation ?? 0) + 1
        try save(settings)
    }

    /// Asks for a secret, a line, or shows a note.
    public typealias Asking = (SystemLogin.Prompt) -> String?

    /// Makes the check before helix opens.
    /// - Throws: ``HelixError`` of code `authentication` if the answer is wrong, or there is none.
    public func confirm(login: SystemLogin = SystemLogin(), _ ask: Asking) throws {
        let settings = try settings()
        switch settings.method {
        case nil: return
        case .login: try login.confirm(ask)
        case .passphrase:
            guard let typed = ask(.secret("Passphrase of helix")) else { throw Self.unanswered }
            guard try settings.isRight(typed) else { throw Self.wrong }
        }
    }

    /// Unlocks: makes the check, opens the vault, and begins the session.
    /// - Parameter lockAfter: the longest pause in seconds; nil for any. It is read after the vault was opened.
    /// - Throws: ``HelixError``.
    public func unlock(login: SystemLogin = SystemLogin(), lockAfter: () throws -> Int?, _ ask: Asking) throws {
        if vault.isMissing {
            throw HelixError(
                .locked, "the folder of the vault, \(vault.folder), is not there", hint: "Is its disk connected?")
        }
        try vault.settle()
        try confirm(login: login, ask)
        if vault.exists {
            let password = try vaultPassword(ask)
            // It may still be open, as an editor has a file in it: the passphrase must be the right one all the same.
            if vault.state == .open {
                _ = try vault.recoveryKey(password: password)
            } else {
                try vault.open(password: password)
            }
        }
        do { try session.begin(lockAfter: lockAfter(), generation: settings().generation ?? 0) } catch {
            // A vault without a session must not stay open.
            try? vault.close(force: false)
            throw error
        }
    }

    /// The password of the vault: typed, or from the keyring.
    /// - Throws: ``HelixError`` of code `authentication`.
    public func vaultPassword(_ ask: Asking) throws -> String {
        guard try settings().vaultKey == .keyring else {
            guard let typed = ask(.secret("Passphrase of the vault")) else { throw Self.unanswered }
            return typed
        }
        guard let kept = try Keyring.secret(of: home, service: Self.keyringService) else {
            throw HelixError(
                .authentication, "the system's keyring does not give the password of the vault",
                hint: "Is it unlocked? 'helix vault passphrase --recovery' sets a passphrase with the recovery key.")
        }
        return kept
    }

    /// The kind of the vault's password in the keyring.
    public static let keyringService = "helix-vault"

    /// The error for a wrong passphrase.
    static let wrong = HelixError(.authentication, "the passphrase is wrong", hint: "Nothing was unlocked.")
    private static let unanswered = HelixError(.authentication, "no passphrase was given")
}
