import FoundationEssentials
import Glibc
import HelixModel
import HelixSystem

/// The vault of a home: its files lie encrypted in a folder of gocryptfs, which shows them at the home's own place while it is
/// open. So no path changes, and nothing can tell the difference but the lock.
///
/// Beside the home stands the folder `HOME.vault`: `cipher` has the encrypted files, `lock.json` how it is unlocked, `state` the
/// step of a creation or removal that is under way.
public struct Vault: Sendable {
    /// The places of its files.
    private let place: VaultPlace
    /// The folder of the store, where the files are seen.
    public var home: String { place.home }
    /// The folder of the vault.
    public var folder: String { place.folder }
    /// The folder with the encrypted files.
    public var cipher: String { place.cipher }

    /// - Parameter home: the folder of the store.
    public init(home: String) { place = VaultPlace(home: home) }

    /// Whether there is a vault.
    public var exists: Bool { place.exists }

    /// Whether the folder of the vault is not there, although its files are seen at the home while it is open.
    public var isMissing: Bool { place.isMissing }

    /// Whether another file system begins at the home.
    var isMounted: Bool { place.isMounted }

    /// A file that is in each vault: what a wrong key decrypts has no such file.
    static let mark = ".vault"

    /// The state of a vault.
    public enum State: String, Sendable {
        /// There is none.
        case absent
        /// Its files are seen at the home's place.
        case open
        /// Its files are encrypted.
        case closed
        /// The program that decrypts it has ended, and the home's place cannot be read.
        case broken
        /// Its creation or its removal was interrupted; all files are there.
        case unfinished
    }

    /// The state now.
    public var state: State {
        guard exists else { return .absent }
        if step != nil { return .unfinished }
        guard isMounted else { return .closed }
        // The kernel remembers the properties of a folder for a second; to open it asks the program.
        let descriptor = Glibc.open(home, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return [ENOTCONN, ECONNABORTED].contains(errno) ? .broken : .open }
        Glibc.close(descriptor)
        return .open
    }

    /// A step after which a creation or a removal only goes forward.
    enum Step: String {
        /// The encrypted files are complete; the plain ones are still at the home's place.
        case creating
        /// The plain files are complete; the encrypted ones are no longer needed.
        case removing
    }

    /// The step that was interrupted.
    var step: Step? {
        guard let bytes = FileManager.default.contents(atPath: folder + "/state") else { return nil }
        return Step(rawValue: String(decoding: bytes, as: UTF8.self))
    }

    /// Opens the vault.
    /// - Throws: ``HelixError``: `authentication` for a wrong password, `configuration` without gocryptfs, `io`.
    public func open(password: String) throws {
        switch state {
        case .absent: throw HelixError(.notFound, "there is no vault", hint: "helix vault create")
        case .open: return
        case .unfinished, .broken: try settle()
        case .closed: break
        }
        if mkdir(home, 0o700) != 0, errno != EEXIST {
            throw HelixError(.cannotCreate, "\(home) cannot be created (\(FileStream.Failure().systemReason))")
        }
        // While it is closed nothing may be written here.
        chmod(home, 0o700)
        do { try GocryptFS.mount(cipher, at: home, password: password) } catch {
            // Another process was faster.
            if state == .open { return }
            chmod(home, VaultPlace.closedMode)
            throw error
        }
        guard state == .open else { throw HelixError(.io, "the vault was opened, and is not seen at \(home)") }
        guard access("\(home)/\(Self.mark)", F_OK) == 0 else {
            try? close(force: true)
            throw HelixError(
                .io, "the vault in \(cipher) opened, and has none of the files of helix",
                hint:
                    "Its gocryptfs.conf is that of another vault. Restore it from a backup, such as gocryptfs.conf.bak."
            )
        }
        removeLeftovers()
    }

    /// Closes the vault, whose files nobody may have open.
    /// - Parameter force: whether it is also closed for programs that have files in it open.
    /// - Throws: ``HelixError`` of code `busy`.
    public func close(force: Bool) throws {
        guard state == .open || state == .broken || isMissing && isMounted else { return }
        Glibc.sync()
        try GocryptFS.unmount(home, cipher: cipher, force: force)
        chmod(home, VaultPlace.closedMode)
    }

    /// Finishes what was interrupted: only forward, and without a password.
    /// - Throws: ``HelixError``.
    public func settle() throws {
        if state == .broken { try close(force: true) }
        switch step {
        case nil: break
        case .creating: try finishCreation()
        case .removing: try finishRemoval()
        }
    }

    /// Deletes plain copies that an interrupted creation or removal left.
    func removeLeftovers() {
        for name in ["plain", "decrypted.part", "decrypted", "view"] {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }
}
