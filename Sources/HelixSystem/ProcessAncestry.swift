import Glibc

/// A process above this one, as `/proc` describes it (proc(5)).
public struct AncestorProcess: Sendable {
    /// Its number.
    public let id: Int
    /// The time of its start, in ticks since the system's start: with the number it identifies the process.
    public let start: UInt64
    /// The value of the requested variable when it was started.
    public let value: String
}

/// The processes above this one.
public enum ProcessAncestry {
    /// The maximum number of ancestors that are looked at.
    private static let depthLimit = 64

    /// The ancestors that were started with an environment variable, the nearest first. A process that removed the variable for
    /// its own children still has it here.
    public static func ancestors(with variable: String) -> [AncestorProcess] {
        var found: [AncestorProcess] = []
        var process = Int(getppid())
        for _ in 0..<depthLimit where process > 1 {
            guard let (parent, start) = parent(of: process) else { break }
            if let value = Self.value(of: variable, in: process) {
                found.append(AncestorProcess(id: process, start: start, value: value))
            }
            process = parent
        }
        return found
    }

    /// The identity of the parent process, for what its commands have in common.
    public static var parent: (id: Int, start: UInt64)? {
        let process = Int(getppid())
        return parent(of: process).map { (process, $0.start) }
    }

    private static func parent(of process: Int) -> (parent: Int, start: UInt64)? {
        // The name, in parentheses, may contain anything.
        guard let bytes = contents("/proc/\(process)/stat"), let end = bytes.lastIndex(of: UInt8(ascii: ")")) else {
            return nil
        }
        let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard fields.count > 19, let parent = Int(fields[1]), let start = UInt64(fields[19]) else { return nil }
        return (parent, start)
    }

    private static func value(of variable: String, in process: Int) -> String? {
        guard let bytes = contents("/proc/\(process)/environ") else { return nil }
        let head = Array((variable + "=").utf8)
        for entry in bytes.split(separator: 0) where entry.starts(with: head) {
            let value = String(decoding: entry.dropFirst(head.count), as: UTF8.self)
            return value.isEmpty ? nil : value
        }
        return nil
    }

    private static func contents(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        while bytes.count < 1 << 20 {
            var part = [UInt8](repeating: 0, count: 8192)
            let count = read(file, &part, part.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            bytes += part[..<count]
        }
        return bytes
    }
}
