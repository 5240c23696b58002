/// The character set declared in HTML, for messages that declare none.
enum HTMLCharset {
    /// The set in a `meta` element of the first kilobytes.
    static func declared(_ bytes: [UInt8]) -> String? {
        let head = bytes.prefix(2048).map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        guard let meta = find("<meta", in: head[...]), let charset = find("charset=", in: head[meta...]) else {
            return nil
        }
        let name = head[charset...].drop { $0 == 0x22 || $0 == 0x27 || $0 == 0x20 }
            .prefix { $0 > 0x20 && $0 < 0x7F && !"\"'<>/;".utf8.contains($0) }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    /// The position after a word.
    private static func find(_ word: StaticString, in bytes: ArraySlice<UInt8>) -> Int? {
        let count = word.utf8CodeUnitCount
        let pattern = UnsafeBufferPointer(start: word.utf8Start, count: count)
        var place = bytes.startIndex
        while place + count <= bytes.endIndex {
            if bytes[place] == pattern[0], bytes[place..<(place + count)].elementsEqual(pattern) {
                return place + count
            }
            place += 1
        }
        return nil
    }
}
