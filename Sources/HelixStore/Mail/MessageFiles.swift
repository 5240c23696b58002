import CFiles
import Foundation
import HelixModel

/// The files of messages that a change renames: flags stand in names, mailboxes are folders.
///
/// They are renamed last of all, right before the change is committed. If that fails, or the commit does, all of them get
/// their old names back; what a process leaves that dies in between is settled by ``MoveIntent``.
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
    private var done: [MoveIntent.Move] = []
    private var intent: MoveIntent?

    func add(from: Place, to: Place) { if from != to { pending.append((from, to)) } }

    /// Whether no file gets another name.
    var isEmpty: Bool { pending.isEmpty && done.isEmpty }

    /// Renames the files.
    /// - Parameter prepare: writes down what is about to happen; nil where the next look at the folders may find it out.
    /// - Throws: ``HelixError`` if one cannot be; one that is gone is passed over, the next look finds that out.
    func perform(_ prepare: (([MoveIntent.Move]) throws -> MoveIntent)? = nil) throws {
        var moves: [(move: MoveIntent.Move, places: (from: Place, to: Place))] = []
        // A file that is renamed twice in one change is found under its first new name.
        var renamed: [String: String] = [:]
        for (from, to) in pending {
            let planned = renamed[from.path]
            guard
                let path = planned
                    ?? (try? MaildirFolder.find(from.base, in: from.folder, isNew: from.isNew, letters: from.letters))
            else {
                if MaildirFolder.changedAt(from.folder + "/cur") != nil { continue }
                throw HelixError(
                    .notFound, "the mailbox \(from.folder) is not there; nothing was changed",
                    hint: "Is its disk connected? If it lies elsewhere now: helix account remove, then add.")
            }
            renamed[to.path] = to.path
            moves.append((MoveIntent.Move(from: path, to: to.path), (from, to)))
        }
        pending = []
        if moves.isEmpty { return }
        // A folder is made by what goes into it, and by nothing earlier.
        var made: [String] = []
        for (_, places) in moves where !made.contains(places.to.folder) {
            if MaildirFolder.changedAt(places.to.folder + "/cur") == nil { made.append(places.to.folder) }
        }
        let makings = made.map { MoveIntent.Move(from: "", to: $0) }
        intent = try prepare?(makings + moves.map(\.move))
        for making in makings {
            done.append(making)
            try MaildirFolder.make(making.to)
        }
        var folders: Set<String> = []
        for (move, places) in moves {
            if helix_rename_new(move.from, move.to) != 0 {
                let problem = errno
                if problem == EEXIST {
                    throw HelixError(
                        .conflict, "another file is at \(move.to) since just now", hint: "Run the command again.")
                }
                // Another program has moved or removed it just now; the next look finds that out.
                if problem == ENOENT, access(move.from, F_OK) != 0 { continue }
                guard problem == EXDEV, MessageFiles.copy(move.from, to: places.to) else {
                    // Which of the two it is: what cannot be written.
                    let isTarget = access(places.to.folder + (places.to.isNew ? "/new" : "/cur"), W_OK) != 0
                    throw HelixError(
                        problem == EACCES || problem == EPERM || problem == EROFS ? .notAllowed : .io,
                        "the mailbox \(isTarget ? places.to.folder : places.from.folder) cannot be changed: "
                            + String(cString: strerror(problem)),
                        hint: "No message was moved.")
                }
            }
            done.append(move)
            for path in [move.from, move.to] { folders.insert((path as NSString).deletingLastPathComponent) }
        }
        // The rows must not be on the disk before the names are.
        if intent != nil { for folder in folders.sorted() { try MessageFiles.sync(folder) } }
    }

    /// Puts the names in a folder on the disk.
    static func sync(_ folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // Some file systems cannot do that for folders.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
            throw HelixError(
                .io, "the mailbox \(folder) cannot be written: \(String(cString: strerror(errno)))",
                hint: "No message was moved. Is the disk in order?")
        }
    }

    /// No file is renamed: the change is only tried.
    func forget() { pending = [] }

    /// The rows are committed.
    func commit() {
        intent?.end()
        (intent, done) = (nil, [])
    }

    /// Gives all files their old names back, and takes away the mailboxes that were made for them.
    /// - Returns: the error that is to be shown: `error`, or that this failed, too.
    func revert(because error: any Error) -> any Error {
        let (_, problem) = MoveIntent.settle(done, isCommitted: false)
        let failed = done.count { !$0.from.isEmpty && access($0.from, F_OK) != 0 && access($0.to, F_OK) == 0 }
        defer { (pending, done, intent) = ([], [], nil) }
        guard problem != 0, failed > 0 else {
            intent?.end()
            return error
        }
        intent?.leave()
        return HelixError(
            (error as? HelixError)?.code ?? .io,
            "\(HelixError.reason(error)); "
                + "\(failed == 1 ? "1 message" : "\(failed) messages") could not be put back just now",
            hint: intent == nil
                ? "'helix mail index' looks where messages are. Is the disk in order?"
                : "The next command of helix does it. Is the disk in order?")
    }

    /// Leaves everything to the next process that opens the store.
    func leave() {
        intent?.leave()
        (pending, done, intent) = ([], [], nil)
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
        guard isSafe, helix_rename_new(part, place.path) == 0 else {
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

    /// Takes a mailbox's folder away if there is nothing in it.
    static func removeEmpty(_ folder: String) {
        var isEmpty = true
        for part in ["/tmp", "/new", "/cur"] where rmdir(folder + part) != 0 && errno != ENOENT { isEmpty = false }
        if isEmpty {
            rmdir(folder)
        } else {
            // Something has come meanwhile, and half a mailbox is one that nobody looks into.
            try? make(folder)
        }
    }
}
