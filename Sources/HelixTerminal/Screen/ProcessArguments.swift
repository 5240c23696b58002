import CTerminal
import FoundationEssentials
import Glibc

/// The process's arguments and executable, available also without `/proc`.
public enum ProcessArguments {
    /// The arguments without the name of the program.
    public static var current: [String] {
        (1..<max(1, helix_argument_count())).compactMap { index in helix_argument(index).map { String(cString: $0) } }
    }

    /// The path of the executable; nil if it cannot be determined.
    public static var program: String? {
        if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") { return path }
        guard let name = helix_program_name(), let path = realpath(name, nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }
}
