import FoundationEssentials
import Glibc
import HelixModel
import HelixSystem

/// A file known by its hash: an attachment of a message, or a file of a project.
public protocol HashedFile: Sendable {
    /// The name, without a folder.
    var name: String { get }
    /// The SHA-256 of the bytes, as 64 hexadecimal digits.
    var sha256: String { get }
    /// The size in bytes.
    var size: Int { get }
}

extension ChatAttachment: HashedFile {}
extension FileRecord: HashedFile {}

/// A partial download: its bytes are kept between runs, so that it continues where it stopped.
public struct FilePart {
    let store: Store
    let file: any HashedFile
    let path: String

    /// Opens the file with the bytes received so far, for appending.
    /// - Throws: ``HelixError`` of code `io`.
    public func open() throws -> FileStream {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw OpenFile.cannotWrite(path) }
        return FileStream(descriptor: descriptor)
    }

    /// The number of bytes received so far.
    public var received: Int {
        if store.files.state(file.sha256, size: file.size, isThorough: false) == .whole { return file.size }
        var info = stat()
        return stat(path, &info) == 0 && Int(info.st_size) <= file.size ? Int(info.st_size) : 0
    }

    /// Appends a piece, and stores the file with the last one. Pieces arrive in order; a repeated one has no effect.
    ///
    /// - Returns: the number of bytes received so far.
    /// - Throws: ``HelixError``: `busy` for a gap, `usage` for a piece beyond the end, `badInput` if the hash is wrong.
    public func append(_ bytes: [UInt8], at offset: Int) throws -> Int {
        let have = received
        if have == file.size, store.hasBytes(file.sha256) { return have }
        guard offset <= have else { throw HelixError(.busy, "bytes are missing before \(offset): there are \(have)") }
        guard offset + bytes.count <= file.size else {
            throw HelixError(.usage, "the piece exceeds the size of the file")
        }
        let handle = try open()
        do {
            defer { try? handle.close() }
            try handle.truncate(to: offset)
            try handle.seek(to: offset)
            try handle.write(bytes)
        } catch { throw OpenFile.cannotWrite(path) }
        if offset + bytes.count == file.size { try keep() }
        return offset + bytes.count
    }

    /// Stores the finished download under its hash.
    /// - Throws: ``HelixError``: `badInput` if its hash or size is wrong; it must be downloaded again then.
    public func keep() throws {
        let staged = try store.stageFile(path)
        defer { staged.discard() }
        unlink(path)
        try store.keep(staged, as: file)
    }
}

extension Store {
    /// The partial download of a file.
    /// - Throws: ``HelixError`` of code `io`.
    public func part(of file: some HashedFile) throws -> FilePart {
        let folder = files.folder + "/coming"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw OpenFile.cannotWrite(folder) }
        return FilePart(store: self, file: file, path: folder + "/" + file.sha256)
    }

    /// Stores downloaded bytes.
    /// - Throws: ``HelixError`` of code `badInput` if their hash or size is wrong.
    func keep(_ staged: StagedFile, as file: any HashedFile) throws {
        guard staged.hash == file.sha256, staged.size == file.size else {
            throw HelixError(.badInput, "the download of '\(file.name)' is damaged", hint: "Try again.")
        }
        try files.keep(staged)
    }

    /// The path of a file's bytes; nil if they are not stored locally.
    public func path(of file: some HashedFile) -> String? { files.path(file.sha256) }

    /// A piece of a file of a project.
    /// - Throws: ``HelixError`` of code `notFound` if no project has the file, or its bytes are not stored.
    public func piece(of hash: String, at offset: Int, most: Int) throws -> (bytes: [UInt8], size: Int) {
        guard let file = try projectFile(hash), let path = path(of: file),
            let handle = FileStream(reading: path)
        else { throw HelixError(.notFound, "no file with the SHA-256 \(hash)") }
        defer { try? handle.close() }
        do {
            try handle.seek(to: offset)
            return (Array(try handle.read(upToCount: max(0, min(most, file.size - offset)))), file.size)
        } catch { throw HelixError(.io, "cannot read \(path)") }
    }

    /// A file of a project by the hash of its bytes; nil if there is none.
    /// - Throws: ``HelixError``.
    public func projectFile(_ hash: String) throws -> FileRecord? {
        try read { try Store.files($0, "sha256 = ?", [hash]).first }
    }
}
