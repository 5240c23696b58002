import CZlib
import HelixModel

/// Data in the DEFLATE form (RFC 1951), as ZIP archives and gzip files have it.
enum Deflate {
    /// The unpacked bytes; nil if they are no DEFLATE.
    static func inflated(_ packed: ArraySlice<UInt8>, limit: Int) throws -> [UInt8]? {
        guard let stream = helix_deflate_open() else {
            throw HelixError(
                .configuration, "zlib is not installed, which reads compressed files", hint: "apt-get install zlib1g")
        }
        defer { helix_deflate_close(stream) }
        var out: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 16)
        var rest = packed
        while out.count < limit {
            var taken = 0
            let count = rest.withUnsafeBufferPointer { input in
                room.withUnsafeMutableBufferPointer { space in
                    helix_deflate_run(stream, 0, input.baseAddress, input.count, &taken, space.baseAddress, space.count)
                }
            }
            guard count >= 0 else { return nil }
            out += room[..<Int(count)].prefix(limit - out.count)
            rest = rest.dropFirst(taken)
            if rest.isEmpty, count < room.count || taken == 0 { break }
            if taken == 0, count == 0 { break }
        }
        return out
    }

    /// The content of a gzip file (RFC 1952), at most `limit` bytes of it; nil if it is none, damaged or cut off.
    /// - Throws: ``HelixError`` of code `configuration` if zlib is not installed.
    static func content(ofGzip bytes: [UInt8], limit: Int) throws -> [UInt8]? {
        guard bytes.count > 18, bytes[0] == 0x1F, bytes[1] == 0x8B, bytes[2] == 8 else { return nil }
        let flags = bytes[3]
        var place = 10
        // FEXTRA, FNAME, FCOMMENT and FHCRC, in this order.
        if flags & 4 != 0 { place += 2 + Int(bytes[10]) + Int(bytes[11]) << 8 }
        for flag: UInt8 in [8, 16] where flags & flag != 0 {
            guard place < bytes.count, let end = bytes[place...].firstIndex(of: 0) else { return nil }
            place = end + 1
        }
        if flags & 2 != 0 { place += 2 }
        guard place < bytes.count else { return nil }
        guard let content = try inflated(bytes[place...], limit: limit) else { return nil }
        // Its last bytes are its size. What is cut off still inflates to a beginning.
        let size = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        return content.count == limit || content.count & 0xFFFF_FFFF == size ? content : nil
    }
}
