import FoundationEssentials
import Glibc
import HelixSystem

/// A file without a name, for the output of a command that runs in this process.
public final class MemoryFile {
    /// The descriptor, for reading and writing.
    public let descriptor: Int32

    /// Creates an empty file; nil if the system has no room for it.
    public init?() {
        // In memory where the system has a place for it.
        let folder = TemporaryFolder.path
        var name = Array((folder + "/helix-XXXXXX").utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(name)
    }

    deinit { close(descriptor) }

    /// All bytes that were written.
    public func contents() -> [UInt8] {
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_size > 0 else { return [] }
        let size = Int(info.st_size)
        var bytes = [UInt8](repeating: 0, count: size)
        var count = 0
        while count < size {
            let start = count
            let more = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + start }, size - start, off_t(start))
            }
            if more < 0, errno == EINTR { continue }
            if more <= 0 { break }
            count += more
        }
        return Array(bytes.prefix(count))
    }
}
