import CTerminal
import FoundationEssentials
import Glibc

/// The process's environment.
public enum ProcessEnvironment {
    /// The variables, read again on each access. Foundation takes half a millisecond for this, of the ten that a command takes.
    public static var current: [String: String] {
        var variables: [String: String] = [:]
        guard var entry = helix_environment() else { return variables }
        while let text = entry.pointee {
            if let equals = strchr(text, 0x3D) {
                let name = UnsafeRawBufferPointer(start: text, count: equals - text)
                variables[String(decoding: name, as: UTF8.self)] = String(cString: equals + 1)
            }
            entry += 1
        }
        return variables
    }
}
