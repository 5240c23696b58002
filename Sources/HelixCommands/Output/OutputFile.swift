import FoundationEssentials
import Glibc
import HelixModel
import HelixSystem

/// A file that a command writes at once, and whole.
enum OutputFile {
    /// Tells early that a file cannot be written: it exists, or its folder does not.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    static func check(_ path: String, force: Bool) throws {
        if isDevice(path) { return }
        var info = stat()
        if stat(path, &info) == 0 {
            guard info.st_mode & S_IFMT != S_IFDIR else {
                throw HelixError(.cannotCreate, "\(path) is a folder", hint: "Name a file in it.")
            }
            guard force else {
                throw HelixError(.cannotCreate, "\(path) exists already", hint: "Name another file, or pass --force.")
            }
        }
        let folder = path.contains("/") ? path.deletingLastPathComponent : "."
        guard stat(folder.isEmpty ? "/" : folder, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else {
            throw HelixError(
                .cannotCreate, "cannot write \(path): there is no folder \(folder)", hint: "Create it first.")
        }
    }

    /// Writes a file, atomically.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    static func write(_ bytes: some Sequence<UInt8>, to path: String, force: Bool) throws {
        try check(path, force: force)
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: isDevice(path) ? [] : .atomic)
        } catch { throw failure(path) }
    }

    private static func failure(_ path: String) -> HelixError {
        HelixError(
            .cannotCreate, "cannot write \(path)", hint: "Check the permissions of its folder, and the free disk space."
        )
    }

    private static func isDevice(_ path: String) -> Bool { path.hasPrefix("/dev/") }

    /// Files that are complete beside their places, and take them when something else has succeeded.
    final class Staged {
        private var files: [(path: String, part: String)] = []

        /// - Throws: ``HelixError``: `cannotCreate`, or `usage` for a file that is named twice.
        init(_ contents: [(path: String, bytes: [UInt8])], force: Bool) throws {
            var names: Set<String> = []
            for (path, bytes) in contents {
                guard names.insert(URL(fileURLWithPath: path).standardizedFileURL.path).inserted else {
                    throw HelixError(.usage, "--output names \(path) twice")
                }
                try OutputFile.check(path, force: force)
                let isDevice = OutputFile.isDevice(path)
                let part = isDevice ? path : "\(path).\(EntityID().text).part"
                do {
                    try Data(bytes).write(
                        to: URL(fileURLWithPath: part), options: isDevice ? [] : .withoutOverwriting)
                } catch { throw OutputFile.failure(path) }
                files.append((path, part))
            }
        }

        deinit {
            for (path, part) in files where path != part { unlink(part) }
        }

        /// Moves the files to their places.
        /// - Returns: the paths.
        /// - Throws: ``HelixError`` of code `cannotCreate`.
        func finish() throws -> [String] {
            for (path, part) in files where path != part {
                guard rename(part, path) == 0 else { throw OutputFile.failure(path) }
            }
            defer { files = [] }
            return files.map(\.path)
        }
    }
}
