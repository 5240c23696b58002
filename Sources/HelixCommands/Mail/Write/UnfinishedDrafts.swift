import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal

/// The texts that editors are open on. A text left over after a crash of helix or the machine is recovered.
///
/// ```
/// writing/k3f7….eml     the text, under the identity of its message
/// writing/k3f7….lock    locked while helix or the editor runs
/// ```
struct UnfinishedDrafts {
    private let folder: String

    init(_ context: CommandContext) {
        folder = context.paths.store.deletingLastPathComponent + "/writing"
    }

    func path(_ id: EntityID) -> String { "\(folder)/\(id.text).eml" }

    /// The texts that are left over, with no editor open.
    var leftOver: [EntityID] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let ids = names.filter { $0.hasSuffix(".eml") }.compactMap { EntityID(String($0.dropLast(4))) }
        return ids.sorted().filter { id in
            guard let lock = lock(id) else { return false }
            close(lock)
            return true
        }
    }

    /// Whether an editor is open on the text.
    func isOpen(_ id: EntityID) -> Bool {
        guard access(path(id), F_OK) == 0 else { return false }
        guard let lock = lock(id) else { return true }
        close(lock)
        return false
    }

    /// The left-over text of a message.
    func text(_ id: EntityID) -> String? {
        FileManager.default.contents(atPath: path(id)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes the initial text for the editor, unless a text was left over.
    /// - Returns: the locked file descriptor; the editor inherits it.
    /// - Throws: ``HelixError``: an editor is open on it already, or it cannot be written.
    func begin(_ id: EntityID, _ text: String) throws -> Int32 {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw HelixError(.cannotCreate, "cannot create the folder \(folder)") }
        guard let lock = lock(id) else {
            throw HelixError(.busy, "an editor is open on that draft already", hint: "Close it first.")
        }
        if access(path(id), F_OK) != 0 {
            let mask = umask(0o077)
            defer { umask(mask) }
            do {
                try Data(text.utf8).write(to: URL(fileURLWithPath: path(id)), options: .atomic)
            } catch {
                close(lock)
                throw HelixError(.io, "cannot write \(path(id))", hint: "Is the disk full?")
            }
        }
        return lock
    }

    /// Removes the text, and releases the lock.
    func end(_ id: EntityID, _ lock: Int32? = nil) {
        unlink(path(id))
        unlink(lockPath(id))
        if let lock { close(lock) }
    }

    private func lockPath(_ id: EntityID) -> String { "\(folder)/\(id.text).lock" }

    /// Locks a text. Children inherit the lock: while the editor runs, the text is in use, even if helix exited.
    private func lock(_ id: EntityID) -> Int32? {
        let descriptor = open(lockPath(id), O_RDWR | O_CREAT, 0o600)
        guard descriptor >= 0 else { return nil }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        close(descriptor)
        return nil
    }
}
