import FoundationEssentials
import Glibc
import HelixModel

/// Files that only their owner may read (mode 0600).
enum PrivateFile {
    /// The contents of a file; nil if it does not exist.
    /// - Throws: ``HelixError``: `io`, `notAllowed` if others can read it, too.
    static func read(_ path: String) throws -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw problem("read", path)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw problem("read", path) }
        guard status.st_mode & 0o077 == 0 else {
            throw HelixError(
                .notAllowed, "\(path) contains a secret, but others may read it", hint: "Run chmod 600 '\(path)'.")
        }
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &room, room.count)
            if count == 0 { return bytes }
            guard count > 0 else { throw problem("read", path) }
            bytes += room[..<count]
            guard bytes.count < 1 << 20 else {
                throw HelixError(.badInput, "\(path) is too large")
            }
        }
    }

    /// Creates a file unless it exists.
    /// - Throws: ``HelixError`` of code `io`.
    static func create(_ path: String, _ bytes: [UInt8]) throws {
        let made = try temporary(beside: path, bytes)
        defer { unlink(made) }
        // link(2) fails if the name exists, and never exposes half a file.
        if link(made, path) != 0, errno != EEXIST { throw problem("write", path) }
    }

    /// Replaces a file atomically: a reader sees the old one or the new one.
    /// - Throws: ``HelixError`` of code `io`.
    static func replace(_ path: String, _ bytes: [UInt8]) throws {
        let made = try temporary(beside: path, bytes)
        guard rename(made, path) == 0 else {
            let error = problem("write", path)
            unlink(made)
            throw error
        }
    }

    private static func temporary(beside path: String, _ bytes: [UInt8]) throws -> String {
        let folder = path.deletingLastPathComponent
        if !FileManager.default.fileExists(atPath: folder) {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch { throw HelixError(.io, "cannot create the folder \(folder)") }
        }
        let name = "\(path).\(EntityID().text)"
        let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw problem("write", path) }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                let error = problem("write", path)
                unlink(name)
                throw error
            }
            written += count
        }
        guard fsync(descriptor) == 0 else {
            let error = problem("write", path)
            unlink(name)
            throw error
        }
        return name
    }

    private static func problem(_ verb: String, _ path: String) -> HelixError {
        HelixError(.io, "\(path) cannot be \(verb == "read" ? "read" : "written"): \(String(cString: strerror(errno)))")
    }
}
