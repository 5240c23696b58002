import FoundationEssentials
import Glibc
import HelixModel
import HelixSystem

/// Exact copies of folders: files, folders and symbolic links with their permissions and times. Sockets and pipes, which only
/// live with a process, are left out.
enum FolderCopy {
    private static let pieceSize = 1 << 20

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
    static func copy(_ source: String, to target: String, progress: (Int) -> Void) throws {
        var done = 0
        var folders: [(path: String, info: stat)] = []
        try walk(source) { name, info in
            let (from, to) = (source + name, target + name)
            switch info.st_mode & S_IFMT {
            case S_IFDIR:
                guard mkdir(to, 0o700) == 0 else { throw failure("created", to) }
                folders.append((to, info))
            case S_IFLNK:
                guard symlink(try destination(of: from), to) == 0 else { throw failure("created", to) }
                setTimes(to, info)
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
            guard chmod(path, info.st_mode & 0o7777) == 0 else { throw failure("changed", path) }
            setTimes(path, info)
        }
    }

    /// Compares all contents byte by byte.
    /// - Throws: ``HelixError`` of code `io` at the first difference.
    static func compare(_ source: String, with target: String, progress: (Int) -> Void) throws {
        var (done, count, copied) = (0, 0, 0)
        try walk(source) { name, info in
            let (from, to) = (source + name, target + name)
            var other = stat()
            let kind = info.st_mode & S_IFMT
            guard [S_IFDIR, S_IFLNK, S_IFREG].contains(kind) else { return }
            count += 1
            guard lstat(to, &other) == 0, other.st_mode == info.st_mode else { throw difference(name) }
            switch kind {
            case S_IFLNK: if try destination(of: from) != destination(of: to) { throw difference(name) }
            case S_IFREG:
                guard info.st_size == other.st_size, info.st_mtim.tv_sec == other.st_mtim.tv_sec else {
                    throw difference(name)
                }
                let (left, right) = (try reader(from), try reader(to))
                while true {
                    let piece = try left.read(upToCount: pieceSize)
                    guard piece == (try right.read(upToCount: pieceSize)) else { throw difference(name) }
                    if piece.isEmpty { break }
                    done += piece.count
                    progress(done)
                }
            default: break
            }
        }
        try walk(target) { _, _ in copied += 1 }
        guard copied == count else { throw difference("") }
    }

    private static func copyFile(_ from: String, _ to: String, _ info: stat, progress: (Int) -> Void) throws {
        let source = try reader(from)
        let descriptor = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("created", to) }
        let file = FileStream(descriptor: descriptor)
        do {
            while true {
                let piece = try source.read(upToCount: pieceSize)
                if piece.isEmpty { break }
                try file.write(Array(piece))
                progress(piece.count)
            }
            guard fchmod(descriptor, info.st_mode & 0o7777) == 0 else { throw FileStream.Failure() }
        } catch { throw HelixError(.io, "\(to) cannot be written (\(error.systemReason))") }
        setTimes(to, info)
    }

    private static func reader(_ path: String) throws -> FileStream {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw failure("read", path) }
        return FileStream(descriptor: descriptor)
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
