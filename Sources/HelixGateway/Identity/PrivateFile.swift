import Foundation
import HelixModel

/// Files that only their owner may read (mode 0600).
enum PrivateFile {
    /// What a file holds; nil if there is none.
    /// - Throws: ``HelixError``: `io`, `notAllowed` if others could read it, too.
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
                .notAllowed, "\(path) holds a secret, and others may read it", hint: "chmod 600 '\(path)'")
        }
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Foundation.read(descriptor, &room, room.count)
            if count == 0 { return bytes }
            guard count > 0 else { throw problem("read", path) }
            bytes += room[..<count]
            guard bytes.count < 1 << 20 else {
                throw HelixError(.badInput, "\(path) is too large for what it should be")
            }
        }
    }

    /// Writes a file unless there is one.
    /// - Throws: ``HelixError`` of code `io`.
    static func create(_ path: String, _ bytes: [UInt8]) throws {
        let made = try temporary(beside: path, bytes)
        defer { unlink(made) }
        // A link fails where a name is taken, and never shows half a file.
        if link(made, path) != 0, errno != EEXIST { throw problem("write", path) }
    }

    /// Writes a file over whatever is there; a reader sees the old one or the new one.
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
        let folder = (path as NSString).deletingLastPathComponent
        if !FileManager.default.fileExists(atPath: folder) {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch { throw HelixError(.io, "the folder \(folder) cannot be made") }
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
