import Glibc

extension String {
    /// The text without leading and trailing blanks and line ends.
    public func trimmingBlanks() -> String {
        // Fast path on bytes: there is nearly always nothing to trim.
        if let first = utf8.first, let last = utf8.last, (0x21..<0x7F).contains(first), (0x21..<0x7F).contains(last) {
            return self
        }
        return trimming(\.isWhitespace)
    }

    /// The text without leading and trailing characters of a kind.
    public func trimming(_ isTrimmed: (Character) -> Bool) -> String {
        var rest = Substring(self)
        while let first = rest.first, isTrimmed(first) { rest = rest.dropFirst() }
        while let last = rest.last, isTrimmed(last) { rest = rest.dropLast() }
        return String(rest)
    }
}

extension String {
    /// Whether it contains the bytes of a text. The usual search compares characters: two thirds of the time of an export.
    public func hasBytes(of text: String) -> Bool {
        let found = utf8.withContiguousStorageIfAvailable { own in
            text.utf8.withContiguousStorageIfAvailable { wanted in
                guard let start = own.baseAddress, let first = wanted.baseAddress else { return wanted.isEmpty }
                var at = 0
                while at + wanted.count <= own.count,
                    let next = memchr(start + at, Int32(first[0]), own.count - wanted.count + 1 - at)
                {
                    if memcmp(next, first, wanted.count) == 0 { return true }
                    at = start.distance(to: next.assumingMemoryBound(to: UInt8.self)) + 1
                }
                return false
            }
        }
        return found.flatMap { $0 } ?? contains(text)
    }
}
