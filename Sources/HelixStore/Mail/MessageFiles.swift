import Foundation
import HelixModel

/// The files of messages that a change renames: flags stand in names, mailboxes are folders.
///
/// They are renamed last of all, right before the change is committed. If that fails, or the commit does, all of them get
/// their old names back; a process that dies in between leaves names that the next look takes for what somebody wanted.
final class MessageFiles {
    /// Where a message's file lies and what it is called.
    struct Place: Hashable {
        var folder: String
        var base: String
        var isNew: Bool
        var letters: String

        var path: String {
            // A name without flags is the same as one with none; helix writes the latter in cur.
            folder + (isNew ? "/new/" + base : "/cur/" + base + ":2," + letters)
        }
    }

    private var pending: [(from: Place, to: Place)] = []
    private var done: [(from: String, to: String)] = []

    func add(from: Place, to: Place) { if from != to { pending.append((from, to)) } }

    /// Renames the files.
    /// - Throws: ``HelixError`` if one cannot be; one that is gone is passed over, the next look finds that out.
    func perform() throws {
        for (from, to) in pending {
            guard
                let path = try? MaildirFolder.find(from.base, in: from.folder, isNew: from.isNew, letters: from.letters)
            else {
                if MaildirFolder.changedAt(from.folder + "/cur") != nil { continue }
                throw HelixError(
                    .notFound, "the mailbox \(from.folder) is not there; nothing was changed",
                    hint: "Is its disk connected? If it lies elsewhere now: helix account remove, then add.")
            }
            // Whoever writes a message makes the folders it goes to.
            if MaildirFolder.changedAt(to.folder + "/cur") == nil { try MaildirFolder.make(to.folder) }
            if rename(path, to.path) != 0 {
                let problem = errno
                guard problem == EXDEV, MessageFiles.copy(path, to: to) else {
                    // Which of the two it is: what cannot be written.
                    let isTarget = access(to.folder + (to.isNew ? "/new" : "/cur"), W_OK) != 0
                    throw HelixError(
                        problem == EACCES || problem == EPERM || problem == EROFS ? .notAllowed : .io,
                        "the mailbox \(isTarget ? to.folder : from.folder) cannot be changed: "
                            + String(cString: strerror(problem)),
                        hint: "Nothing was changed.")
                }
            }
            done.append((path, to.path))
        }
        pending = []
    }

    /// Gives all files their old names back.
    func revert() {
        for (from, to) in done.reversed() where rename(to, from) != 0 && errno == EXDEV {
            let data = try? Data(contentsOf: URL(fileURLWithPath: to))
            if let data, (try? data.write(to: URL(fileURLWithPath: from))) != nil { unlink(to) }
        }
        (pending, done) = ([], [])
    }

    /// Moves a file to another file system: a whole copy first, then the original goes.
    private static func copy(_ path: String, to place: Place) -> Bool {
        let part = place.folder + "/tmp/" + place.base
        let manager = FileManager.default
        try? manager.removeItem(atPath: part)
        guard (try? manager.copyItem(atPath: path, toPath: part)) != nil else { return false }
        let descriptor = open(part, O_RDONLY | O_CLOEXEC)
        let isSafe = descriptor >= 0 && fsync(descriptor) == 0
        if descriptor >= 0 { close(descriptor) }
        guard isSafe, rename(part, place.path) == 0 else {
            unlink(part)
            return false
        }
        return unlink(path) == 0
    }
}

extension Store {
    /// How long a deleted message is kept, in seconds.
    static let deletedMailAge: Int64 = 30 * 86_400

    /// Removes for good what was deleted long ago: files of helix's own keeping whose names were changed last, which is when
    /// they came there, more than 30 days before. The clock is the machine's own, whatever `HELIX_NOW` says.
    func purgeDeletedMail() {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let accounts = (try? FileManager.default.contentsOfDirectory(atPath: deletedMail)) ?? []
        for account in accounts {
            for part in ["/cur", "/new"] {
                let folder = deletedMail + "/" + account + part
                var old: [String] = []
                try? MaildirFolder.names(folder) { bytes in
                    let path = folder + "/" + String(decoding: bytes, as: UTF8.self)
                    var info = stat()
                    if lstat(path, &info) == 0, Int64(now.tv_sec) - Int64(info.st_ctim.tv_sec) > Store.deletedMailAge {
                        old.append(path)
                    }
                }
                for path in old { unlink(path) }
            }
        }
    }
}

extension MaildirFolder {
    /// Makes an empty mailbox.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    static func make(_ folder: String) throws {
        for part in ["/tmp", "/new", "/cur"] {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder + part, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw HelixError(
                    .cannotCreate, "the mailbox \(folder) cannot be made", hint: "May you write in the folder above it?"
                )
            }
        }
    }
}
