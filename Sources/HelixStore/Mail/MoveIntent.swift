import CFiles
import Foundation
import HelixModel
import HelixSQLite

/// The renamings of messages' files that a change set is about to do, in a file beside the store until it is committed.
///
/// Names of files and rows of tables cannot change in one step. A process that dies between the two leaves this file; the
/// next one that opens the store gives the files back the names that the rows have: the old ones, or the new ones if the
/// change set was committed. The file is locked while its process lives.
struct MoveIntent {
    /// A name before and after: of a file, or of a mailbox's folder.
    struct Move: Equatable {
        /// Empty for a mailbox that is made.
        var from: String
        /// Empty for a mailbox that is taken away.
        var to: String
    }

    /// The row that is there once the renamings are committed.
    enum Proof: Equatable {
        case changeSet(EntityID)
        /// A mailbox at this path of its account.
        case mailbox(Int64, path: String)
        /// The mailbox is gone.
        case noMailbox(Int64)

        /// As it stands in the file.
        var text: String {
            switch self {
            case .changeSet(let id): id.text
            case .mailbox(let number, let path): "mailbox \(number) \(path)"
            case .noMailbox(let number): "no-mailbox \(number)"
            }
        }

        /// - Returns: nil for one that was not written whole.
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

    /// How often it is tried to have the file, every 2 ms.
    private static let attempts = 2_500

    static func path(store: String) -> String { store + ".moves" }

    /// Writes down what is about to happen, and waits until it is on the disk.
    /// - Parameter recover: called where a process that died has left such a file.
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
        // A name has no NUL in it, and hardly anything else that could not be one's end.
        let words = [proof.text] + moves.flatMap { [$0.from, $0.to] } + ["end"]
        let bytes = Array(words.joined(separator: "\0").utf8)
        var problem: Int32 = 0
        // Another process that looks for what a dead one left has the lock for a moment, and never while it waits for us.
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

    /// Forgets the renamings: rows and names agree.
    func end() {
        unlink(path)
        close(descriptor)
    }

    /// Leaves the file to the next process: nobody knows just now whether the change set was committed, or the disk does
    /// not let names go back.
    func leave() { close(descriptor) }

    private static func failure(_ path: String, _ problem: Int32) -> HelixError {
        HelixError(
            .io, "\(path) cannot be written: \(String(cString: strerror(problem)))",
            hint: problem == ENOSPC || problem == EDQUOT ? "Make room and do it again; nothing was changed." : nil)
    }

    /// The file that a process that died has left; nil where there is nothing, or its process lives.
    /// - Returns: the row that proves a commit, nil where nothing was begun; the renamings; the file, open and locked.
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
        // One that was not written whole was not acted on.
        guard words.count >= 2, words.last == "end", words.count % 2 == 0, let proof = Proof(text: words[0]) else {
            return (nil, [], descriptor)
        }
        let moves = stride(from: 1, to: words.count - 1, by: 2).map { Move(from: words[$0], to: words[$0 + 1]) }
        return (proof, moves, descriptor)
    }

    /// Gives files the names that rows have.
    /// - Parameter isCommitted: whether these are the new ones.
    /// - Returns: how many got another name, and the reason why one could not.
    static func settle(_ moves: [Move], isCommitted: Bool) -> (count: Int, problem: Int32) {
        var count = 0
        var problem: Int32 = 0
        for move in isCommitted ? moves : moves.reversed() {
            if move.from.isEmpty {
                // A mailbox that was made for what does not go there now.
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
                // On another file system it was copied, and the original not removed yet. Anything else there is another
                // message, which only has the same name.
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

    /// Whether two files of different file systems have the same bytes.
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
    /// Ends what a process that died has begun with files of messages.
    /// - Returns: a sentence about it; nil where there was nothing.
    /// - Throws: ``HelixError``.
    func settleMoves() throws -> String? {
        if isReadOnly || access(MoveIntent.path(store: path), F_OK) != 0 { return nil }
        // One whose process lives is no business of ours, and a reader does not wait for it.
        guard let left = MoveIntent.left(store: path) else { return nil }
        close(left.descriptor)
        do {
            return try writeDurably { _ in try settleMovesInTransaction() }
        } catch let error as HelixError where error.code == .busy {
            return nil
        }
    }

    /// The same while nobody else writes.
    func settleMovesInTransaction() throws -> String? {
        guard let left = MoveIntent.left(store: path) else { return nil }
        defer { close(left.descriptor) }
        let isCommitted = try left.proof?.isCommitted(database) ?? false
        let (count, problem) = MoveIntent.settle(left.moves, isCommitted: isCommitted)
        if problem != 0 {
            // The file stays, so that the next command tries again.
            let reason = String(cString: strerror(problem))
            return "A command was broken off, and what it moved cannot be put right yet: \(reason). Look at the disk."
        }
        unlink(MoveIntent.path(store: path))
        guard count > 0 else { return nil }
        if case .mailbox? = left.proof {
            return "A command that was broken off is \(isCommitted ? "finished" : "undone"): "
                + "a mailbox \(isCommitted ? "has its new name" : "has its old name")."
        }
        let files = count == 1 ? "1 message" : "\(count) messages"
        return isCommitted
            ? "A command that was broken off is finished: \(files) moved."
            : "A command that was broken off is undone: \(files) put back."
    }
}
