import CFiles
import FoundationEssentials
import Glibc
import HelixModel
import HelixSQLite

/// A record of the planned renames of message files: a file next to the store, until the change set is committed.
///
/// File names and table rows cannot be changed atomically. A process that dies between the two leaves this file; the
/// next process that opens the store then renames the files to match the rows: to the old names, or to the new ones if the
/// change set was committed. The file is locked while its process lives.
struct MoveIntent {
    /// The old and the new path of a file, or of a mailbox's folder.
    struct Move: Equatable {
        /// The old path; empty for a mailbox that is created.
        var from: String
        /// The new path; empty for a mailbox that is removed.
        var to: String
    }

    /// The row whose presence or absence proves that the renames are committed.
    enum Proof: Equatable {
        case changeSet(EntityID)
        /// The mailbox has this path below its account.
        case mailbox(Int64, path: String)
        /// The mailbox no longer exists.
        case noMailbox(Int64)

        /// The text in the file.
        var text: String {
            switch self {
            case .changeSet(let id): id.text
            case .mailbox(let number, let path): "mailbox \(number) \(path)"
            case .noMailbox(let number): "no-mailbox \(number)"
            }
        }

        /// - Returns: nil for incomplete text.
        init?(text: String) {
            let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            if words.first == "mailbox", words.count == 3, let number = Int64(words[1]) {
                self = .mailbox(number, path: String(words[2]))
            } else if words.first == "no-mailbox", words.count == 2, let number = Int64(words[1]) {
                self = .noMailbox(number)
            } else if words.count == 1, !text.isEmpty {
                self = .changeSet(EntityID(stored: text))
            } else {
                return nil
            }
        }

        func isCommitted(_ db: Database) throws -> Bool {
            switch self {
            case .changeSet(let id):
                try Bool.fetchOne(
                    db, sql: "SELECT EXISTS (SELECT 1 FROM change_set WHERE id = ?)", arguments: [id.text]) ?? false
            case .mailbox(let number, let path):
                try Bool.fetchOne(
                    db, sql: "SELECT EXISTS (SELECT 1 FROM mailbox WHERE n = ? AND path = ?)",
                    arguments: [number, path]) ?? false
            case .noMailbox(let number):
                try Bool.fetchOne(
                    db, sql: "SELECT NOT EXISTS (SELECT 1 FROM mailbox WHERE n = ?)", arguments: [number]) ?? false
            }
        }
    }

    private let path: String
    private let descriptor: Int32

    /// The number of attempts to create the file, one every 2 ms.
    private static let attempts = 2_500

    static func path(store: String) -> String { store + ".moves" }

    /// Writes the record of the planned renames, and waits until it is on the disk.
    /// - Parameter recover: called if a process that died has left such a file.
    /// - Throws: ``HelixError`` of code `io`.
    init(_ moves: [Move], proof: Proof, store: String, recover: () throws -> Void) throws {
        path = MoveIntent.path(store: store)
        var made: Int32 = -1
        for attempt in 0..<MoveIntent.attempts {
            made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard made < 0, errno == EEXIST else { break }
            // The last process to commit removes its file a moment later; one that died has left it.
            if attempt > 0 { usleep(2_000) }
            try recover()
        }
        descriptor = made
        guard descriptor >= 0 else { throw MoveIntent.failure(path, errno) }
        // Names cannot contain a NUL; almost any other character may occur in them.
        let words = [proof.text] + moves.flatMap { [$0.from, $0.to] } + ["end"]
        let bytes = Array(words.joined(separator: "\0").utf8)
        var problem: Int32 = 0
        // Another process that checks for leftovers holds the lock briefly, and never while it waits for us.
        while flock(descriptor, LOCK_EX) != 0 {
            problem = errno
            guard problem == EINTR else { break }
            problem = 0
        }
        if problem == 0 { problem = bytes.withUnsafeBytes { WholeWrite.write($0, to: descriptor) } }
        if problem == 0, fdatasync(descriptor) != 0 { problem = errno }
        guard problem == 0 else {
            unlink(path)
            close(descriptor)
            throw MoveIntent.failure(path, problem)
        }
    }

    /// Removes the record: rows and names are consistent.
    func end() {
        unlink(path)
        close(descriptor)
    }

    /// Leaves the file to the next process, because it is unknown whether the change set was committed, or because reverting
    /// the names failed.
    func leave() { close(descriptor) }

    private static func failure(_ path: String, _ problem: Int32) -> HelixError {
        HelixError(
            .io, "cannot write \(path): \(String(cString: strerror(problem)))",
            hint: problem == ENOSPC || problem == EDQUOT ? "Free some space and try again; nothing was changed." : nil)
    }

