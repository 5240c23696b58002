import FoundationEssentials
import Glibc
import HelixModel
import HelixSystem

/// Exact copies of folders: files, folders and symbolic links with their permissions and times. Sockets and pipes, which only
/// live with a process, are left out.
struct FolderCopy {
    private static let pieceSize = 1 << 20
    /// The open files of the store that is copied. Closing one would release all locks that this process has on it (fcntl(2), "Record locking").
    private var kept: [FileStream] = []

    /// The bytes of all files.
    /// - Throws: ``HelixError`` of code `io`.
    static func size(of folder: String) throws -> Int {
        var total = 0
        try walk(folder) { _, info in
            if info.st_mode & S_IFMT == S_IFREG { total += Int(info.st_size) }
        }
        return total
    }

    /// Copies all contents into a folder.
    /// - Parameter progress: receives the number of bytes that were copied.
    /// - Throws: ``HelixError`` of code `io`.
    mutating func copy(_ source: String, to target: String, progress: (Int) -> Void) throws {
        var done = 0
        var folders: [(path: String, info: stat)] = []
        try Self.walk(source) { name, info in
            let (from, to) = (source + name, target + name)
            switch info.st_mode & S_IFMT {
            case S_IFDIR:
                guard mkdir(to, 0o700) == 0 else { throw Self.failure("created", to) }
                folders.append((to, info))
            case S_IFLNK:
                guard symlink(try Self.destination(of: from), to) == 0 else { throw Self.failure("created", to) }
                Self.setTimes(to, info)
            case S_IFREG:
                try copyFile(from, to, info) { count in
                    done += count
                    progress(done)
                }
            default: break
            }
        }
        // The times of a folder change with its contents: the innermost last.
        for (path, info) in folders.reversed() {
            guard chmod(path, info.st_mode & 0o7777) == 0 else { throw Self.failure("changed", path) }
            Self.setTimes(path, info)
        }
    }

    /// Compares all contents byte by byte.
    /// - Throws: ``HelixError`` of code `io` at the first difference.
    mutating func compare(_ source: String, with target: String, progress: (Int) -> Void) throws {
        var (done, count, copied) = (0, 0, 0)
        try Self.walk(source) { name, info in
            let (from, to) = (source + name, target + name)
            var other = stat()
            let kind = info.st_mode & S_IFMT
            guard [S_IFDIR, S_IFLNK, S_IFREG].contains(kind) else { return }
            count += 1
            guard lstat(to, &other) == 0, other.st_mode == info.st_mode else { throw Self.difference(name) }
            switch kind {
            case S_IFLNK: if try Self.destination(of: from) != Self.destination(of: to) { throw Self.difference(name) }
            case S_IFREG:
                guard info.st_size == other.st_size, info.st_mtim.tv_sec == other.st_mtim.tv_sec else {
                    throw Self.difference(name)
                }
                let (left, right) = (try reader(from, keeps: true), try reader(to))
                while true {
                    let piece = try left.read(upToCount: Self.pieceSize)
                    guard piece == (try right.read(upToCount: Self.pieceSize)) else { throw Self.difference(name) }
                    if piece.isEmpty { break }
                    done += piece.count
                    progress(done)
                }
            default: break
            }
        }
        try Self.walk(target) { _, _ in copied += 1 }
        guard copied == count else { throw Self.difference("") }
    }

    private mutating func copyFile(_ from: String, _ to: String, _ info: stat, progress: (Int) -> Void) throws {
        let source = try reader(from, keeps: true)
        let descriptor = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("created", to) }
        let file = FileStream(descriptor: descriptor)
        do {
            while true {
                let piece = try source.read(upToCount: Self.pieceSize)
                if piece.isEmpty { break }
                try file.write(Array(piece))
                progress(piece.count)
            }
            guard fchmod(descriptor, info.st_mode & 0o7777) == 0 else { throw FileStream.Failure() }
        } catch { throw HelixError(.io, "\(to) cannot be written (\(error.systemReason))") }
        Self.setTimes(to, info)
    }

    private mutating func reader(_ path: String, keeps: Bool = false) throws -> FileStream {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw Self.failure("read", path) }
        let file = FileStream(descriptor: descriptor)
        if keeps, path.lastPathComponent.hasPrefix("helix.db") { kept.append(file) }
        return file
    }

    private static func setTimes(_ path: String, _ info: stat) {
        withUnsafePointer(to: (info.st_atim, info.st_mtim)) { times in
            times.withMemoryRebound(to: timespec.self, capacity: 2) {
                _ = utimensat(AT_FDCWD, path, $0, AT_SYMLINK_NOFOLLOW)
            }
        }
    }

    private static func destination(of link: String) throws -> String {
        var room = [CChar](repeating: 0, count: 4097)
        let count = readlink(link, &room, 4096)
        guard count >= 0 else { throw failure("read", link) }
        return String(decoding: room[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Calls `body` with the path of each entry below a folder, which begins with a slash, and its properties: a folder before
    /// its contents.
    private static func walk(_ folder: String, _ body: (String, stat) throws -> Void) throws {
        var pending = [""]
        while let next = pending.popLast() {
            guard let directory = opendir(folder + next) else { throw failure("read", folder + next) }
            defer { closedir(directory) }
            var names: [String] = []
            errno = 0
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
                }
                guard let name else {
                    throw HelixError(
                        .badInput, "a file in \(folder + next) has a name that is not UTF-8", hint: "Rename it.")
                }
                if name != ".", name != ".." { names.append(name) }
                errno = 0
            }
            guard errno == 0 else { throw failure("read", folder + next) }
            for name in names.sorted() {
                let path = next + "/" + name
                var info = stat()
                guard lstat(folder + path, &info) == 0 else { throw failure("read", folder + path) }
                try body(path, info)
                if info.st_mode & S_IFMT == S_IFDIR { pending.append(path) }
            }
        }
    }

    private static func failure(_ verb: String, _ path: String) -> HelixError {
        HelixError(.io, "\(path) cannot be \(verb) (\(FileStream.Failure().systemReason))")
    }

    private static func difference(_ name: String) -> HelixError {
        HelixError(
            .io, "the copy differs\(name.isEmpty ? "" : " at \(name)"): something changed the files meanwhile",
            hint: "Nothing was changed. End the programs that use them, and try again.")
    }
}
