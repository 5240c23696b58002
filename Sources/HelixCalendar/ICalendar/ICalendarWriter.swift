/// Writes iCalendar streams (RFC 5545 §3.1): CRLF line ends, lines folded at 75 octets.
public struct ICalendarWriter {
    /// The bytes written since the last ``take()``.
    public private(set) var bytes: [UInt8] = []

    /// Creates an empty stream.
    public init() {}

    /// Writes one unfolded line.
    public mutating func line(_ line: some StringProtocol) {
        var line = String(line)
        line.withUTF8 { fold($0[...]) }
    }

    /// Writes all lines of `text`, each ended by a line feed.
    public mutating func lines(_ text: String) {
        var text = text
        text.withUTF8 { all in
            var start = 0
            while start < all.count, let end = all[start...].firstIndex(of: 0x0A) {
                fold(all[start..<end])
                start = end + 1
            }
        }
    }

    private mutating func fold(_ line: Slice<UnsafeBufferPointer<UInt8>>) {
        var rest = line
        // The blank at the start of a continuation line counts as one of the 75 octets.
        var room = 75
        while rest.count > room {
            var cut = rest.startIndex + room
            // Code points are never split, although the RFC allows it.
            while rest[cut] & 0xC0 == 0x80 { cut -= 1 }
            bytes.append(contentsOf: rest[..<cut])
            bytes.append(contentsOf: [0x0D, 0x0A, 0x20])
            rest = rest[cut...]
            room = 74
        }
        bytes.append(contentsOf: rest)
        bytes.append(contentsOf: [0x0D, 0x0A])
    }

    /// Returns the written bytes, and clears them.
    public mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}
