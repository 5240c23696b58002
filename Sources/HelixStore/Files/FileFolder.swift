import FoundationEssentials
import Glibc
import HelixCrypto
import HelixModel

/// The folder beside the store that holds the bytes of attached files, each under its SHA-256.
///
/// ```
/// files/3f/3fa9…         referenced files
/// files/removed/3fa9…    unreferenced files, which 'helix undo' can restore for 30 days
/// ```
/// Only the rows of the store tell whether a file is referenced: a process killed between the two steps leaves its bytes in the
/// other place, so both are searched.
struct FileFolder {
    let folder: String
    /// The folder for new bytes during a dry run; nil for the folder itself.
    private let scratch: String?
    private var removed: String { folder + "/removed" }
    /// The retention period of removed bytes, in seconds.
    static let retention: Int64 = 30 * 86_400

    /// - Parameters:
    ///   - store: the path of the database.
    ///   - scratch: the folder for new bytes, if nothing may be written next to the store.
    init(store: String, scratch: String? = nil) {
        folder = store.deletingLastPathComponent + "/files"
        self.scratch = scratch
    }

    /// Removes the bytes of a dry run.
    func discardScratch() {
        if let scratch { try? FileManager.default.removeItem(atPath: scratch) }
    }

    /// The folder for new bytes.
    private var target: String { scratch ?? folder }

    private func place(_ hash: String) -> String { "\(folder)/\(hash.prefix(2))/\(hash)" }

    /// The path of the bytes with a hash; nil if they are missing.
    func path(_ hash: String) -> String? {
        ([place(hash), "\(removed)/\(hash)"] + (scratch.map { ["\($0)/\(hash)"] } ?? [])).first {
            access($0, F_OK) == 0
        }
    }

    /// The state of the bytes with a hash.
    /// - Parameter isThorough: True to read and hash the bytes; otherwise only the size is compared.
    func state(_ hash: String, size: Int, isThorough: Bool) -> FileState {
        guard let path = path(hash) else { return .missing }
        var info = stat()
        guard stat(path, &info) == 0 else { return .missing }
        guard Int(info.st_size) == size else { return .changed }
        guard isThorough else { return .whole }
        guard let source = try? OpenFile(reading: path), let found = try? source.copy(to: nil) else { return .changed }
        return found.hash == hash ? .whole : .changed
    }

    /// Whether the bytes with a hash are present and complete.
    func isWhole(_ hash: String) -> Bool {
        guard let path = path(hash), let source = try? OpenFile(reading: path) else { return false }
        return (try? source.copy(to: nil))?.hash == hash
    }

    /// Copies a file of the user into the folder, under a temporary name until it is attached.
    /// - Throws: ``HelixError`` if there is no such file, if it is not a regular file, or if it cannot be read or copied.
    func stage(_ path: String) throws -> StagedFile {
        let source = try OpenFile(reading: path)
        try makeFolder(target)
        removeAbandonedParts()
        let part = newPart
        do {
            let copied = try OpenFile(making: part).fill(from: source)
            return StagedFile(path: part, hash: copied.hash, size: copied.size)
        } catch {
            unlink(part)
            throw error
        }
    }

    /// Writes the parts of a file to the folder, until `next` returns nil.
    /// - Throws: ``HelixError``, and what `next` throws.
    func stage(_ next: () throws -> Data?) throws -> StagedFile {
        try makeFolder(target)
        let part = newPart
        do {
            let written = try OpenFile(making: part).fill(next)
            return StagedFile(path: part, hash: written.hash, size: written.size)
        } catch {
            unlink(part)
            throw error
        }
    }

    /// Writes the bytes that `body` produces to a file in the folder.
    /// - Throws: ``HelixError``, and what `body` throws.
    func stageWritten(by body: (([UInt8]) throws -> Void) throws -> Void) throws -> StagedFile {
        try makeFolder(target)
        removeAbandonedParts()
        let part = newPart
        do {
            let written = try OpenFile(making: part).fillWritten(by: body)
            return StagedFile(path: part, hash: written.hash, size: written.size)
        } catch {
            unlink(part)
            throw error
        }
    }

    /// Moves staged bytes to the place of their hash, unless complete bytes are stored there already.
    /// - Throws: ``HelixError`` of code `io`.
    func keep(_ staged: StagedFile) throws {
        if let scratch { return try move(staged.path, to: "\(scratch)/\(staged.hash)") }
        if state(staged.hash, size: staged.size, isThorough: true) == .whole {
            return try settle(staged.hash, isReferenced: true)
        }
        try move(staged.path, to: place(staged.hash))
        unlink("\(removed)/\(staged.hash)")
    }

    /// Moves bytes to the folder of referenced or removed files.
    /// - Throws: ``HelixError`` of code `io`.
    func settle(_ hash: String, isReferenced: Bool) throws {
        if scratch != nil { return }
        let (here, away) = (place(hash), "\(removed)/\(hash)")
        if isReferenced {
            if access(here, F_OK) != 0, access(away, F_OK) == 0 { try move(away, to: here) }
        } else if access(here, F_OK) == 0 {
            try move(here, to: away)
            // Its retention period begins now.
            utimes(away, nil)
        }
    }

