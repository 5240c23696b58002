import Crypto
import Foundation
import HelixModel

/// The folder beside the store that holds the bytes of attached files, each under its SHA-256.
///
/// ```
/// files/3f/3fa9…         what something refers to
/// files/removed/3fa9…    what nothing refers to any more; for 30 days 'helix undo' can bring it back
/// ```
/// Where bytes lie says nothing by itself: the store's rows do, and a process that was killed between the two leaves
/// bytes that are found in either place.
struct FileFolder {
    let folder: String
    /// The folder that new bytes go to while a change is only tried; nil for the folder itself.
    private let scratch: String?
    private var removed: String { folder + "/removed" }
    /// How long removed bytes are kept, in seconds.
    static let retention: Int64 = 30 * 86_400

    /// - Parameters:
    ///   - store: the path of the database.
    ///   - scratch: the folder for new bytes, if nothing may be written beside the store.
    init(store: String, scratch: String? = nil) {
        folder = (store as NSString).deletingLastPathComponent + "/files"
        self.scratch = scratch
    }

    /// Takes away the bytes of a change that was only tried.
    func discardScratch() {
        if let scratch { try? FileManager.default.removeItem(atPath: scratch) }
    }

    /// The folder that new bytes go to.
    private var target: String { scratch ?? folder }

    private func place(_ hash: String) -> String { "\(folder)/\(hash.prefix(2))/\(hash)" }

    /// Where the bytes of that hash lie; nil if they are gone.
    func path(_ hash: String) -> String? {
        ([place(hash), "\(removed)/\(hash)"] + (scratch.map { ["\($0)/\(hash)"] } ?? [])).first {
            access($0, F_OK) == 0
        }
    }

    /// Whether the bytes are what they were.
    /// - Parameter isThorough: reads them all; otherwise only their number is compared.
    func state(_ hash: String, size: Int, isThorough: Bool) -> FileState {
        guard let path = path(hash) else { return .missing }
        var info = stat()
        guard stat(path, &info) == 0 else { return .missing }
        guard Int(info.st_size) == size else { return .changed }
        guard isThorough else { return .whole }
        guard let source = try? OpenFile(reading: path), let found = try? source.copy(to: nil) else { return .changed }
        return found.hash == hash ? .whole : .changed
    }

    /// Whether all bytes of that hash are there.
    func isWhole(_ hash: String) -> Bool {
        guard let path = path(hash), let source = try? OpenFile(reading: path) else { return false }
        return (try? source.copy(to: nil))?.hash == hash
    }

    /// Copies a file of the user's into the folder, under a name of its own until it is attached.
    /// - Throws: ``HelixError``: no such file, no file at all, no right to read it, no room.
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

    /// Writes parts of a file into the folder, until there are no more.
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

    /// Writes a file into the folder as `body` gives its bytes.
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

    /// Puts staged bytes where their hash says. Bytes that lie there already and are whole stay.
    /// - Throws: ``HelixError`` of code `io`.
    func keep(_ staged: StagedFile) throws {
        if let scratch { return try move(staged.path, to: "\(scratch)/\(staged.hash)") }
        if state(staged.hash, size: staged.size, isThorough: true) == .whole {
            return try settle(staged.hash, isReferenced: true)
        }
        try move(staged.path, to: place(staged.hash))
        unlink("\(removed)/\(staged.hash)")
    }

    /// Moves bytes to where they belong, now that something refers to them or nothing does.
    /// - Throws: ``HelixError`` of code `io`.
    func settle(_ hash: String, isReferenced: Bool) throws {
        if scratch != nil { return }
        let (here, away) = (place(hash), "\(removed)/\(hash)")
        if isReferenced {
            if access(here, F_OK) != 0, access(away, F_OK) == 0 { try move(away, to: here) }
        } else if access(here, F_OK) == 0 {
            try move(here, to: away)
            // Its time begins now.
            utimes(away, nil)
        }
    }

    /// Removes the bytes of that hash for good.
    func erase(_ hash: String) {
        if scratch != nil { return }
        unlink(place(hash))
        unlink("\(removed)/\(hash)")
        try? FileManager.default.removeItem(atPath: folder + "/opened")
    }

