/// Writes iCalendar streams (RFC 5545 §3.1): CRLF line ends, lines folded at 75 octets.
public struct ICalendarWriter {
    /// What was written so far and not taken yet.
    public private(set) var bytes: [UInt8] = []

    /// An empty stream.
    public init() {}

    /// Writes one unfolded line.
    public mutating func line(_ line: some StringProtocol) {
        var column = 0
        // A code point is never torn apart, though the RFC would allow it.
        for scalar in line.unicodeScalars {
            let width = UTF8.width(scalar)
            if column + width > 75 {
                bytes.append(contentsOf: [0x0D, 0x0A, 0x20])
                column = 1
            }
            if width == 1 {
                bytes.append(UInt8(scalar.value))
            } else {
                bytes.append(contentsOf: Array(String(scalar).utf8))
            }
            column += width
        }
        bytes.append(contentsOf: [0x0D, 0x0A])
    }

    /// Writes all lines of `text`, which are ended by line feeds.
    public mutating func lines(_ text: String) {
        var text = text
        text.withUTF8 { all in
            var start = 0
            for index in all.indices where all[index] == 0x0A {
                if index - start <= 75 {
                    bytes.append(contentsOf: all[start..<index])
                    bytes.append(contentsOf: [0x0D, 0x0A])
                } else {
                    line(String(decoding: all[start..<index], as: UTF8.self))
                }
                start = index + 1
            }
        }
    }

    /// Hands over what was written, and forgets it.
    public mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}