    /// Reads the file that a dead process has left; nil if there is none, or if its process lives.
    /// - Returns: the proof of the commit, nil if no rename was started; the renames; the file, open and locked.
    static func left(store: String) -> (proof: Proof?, moves: [Move], descriptor: Int32)? {
        let path = path(store: store)
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        let data = FileManager.default.contents(atPath: path) ?? Data()
        let words = data.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        // With an incomplete record no rename was started.
        guard words.count >= 2, words.last == "end", words.count % 2 == 0, let proof = Proof(text: words[0]) else {
            return (nil, [], descriptor)
        }
        let moves = stride(from: 1, to: words.count - 1, by: 2).map { Move(from: words[$0], to: words[$0 + 1]) }
        return (proof, moves, descriptor)
    }

    /// Renames files to match the rows.
    /// - Parameter isCommitted: True if the rows have the new names.
    /// - Returns: the number of renamed files, and the error number of the last failure, or 0.
    static func settle(_ moves: [Move], isCommitted: Bool) -> (count: Int, problem: Int32) {
        var count = 0
        var problem: Int32 = 0
        for move in isCommitted ? moves : moves.reversed() {
            if move.from.isEmpty {
                // A mailbox that was created for files that are not moved.
                if !isCommitted { MaildirFolder.removeEmpty(move.to) }
                continue
            }
            if move.to.isEmpty {
                if isCommitted {
                    MaildirFolder.removeEmpty(move.from)
                } else if (try? MaildirFolder.make(move.from)) == nil {
                    problem = EIO
                }
                continue
            }
            let (wrong, right) = isCommitted ? (move.from, move.to) : (move.to, move.from)
            guard access(wrong, F_OK) == 0 else { continue }
            if access(right, F_OK) == 0 {
                // On another file system it was copied, and the original was not removed yet. Any other file there is a different
                // message with the same name.
                let isOnly = moves.count(where: { $0.from == right || $0.to == right }) == 1
                if isOnly, isCopy(wrong, of: right) { unlink(wrong) }
            } else if helix_rename_new(wrong, right) == 0 {
                count += 1
            } else if errno == EXDEV {
                if copy(wrong, to: right) { count += 1 } else { problem = EIO }
            } else {
                problem = errno
            }
        }
        return (count, problem)
    }

    /// Whether two files on different file systems have identical bytes.
    private static func isCopy(_ path: String, of other: String) -> Bool {
        var (one, two) = (stat(), stat())
        guard stat(path, &one) == 0, stat(other, &two) == 0, one.st_dev != two.st_dev, one.st_size == two.st_size else {
            return false
        }
        return FileManager.default.contentsEqual(atPath: path, andPath: other)
    }

    /// Moves a file to another file system.
    private static func copy(_ path: String, to target: String) -> Bool {
        guard let data = FileManager.default.contents(atPath: path),
            FileManager.default.createFile(atPath: target, contents: data, attributes: [.posixPermissions: 0o600])
        else {
            unlink(target)
            return false
        }
        return unlink(path) == 0
    }
}

extension Store {
    /// Finishes or reverts the renames of a dead process.
    /// - Returns: a sentence that describes it; nil if there was nothing to do.
    /// - Throws: ``HelixError``.
    func settleMoves() throws -> String? {
        if isReadOnly || access(MoveIntent.path(store: path), F_OK) != 0 { return nil }
        // A file whose process lives is left alone, and readers do not wait for it.
        guard let left = MoveIntent.left(store: path) else { return nil }
        close(left.descriptor)
        do {
            return try writeDurably { _ in try settleMovesInTransaction() }
        } catch let error as HelixError where error.code == .busy {
            return nil
        }
    }

    /// Finishes or reverts the renames of a dead process, within a write transaction.
    func settleMovesInTransaction() throws -> String? {
        guard let left = MoveIntent.left(store: path) else { return nil }
        defer { close(left.descriptor) }
        let isCommitted = try left.proof?.isCommitted(database) ?? false
        let (count, problem) = MoveIntent.settle(left.moves, isCommitted: isCommitted)
        if problem != 0 {
            // The file is kept, so that the next command tries again.
            let reason = String(cString: strerror(problem))
            return "A command was interrupted, and its moves cannot be repaired yet: \(reason). Check the disk."
        }
        unlink(MoveIntent.path(store: path))
        guard count > 0 else { return nil }
        if case .mailbox? = left.proof {
            return "An interrupted command was \(isCommitted ? "finished" : "undone"): "
                + "a mailbox \(isCommitted ? "has its new name" : "has its old name")."
        }
        let files = count == 1 ? "1 message" : "\(count) messages"
        return isCommitted
            ? "An interrupted command was finished: \(files) moved."
            : "An interrupted command was undone: \(files) moved back."
    }
}
