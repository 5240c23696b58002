import CFiles
import FoundationEssentials
import Glibc
import HelixModel

/// The message files that a change renames: flags are part of names, mailboxes are folders.
///
/// They are renamed at the end, right before the change is committed. If that or the commit fails, all of them get
/// their old names back; the renames of a process that dies in between are settled by ``MoveIntent``.
final class MessageFiles: ChangeEffect {
    /// The folder and name of a message's file.
    struct Place: Hashable {
        var folder: String
        var base: String
        var isNew: Bool
        var letters: String

        var path: String {
            // A name without `:2,` is equivalent to one with no flags after it; helix writes the latter in cur.
            folder + (isNew ? "/new/" + base : "/cur/" + base + ":2," + letters)
        }
    }

    private var pending: [(from: Place, to: Place)] = []
    private var done: [MoveIntent.Move] = []
    private var intent: MoveIntent?

    /// The cached folders of mailboxes.
    var folders: [Int64: String] = [:]

    func add(from: Place, to: Place) { if from != to { pending.append((from, to)) } }

    /// Whether there are no renames.
    var isEmpty: Bool { pending.isEmpty && done.isEmpty }

    func perform(for change: Change) throws {
        defer { folders = [:] }
        let store = change.store
        try perform { moves in
            try MoveIntent(moves, proof: .changeSet(change.id), store: store.path) {
                _ = try store.settleMovesInTransaction()
            }
        }
    }

    /// Renames the files.
    /// - Parameter prepare: records the planned renames; nil if the next indexing may find them out.
    /// - Throws: ``HelixError`` if a file cannot be renamed; a missing file is skipped and found by the next indexing.
    func perform(_ prepare: (([MoveIntent.Move]) throws -> MoveIntent)? = nil) throws {
        var moves: [(move: MoveIntent.Move, places: (from: Place, to: Place))] = []
        // A file that is renamed twice in one change is found under its first new name.
        var renamed: [String: String] = [:]
        for (from, to) in pending {
            let planned = renamed[from.path]
            guard
                let path = try planned
                    ?? HelixError.ifFound({
                        try MaildirFolder.find(from.base, in: from.folder, isNew: from.isNew, letters: from.letters)
                    })
            else {
                if MaildirFolder.changedAt(from.folder + "/cur") != nil { continue }
                throw HelixError(
                    .notFound, "no mailbox \(from.folder); nothing was changed",
                    hint: "Check that its disk is connected. If it was moved: helix account remove, then add.")
            }
            renamed[to.path] = to.path
            moves.append((MoveIntent.Move(from: path, to: to.path), (from, to)))
        }
        pending = []
        if moves.isEmpty { return }
        // A folder is created right before the first file is moved into it.
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
                        .conflict, "another file was just created at \(move.to)", hint: "Run the command again.")
                }
                // Another program has just moved or removed it; the next indexing finds that out.
                if problem == ENOENT, access(move.from, F_OK) != 0 { continue }
                guard problem == EXDEV, MessageFiles.copy(move.from, to: places.to) else {
                    // Finds out which of the two mailboxes is not writable.
                    let isTarget = access(places.to.folder + (places.to.isNew ? "/new" : "/cur"), W_OK) != 0
                    throw HelixError(
                        problem == EACCES || problem == EPERM || problem == EROFS ? .notAllowed : .io,
                        "cannot change the mailbox \(isTarget ? places.to.folder : places.from.folder): "
                            + String(cString: strerror(problem)),
                        hint: "No message was moved.")
                }
            }
            done.append(move)
            for path in [move.from, move.to] { folders.insert(path.deletingLastPathComponent) }
        }
        // The rows must not be on the disk before the names are.
        if intent != nil { for folder in folders.sorted() { try MessageFiles.sync(folder) } }
    }

    /// Syncs the names in a folder to the disk.
    static func sync(_ folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // Some file systems do not support this for folders.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
            throw HelixError(
                .io, "cannot write the mailbox \(folder): \(String(cString: strerror(errno)))",
                hint: "No message was moved. Check the disk.")
        }
    }

    /// Drops the renames, in a dry run.
    func forget() { pending = [] }

    /// Ends the renames after the rows were committed.
    func commit() {
        intent?.end()
        (intent, done) = (nil, [])
    }

    /// Reverts all renames, and removes the mailboxes that were created for them.
    /// - Returns: the error to show: `error`, or one that this failed, too.
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
                + "\(failed == 1 ? "1 message" : "\(failed) messages") could not be moved back",
            hint: intent == nil
                ? "Check the disk, then find the messages with 'helix mail index'."
                : "Check the disk. The next helix command tries again.")
    }

    /// Leaves everything to the next process that opens the store.
    func leave() {
        intent?.leave()
        (pending, done, intent) = ([], [], nil)
    }

    /// Moves a file to another file system: copies it completely, then removes the original.
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

extension Change {
    /// The files of messages to be renamed.
    var messageFiles: MessageFiles { state(MessageFiles.self) }
}

extension Store {
    /// The retention period of deleted messages, in seconds.
    static let deletedMailAge: Int64 = 30 * 86_400

    /// Deletes expired messages permanently: files in the hidden mailboxes whose names were last changed, which is when they were
    /// moved there, more than 30 days ago. It uses the system clock, not `HELIX_NOW`.
    func purgeDeletedMail() {
        let now = Instant.current.seconds
        let accounts = (try? FileManager.default.contentsOfDirectory(atPath: deletedMail)) ?? []
        for account in accounts {
            for part in ["/cur", "/new"] {
                let folder = deletedMail + "/" + account + part
                var old: [String] = []
                try? MaildirFolder.names(folder) { bytes in
                    let path = folder + "/" + String(decoding: bytes, as: UTF8.self)
                    var info = stat()
                    if lstat(path, &info) == 0, now - Int64(info.st_ctim.tv_sec) > Store.deletedMailAge {
                        old.append(path)
                    }
                }
                for path in old { unlink(path) }
            }
        }
    }
}

extension MaildirFolder {
    /// Creates an empty mailbox.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    static func make(_ folder: String) throws {
        for part in ["/tmp", "/new", "/cur"] {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder + part, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw HelixError(
                    .cannotCreate, "cannot create the mailbox \(folder)", hint: "Check its parent folder's permissions."
                )
            }
        }
    }

    /// Removes a mailbox's folder if it is empty.
    static func removeEmpty(_ folder: String) {
        var isEmpty = true
        for part in ["/tmp", "/new", "/cur"] where rmdir(folder + part) != 0 && errno != ENOENT { isEmpty = false }
        if isEmpty {
            rmdir(folder)
        } else {
            // A message has arrived meanwhile, and no program reads a partial mailbox.
            try? make(folder)
        }
    }
}
