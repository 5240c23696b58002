import FoundationEssentials
import Glibc
import HelixModel
import HelixSystem

extension Vault {
    /// Puts the home into a new vault, and opens it.
    ///
    /// All files are copied into the encrypted folder, which is closed, opened again and compared byte by byte before the plain
    /// ones are deleted. An interruption at any time leaves either the plain home or the vault, complete.
    /// - Parameters:
    ///   - settings: how it is unlocked.
    ///   - retire: makes the plain store unusable for programs that have opened it; called when the copy is complete.
    ///   - progress: receives the bytes that were copied or compared, and their total.
    /// - Returns: the recovery key.
    /// - Throws: ``HelixError``.
    public func create(
        password: String, settings: LockFile, retire: () throws -> Void, progress: (Int, Int) -> Void
    ) throws -> String {
        guard GocryptFS.version != nil else {
            throw HelixError(
                .configuration, "gocryptfs, which encrypts the vault, is not installed",
                hint: "apt-get install gocryptfs fuse3")
        }
        let new = folder + ".new"
        let view = new + "/view"
        removeRemains()
        try make(home)
        for path in [new, new + "/cipher", view] { try make(path) }
        do {
            let key: String
            let total = try FolderCopy.size(of: home)
            try checkRoom(total, at: new)
            try GocryptFS.create(new + "/cipher", password: password)
            key = try GocryptFS.masterKey(new + "/cipher", password: password)
            try settings.save(new + "/lock.json")
            try GocryptFS.mount(new + "/cipher", at: view, password: password)
            var files = FolderCopy()
            defer { withExtendedLifetime(files) {} }
            try files.copy(home, to: view) { progress($0, total * 2) }
            Glibc.sync()
            try GocryptFS.unmount(view, cipher: new + "/cipher", force: false)
            // Opened anew: the comparison reads the encrypted files, and not the memory.
            try GocryptFS.mount(new + "/cipher", at: view, password: password)
            try files.compare(home, with: view) { progress(total + $0, total * 2) }
            guard FileManager.default.createFile(atPath: "\(view)/\(Self.mark)", contents: Data("helix\n".utf8)) else {
                throw HelixError(.cannotCreate, "\(view)/\(Self.mark) cannot be written")
            }
            try GocryptFS.unmount(view, cipher: new + "/cipher", force: false)
            try write(.creating, in: new)
            Glibc.sync()
            guard rename(new, folder) == 0 else {
                throw HelixError(.io, "\(folder) cannot be created (\(FileStream.Failure().systemReason))")
            }
            try retire()
            try finishCreation()
            try open(password: password)
            return key
        } catch {
            if access(folder, F_OK) != 0 { discard(new) }
            throw error
        }
    }

    /// Takes the home out of the vault, and deletes the vault.
    /// - Parameter retire: makes the store in the vault unusable for programs that have opened it, and closes it.
    /// - Throws: ``HelixError``: `usage` if the vault is closed.
    public func remove(retire: () throws -> Void, progress: (Int, Int) -> Void) throws {
        guard state == .open else {
            throw HelixError(.usage, "the vault is not open", hint: "helix vault open")
        }
        let part = folder + "/decrypted.part"
        removeLeftovers()
        try make(part)
        var files = FolderCopy()
        defer { withExtendedLifetime(files) {} }
        do {
            let total = try FolderCopy.size(of: home)
            try checkRoom(total, at: part)
            try files.copy(home, to: part) { progress($0, total * 2) }
            Glibc.sync()
            try files.compare(home, with: part) { progress(total + $0, total * 2) }
        } catch {
            try? FileManager.default.removeItem(atPath: part)
            throw error
        }
        unlink("\(part)/\(Self.mark)")
        guard rename(part, folder + "/decrypted") == 0 else {
            throw HelixError(.io, "\(part) cannot be renamed (\(FileStream.Failure().systemReason))")
        }
        try write(.removing, in: folder)
        Glibc.sync()
        // Not before: an interruption would leave a vault whose store is unusable.
        try retire()
        // Its files lie in what is closed now.
        files = FolderCopy()
        try finishRemoval()
    }

    /// Deletes the plain files of a vault whose encrypted ones are complete.
    func finishCreation() throws {
        let plain = folder + "/plain"
        if access(plain, F_OK) != 0 {
            guard rename(home, plain) == 0 || errno == ENOENT else {
                throw HelixError(.io, "\(home) cannot be moved away (\(FileStream.Failure().systemReason))")
            }
        }
        try make(home)
        chmod(home, VaultPlace.closedMode)
        unlink(folder + "/state")
        removeLeftovers()
    }

    /// Deletes the encrypted files of a home whose plain ones are complete.
    func finishRemoval() throws {
        let plain = folder + "/decrypted"
        if access(plain, F_OK) == 0 {
            // Only an empty folder or the decrypted view is in its place.
            if isMounted { try GocryptFS.unmount(home, cipher: cipher, force: false) }
            chmod(home, 0o700)
            guard rmdir(home) == 0 || errno == ENOENT, rename(plain, home) == 0 else {
                throw HelixError(.io, "\(plain) cannot be moved to \(home) (\(FileStream.Failure().systemReason))")
            }
        }
        let old = folder + ".old"
        try? FileManager.default.removeItem(atPath: old)
        guard rename(folder, old) == 0 else {
            throw HelixError(.io, "\(folder) cannot be removed (\(FileStream.Failure().systemReason))")
        }
        try? FileManager.default.removeItem(atPath: old)
    }

    private func make(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw HelixError(.cannotCreate, "\(path) cannot be created (\(FileStream.Failure().systemReason))")
        }
    }

    private func write(_ step: Step, in folder: String) throws {
        let descriptor = Glibc.open(folder + "/state", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        do {
            guard descriptor >= 0 else { throw FileStream.Failure() }
            try FileStream(descriptor: descriptor).write(Array(step.rawValue.utf8))
        } catch { throw HelixError(.cannotCreate, "\(folder)/state cannot be written (\(error.systemReason))") }
    }

    /// Whether an interrupted creation or removal left encrypted files, and perhaps their view.
    public var hasRemains: Bool { access(folder + ".new", F_OK) == 0 || access(folder + ".old", F_OK) == 0 }

    /// Deletes what an interrupted creation or removal left: encrypted copies of files that are complete elsewhere.
    public func removeRemains() {
        discard(folder + ".new")
        try? FileManager.default.removeItem(atPath: folder + ".old")
    }

    /// Deletes what an interrupted creation left: only encrypted files.
    private func discard(_ new: String) {
        let view = new + "/view"
        if VaultPlace(home: view).isMounted {
            try? GocryptFS.unmount(view, cipher: new + "/cipher", force: true)
        }
        // Never what is seen through it.
        guard rmdir(view) == 0 || errno == ENOENT else { return }
        try? FileManager.default.removeItem(atPath: new)
    }

    private func checkRoom(_ size: Int, at path: String) throws {
        var info = statvfs()
        guard statvfs(path, &info) == 0 else { return }
        let free = Int(info.f_bavail) * Int(info.f_frsize)
        guard free > size + size / 20 + (16 << 20) else {
            throw HelixError(
                .io,
                "not enough room on the disk: a copy needs \((size + size / 20) / 1000 + 16_000) KB, and \(free / 1000) KB are free"
            )
        }
    }
}
