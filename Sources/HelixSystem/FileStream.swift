import FoundationEssentials
import Glibc

/// An open file, pipe or terminal. The file is closed on deinitialization, standard streams are not.
///
/// Interrupted calls are repeated, and all bytes are written.
public final class FileStream: @unchecked Sendable {
    /// A failed system call.
    public struct Failure: Error, CustomStringConvertible {
        /// `errno` after it.
        public let code: Int32
        /// The system's words for it.
        public var description: String { String(cString: strerror(code)) }

        /// The failure of the last system call.
        public init() { code = errno }
    }

    /// The standard input of the process.
    public static let standardInput = FileStream(descriptor: STDIN_FILENO, closes: false)
    /// The standard output of the process.
    public static let standardOutput = FileStream(descriptor: STDOUT_FILENO, closes: false)
    /// The standard error of the process.
    public static let standardError = FileStream(descriptor: STDERR_FILENO, closes: false)

    /// The descriptor; -1 after ``close()``.
    public private(set) var descriptor: Int32
    private let closes: Bool

    /// Wraps an open descriptor.
    public init(descriptor: Int32, closes: Bool = true) {
        self.descriptor = descriptor
        self.closes = closes
    }

    /// Opens a file to read; nil if that is not possible.
    public convenience init?(reading path: String) { self.init(path, O_RDONLY) }

    /// Opens an existing file to write from its start; nil if that is not possible.
    public convenience init?(writing path: String) { self.init(path, O_WRONLY) }

    /// Opens an existing file to read and write; nil if that is not possible.
    public convenience init?(updating path: String) { self.init(path, O_RDWR) }

    private convenience init?(_ path: String, _ flags: Int32) {
        let descriptor = open(path, flags | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.init(descriptor: descriptor)
    }

    deinit { if closes, descriptor >= 0 { Glibc.close(descriptor) } }

    /// Closes the file.
    /// - Throws: ``Failure`` if written bytes may be lost.
    public func close() throws {
        guard descriptor >= 0 else { return }
        defer { descriptor = -1 }
        guard Glibc.close(descriptor) == 0 else { throw Failure() }
    }

    /// The next bytes: `count` of them, fewer before the end, none at it.
    /// - Throws: ``Failure``.
    public func read(upToCount count: Int) throws -> Data {
        var bytes = [UInt8](repeating: 0, count: max(0, count))
        var filled = 0
        while filled < bytes.count {
            let got = bytes.withUnsafeMutableBytes { room in
                Glibc.read(descriptor, room.baseAddress.map { $0 + filled }, room.count - filled)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw Failure() }
            if got == 0 { break }
            filled += got
        }
        return Data(bytes.prefix(filled))
    }

    /// All bytes up to the end.
    /// - Throws: ``Failure``.
    public func readToEnd() throws -> Data {
        var all = Data()
        while true {
            let part = try read(upToCount: 1 << 18)
            all.append(part)
            if part.count < 1 << 18 { return all }
        }
    }

    /// Writes all bytes.
    /// - Throws: ``Failure``.
    public func write(_ bytes: some ContiguousBytes) throws {
        try bytes.withUnsafeBytes { all in
            var rest = all[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.write(descriptor, part.baseAddress, part.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Failure() }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Writes text as UTF-8; a failure has no effect, as for the words of a program that ends anyway.
    public func say(_ text: String) { try? write(Array(text.utf8)) }

    /// Moves to an offset from the start.
    /// - Throws: ``Failure``.
    public func seek(to offset: Int) throws {
        guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw Failure() }
    }

    /// Moves to the end.
    /// - Returns: its offset.
    /// - Throws: ``Failure``.
    @discardableResult
    public func seekToEnd() throws -> Int {
        let offset = lseek(descriptor, 0, SEEK_END)
        guard offset >= 0 else { throw Failure() }
        return Int(offset)
    }

    /// Cuts the file to `size` bytes.
    /// - Throws: ``Failure``.
    public func truncate(to size: Int) throws {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw Failure() }
    }

    /// Waits until all written bytes are on the disk.
    /// - Throws: ``Failure``.
    public func synchronize() throws {
        guard fsync(descriptor) == 0 else { throw Failure() }
    }
}
