/// The content of an S/MIME message that is signed, but not encrypted, as one opaque part (RFC 8551 §3.5.2): CMS SignedData
/// (RFC 5652 §5) in DER or BER. The signature is not verified.
public enum SignedContent {
    /// The object identifier of SignedData: 1.2.840.113549.1.7.2.
    private static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]

    /// The signed MIME entity; nil for anything else, such as encrypted data.
    public static func extracted(_ bytes: [UInt8]) -> [UInt8]? {
        var reader = Reader(bytes[...])
        guard var info = reader.enter(0x30), info.take(0x06).map({ Array($0) }) == signedData,
            var explicit = info.enter(0xA0), var data = explicit.enter(0x30), data.take(0x02) != nil,
            data.skip(0x31), var content = data.enter(0x30), content.take(0x06) != nil,
            var wrapped = content.enter(0xA0)
        else { return nil }
        return wrapped.octets()
    }

    /// Reads tags and lengths (X.690); a length may be indefinite, up to two zero bytes.
    private struct Reader {
        var rest: ArraySlice<UInt8>
        var depth = 0

        init(_ bytes: ArraySlice<UInt8>, depth: Int = 0) { (rest, self.depth) = (bytes, depth) }

        /// The tag and the content of the next element, and what follows it.
        private func next() -> (tag: UInt8, content: ArraySlice<UInt8>, after: ArraySlice<UInt8>)? {
            var place = rest.startIndex
            guard rest.count >= 2, depth < 20 else { return nil }
            // Tags above 30 are not used here.
            let tag = rest[place]
            guard tag & 0x1F != 0x1F else { return nil }
            let first = rest[place + 1]
            place += 2
            if first == 0x80 {
                var inner = Reader(rest[place...], depth: depth + 1)
                while !inner.rest.starts(with: [0, 0]) {
                    guard let element = inner.next() else { return nil }
                    inner.rest = element.after
                }
                return (tag, rest[place..<inner.rest.startIndex], inner.rest.dropFirst(2))
            }
            var length = Int(first)
            if first > 0x80 {
                let count = Int(first & 0x7F)
                guard count <= 4, rest.endIndex - place >= count else { return nil }
                length = rest[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
                place += count
            }
            guard rest.endIndex - place >= length else { return nil }
            return (tag, rest[place..<place + length], rest[(place + length)...])
        }

        /// The content of the next element, if it has that tag.
        mutating func take(_ tag: UInt8) -> ArraySlice<UInt8>? {
            guard let element = next(), element.tag == tag else { return nil }
            rest = element.after
            return element.content
        }

        mutating func enter(_ tag: UInt8) -> Reader? { take(tag).map { Reader($0, depth: depth + 1) } }

        mutating func skip(_ tag: UInt8) -> Bool { take(tag) != nil }

        /// The bytes of an octet string, which may be in pieces.
        mutating func octets() -> [UInt8]? {
            guard let element = next() else { return nil }
            rest = element.after
            if element.tag == 0x04 { return Array(element.content) }
            guard element.tag == 0x24 else { return nil }
            var inner = Reader(element.content, depth: depth + 1)
            var found: [UInt8] = []
            while !inner.rest.isEmpty {
                guard let piece = inner.octets() else { return nil }
                found += piece
            }
            return found
        }
    }
}

extension SignedContent {
    /// A message whose body is the signed entity: the headers of the message, except those of its opaque content.
    static func message(_ whole: [UInt8], content: [UInt8]) -> [UInt8] {
        let head = RawHead.without(whole) {
            String(decoding: $0.prefix(8), as: UTF8.self).lowercased() == "content-"
        }.head
        return head + content
    }
}
