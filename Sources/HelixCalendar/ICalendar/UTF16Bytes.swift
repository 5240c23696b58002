/// Bytes of UTF-16, which some programs write instead of UTF-8, as UTF-8.
struct UTF16Bytes {
    private let isBigEndian: Bool
    /// A byte or the first half of a pair at the end of a chunk, whose rest is in the next one.
    private var rest: [UInt8] = []

    /// Looks at the start of a stream: a byte order mark, or the first letters of BEGIN.
    /// - Returns: nil for other encodings.
    init?(start: [UInt8]) {
        guard start.count >= 4 else { return nil }
        switch (start[0], start[1]) {
        case (0xFF, 0xFE): isBigEndian = false
        case (0xFE, 0xFF): isBigEndian = true
        case (0x42, 0) where start[2] == 0x45 && start[3] == 0: isBigEndian = false
        case (0, 0x42) where start[2] == 0 && start[3] == 0x45: isBigEndian = true
        default: return nil
        }
    }

    /// The next bytes. A byte order mark becomes that of UTF-8.
    mutating func utf8(_ chunk: [UInt8]) -> [UInt8] {
        let bytes = rest + chunk
        var units: [UInt16] = []
        for place in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
        }
        rest = bytes.count % 2 == 0 ? [] : [bytes[bytes.count - 1]]
        if let last = units.last, UTF16.isLeadSurrogate(last) {
            units.removeLast()
            let place = bytes.count - bytes.count % 2 - 2
            rest = Array(bytes[place...])
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// The rest at the end of the stream: a sign for half a character, if there is one.
    mutating func end() -> [UInt8] {
        defer { rest = [] }
        return rest.isEmpty ? [] : Array("\u{FFFD}".utf8)
    }
}
