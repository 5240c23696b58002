import Glibc

/// The logical lines of a stream of calendars or contacts: unfolded (RFC 5545 §3.1, RFC 6350 §3.2), without control characters,
/// as valid UTF-8.
public struct UnfoldedLines {
    /// A logical line.
    public struct Line {
        /// Its bytes, without the line end.
        public var bytes: ArraySlice<UInt8>
        /// The number of its first physical line, from 1.
        public var number: Int
        /// Whether it was read as Windows-1252, because it is not UTF-8.
        public var isForeign = false
        /// Whether control characters were left out.
        public var isCleaned = false

        /// Whether it has only blanks.
        public var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 } }

        var defect: ICalendarDefect {
            let shown = String(decoding: bytes.prefix(40), as: UTF8.self)
            return ICalendarDefect(line: number, part: "line", reason: "'\(shown)' is not a property")
        }
    }

    private let source: () throws -> [UInt8]
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var isAtStart = true
    private var returned: Line?
    private var wide: UTF16Bytes?
    /// Whether the last line was quoted-printable, and goes on after its '='.
    private var isInSoftBreak = false
    /// The number of physical lines read so far.
    private(set) var number = 0

    /// Creates the lines of a stream; `source` returns its next bytes, none at its end.
    public init(_ source: @escaping () throws -> [UInt8]) { self.source = source }

    /// Puts `line` back, to be read next.
    mutating func unread(_ line: Line) { returned = line }

    /// The next line; nil at the end.
    /// - Throws: the error of the source.
    public mutating func next() throws -> Line? {
        if let line = returned {
            returned = nil
            return line
        }
        guard let first = try physicalLine() else { return nil }
        let start = number
        if position < buffer.count, buffer[position] != 0x20, buffer[position] != 0x09 {
            isInSoftBreak = endsWithSoftBreak(buffer[first])
            return UnfoldedLines.cleaned(buffer[first], start)
        }
        // Peeking may refill the buffer, which moves it: the line is copied first.
        var bytes = Array(buffer[first])
        while let follower = try peek(), follower == 0x20 || follower == 0x09 {
            guard let more = try physicalLine() else { break }
            // A line over the component limit is cut: the component is rejected by its size anyway.
            guard bytes.count <= ICalendarReader.componentLimit else { continue }
            if endsWithSoftBreak(bytes[...]) {
                // A soft line break (RFC 2045 §6.7) before a blank: the blank belongs to the value, the '=' does not.
                bytes.removeLast()
                bytes.append(contentsOf: buffer[more])
            } else {
                bytes.append(contentsOf: buffer[more].dropFirst())
            }
        }
        isInSoftBreak = endsWithSoftBreak(bytes[...])
        return UnfoldedLines.cleaned(bytes[...], start)
    }

    /// Whether the value of a line is quoted-printable, as in vCalendar 1.0 and vCard 2.1, and ends with a soft line break.
    private func endsWithSoftBreak(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.last == 0x3D else { return false }
        if isInSoftBreak { return true }
        let head = line.prefix(200).prefix { $0 != UInt8(ascii: ":") }
        return String(decoding: head, as: UTF8.self).uppercased().contains("QUOTED-PRINTABLE")
    }

    /// The next byte, refilling the buffer if needed.
    private mutating func peek() throws -> UInt8? {
        while position >= buffer.count {
            guard try refill() else { return nil }
        }
        return buffer[position]
    }

    /// The range of the next line in `buffer`, without its line end.
    private mutating func physicalLine() throws -> Range<Int>? {
        guard try peek() != nil else { return nil }
        var searched = position
        while true {
            if let end = lineFeed(from: searched) {
                let start = position
                position = end + 1
                number += 1
                return start..<(end > start && buffer[end - 1] == 0x0D ? end - 1 : end)
            }
            let offset = buffer.count - position
            guard try refill() else {
                let range = position..<buffer.count
                position = buffer.count
                number += 1
                return range
            }
            searched = position + offset
        }
    }

    private func lineFeed(from start: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard start < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + start, 0x0A, bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    /// Moves unread bytes to the front and appends the next chunk; false at the end of the stream.
    private mutating func refill() throws -> Bool {
        guard !isAtEnd else { return false }
        var chunk = try source()
        if isAtStart { wide = UTF16Bytes(start: chunk) }
        if chunk.isEmpty {
            isAtEnd = true
            guard let rest = wide?.end(), !rest.isEmpty else { return false }
            chunk = rest
        } else if wide != nil {
            chunk = wide?.utf8(chunk) ?? []
        }
        if isAtStart {
            isAtStart = false
            if chunk.starts(with: [0xEF, 0xBB, 0xBF]) { chunk.removeFirst(3) }
        }
        buffer.removeSubrange(..<position)
        position = 0
        buffer.append(contentsOf: chunk)
        return true
    }

    /// The line as valid UTF-8 without control characters, except tabs.
    private static func cleaned(_ line: ArraySlice<UInt8>, _ number: Int) -> Line {
        let (isPlain, isASCII) = line.withUnsafeBufferPointer(UnfoldedLines.kind)
        // Most lines stay as they are; to take them apart would be a tenth of an import.
        if isPlain, isASCII || (try? UTF8Span(validating: line.span)) != nil {
            return Line(bytes: line, number: number)
        }
        let own = String(validating: line, as: UTF8.self)
        let text = own ?? String(windows1252: line)
        var kept = String.UnicodeScalarView()
        var isCleaned = false
        for scalar in text.unicodeScalars {
            let value = scalar.value
            let isControl = value < 0x20 && value != 0x09 || (0x7F...0x9F).contains(value)
            if isControl { isCleaned = true } else { kept.append(scalar) }
        }
        return Line(
            bytes: Array(String(kept).utf8)[...], number: number, isForeign: own == nil, isCleaned: isCleaned)
    }

    /// Whether bytes have no control characters, if they are UTF-8, and whether all are ASCII.
    private static func kind(_ bytes: UnsafeBufferPointer<UInt8>) -> (isPlain: Bool, isASCII: Bool) {
        var isASCII = true
        var previous: UInt8 = 0
        for byte in bytes {
            if byte >= 0x80 {
                isASCII = false
                // U+0080 to U+009F.
                if previous == 0xC2, byte < 0xA0 { return (false, false) }
            } else if byte < 0x20 && byte != 0x09 || byte == 0x7F {
                return (false, isASCII)
            }
            previous = byte
        }
        return (true, isASCII)
    }
}