    /// Deletes the bytes with a hash permanently.
    func erase(_ hash: String) {
        if scratch != nil { return }
        unlink(place(hash))
        unlink("\(removed)/\(hash)")
        try? FileManager.default.removeItem(atPath: folder + "/opened")
    }

    /// Moves unreferenced bytes to the removed files, and deletes expired removed files and unfinished copies.
    func sweep(isReferenced: (String) throws -> Bool) throws {
        let old = Date(timeIntervalSinceNow: -Double(FileFolder.retention))
        removeAbandonedParts()
        for hash in stored() where try !isReferenced(hash) { try settle(hash, isReferenced: false) }
        for hash in names(in: removed) where FileFolder.isHash(hash) && changed("\(removed)/\(hash)") < old {
            if try !isReferenced(hash) { unlink("\(removed)/\(hash)") }
        }
    }

    /// The path of a new temporary copy; it contains the process ID.
    private var newPart: String { "\(target)/.part-\(getpid())-\(EntityID().text)" }

    /// Deletes temporary copies of terminated processes.
    private func removeAbandonedParts() {
        for name in names(in: folder) where name.hasPrefix(".part-") {
            let maker = name.split(separator: "-").dropFirst().first.flatMap { pid_t($0) } ?? 0
            if maker <= 0 || kill(maker, 0) != 0 && errno == ESRCH { unlink("\(folder)/\(name)") }
        }
    }

    /// The hashes of removed files.
    func removedHashes() -> [String] { names(in: removed).filter(FileFolder.isHash) }

    /// The hashes of the files in the folder, except removed ones.
    func stored() -> [String] {
        names(in: folder).filter { $0.count == 2 }.flatMap { names(in: "\(folder)/\($0)") }.filter(FileFolder.isHash)
    }

    /// The bytes of all stored files together.
    var storedSize: Int {
        stored().reduce(0) { sum, hash in
            var info = stat()
            return stat(place(hash), &info) == 0 ? sum + Int(info.st_size) : sum
        }
    }

    /// Writes a copy to `target`, replacing an existing file atomically.
    /// - Throws: ``HelixError`` if the bytes are missing or changed, or if the copy cannot be written.
    func copy(_ file: FileRecord, to target: String) throws {
        guard let path = path(file.sha256) else { throw FileFolder.problem(file, .missing) }
        let part = target + ".part-\(EntityID().text)"
        do {
            let copied = try OpenFile(making: part, mode: 0o666).fill(from: OpenFile(reading: path))
            guard copied.hash == file.sha256 else { throw FileFolder.problem(file, .changed) }
            guard rename(part, target) == 0 else { throw OpenFile.cannotWrite(target) }
        } catch {
            unlink(part)
            throw error
        }
    }

    /// Writes a file's bytes to an open descriptor, if they are complete.
    func copy(_ file: FileRecord, into descriptor: Int32) throws {
        let state = state(file.sha256, size: file.size, isThorough: true)
        guard state == .whole, let path = path(file.sha256) else { throw FileFolder.problem(file, state) }
        _ = try OpenFile(reading: path).copy(to: OpenFile(writing: descriptor))
    }

    /// Creates a copy under the file's own name, for another program to open. Copies older than a day are removed.
    /// - Throws: as ``copy(_:to:)``.
    func lend(_ file: FileRecord) throws -> String {
        let target = try lendFolder()
        try copy(file, to: "\(target)/\(file.safeName)")
        return "\(target)/\(file.safeName)"
    }

    /// Creates an empty folder for files that another program opens. Folders older than a day are removed.
    func lendFolder() throws -> String {
        let lent = folder + "/opened"
        for name in names(in: lent) where changed("\(lent)/\(name)") < Date(timeIntervalSinceNow: -86_400) {
            try? FileManager.default.removeItem(atPath: "\(lent)/\(name)")
        }
        let target = "\(lent)/\(EntityID().text)"
        try makeFolder(target)
        return target
    }

    /// The error for a file whose bytes are missing or changed.
    static func problem(_ file: FileRecord, _ state: FileState) -> HelixError {
        HelixError(
            .badInput,
            state == .missing
                ? "the file '\(file.name)' is missing from the files folder of helix"
                : "the file '\(file.name)' was changed since it was attached",
            hint: "Attach the file again, or restore a backup: helix restore FILE.")
    }

    private func move(_ path: String, to target: String) throws {
        try makeFolder(target.deletingLastPathComponent)
        guard rename(path, target) == 0 else { throw OpenFile.cannotWrite(target) }
        // The name must be on the disk before the store refers to the file.
        OpenFile.synchronizeFolder(target.deletingLastPathComponent)
    }

    private func makeFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw OpenFile.cannotWrite(path) }
    }

    private func changed(_ path: String) -> Date {
        var info = stat()
        return stat(path, &info) == 0 ? Date(timeIntervalSince1970: Double(info.st_mtim.tv_sec)) : Date()
    }

    private func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    static func isHash(_ name: String) -> Bool { name.utf8.count == 64 && name.allSatisfy(\.isHexDigit) }
}

/// Bytes that were copied next to the store, and are not attached yet.
public struct StagedFile: Sendable {
    let path: String
    /// The SHA-256 of the bytes.
    public let hash: String
    /// The number of bytes.
    public let size: Int

    /// Deletes the bytes, unless they were attached.
    public func discard() { unlink(path) }
}
