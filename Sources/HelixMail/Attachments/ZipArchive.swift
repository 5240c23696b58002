import HelixModel

/// A ZIP archive in memory (PKWARE APPNOTE 6.3.3): names, and contents that are stored or deflated.
struct ZipArchive {
    /// A file in it.
    struct Entry: Sendable {
        /// The path.
        let name: String
        fileprivate let method: Int
        fileprivate let packedSize: Int
        /// The size that the archive claims.
        let size: Int
        fileprivate let offset: Int
        /// Whether a password is needed.
        let isEncrypted: Bool
    }

    private let bytes: [UInt8]
    /// The files, in order.
    let entries: [Entry]

    /// The most entries to read.
    private static let limit = 20_000

    /// Reads the central directory; nil if there is none.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        // The end record is the last thing but a comment of at most 65,535 bytes.
        guard bytes.count >= 22,
            let end = stride(from: bytes.count - 22, through: max(0, bytes.count - 22 - 65_535), by: -1)
                .first(where: { Self.number(bytes, $0, 4) == 0x0605_4B50 })
        else { return nil }
        var place = Self.number(bytes, end + 16, 4)
        var found: [Entry] = []
        while found.count < Self.limit, place + 46 <= bytes.count, Self.number(bytes, place, 4) == 0x0201_4B50 {
            let (length, extra, comment) = (
                Self.number(bytes, place + 28, 2), Self.number(bytes, place + 30, 2), Self.number(bytes, place + 32, 2)
            )
            guard place + 46 + length <= bytes.count else { break }
            let name = Array(bytes[(place + 46)..<(place + 46 + length)])
            found.append(
                Entry(
                    name: String(validating: name, as: UTF8.self)
                        ?? String(decoding: name.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self),
                    method: Self.number(bytes, place + 10, 2), packedSize: Self.number(bytes, place + 20, 4),
                    size: Self.number(bytes, place + 24, 4), offset: Self.number(bytes, place + 42, 4),
                    isEncrypted: Self.number(bytes, place + 8, 2) & 1 != 0))
            place += 46 + length + extra + comment
        }
        entries = found
    }

    /// The content of a file, at most `limit` bytes of it.
    /// - Throws: ``HelixError`` of code `badInput` for a damaged, encrypted or unknown form.
    func content(of entry: Entry, limit: Int) throws -> [UInt8] {
        func broken(_ reason: String) -> HelixError { HelixError(.badInput, "'\(entry.name)' \(reason)") }
        if entry.isEncrypted { throw broken("is encrypted") }
        let head = entry.offset
        guard head + 30 <= bytes.count, Self.number(bytes, head, 4) == 0x0403_4B50 else { throw broken("is damaged") }
        let start = head + 30 + Self.number(bytes, head + 26, 2) + Self.number(bytes, head + 28, 2)
        guard start <= bytes.count, entry.packedSize <= bytes.count - start else { throw broken("is cut off") }
        let packed = bytes[start..<(start + entry.packedSize)]
        switch entry.method {
        case 0: return Array(packed.prefix(limit))
        case 8:
            let content = try Deflate.inflated(packed, limit: limit) ?? { throw broken("is damaged") }()
            guard content.count >= min(limit, entry.size) else { throw broken("is damaged") }
            return content
        default: throw broken("is compressed in a way that is not read")
        }
    }

    /// A little-endian number; 0 beyond the end.
    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        guard place >= 0, place + count <= bytes.count else { return 0 }
        return (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
}
