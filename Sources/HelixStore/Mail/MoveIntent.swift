import Foundation
import HelixModel
import HelixSQLite

/// The renamings of messages' files that a change set is about to do, in a file beside the store until it is committed.
///
/// Names of files and rows of tables cannot change in one step. A process that dies between the two leaves this file; the
/// next one that opens the store gives the files back the names that the rows have: the old ones, or the new ones if the
/// change set was committed. The file is locked while its process lives.
struct MoveIntent {
    /// A file's name before and after.
    struct Move: Equatable {
        var from: String
        var to: String
    }

    private let path: String
    private let descriptor: Int32

    /// How often it is tried to have the file, every 2 ms.
    private static let attempts = 2_500

    static func path(store: String) -> String { store + ".moves" }

    /// Writes down what is about to happen, and waits until it is on the disk.
    /// - Parameter recover: called where a process that died has left such a file.
    /// - Throws: ``HelixError`` of code `io`.
    init(_ moves: [Move], changeSet: EntityID, store: String, recover: () throws -> Void) throws {
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
        let words = [changeSet.text] + moves.flatMap { [$0.from, $0.to] } + ["end"]
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

    /// Leaves the file to the next process: nobody knows just now whether the change set was committed.
    func leave() { close(descriptor) }

    private static func failure(_ path: String, _ problem: Int32) -> HelixError {
        HelixError(
            .io, "\(path) cannot be written: \(String(cString: strerror(problem)))",
            hint: problem == ENOSPC || problem == EDQUOT ? "Make room and do it again; nothing was changed." : nil)
    }

    /// The file that a process that died has left; nil where there is nothing, or its process lives.
    /// - Returns: the change set, the renamings, and the file, open and locked.
    static func left(store: String) -> (changeSet: String, moves: [Move], descriptor: Int32)? {
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
        guard words.count >= 2, words.last == "end", words.count % 2 == 0 else { return ("", [], descriptor) }
        let moves = stride(from: 1, to: words.count - 1, by: 2).map { Move(from: words[$0], to: words[$0 + 1]) }
        return (words[0], moves, descriptor)
    }

    /// Gives files the names that rows have.
    /// - Parameter isCommitted: whether these are the new ones.
    /// - Returns: how many got another name.
    static func settle(_ moves: [Move], isCommitted: Bool) -> Int {
        var count = 0
        for move in isCommitted ? moves : moves.reversed() {
            let (wrong, right) = isCommitted ? (move.from, move.to) : (move.to, move.from)
            guard access(wrong, F_OK) == 0 else { continue }
            if access(right, F_OK) == 0 {
                // On another file system it was copied, and the original not removed yet.
                if moves.count(where: { $0.from == right || $0.to == right }) == 1 { unlink(wrong) }
            } else if rename(wrong, right) == 0 {
                count += 1
            } else if errno == EXDEV, let data = FileManager.default.contents(atPath: wrong),
                FileManager.default.createFile(atPath: right, contents: data, attributes: [.posixPermissions: 0o600])
            {
                unlink(wrong)
                count += 1
            }
        }
        return count
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
        let isCommitted = try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM change_set WHERE id = ?)", arguments: [left.changeSet])
        let count = MoveIntent.settle(left.moves, isCommitted: isCommitted == true)
        unlink(MoveIntent.path(store: path))
        guard count > 0 else { return nil }
        let files = count == 1 ? "1 message" : "\(count) messages"
        return isCommitted == true
            ? "A command that was killed is finished: \(files) moved."
            : "A command that was killed is undone: \(files) put back."
    }
}
