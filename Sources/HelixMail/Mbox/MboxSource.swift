import HelixModel

/// The bytes of a mailbox, read by line, with lookahead.
struct MboxSource {
    /// The maximum length of a line in bytes.
    private let limit: Int
    private let chunk: () throws -> [UInt8]
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    /// Creates a source of the bytes that `chunk` returns: some per call, none at the end.
    init(limit: Int, _ chunk: @escaping () throws -> [UInt8]) {
        self.limit = limit
        self.chunk = chunk
    }

    /// Reads the next line with its line end, which the last line may lack.
    mutating func nextLine() throws -> ArraySlice<UInt8>? {
        let line = try peekLine()
        start += line?.count ?? 0
        return line
    }

    /// The next line, without consuming it.
    mutating func peekLine() throws -> ArraySlice<UInt8>? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) { return buffer[start...end] }
            if isAtEnd { return start < buffer.count ? buffer[start...] : nil }
            let length = buffer.count - start
            if length > limit {
                throw HelixError(.badInput, "it contains a line of more than \(limit >> 20) MB: not mail")
            }
            try fill()
            searched = start + length
        }
    }

    /// The next bytes, without consuming them: `count`, or fewer at the end.
    mutating func peek(_ count: Int) throws -> ArraySlice<UInt8> {
        while buffer.count - start < count, !isAtEnd { try fill() }
        return buffer[start..<min(buffer.count, start + count)]
    }

    /// Reads the next bytes.
    mutating func take(_ count: Int) throws -> [UInt8] {
        let bytes = Array(try peek(count))
        start += bytes.count
        return bytes
    }

    /// Puts bytes back, to be read next.
    mutating func unread(_ bytes: [UInt8]) {
        // Bytes that were just read are still in the buffer.
        if bytes.count <= start {
            buffer.replaceSubrange(start - bytes.count..<start, with: bytes)
            start -= bytes.count
        } else {
            buffer.replaceSubrange(..<start, with: bytes)
            start = 0
        }
    }

    private mutating func fill() throws {
        buffer.removeSubrange(..<start)
        start = 0
        let piece = try chunk()
        if piece.isEmpty { isAtEnd = true } else { buffer.append(contentsOf: piece) }
    }
}
