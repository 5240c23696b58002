import FoundationEssentials
import HelixModel

/// A file that a command writes at once, and whole.
enum OutputFile {
    /// Tells early that a file exists.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    static func check(_ path: String, force: Bool) throws {
        guard !force, !isDevice(path), FileManager.default.fileExists(atPath: path) else { return }
        throw HelixError(.cannotCreate, "\(path) exists already", hint: "Name another file, or pass --force.")
    }

    /// Writes a file, atomically.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    static func write(_ bytes: some Sequence<UInt8>, to path: String, force: Bool) throws {
        try check(path, force: force)
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: isDevice(path) ? [] : .atomic)
        } catch {
            throw HelixError(
                .cannotCreate, "cannot write \(path)",
                hint: "Check the permissions of its folder, and the free disk space.")
        }
    }

    private static func isDevice(_ path: String) -> Bool { path.hasPrefix("/dev/") }
}
