import FoundationEssentials
import Glibc
import HelixCrypto
import HelixModel

/// An open file that is copied and hashed in one pass; closed on deinitialization.
final class OpenFile {
    private let descriptor: Int32
    private let path: String

    /// - Throws: ``HelixError``: `notFound`; `usage` for a folder or device; `io` if it cannot be read.
    init(reading path: String) throws {
        self.path = path
        // A pipe without a writer would block.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT || errno == ENOTDIR
                ? HelixError(.notFound, "no file \(path)", hint: "Check its name and folder.")
                : HelixError(.io, "cannot read \(path) (\(OpenFile.reason))", hint: "Check its permissions.")
        }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw HelixError(
                .usage, "\(path) is \(info.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file")",
                hint: info.st_mode & S_IFMT == S_IFDIR
                    ? "Name the files in it." : "Pipes and devices cannot be attached.")
        }
    }

    /// Creates a file, which by default only its owner can read.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    init(making path: String, mode: mode_t = 0o600) throws {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw OpenFile.cannotWrite(path) }
    }

    /// Wraps an open descriptor, which is not closed.
    init(writing descriptor: Int32) {
        path = "the output"
        self.descriptor = dup(descriptor)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Writes all bytes of `source` and waits until they are on the disk.
    func fill(from source: OpenFile) throws -> (hash: String, size: Int) {
        let copied = try source.copy(to: self)
        guard fsync(descriptor) == 0 else { throw OpenFile.cannotWrite(path) }
        return copied
    }

    /// Reads to the end, and writes the bytes to `target`, if any.
    /// - Returns: the SHA-256 of the bytes, and their number.
    /// - Throws: ``HelixError`` of code `io`.
    func copy(to target: OpenFile?) throws -> (hash: String, size: Int) {
        var hash = SHA256()
        var size = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw HelixError(.io, "cannot read \(path) (\(OpenFile.reason))") }
            if count == 0 { break }
            try buffer.withUnsafeBytes { bytes in
                let part = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                hash.update(part)
                try target?.write(part)
            }
            size += count
        }
        return (OpenFile.text(hash.digest()), size)
    }

    /// Writes parts until `next` returns nil, and waits until they are on the disk.
    func fill(_ next: () throws -> Data?) throws -> (hash: String, size: Int) {
        var hash = SHA256()
        var size = 0
        while let part = try next() {
            hash.update(part)
            try part.withUnsafeBytes { try write($0) }
            size += part.count
        }
        guard fsync(descriptor) == 0 else { throw OpenFile.cannotWrite(path) }
        return (OpenFile.text(hash.digest()), size)
    }

    /// Writes the bytes that `body` produces, and waits until they are on the disk.
    func fillWritten(by body: (([UInt8]) throws -> Void) throws -> Void) throws -> (hash: String, size: Int) {
        var hash = SHA256()
        var size = 0
        try body { part in
            hash.update(part)
            try part.withUnsafeBytes { try write($0) }
            size += part.count
        }
        guard fsync(descriptor) == 0 else { throw OpenFile.cannotWrite(path) }
        return (OpenFile.text(hash.digest()), size)
    }

    private static func text(_ digest: Digest) -> String {
        digest.hexadecimal
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(descriptor, part.baseAddress, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw OpenFile.cannotWrite(path) }
            rest = rest.dropFirst(count)
        }
    }

    /// The error for a failed write, according to `errno`.
    static func cannotWrite(_ path: String) -> HelixError {
        switch errno {
        case ENOSPC, EDQUOT:
            HelixError(
                .io, "the disk is full; nothing was changed", hint: "Free some space for \(path) and try again.")
        case EFBIG: HelixError(.io, "the file is larger than this system allows; nothing was changed")
        default:
            HelixError(.cannotCreate, "cannot write \(path) (\(reason))", hint: "Check the permissions of its folder.")
        }
    }

    static func synchronizeFolder(_ path: String) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
