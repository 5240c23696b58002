import Foundation
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// The texts that editors are open on. One that is left over, because helix or the machine stopped, is found again.
///
/// ```
/// writing/k3f7….eml     the text, under the identity of the message that it was made of
/// writing/k3f7….lock    held as long as helix or the editor runs
/// ```
struct UnfinishedDrafts {
    private let folder: String

    init(_ context: CommandContext) {
        folder = (context.paths.store as NSString).deletingLastPathComponent + "/writing"
    }

    func path(_ id: EntityID) -> String { "\(folder)/\(id.text).eml" }

    /// Those that are left over and that nobody writes on just now.
    var leftOver: [EntityID] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let ids = names.filter { $0.hasSuffix(".eml") }.compactMap { EntityID(String($0.dropLast(4))) }
        return ids.sorted().filter { id in
            guard let lock = lock(id) else { return false }
            close(lock)
            return true
        }
    }

    /// Whether an editor is open on it just now.
    func isOpen(_ id: EntityID) -> Bool {
        guard access(path(id), F_OK) == 0 else { return false }
        guard let lock = lock(id) else { return true }
        close(lock)
        return false
    }

    /// The text that was left over.
    func text(_ id: EntityID) -> String? {
        FileManager.default.contents(atPath: path(id)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes the text that an editor begins with, unless one was left over.
    /// - Returns: what holds the lock; the editor holds it, too.
    /// - Throws: ``HelixError``: somebody writes on it already, or it cannot be written.
    func begin(_ id: EntityID, _ text: String) throws -> Int32 {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw HelixError(.cannotCreate, "the folder \(folder) cannot be made") }
        guard let lock = lock(id) else {
            throw HelixError(.busy, "an editor is open on that draft already", hint: "Go on there, or close it.")
        }
        if access(path(id), F_OK) != 0 {
            let mask = umask(0o077)
            defer { umask(mask) }
            do {
                try Data(text.utf8).write(to: URL(fileURLWithPath: path(id)), options: .atomic)
            } catch {
                close(lock)
                throw HelixError(.io, "\(path(id)) cannot be written", hint: "Is the disk full?")
            }
        }
        return lock
    }

    /// Takes the text away, and lets go of the lock.
    func end(_ id: EntityID, _ lock: Int32? = nil) {
        unlink(path(id))
        unlink(lockPath(id))
        if let lock { close(lock) }
    }

    private func lockPath(_ id: EntityID) -> String { "\(folder)/\(id.text).lock" }

    /// Not closed in children: while the editor runs, the text is not left over, even if helix is gone.
    private func lock(_ id: EntityID) -> Int32? {
        let descriptor = open(lockPath(id), O_RDWR | O_CREAT, 0o600)
        guard descriptor >= 0 else { return nil }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        close(descriptor)
        return nil
    }
}
