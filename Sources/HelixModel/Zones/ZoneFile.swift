#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A reader of compiled zone files, TZif version 1 to 4 (RFC 8536, RFC 9636).
enum ZoneFile {
    /// The size limit of a zone file in bytes.
    private static let sizeLimit = 1 << 20

    /// The bytes of the file at `path`, or nil if it cannot be read or has no plausible size.
    static func bytes(at path: String) -> [UInt8]? {
        guard let file = fopen(path, "rbe") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var count = 0
        while true {
            let got = bytes[count...].withUnsafeMutableBytes { space in
                space.baseAddress.map { fread($0, 1, space.count, file) } ?? 0
            }
            count += got
            if got == 0 || count > sizeLimit { break }
            if count == bytes.count { bytes.append(contentsOf: [UInt8](repeating: 0, count: bytes.count)) }
        }
        return ferror(file) == 0 && count > 0 && count <= sizeLimit ? Array(bytes[..<count]) : nil
    }

    /// The zone that the TZif `bytes` describe, or nil if they are not valid.
    static func zone(_ bytes: [UInt8], identifier: String) -> Zone? {
        guard let first = Header(bytes, at: 0) else { return nil }
        guard first.version >= 2 else {
            return block(bytes, first, at: 44, timeSize: 4, identifier: identifier, footer: nil)
        }
        let start = 44 + first.blockSize(timeSize: 4)
        guard let second = Header(bytes, at: start) else { return nil }
        let body = start + 44
        let end = body + second.blockSize(timeSize: 8)
        guard end <= bytes.count else { return nil }
        var footer: PosixZoneRule?
        if end < bytes.count, bytes[end] == 0x0A, let close = bytes[(end + 1)...].firstIndex(of: 0x0A) {
            footer = PosixZoneRule(String(decoding: bytes[(end + 1)..<close], as: UTF8.self))
        }
        return block(bytes, second, at: body, timeSize: 8, identifier: identifier, footer: footer)
    }

    private struct Header {
        var version: Int
        var isUTCCount: Int
        var isStandardCount: Int
        var leapCount: Int
        var timeCount: Int
        var typeCount: Int
        var nameSize: Int

        init?(_ bytes: [UInt8], at start: Int) {
            guard bytes.count >= start + 44, Array(bytes[start..<start + 4]) == Array("TZif".utf8) else { return nil }
            version = bytes[start + 4] == 0 ? 1 : Int(bytes[start + 4]) - 48
            func count(_ index: Int) -> Int { Int(integer(bytes, at: start + 20 + index * 4, size: 4)) }
            isUTCCount = count(0)
            isStandardCount = count(1)
            leapCount = count(2)
            timeCount = count(3)
            typeCount = count(4)
            nameSize = count(5)
            let counts = [isUTCCount, isStandardCount, leapCount, timeCount, typeCount, nameSize]
            guard counts.allSatisfy({ (0...100_000).contains($0) }), typeCount > 0 else { return nil }
        }

        func blockSize(timeSize: Int) -> Int {
            timeCount * (timeSize + 1) + typeCount * 6 + nameSize + leapCount * (timeSize + 4) + isStandardCount
                + isUTCCount
        }
    }

    /// Reads a big-endian signed integer.
    private static func integer(_ bytes: [UInt8], at index: Int, size: Int) -> Int64 {
        var value = UInt64(0)
        for byte in bytes[index..<index + size] { value = value << 8 | UInt64(byte) }
        let unused = UInt64(64 - size * 8)
        return Int64(bitPattern: value << unused) >> Int64(unused)
    }

    private static func block(
        _ bytes: [UInt8], _ header: Header, at start: Int, timeSize: Int, identifier: String, footer: PosixZoneRule?
    ) -> Zone? {
        guard start + header.blockSize(timeSize: timeSize) <= bytes.count else { return nil }
        let kinds = start + header.timeCount * timeSize
        let types = kinds + header.timeCount
        let names = types + header.typeCount * 6
        func state(_ type: Int, at instant: Int64) -> Zone.Transition? {
            guard type < header.typeCount else { return nil }
            let base = types + type * 6
            let nameStart = Int(bytes[base + 5])
            // A damaged file would put events years away.
            let offset = Int(integer(bytes, at: base, size: 4))
            guard nameStart < header.nameSize, PosixZoneRule.offsets.contains(offset) else { return nil }
            let name = bytes[(names + nameStart)..<(names + header.nameSize)].prefix { $0 != 0 }
            return Zone.Transition(
                at: instant, offset: offset, isDaylight: bytes[base + 4] != 0,
                abbreviation: String(decoding: name, as: UTF8.self))
        }
        var transitions: [Zone.Transition] = []
        transitions.reserveCapacity(header.timeCount)
        for index in 0..<header.timeCount {
            let at = integer(bytes, at: start + index * timeSize, size: timeSize)
            guard let transition = state(Int(bytes[kinds + index]), at: at) else { return nil }
            transitions.append(transition)
        }
        guard let initial = state(0, at: .min) else { return nil }
        return Zone(identifier: identifier, initial: initial, transitions: transitions, rule: footer)
    }
}