    /// Puts bytes that nothing refers to aside, and removes what was put aside long ago and copies that were never
    /// finished.
    func sweep(isReferenced: (String) throws -> Bool) throws {
        let old = Date(timeIntervalSinceNow: -Double(FileFolder.retention))
        removeAbandonedParts()
        for hash in stored() where try !isReferenced(hash) { try settle(hash, isReferenced: false) }
        for hash in names(in: removed) where FileFolder.isHash(hash) && changed("\(removed)/\(hash)") < old {
            if try !isReferenced(hash) { unlink("\(removed)/\(hash)") }
        }
    }

    /// A name for a copy in the making, which tells whose it is.
    private var newPart: String { "\(target)/.part-\(getpid())-\(EntityID().text)" }

    /// Removes copies whose makers are gone.
    private func removeAbandonedParts() {
        for name in names(in: folder) where name.hasPrefix(".part-") {
            let maker = name.split(separator: "-").dropFirst().first.flatMap { pid_t($0) } ?? 0
            if maker <= 0 || kill(maker, 0) != 0 && errno == ESRCH { unlink("\(folder)/\(name)") }
        }
    }

    /// The hashes of what nothing refers to any more.
    func removedHashes() -> [String] { names(in: removed).filter(FileFolder.isHash) }

    /// The hashes whose bytes lie in the folder, removed ones left out.
    func stored() -> [String] {
        names(in: folder).filter { $0.count == 2 }.flatMap { names(in: "\(folder)/\($0)") }.filter(FileFolder.isHash)
    }

    /// Writes a copy to `target`; what lies there is replaced only as a whole.
    /// - Throws: ``HelixError``: the bytes are gone or were changed, or the copy cannot be written.
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

    /// Writes a file's bytes into an open descriptor; nothing, if they are not whole.
    func copy(_ file: FileRecord, into descriptor: Int32) throws {
        let state = state(file.sha256, size: file.size, isThorough: true)
        guard state == .whole, let path = path(file.sha256) else { throw FileFolder.problem(file, state) }
        _ = try OpenFile(reading: path).copy(to: OpenFile(writing: descriptor))
    }

    /// A copy under the file's own name, for a program to open; copies of earlier days are removed.
    /// - Throws: as ``copy(_:to:)``.
    func lend(_ file: FileRecord) throws -> String {
        let target = try lendFolder()
        try copy(file, to: "\(target)/\(file.safeName)")
        return "\(target)/\(file.safeName)"
    }

    /// An empty folder for something that another program opens; what was lent a day ago goes.
    func lendFolder() throws -> String {
        let lent = folder + "/opened"
        for name in names(in: lent) where changed("\(lent)/\(name)") < Date(timeIntervalSinceNow: -86_400) {
            try? FileManager.default.removeItem(atPath: "\(lent)/\(name)")
        }
        let target = "\(lent)/\(EntityID().text)"
        try makeFolder(target)
        return target
    }

    /// What is wrong with a file's bytes, in words.
    static func problem(_ file: FileRecord, _ state: FileState) -> HelixError {
        HelixError(
            .badInput,
            state == .missing
                ? "the bytes of '\(file.name)' are gone from helix's folder of files"
                : "the bytes of '\(file.name)' are not those that were attached",
            hint: "Attach the file again, or take its bytes from a backup: helix restore FILE.")
    }

    private func move(_ path: String, to target: String) throws {
        try makeFolder((target as NSString).deletingLastPathComponent)
        guard rename(path, target) == 0 else { throw OpenFile.cannotWrite(target) }
        // The name must be on the disk before the store says that the file is there.
        OpenFile.synchronizeFolder((target as NSString).deletingLastPathComponent)
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

    private static func isHash(_ name: String) -> Bool { name.utf8.count == 64 && name.allSatisfy(\.isHexDigit) }
}

/// Bytes that were copied beside the store, and are not attached yet.
public struct StagedFile: Sendable {
    let path: String
    /// Their SHA-256.
    public let hash: String
    /// How many there are.
    public let size: Int

    /// Removes them, unless they were attached.
    public func discard() { unlink(path) }
}
