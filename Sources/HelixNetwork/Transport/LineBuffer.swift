import HelixModel

/// The lines of a connection whose protocol has lines and counted bytes.
struct LineBuffer {
    private let stream: NetworkStream
    private let label: String
    private var bytes: [UInt8] = []

    /// The longest line in bytes.
    private static let limit = 1 << 20

    /// - Parameter label: the server's name in errors.
    init(_ stream: NetworkStream, label: String) { (self.stream, self.label) = (stream, label) }

    /// Whether no received byte waits to be read.
    var isEmpty: Bool { bytes.isEmpty }

    /// The next line, without its end.
    /// - Throws: ``HelixError``: `offline` if the connection breaks, `protocol` for an endless line.
    mutating func line() throws -> [UInt8] {
        while true {
            if let end = bytes.firstIndex(of: 10) {
                var line = Array(bytes[..<end])
                if line.last == 13 { line.removeLast() }
                bytes.removeSubrange(...end)
                return line
            }
            guard bytes.count < Self.limit else { throw HelixError(.protocol, "\(label) sent an endless line") }
            try stream.receive { bytes.append(contentsOf: $0) }
        }
    }

    /// The next bytes.
    /// - Throws: ``HelixError``, as ``line()``.
    mutating func bytes(_ count: Int) throws -> [UInt8] {
        guard count <= 16 << 20 else { throw HelixError(.protocol, "\(label) sent a text of \(count) bytes") }
        while bytes.count < count { try stream.receive { bytes.append(contentsOf: $0) } }
        defer { bytes.removeFirst(count) }
        return Array(bytes.prefix(count))
    }
}
