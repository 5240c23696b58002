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
    /// The maximum number of ancestors that are looked at; more processes than a system has in one line.
    private static let depthLimit = 100_000

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

    /// The time of a process's start in ticks since the system's start; nil if there is none with that number.
    public static func start(of process: Int) -> UInt64? { parent(of: process)?.start }

    private static func parent(of process: Int) -> (parent: Int, start: UInt64)? {
        withContents("/proc/\(process)/stat") { bytes in
            // The name, in parentheses, may contain anything.
            guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
            let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 20)
            func number(_ place: Int) -> UInt64? { UInt64(String(decoding: fields[place], as: UTF8.self)) }
            guard fields.count > 19, let parent = number(1), let start = number(19) else { return nil }
            return (Int(parent), start)
        }
    }

    private static func value(of variable: String, in process: Int) -> String? {
        withContents("/proc/\(process)/environ") { bytes in
            // Variables end with a NUL.
            let head = Array((variable + "=").utf8)
            var place = 0
            while place < bytes.count {
                let end = bytes[place...].firstIndex(of: 0) ?? bytes.count
                if bytes[place] == head[0], bytes[place..<end].starts(with: head) {
                    let value = String(decoding: bytes[(place + head.count)..<end], as: UTF8.self)
                    return value.isEmpty ? nil : value
                }
                place = end + 1
            }
            return nil
        }
    }

    private static func withContents<Value>(_ path: String, _ body: (UnsafeBufferPointer<UInt8>) -> Value?) -> Value? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var capacity = 16_384
        while capacity <= 4 << 20 {
            let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity)
            defer { bytes.deallocate() }
            var count = 0
            while count < capacity {
                let more = pread(file, bytes.baseAddress.map { $0 + count }, capacity - count, off_t(count))
                if more < 0, errno == EINTR { continue }
                if more <= 0 { break }
                count += more
            }
            if count < capacity { return body(UnsafeBufferPointer(rebasing: bytes[..<count])) }
            capacity *= 4
        }
        return nil
    }
}
